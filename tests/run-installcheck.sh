#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run-installcheck.sh DESTDIR LIBDIR BINDIR SRCDIR DATADIR: an application built with
# pkg-config against the installed library, shared, then static, runs; so do
# the one in README.md, the installed command, and the installed copy of hello,
# built anew.
set -eu
destdir=$1 libdir=$2 bindir=$3 srcdir=$4 datadir=$5
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
PKG_CONFIG_PATH=$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
pc() { ${PKG_CONFIG:-pkg-config} ${destdir:+--define-prefix} "$@" cairn; }

cat >"$dir/app.c" <<'END'
#include <cairn/dag.h>
#include <stdio.h>
int main(int argc, char **argv) {
  cairn_dag_program *program;
  if (argc < 2 || cairn_dag_program_read(argv[1], NULL, &program) != CAIRN_OK)
    return 1;
  printf("%s %u\n", cairn_dag_program_name(program),
         cairn_dag_program_ops(program));
  cairn_dag_program_free(program);
  return 0;
}
END
cat >"$dir/p.xml" <<'END'
<program name="two"><cpu name="a"/><gpu name="b" after="a"/></program>
END
expect() {
  got=$("$@" "$dir/p.xml")
  [ "$got" = "two 4" ] || { echo "$1: expected \"two 4\", got \"$got\""; exit 1; }
}
${CC:-cc} -o "$dir/shared" "$dir/app.c" $(pc --cflags --libs) -Wl,-rpath,"$libdir"
expect "$dir/shared"
if [ -e "$libdir/libcairn.a" ]; then
  ${CC:-cc} -o "$dir/static" "$dir/app.c" $(pc --cflags) \
    -Wl,-Bstatic $(pc --libs) -Wl,-Bdynamic $(pc --static --libs | sed 's/-lcairn//')
  ldd "$dir/static" | grep -q libcairn && { echo "static: uses the shared library"; exit 1; }
  expect "$dir/static"
fi
LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
"$bindir/cairn" --version | grep -q '^cairn [0-9]'
"$bindir/cairn" check "$dir/p.xml" >/dev/null

# The application that README.md shows.
sed -n '/^```c$/,/^```$/{/^```/d;p}' "$srcdir/README.md" >"$dir/readme.c"
${CC:-cc} -o "$dir/readme" "$dir/readme.c" $(pc --cflags --libs)
cp "$srcdir/examples/hello/hello.xml" "$dir"
CAIRN_PLUGIN_PATH=$PWD/examples/hello${CAIRN_PLUGIN_PATH:+:$CAIRN_PLUGIN_PATH}
export CAIRN_PLUGIN_PATH
got=$(cd "$dir" && ./readme)
count=$("$bindir/cairn" enumerate "$dir/hello.xml" --count)
case $got in
  "$count schedules, the best: "*Sum*) ;;
  *) echo "README.md's program: expected $count schedules, got \"$got\""; exit 1 ;;
esac
[ "$("$bindir/cairn" classify "$dir/run.jsonl" >/dev/null; echo $?)" = 0 ] ||
  { echo "README.md's program: its journal cannot be classified"; exit 1; }

# The example that users copy: its own Makefile, its plugin beside the program.
mkdir "$dir/copy"
cp "$datadir/examples/hello"/* "$dir/copy"
sed 's/library="hello"/library="copied"/' "$datadir/examples/hello/hello.xml" \
  >"$dir/copy/copied.xml"
cat >"$dir/pkg-config" <<END
#!/bin/sh
exec $(command -v ${PKG_CONFIG:-pkg-config}) ${destdir:+--define-prefix} "\$@"
END
chmod +x "$dir/pkg-config"
(unset MAKEFLAGS MFLAGS MAKELEVEL
  PATH=$dir:$PATH ${MAKE:-make} -s -C "$dir/copy" CC="${CC:-cc}")
mv "$dir/copy/hello.so" "$dir/copy/copied.so"
(unset CAIRN_PLUGIN_PATH
  "$bindir/cairn" run "$dir/copy/copied.xml" --backend host --samples 2 --verify) \
  >/dev/null || { echo "the installed hello, copied, does not run"; exit 1; }
echo "installcheck: fine"

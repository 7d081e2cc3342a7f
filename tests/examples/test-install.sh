#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cairn is installed into an empty folder; each example, copied elsewhere,
# builds against it with its own Makefile, and runs.
set -u
: "${top_srcdir:=.}" "${top_builddir:=.}" "${MPIEXEC:=mpiexec}"
: "${MPIEXEC_FLAGS:=}" "${MAKE:=make}"
command -v pkg-config >/dev/null 2>&1 || { echo "SKIP: no pkg-config"; exit 77; }
command -v "$MPIEXEC" >/dev/null 2>&1 || { echo "SKIP: no $MPIEXEC"; exit 77; }
$MAKE --version 2>/dev/null | grep -q GNU || { echo "SKIP: no GNU make"; exit 77; }
unset MAKEFLAGS MFLAGS MAKELEVEL CAIRN_PLUGIN_PATH
work=`mktemp -d` || exit 1
trap 'rm -rf "$work"' EXIT
$MAKE -s -C "$top_builddir" install DESTDIR="$work/root" >"$work/log" 2>&1 ||
  { cat "$work/log"; echo "FAIL: make install"; exit 1; }
pc=`find "$work/root" -name cairn.pc`
PKG_CONFIG_PATH=`dirname "$pc"` PKG_CONFIG_SYSROOT_DIR=$work/root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
cairn=`find "$work/root" -type f -name cairn -path '*/bin/*'`
LD_LIBRARY_PATH=`dirname "$PKG_CONFIG_PATH"`:${LD_LIBRARY_PATH:-}
export LD_LIBRARY_PATH
failed=0
for example in hello spmv halo; do
  mkdir "$work/$example"
  for file in "$top_srcdir/examples/$example"/*; do
    test -f "$file" && cp "$file" "$work/$example"
  done
  # Not the plugin that was installed with cairn, nor one from the tree.
  rm -f "$work/$example"/*.so "$work/$example"/*.o
  small=
  case $example in
  spmv) small="-D rows=300" ;;
  halo) small="-D nx=4 -D ny=4 -D nz=4" ;;
  esac
  if $MAKE -s -C "$work/$example" NVCC= >"$work/log" 2>&1 &&
    test -f "$work/$example/$example.so" &&
    $MPIEXEC $MPIEXEC_FLAGS -n 1 "$cairn" run "$work/$example/$example.xml" \
      $small --backend host --verify --samples 2 >>"$work/log" 2>&1; then
    echo "ok: $example"
  else
    cat "$work/log"; echo "FAIL: $example"; failed=1
  fi
done
exit $failed

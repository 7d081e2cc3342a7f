# SPDX-License-Identifier: BSD-3-Clause
# Helpers of the shell tests; sourced.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
status=0
data=$top_srcdir/../shared/data
spmv=$top_srcdir/examples/spmv/spmv.xml
hello=$top_srcdir/examples/hello/hello.xml
CAIRN_PLUGIN_PATH=$top_builddir/examples/spmv:$top_builddir/examples/hello:$top_builddir/examples/halo
export CAIRN_PLUGIN_PATH

complain() {
  echo "FAIL: $*"
  status=1
}
skip() {
  echo "SKIP: $*"
  exit 77
}
# expect CODE COMMAND...: exit code; output in files out and err.
expect() {
  local code=$1 got
  shift
  "$@" >out 2>err
  got=$?
  [ $got = "$code" ] ||
    complain "$*: expected exit code $code, got $got: $(tail -n 5 err)"
  return 0
}
# ranks N COMMAND...: on N ranks.
ranks() {
  local n=$1
  shift
  $MPIEXEC $MPIEXEC_FLAGS -n "$n" "$@"
}
need_jq() { command -v jq >/dev/null || skip "jq is not installed"; }
# equal WHAT GOT EXPECTED
equal() { [ "$2" = "$3" ] || complain "$1: got \"$2\", expected \"$3\""; }
# await FILE N: until more than N results are in it (or for 20 s).
await() {
  for _ in $(seq 200); do
    [ "$(grep -c '"k":"result"' "$1" 2>/dev/null)" -gt "$2" ] 2>/dev/null && break
    sleep 0.1
  done
}

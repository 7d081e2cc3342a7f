#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A schedule of spmv written as C compiles, runs on 2 ranks and verifies; so
# does one with a stream wait; the form for CUDA compiles against the stub
# header; and the trace of a run is JSON with a track a stream.
set -u
: "${CAIRN:=./cairn}" "${top_srcdir:=.}" "${top_builddir:=.}" "${CC:=cc}"
: "${MPIEXEC:=mpiexec}" "${MPIEXEC_FLAGS:=}"
command -v "$MPIEXEC" >/dev/null 2>&1 || { echo "SKIP: no $MPIEXEC"; exit 77; }
command -v pkg-config >/dev/null 2>&1 || { echo "SKIP: no pkg-config"; exit 77; }
command -v "$CC" >/dev/null 2>&1 || { echo "SKIP: no $CC"; exit 77; }
work=`mktemp -d` || exit 1
trap 'rm -rf "$work"' EXIT
PKG_CONFIG_PATH=$top_builddir
export PKG_CONFIG_PATH
mpi() { pkg-config --variable="$1" cairn; }
spmv=$top_srcdir/examples/spmv/spmv.xml
plugin=$top_builddir/examples/spmv/spmv.so
CAIRN_PLUGIN_PATH=$top_builddir/examples/spmv
export CAIRN_PLUGIN_PATH
failed=0
check() { # WHAT COMMAND...
  what=$1
  shift
  if "$@" >"$work/log" 2>&1; then echo "ok: $what"; else
    cat "$work/log"; echo "FAIL: $what"; failed=1
  fi
}
cat >"$work/waits" <<'S'
start PostRecv yl@0 CER-a@0#0 Pack@1 CER-b@1#1 CES-c#1 PostSend WaitRecv yr@1 CSW-d@1#0 y@1 CER-e@1#2 WaitSend CES-f#2 end
S
flags="-O1 -Wall -Wextra -Werror -DCAIRN_EMIT_MAIN -I$top_builddir/include"
# the plugin of a build with sanitizers needs their library first
[ -z "${CAIRN_SANITIZED:-}" ] || flags="$flags -fsanitize=address,undefined"
for schedule in order "$work/waits"; do
  name=`basename "$schedule"`
  check "$name as C" "$CAIRN" run "$spmv" -D rows=500 --schedule "$schedule" \
    --emit c
  cp "$work/log" "$work/$name.c"
  check "$name compiles" $CC $flags -DCAIRN_EMIT_HOST `mpi mpi_cflags` \
    -o "$work/$name.run" "$work/$name.c" "$plugin" `mpi mpi_libs`
  LD_LIBRARY_PATH=$top_builddir/examples/spmv:${LD_LIBRARY_PATH:-}
  export LD_LIBRARY_PATH
  check "$name runs and verifies" $MPIEXEC $MPIEXEC_FLAGS -n 2 "$work/$name.run" \
    host 3
  check "$name compiles for CUDA" $CC $flags -fsyntax-only \
    -I"$top_srcdir/tests/stubs" `mpi mpi_cflags` "$work/$name.c"
done
grep -q 'cudaStreamWaitEvent' "$work/waits.c" &&
  grep -q '/\* yl before y \*/' "$work/waits.c" ||
  { echo "FAIL: the comment of the stream wait"; failed=1; }
# Without its poisoned inputs a wrong order must be found: yr before WaitRecv.
sed 's/TRY(s->op_WaitRecv/if (0) &/' "$work/order.c" >"$work/wrong.c"
check "a wrong one compiles" $CC $flags -DCAIRN_EMIT_HOST `mpi mpi_cflags` \
  -o "$work/wrong" "$work/wrong.c" "$plugin" `mpi mpi_libs`
if $MPIEXEC $MPIEXEC_FLAGS -n 2 "$work/wrong" host 3 >"$work/log" 2>&1; then
  echo "FAIL: the wrong one verified"; failed=1
fi
check "a traced run" $MPIEXEC $MPIEXEC_FLAGS -n 2 "$CAIRN" run "$spmv" \
  -D rows=500 --schedule "$work/waits" --samples 2 --backend host \
  --trace "$work/trace.json"
if command -v python3 >/dev/null 2>&1; then
  check "its trace" python3 - "$work/trace.json" <<'P'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
tracks = {(e["pid"], e["args"]["name"]) for e in events
          if e["name"] == "thread_name"}
assert tracks == {(r, n) for r in (0, 1)
                  for n in ("control thread", "stream 0", "stream 1")}, tracks
slices = [e for e in events if e["ph"] == "X"]
assert {e["name"] for e in slices} >= {"Pack", "launch Pack", "yr", "WaitRecv",
    "CSW-after-yl-b4-y"}, slices
assert all(e["dur"] >= 0 for e in slices)
flows = {}
for e in events:
    if e["ph"] in "sf":
        flows.setdefault(e["id"], []).append(e["ph"])
assert all(f == ["s", "f"] for f in flows.values())
kinds = {e["cat"] for e in events if e["ph"] == "s"}
assert kinds == {"launch", "edge", "message"}, kinds
P
fi
exit $failed

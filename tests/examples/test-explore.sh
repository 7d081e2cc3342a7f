#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every schedule of spmv gives right numbers: all 2036 on 1 and 2 ranks; on 3
# and 4 ranks 100 seeded ones, and with CAIRN_LONG=1 all.  Also hello and a few
# of halo.
set -u
: "${CAIRN:=./cairn}" "${top_srcdir:=.}" "${top_builddir:=.}"
: "${MPIEXEC:=mpiexec}" "${MPIEXEC_FLAGS:=}"
command -v "$MPIEXEC" >/dev/null 2>&1 || { echo "SKIP: no $MPIEXEC"; exit 77; }
work=`mktemp -d` || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
explore() { # NAME RANKS SCHEDULES ARGUMENTS...
  name=$1 ranks=$2 wanted=$3
  shift 3
  CAIRN_PLUGIN_PATH=$top_builddir/examples/$name
  export CAIRN_PLUGIN_PATH
  if $MPIEXEC $MPIEXEC_FLAGS -n "$ranks" "$CAIRN" explore \
    "$top_srcdir/examples/$name/$name.xml" --backend host --verify --samples 1 \
    --watchdog 120 -q -o "$work/run.jsonl" "$@" >"$work/log" 2>&1 &&
    test `grep -c '"status":"ok"' "$work/run.jsonl"` = "$wanted" &&
    test `grep -c '"k":"result"' "$work/run.jsonl"` = "$wanted" &&
    tail -n 1 "$work/run.jsonl" | grep -q '"k":"end"'; then
    echo "ok: $name, $ranks ranks, $wanted schedules"
  else
    tail -n 30 "$work/log"; tail -n 2 "$work/run.jsonl"
    echo "FAIL: $name, $ranks ranks"; failed=1
  fi
  rm -f "$work/run.jsonl"
}
all="-D rows=400 --strategy exhaustive"
explore spmv 1 2036 $all
explore spmv 2 2036 $all
for n in 3 4; do
  if test -n "${CAIRN_LONG:-}"; then
    explore spmv $n 2036 $all
  else
    explore spmv $n 100 -D rows=401 --strategy rollout --seed 1 --budget 100
  fi
done
explore halo 2 10 -D nx=4 -D ny=5 -D nz=6 -D width=2 --strategy rollout \
  --budget 10
exit $failed

#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/gpu-session.sh - checks and measures the examples on a GPU node.
#
#   bench/gpu-session.sh [-r RANKS] [-o FOLDER] [-s STEP,STEP,...]
#
# In the environment: CAIRN (the command), EXAMPLES (a folder with spmv/ and
# halo/, built), OVERHEAD (bench/overhead, or empty), BY_HAND (examples/by-hand,
# built, or empty), CAPTURE (libcairn-capture.so), MPIEXEC, BIND (arguments that
# bind ranks).  One rank a GPU.  Results go into FOLDER: journals (.xz),
# traces, and a log a step.  Steps, each under a time limit of its own:
#
#   doctor    what the node looks like
#   verify    all 2036 schedules of spmv, right on 1, 2 and RANKS ranks, with
#             random pauses before kernels
#   spaces    all schedules timed, at 15,000, 150,000 (twice) and 1,500,000
#             rows, and 150,000 on 1 rank; classified
#   plain     all schedules at 150,000 rows, 10 samples of 2 ms each: how long
#   racing    searches that race against searches with 50 samples a schedule:
#             samples taken, and times of the two choices, taken in turns
#   capture   a hand-written program recorded, linted, placed among all
#   faults    kernels that hang or fault: detected, quarantined, survived
#   halo      search, program order and an expert's order, compared
#   overhead  cairn against hand-written calls
#   take      a trace of the best and the worst; the best as C, compiled, run
#   host      MPI given host memory only; copies as operations
#   sanitize  compute-sanitizer on 20 schedules of each example
set -u
ranks=4 out=gpu-session
steps=doctor,verify,spaces,plain,racing,capture,faults,halo,overhead,take,host,sanitize
while getopts r:o:s: option; do
  case $option in
  r) ranks=$OPTARG ;;
  o) out=$OPTARG ;;
  s) steps=$OPTARG ;;
  *) exit 2 ;;
  esac
done
: "${CAIRN:=cairn}" "${EXAMPLES:=examples}" "${OVERHEAD:=}" "${BY_HAND:=}"
: "${MPIEXEC:=mpiexec}" "${BIND:=}"
spmv=$EXAMPLES/spmv/spmv.xml halo=$EXAMPLES/halo/halo.xml
mkdir -p "$out"
work=$(mktemp -d /dev/shm/cairn-session.XXXXXX)
trap 'rm -rf "$work"' EXIT

mpi() { # RANKS SECONDS COMMAND...
  local n=$1 limit=$2
  shift 2
  timeout "$limit" $MPIEXEC -n "$n" $BIND "$@"
}
step() { # NAME: is it asked for?
  case ,$steps, in *,$1,*) echo "== $1 ($SECONDS s)" ;; *) return 1 ;; esac
}
# Times of a journal: count, failures, fastest, 5th, 50th, 95th percentile of
# p10 in microseconds.
figures() {
  python3 - "$1" <<'P'
import json, sys
ok, bad = [], 0
for line in open(sys.argv[1]):
    r = json.loads(line)
    if r["k"] == "result":
        if r["status"] == "ok": ok.append(1e6 * r["p10"])
        else: bad += 1
ok.sort()
q = lambda f: ok[min(len(ok) - 1, int(f * len(ok)))]
print(f"{len(ok)} ok, {bad} not; fastest {ok[0]:.2f}, p05 {q(.05):.2f}, "
      f"p50 {q(.5):.2f}, p95 {q(.95):.2f}, slowest {ok[-1]:.2f} us"
      if ok else f"nothing ok, {bad} not")
P
}
space() { # NAME RANKS SECONDS ARGUMENTS...
  local name=$1 n=$2 limit=$3 start=$SECONDS code
  shift 3
  mpi "$n" "$limit" "$CAIRN" explore "$spmv" --strategy exhaustive -q \
    -o "$work/$name.jsonl" "$@" >"$out/$name.txt" 2>&1
  code=$?
  echo "$name: exit $code, $((SECONDS - start)) s; $(figures "$work/$name.jsonl")"
  xz -T4 -k -c "$work/$name.jsonl" >"$out/$name.jsonl.xz"
}

if step doctor; then
  mpi "$ranks" 30 "$CAIRN" doctor
  nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,pstate \
    --format=csv
fi
if step verify; then
  for n in 1 2 "$ranks"; do
    space "verify-$n" "$n" 60 --verify --samples 1 -D rows=4001 -D delay=20
  done
fi
if step spaces; then
  for one in "150000 1" "150000 2" "15000 1" "1500000 1"; do
    set -- $one
    space "spmv-$1-${ranks}gpu-$2" "$ranks" 150 -D "rows=$1"
  done
  space spmv-150000-1gpu-1 1 150
  "$CAIRN" compare-runs "$work/spmv-150000-${ranks}gpu-"[12].jsonl
  for journal in "$work"/spmv-*gpu-?.jsonl; do
    "$CAIRN" classify "$journal" >"$out/$(basename "$journal" .jsonl).classes.txt"
  done
fi
if step plain; then
  space "plain-150000-${ranks}gpu" "$ranks" 120 --samples 10 --sample-time 0.002
fi
# Samples taken in a journal, and the id of the best by the best numbers.
choice() {
  python3 - "$1" <<'P'
import json, sys
samples, time = 0, {}
for line in open(sys.argv[1]):
    r = json.loads(line)
    if r["k"] in ("result", "refined"):
        samples += r.get("samples", 0)
        if r.get("status", "ok") == "ok" or r["k"] == "refined":
            time[r["id"]] = r["p50"]
print(samples, min(time, key=time.get))
P
}
if step racing; then
  for seed in 1 2 3 4; do
    for how in "raced --refine best" "fixed --samples 50"; do
      set -- $how
      name=$1-$seed
      shift
      mpi "$ranks" 60 "$CAIRN" explore "$spmv" -q --seed "$seed" --budget 300 \
        "$@" -o "$work/$name.jsonl" >"$out/$name.txt" 2>&1 ||
        echo "$name: exit $?"
      echo "$name: samples, best: $(choice "$work/$name.jsonl")"
    done
    for round in 1 2 3 4 5; do
      for name in "raced-$seed" "fixed-$seed"; do
        set -- $(choice "$work/$name.jsonl")
        echo "$name $(mpi "$ranks" 30 "$CAIRN" run "$spmv" -q --time 1 \
          --samples 2000 --schedule "$work/$name.jsonl:$2" --format json |
          python3 -c 'import json, sys; print(1e6 * json.load(sys.stdin)["p50"])')"
      done
    done | sort | awk '{t[$1] = t[$1] " " $2; n[$1]++}
      n[$1] == 3 {m[$1] = $2} END {for (k in m) print k, "median of five", m[k], "us:", t[k]}'
  done
fi
if step capture && test -n "$BY_HAND"; then
  map='--map local_part=yl --map remote_part=yr --map add=y'
  among=$work/spmv-150000-${ranks}gpu-1.jsonl
  [ -f "$among" ] && among="--among $among" || among=
  for planted in "" --race --device-sync --late-receive; do
    rm -f "$work"/log.*
    CAIRN_CAPTURE=$work/log mpi 2 30 env LD_PRELOAD="$CAPTURE" \
      "$BY_HAND/by-hand" $planted 64 50
    echo "by-hand $planted: exit $?, $(wc -l <"$work/log.0.log") lines"
    "$CAIRN" lint "$BY_HAND/by-hand.xml" --schedule "$work/log.0.log" \
      --schedule "$work/log.1.log" $map $among
    echo "lint: exit $?"
  done
  cp "$work/log.0.log" "$out/capture.0.log"
fi
# The kinds of results in a journal, and whether anything is left behind.
aftermath() {
  python3 - "$1" <<'P'
import collections, json, sys
kinds, said = collections.Counter(), []
for line in open(sys.argv[1]):
    r = json.loads(line)
    if r["k"] == "result":
        kinds[r["status"]] += 1
        if r["status"] not in ("ok", "pruned"):
            said.append(r.get("message", ""))
print(dict(kinds), "; first:", said[0] if said else "")
P
  echo "left: $(pgrep -c -x cairn) processes, $(ls /dev/shm | grep -v "$(basename "$work")" | wc -l) in /dev/shm"
}
if step faults; then
  for kind in hang fault; do
    sed "s|<gpu name=\"Pack\"/>|<param name=\"${kind}_at\" value=\"800\"/>&|" \
      "$spmv" >"$(dirname "$spmv")/$kind.xml"
    start=$SECONDS
    timeout 120 "$CAIRN" launch --restarts 4 -- $MPIEXEC -n "$ranks" $BIND \
      "$CAIRN" explore "$(dirname "$spmv")/$kind.xml" --strategy random \
      --budget 150 --plan series --samples 2 --watchdog 2 \
      -o "$work/$kind.jsonl" >"$out/$kind.txt" 2>&1
    echo "$kind: exit $?, $((SECONDS - start)) s; $(aftermath "$work/$kind.jsonl")"
    grep -m 4 -iE 'stands|hang|watchdog|illegal|restart' "$out/$kind.txt"
    rm "$(dirname "$spmv")/$kind.xml"
  done
fi
if step halo; then
  for how in "guided 2" "min-time 2" "coverage 4"; do
    set -- $how
    start=$SECONDS
    mpi "$ranks" 70 "$CAIRN" explore "$halo" --strategy "$1" --streams "$2" \
      --budget 300 --refine best --verify -q --seed 1 \
      -o "$work/halo-$1-$2.jsonl" >"$out/halo-$1-$2.txt" 2>&1
    echo "halo $how: exit $?, $((SECONDS - start)) s;" \
      "$(figures "$work/halo-$1-$2.jsonl")"
  done
  for round in 1 2 3 4 5; do
    for one in "guided:2:$work/halo-guided-2.jsonl:best" \
      "min-time:2:$work/halo-min-time-2.jsonl:best" \
      "coverage:4:$work/halo-coverage-4.jsonl:best" "order:1:order" \
      "expert:27:$EXAMPLES/halo/expert.txt"; do
      IFS=: read -r name streams schedule <<<"$one"
      echo "halo $name $streams: $(mpi "$ranks" 30 "$CAIRN" run "$halo" --verify \
        --streams "$streams" --schedule "$schedule" --time 1 2>&1 |
        grep -E '^(status|time)' | tr '\n' ' ')"
    done
  done
fi
if step overhead && test -n "$OVERHEAD"; then
  for n in "$ranks" 1; do
    for t in 0.002 0.01; do
      echo "ranks $n, samples of $t s:"
      mpi "$n" 60 "$OVERHEAD" -D rows=15000 -t "$t" "$spmv" 2>&1 |
        tee "$out/overhead-$n-$t.txt" | tail -1
    done
  done
fi
if step take; then
  journal=$work/spmv-150000-${ranks}gpu-1.jsonl
  test -f "$journal" || space "spmv-150000-${ranks}gpu-1" "$ranks" 90 --samples 20
  worst=$(python3 -c '
import json, sys
r = [json.loads(l) for l in open(sys.argv[1])]
r = [x for x in r if x["k"] == "result" and x["status"] == "ok"]
print(max(r, key=lambda x: x["p10"])["id"])' "$journal")
  for which in best "$worst"; do
    mpi "$ranks" 30 "$CAIRN" run "$spmv" --schedule "$journal:$which" --time 1 \
      --trace "$out/trace-$which.json" 2>&1 | grep -E '^(schedule|status|time)'
  done
  "$CAIRN" run "$spmv" --schedule "$journal:best" --emit c >"$work/best.c"
  ${EMIT_CC:-mpicc} -O2 -DCAIRN_EMIT_MAIN -o "$work/best" "$work/best.c" \
    "$EXAMPLES/spmv/spmv.so" ${EMIT_LIBS:--lcudart} &&
    LD_LIBRARY_PATH=$EXAMPLES/spmv:${LD_LIBRARY_PATH:-} \
      mpi "$ranks" 30 "$work/best" device 10000
  cp "$work/best.c" "$out/"
fi
if step host; then
  space "spmv-150000-${ranks}gpu-mapped" "$ranks" 60 --samples 3 --gpu-mpi host
  mpi "$ranks" 60 "$CAIRN" explore "${spmv%.xml}-staged.xml" --budget 300 \
    --samples 10 --verify -q -o "$work/staged.jsonl" >"$out/staged.txt" 2>&1
  echo "staged: exit $?; $(figures "$work/staged.jsonl")"
fi
if step sanitize; then
  # initcheck sees one process: with two, what MPI copies from its neighbour's
  # memory counts as never written.
  for tool in memcheck:2 initcheck:1; do
    n=${tool#*:} tool=${tool%:*}
    for program in "$spmv -D rows=4000" "$halo -D nx=8 -D ny=8 -D nz=8"; do
      set -- $program
      name=$tool-$(basename "$1" .xml)
      mpi "$n" 80 compute-sanitizer --tool "$tool" --error-exitcode 9 \
        --log-file "$work/$name.%p" "$CAIRN" explore "$@" --budget 20 \
        --samples 1 --watchdog 60 -q --verify -o "$work/$name.jsonl" \
        >"$out/$name.txt" 2>&1
      echo "$name: exit $?; $(figures "$work/$name.jsonl");" \
        "$(cat "$work/$name".[0-9]* | grep -h 'ERROR SUMMARY' | sort | uniq -c | tr '\n' ' ')"
      cat "$work/$name".[0-9]* >"$out/$name.log"
    done
  done
fi
echo "== done ($SECONDS s)"

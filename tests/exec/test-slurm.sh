#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The Slurm script of the examples, with stand-ins for srun, mpiexec and
# scontrol: USR1 before the time limit stops the search between two schedules,
# the job is put back with code 75, and goes on from its journal.
: "${CAIRN:?}" "${top_srcdir:?}" "${top_builddir:?}"
command -v "${MPIEXEC:-none}" >/dev/null 2>&1 || { echo "SKIP: no mpiexec"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
CAIRN_PLUGIN_PATH=$(cd "$top_builddir/tests/exec" && pwd)
script=$top_srcdir/examples/slurm/explore.sbatch
mkdir "$dir/bin" "$dir/submit"
real=$(command -v "$MPIEXEC")
# The launcher by its whole path: it looks for its helpers beside itself.
cat >"$dir/bin/srun" <<END
#!/bin/sh
echo "srun \$*" >>"$dir/started"
while [ "\${1#--}" != "\$1" ]; do shift; done
exec "$real" $MPIEXEC_FLAGS -n \$SLURM_NTASKS "\$@"
END
cat >"$dir/bin/mpiexec" <<END
#!/bin/sh
echo "mpiexec \$*" >>"$dir/started"
[ "\$3" = -bind-to ] && count=\$2 && shift 4
exec "$real" $MPIEXEC_FLAGS -n \$count "\$@"
END
cat >"$dir/bin/scontrol" <<END
#!/bin/sh
echo "\$*" >>"$dir/scontrol"
END
cat >"$dir/bin/cairn" <<END
#!/bin/sh
exec "$CAIRN" "\$@"
END
chmod +x "$dir"/bin/*
PATH=$dir/bin:$PATH SLURM_NTASKS=2 SLURM_SUBMIT_DIR=$dir/submit
export PATH SLURM_NTASKS SLURM_SUBMIT_DIR SLURM_JOB_ID CAIRN_LAUNCHER
export CAIRN_PLUGIN_PATH
failed=0
fail() { echo "FAIL: $*"; sed 's/^/    /' "$dir/log" | tail -20; failed=1; }

bash -n "$script" || fail "the script cannot be read"
grep -q '^#SBATCH --signal=B:USR1@' "$script" || fail "no signal is asked for"
grep -q '^#SBATCH --requeue' "$script" || fail "requeueing is not allowed"

job() { # arguments of explore; in the background: the script's pid is $pid
  bash "$script" "$dir/ring.xml" --backend host --strategy exhaustive \
    --samples 5 "$@" >"$dir/log" 2>&1 &
  pid=$!
}
results() { grep -c '"k":"result".*"x":"................"}$' "$journal" 2>/dev/null; }

sed 's/value="0"/value="2000"/' "$top_srcdir/tests/exec/ring.xml" >"$dir/ring.xml"
SLURM_JOB_ID=40
for CAIRN_LAUNCHER in srun mpiexec; do
  SLURM_JOB_ID=$((SLURM_JOB_ID + 1))
  journal=$dir/submit/cairn-$SLURM_JOB_ID.jsonl
  rm -f "$dir/scontrol" "$dir/started"
  job
  for _ in $(seq 600); do
    [ "$(results)" -ge 3 ] 2>/dev/null && break
    sleep 0.1
  done
  kill -s USR1 $pid
  wait $pid
  code=$?
  before=$(results)
  [ $code = 75 ] || fail "$CAIRN_LAUNCHER: exit $code, expected 75"
  [ "$before" -ge 3 ] || fail "$CAIRN_LAUNCHER: $before results"
  [ "$(cat "$dir/scontrol" 2>&1)" = "requeue $SLURM_JOB_ID" ] ||
    fail "$CAIRN_LAUNCHER: not put back: $(cat "$dir/scontrol")"
  grep -q "^$CAIRN_LAUNCHER " "$dir/started" || fail "$CAIRN_LAUNCHER is not used"
  tail -n 1 "$journal" | grep -q '"k":"end".*"reason":"signal"' ||
    fail "$CAIRN_LAUNCHER: the journal does not end with the signal"

  # Slurm starts the job again; now it gets to its end.
  rm -f "$dir/scontrol"
  job --budget $((before + 4))
  wait $pid
  code=$?
  [ $code = 0 ] || fail "$CAIRN_LAUNCHER: started again: exit $code"
  [ ! -e "$dir/scontrol" ] || fail "$CAIRN_LAUNCHER: put back although done"
  [ "$(results)" = $((before + 4)) ] ||
    fail "$CAIRN_LAUNCHER: $(results) results, expected $((before + 4))"
  [ "$(grep -c '"k":"begin"' "$journal")" = $((before + 4)) ] ||
    fail "$CAIRN_LAUNCHER: a schedule was begun twice"
  tail -n 1 "$journal" | grep -q '"reason":"budget"' ||
    fail "$CAIRN_LAUNCHER: the journal does not end with the budget"
  echo "ok: $CAIRN_LAUNCHER: $before results, then $(results)"
done
CAIRN_LAUNCHER=aprun
job --budget 1
wait $pid
[ $? = 2 ] || fail "an unknown launcher is not refused"
exit $failed

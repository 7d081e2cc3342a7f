#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs each example's operations directly, without cairn's executor, on 1 and
# 2 ranks (more with CAIRN_LONG=1), over odd shapes, and checks that verify
# finds a wrong order.
set -u
: "${top_srcdir:=.}"
: "${MPIEXEC:=mpiexec}"
command -v "$MPIEXEC" >/dev/null 2>&1 || { echo "SKIP: no $MPIEXEC"; exit 77; }
case `"$MPIEXEC" --version 2>&1` in
*"Open MPI"* | *OpenRTE* | *PRRTE*)
  MPIEXEC="$MPIEXEC --oversubscribe"
  test "`id -u`" = 0 && MPIEXEC="$MPIEXEC --allow-run-as-root" ;;
esac
failed=0
drive() { # RANKS ARGUMENTS...
  ranks=$1
  shift
  $MPIEXEC -n "$ranks" ./tests/examples/drive "$@" >drive.$$ 2>&1
}
right() {
  if drive "$@"; then echo "ok: $*" | cut -c1-100; else
    cat drive.$$; echo "FAIL: $*"; failed=1
  fi
}
wrong() { # as right, but verify must complain
  if drive "$@" || ! grep -q 'verify: .* wrong' drive.$$; then
    cat drive.$$; echo "FAIL (not found wrong): $*"; failed=1
  else echo "ok (found wrong): $*" | cut -c1-100; fi
}
spmv=./examples/spmv/spmv.so
order=Pack,PostRecv,PostSend,yl,WaitRecv,WaitSend,yr,y
halo=./examples/halo/halo.so
directions=`sed -n 's/.*name="Pack\.\([A-Z]*\)".*/\1/p' \
  "$top_srcdir/examples/halo/halo.xml"`
exchange=Interior`
  for op in recv pack send wait unpack; do
    for d in $directions; do printf ,$op:$d; done
  done`,Boundary,WaitSends
staged=Pack,PostRecv,to_host,PostSend,yl,WaitRecv,WaitSend,to_device,yr,y
for n in 1 2 ${CAIRN_LONG:+3 4 7}; do
  right $n ./examples/hello/hello.so Left,Right,Sum length=1000
  right $n $spmv $order rows=401
  right $n $spmv $order rows=3
  right $n $spmv $order rows=1000 band=1 nonzeros=2 seed=7
  right $n $spmv $order rows=60 band=400 nonzeros=100
  right $n $spmv $staged rows=300 staged=1
  right $n $halo $exchange nx=7 ny=5 nz=6 quantities=2 width=1
  right $n $halo $exchange nx=3 ny=2 nz=4 quantities=1 width=2
  right $n $halo $exchange nx=8 ny=9 nz=7 quantities=3 width=2 grid=1x${n}x1
done
wrong 2 $spmv Pack,PostRecv,PostSend,yl,yr,WaitRecv,WaitSend,y rows=100
wrong 2 $spmv PostRecv,PostSend,Pack,yl,WaitRecv,WaitSend,yr,y rows=100
wrong 2 $spmv Pack,PostRecv,PostSend,WaitRecv,WaitSend,yr,y rows=100
wrong 2 $halo `echo $exchange | sed 's/,unpack:WND//'` nx=4 ny=4 nz=4
wrong 2 $halo `echo $exchange | sed 's/,pack:E,/,/'` nx=4 ny=4 nz=4
wrong 2 $halo `echo $exchange | sed 's/Interior,//'` nx=4 ny=4 nz=4
cat >matrix.$$ <<'M'
%%MatrixMarket matrix coordinate real symmetric
% a ring of six
6 6 7
1 1 2.5
2 1 -1.25
3 2 0.1
4 3 1e-3
5 4 3
6 5 4
6 1 0.7
M
for n in 1 2 ${CAIRN_LONG:+3 4 7}; do
  right $n $spmv $order matrix=matrix.$$
done
rm -f drive.$$ matrix.$$
exit $failed

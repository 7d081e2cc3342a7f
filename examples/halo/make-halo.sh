#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make-halo.sh xml|expert - prints halo.xml, or the schedule that an expert
# would write: all receives first, the interior on a stream of its own, one
# stream a direction, sends as packs finish, unpacks as receives finish.
set -eu
directions=
for z in D '' U; do for y in S '' N; do for x in W '' E; do
  d=$x$y$z
  test -z "$d" || directions="$directions $d"
done; done; done

opposite() { echo "$1" | tr WESNDU EWNSUD; }
list() { # PREFIX: PREFIX.W PREFIX.E ...
  for d in $directions; do printf '%s' "$sep$1.$d"; sep=' '; done
}

xml() {
  cat <<'X'
<!-- Halo exchange of a 3-D block with 26 neighbours, and a stencil.
     Directions: W/E (x), S/N (y), D/U (z).  Written by make-halo.sh. -->
<program name="halo">
  <plugin library="halo"/>
  <param name="nx" value="64"/> <!-- cells of a rank's block -->
  <param name="ny" value="64"/>
  <param name="nz" value="64"/>
  <param name="quantities" value="4"/> <!-- floats in a cell -->
  <param name="width" value="1"/>      <!-- of the halo, in cells -->
  <param name="grid" value=""/>        <!-- of ranks, such as 2x2x1 -->
  <gpu name="Interior"/>
X
  for d in $directions; do
    o=`opposite $d`
    cat <<X
  <cpu name="Recv.$d" call="recv" arg="$d" posts="r.$d" from="s.$o"/>
  <gpu name="Pack.$d" call="pack" arg="$d"/>
  <cpu name="Send.$d" call="send" arg="$d" after="Pack.$d" posts="s.$d"/>
X
  done
  for d in $directions; do
    cat <<X
  <cpu name="Wait.$d" call="wait" arg="$d" after="Recv.$d Send.`opposite $d`" waits="r.$d"/>
  <gpu name="Unpack.$d" call="unpack" arg="$d" after="Wait.$d"/>
X
  done
  sep=
  echo "  <gpu name=\"Boundary\" after=\"`list Unpack`\"/>"
  echo "  <cpu name=\"WaitSends\" after=\"`list Send; sep=' '; list Recv`\" waits=\"`list s`\"/>"
  echo '</program>'
}

expert() {
  printf 'start Interior@0'
  for d in $directions; do printf ' Recv.%s' $d; done
  i=0
  for d in $directions; do
    i=$((i + 1))
    printf ' Pack.%s@%d CER-after-Pack.%s@%d#%d' $d $i $d $i $i
  done
  i=0
  for d in $directions; do
    i=$((i + 1))
    printf ' CES-b4-Send.%s#%d Send.%s' $d $i $d
  done
  i=0
  for d in $directions; do
    i=$((i + 1))
    printf ' Wait.%s Unpack.%s@%d CER-after-Unpack.%s@%d#%d' $d $d $i $d $i \
      $((i + 26))
  done
  i=0
  for d in $directions; do
    i=$((i + 1))
    printf ' CSW-after-Unpack.%s-b4-Boundary@0#%d' $d $((i + 26))
  done
  printf ' Boundary@0 CER-after-Boundary@0#53 WaitSends CES-b4-end#53 end\n'
}

case ${1-} in
xml) xml ;;
expert) expert ;;
*) echo "usage: make-halo.sh xml|expert" >&2; exit 2 ;;
esac

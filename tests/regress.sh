#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs what gold results hold, and compares with them or makes them anew.
#
#   tests/regress.sh check [NAME...]   compares the studies named, or all that are at hand; exit codes of
#                                      viperbench compare
#   tests/regress.sh regold NAME...    tells what moved, and rewrites tests/gold/NAME.h5 and the bands of
#                                      the study's findings, which its quick tier is run for
#
#   PROGRAM  viperbench (bin/viperbench)
#   NOW      folder of the runs (build/regress), emptied first
#   KEPT     where set, check does not empty it: runs of this very program there are not executed again
#   GOLD     folder of the gold results (tests/gold)
#
# Scenes are made by the program under test: another compiler rounds them otherwise, so their hash may
# be another. What makes a scene is compared instead, to rounding.
set -u
export LC_ALL=C

program=${PROGRAM:-bin/viperbench}
now=${NOW:-build/regress}
gold=${GOLD:-tests/gold}
kept=${KEPT:-}
allow=scene,arithmetic
most=160000 # bytes of one gold result: a repository keeps every version of it

fail() {
  echo "regress: $*" >&2
  exit 2
}

# run NAME...: records the gold cut of these studies.
run() {
  [ -n "$kept" ] || rm -rf "$now" || exit 5
  mkdir -p "$now" || exit 5
  "$program" run "$@" --tier gold --out "$now" --quiet
}

check() {
  local code worst=0 name
  run "${@:-all}"
  code=$?
  [ $code = 0 ] || [ $code = 1 ] || return $code # a run that diverges is compared, too
  if [ $# = 0 ]; then
    "$program" compare "$gold" "$now" --allow $allow --quiet
    code=$?
    for name in "$now"/*.h5; do
      name=$(basename "$name" .h5)
      # Files of runs are called STUDY-RUN; names of studies have no minus.
      [ "${name#*-}" != "$name" ] || [ -f "$gold/$name.h5" ] ||
        echo "regress: $name has no gold result yet; make it by: make regold $name"
    done
    return $code
  fi
  for name in "$@"; do
    [ -f "$gold/$name.h5" ] || fail "there is no $gold/$name.h5; make it by: make regold $name"
    "$program" compare "$gold/$name.h5" "$now/$name.h5" --allow $allow --quiet
    code=$?
    ((code > worst)) && worst=$code
  done
  return $worst
}

regold() {
  local name part
  kept=
  [ $# -gt 0 ] || fail "regold wants the names of studies, as in: make regold helix torsion"
  run "$@" || [ $? = 1 ] || exit 2
  mkdir -p "$gold" "$now/packed" || exit 5
  for name in "$@"; do
    [ -f "$now/$name.h5" ] || fail "$name has no runs of its own"
    "$program" pack "$now/$name.h5" --force --out "$now/packed" || exit
    part=$now/packed/$name.h5
    [ "$(stat -c %s "$part")" -le $most ] ||
      fail "$name takes $(stat -c %s "$part") bytes, more than $most; cut its table \"gold\" to fewer runs or steps"
    if [ -f "$gold/$name.h5" ]; then
      "$program" compare "$gold/$name.h5" "$part" --allow scene,solver,options,arithmetic
    else
      echo "regold: $name is new"
    fi
    cp "$part" "$gold/$name.h5" || exit 5
    echo "regold: wrote $gold/$name.h5, $(stat -c %s "$gold/$name.h5") bytes"
  done
  bands "$@"
}

# bands NAME...: what findings of the quick tier measure becomes their bands. Gates that fail are told, and are no
# matter of the bands.
bands() {
  mkdir -p "$now/quick" || exit 5
  "$program" run "$@" --out "$now/quick" --write-bands
  local code=$?
  [ $code = 0 ] || [ $code = 1 ] || exit $code
}

command=${1:-}
[ $# -gt 0 ] && shift
case $command in
check | regold) "$command" "$@" ;;
*) fail "use check [NAME...] or regold NAME..." ;;
esac

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the program with other flags and another compiler, and asserts that the gold results do not tell
# them apart. Slow: each is a whole build. Tells how far the nearest miss is from what is allowed.
#
#   tests/system/flags.sh [FOLDER]   keeps the builds in FOLDER (build/other-flags)
#
# Exits with 1 where a build is told apart, and with 2 where one does not build.
set -u
export LC_ALL=C

folder=${1:-build/other-flags}
JOBS=${JOBS:-$(nproc)}
worst=0

# try NAME SETTING...: builds with these settings of make, and compares.
try() {
  local name=$1 program=$folder/$1/bin/viperbench code
  shift
  if ! make DEPS=no -s -j"$JOBS" BUILD="$folder/$name" "$@" "$program" >"$folder/$name.log" 2>&1; then
    printf '%-8s DOES NOT BUILD: %s\n' "$name" "$(grep -m 1 -i error "$folder/$name.log")"
    worst=2
    return
  fi
  PROGRAM=$program NOW=$folder/$name/now tests/regress.sh check >"$folder/$name.table" 2>&1
  code=$?
  printf '%-8s %s: %s\n' "$name" "$*" "$(tail -n 1 "$folder/$name.table")"
  "$program" compare tests/gold "$folder/$name/now" --allow scene,arithmetic |
    sed -n 's/^  \(.*\) agree: [0-9]* quantities; nearest: \([^,]*\), \([^ ]*\) of \([^ ]*\) allowed$/\3 \4 \1 \2/p' |
    awk '{ use = $1 / $2; if (use > most) { most = use; line = $3 " " $4 ": " $5 } n++ }
      END { if (n) printf "         not to the bit: %d runs; nearest miss %.1g of what is allowed, %s\n", n, most, line
            else print "         all runs to the bit" }'
  [ $code = 0 ] || { [ $worst = 2 ] || worst=1; cat "$folder/$name.table"; }
}

mkdir -p "$folder" || exit 2
export VIPERBENCH_HOME=${VIPERBENCH_HOME:-.}
try O0 OPT=-O0 LANES_OPT=-O0
try O3 OPT=-O3
# Multiplications and additions fused wherever the compiler likes, in all of the program.
try fused OPT='-O3 -march=haswell -ffp-contract=fast' LANES_OPT='-O3 -ffp-contract=fast'
command -v clang >/dev/null && try clang CC=clang
exit $worst

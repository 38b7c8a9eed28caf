#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plants a change of one hundredth in one stiffness at a time, and asserts that the comparison with the
# gold results sees it, and says where. Run by "make mutate", which sets the variables below.
#
#   CC, FLAGS, LIBS  as the program was built
#   OBJECTS          main's object and the library
#   JOBS             faults at a time
#
# Exits with 1 where a change is missed, and with 2 where one cannot be planted or built.
# shellcheck disable=SC2086 # CC, FLAGS, LIBS and OBJECTS are lists of words
set -u
# shellcheck source=tests/mutate_faults.sh
. "$(dirname "$0")/mutate_faults.sh"
export LC_ALL=C OMP_NUM_THREADS=1

JOBS=${JOBS:-$(nproc)}

# Changes: what | file | text, which must be there exactly once | replacement.
faults() {
  cat <<'END'
K of stretch|src/viper/energy/stretch.h|return viper_area(m)|return 1.01 * viper_area(m)
K of section|src/viper/energy/section.h|return viper_area(m)|return 1.01 * viper_area(m)
K of taper|src/viper/energy/taper.h|return M_PI * r2 * r2|return 1.01 * M_PI * r2 * r2
K of volume|src/viper/energy/volume.h|return viper_area(m)|return 1.01 * viper_area(m)
K of bend|src/viper/energy/bend.h|return viper_moment(m)|return 1.01 * viper_moment(m)
K of twist|src/viper/energy/twist.h|return viper_moment(m)|return 1.01 * viper_moment(m)
K of surface_bend|src/viper/energy/surface_bend.h|return viper_moment(m)|return 1.01 * viper_moment(m)
K of volume_bend|src/viper/energy/volume_bend.h|return viper_moment(m)|return 1.01 * viper_moment(m)
kx of the terms|src/viper/energy/material.h|return m->kx|return 1.01 * m->kx
ky of the terms|src/viper/energy/material.h|+ m->ky|+ 1.01 * m->ky
kbx of joints|src/viper/energy/surface_bend.h|(m->kbx +|(1.01 * m->kbx +
kby of joints|src/viper/energy/surface_bend.h|+ m->kby)|+ 1.01 * m->kby)
kx of the material|src/scene/material.c|young * radius * radius;|young * radius * radius; out[VB_KX] *= 1.01;
ky of the material|src/scene/material.c|young * radius * radius;|young * radius * radius; out[VB_KY] *= 1.01;
kz of the material|src/scene/material.c|young * radius * radius;|young * radius * radius; out[VB_KZ] *= 1.01;
kbx of the material|src/scene/material.c|young * radius * radius;|young * radius * radius; out[VB_KBX] *= 1.01;
kby of the material|src/scene/material.c|young * radius * radius;|young * radius * radius; out[VB_KBY] *= 1.01;
kv of the material|src/scene/material.c|young * radius * radius;|young * radius * radius; out[VB_KV] *= 1.01;
mu of solids|reference/neohookean/material.c|{.mu = 4.0 / 3 * mu|{.mu = 1.01 * 4.0 / 3 * mu
lambda of solids|reference/neohookean/material.c|.la = la + 5.0 / 6 * mu}|.la = 1.01 * (la + 5.0 / 6 * mu)}
END
}

fail() {
  echo "mutate_gold: $*" >&2
  exit 2
}

# where_first: of a comparison's table, the study, run, quantity and place of the first difference.
where_first() {
  awk '
    /^  [^ ].*/ && !/runs? agree/ { run = $1 " " $2 }
    found { sub(/^ +/, ""); name = $1; for (i = 0; i < 5; i++) sub(/^[^ ]+ +/, ""); print run ": " name " at " $0; exit }
    /quantity that DIFFERS/ { found = 1 }' "$1"
}

# try NUMBER WHAT FILE TEXT REPLACEMENT: writes to result.NUMBER where the change was seen.
try() {
  local tree=$work/$1 code seen changed=$work/$1/${3#src/} source
  mkdir -p "$(dirname "$changed")"
  # The changed source stands in for the archive's member of its name, and is built where its headers are. A header
  # changes the one source that takes K of the terms.
  source=$changed
  [ "${3%.h}" = "$3" ] || source=src/viper/energy/term.c
  if ! plant "$3" "$4" "$5" >"$changed"; then
    seen="error: the text is not there exactly once: $4"
  elif ! $CC -I"$tree" $FLAGS -I"$(dirname "$3")" -c "$source" -o "$tree/changed.o" 2>"$tree/log" ||
    ! $CC -fopenmp -o "$tree/viperbench" "$tree/changed.o" $OBJECTS $LIBS 2>>"$tree/log"; then
    seen="error: does not build: $(head -n 1 "$tree/log")"
  else
    PROGRAM=$tree/viperbench NOW=$tree/now tests/regress.sh check >"$tree/table" 2>"$tree/log"
    code=$?
    seen=$(where_first "$tree/table")
    [ $code = 1 ] || [ $code = 0 ] || seen="error: regress ends with $code: $(head -n 1 "$tree/log")"
    [ $code = 0 ] && seen=none
  fi
  printf '%s\n' "$seen" >"$work/result.$1"
  rm -rf "$tree"
}

work=$(mktemp -d) || fail "no temporary folder"
trap 'rm -rf "$work"' EXIT
PROGRAM=${PROGRAM:-bin/viperbench} NOW=$work/clean tests/regress.sh check >"$work/table" 2>&1 || {
  cat "$work/table" >&2
  fail "the gold results differ without a change"
}

try_all 4

caught=0 missed=0 broken=0
printf '%-20s %s\n' "1 % more of" "first seen in"
for ((i = 0; i < ${#lines[@]}; i++)); do
  IFS='|' read -r what _ <<<"${lines[i]}"
  seen=$(cat "$work/result.$i")
  case $seen in
  none) missed=$((missed + 1)) seen="MISSED" ;;
  error:* | '') broken=$((broken + 1)) ;;
  *) caught=$((caught + 1)) ;;
  esac
  printf '%-20s %s\n' "$what" "$seen"
done
echo "$caught caught, $missed missed"
[ $broken = 0 ] || fail "$broken changes could not be planted or built"
[ $missed = 0 ]

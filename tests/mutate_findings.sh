#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plants one regression of a solver at a time, and asserts that a finding leaves its band by a tenth or more, and says
# which. Run by "make mutate-findings", which sets the variables below.
#
#   CC, FLAGS, LIBS  as the program was built
#   OBJECTS          main's object and the library
#   JOBS             faults at a time
#
# Exits with 1 where a regression is missed, and with 2 where one cannot be planted or built.
# shellcheck disable=SC2086 # CC, FLAGS, LIBS and OBJECTS are lists of words
set -u
# shellcheck source=tests/mutate_faults.sh
. "$(dirname "$0")/mutate_faults.sh"
export LC_ALL=C OMP_NUM_THREADS=1

JOBS=${JOBS:-$(nproc)}
PROGRAM=${PROGRAM:-bin/viperbench}

# Regressions: what | file | text, which must be there exactly once | replacement | pattern of run --only, whose first
# word is the study. Of viper, of what makes its scenes' materials, and of the references.
faults() {
  cat <<'END'
K of stretch|src/viper/energy/stretch.h|return viper_area(m)|return 1.2 * viper_area(m)|stretch_convergence
K of volume|src/viper/energy/volume.h|return viper_area(m)|return 1.2 * viper_area(m)|stretch_convergence
K of section|src/viper/energy/section.h|return viper_area(m)|return 0.4 * viper_area(m)|pinched published
K of section, statics|src/viper/energy/section.h|return viper_area(m)|return 0.4 * viper_area(m)|first_guess
K of bend|src/viper/energy/bend.h|return viper_moment(m)|return 0.6 * viper_moment(m)|rods_compared bend.viper-xpbd.n100
K of twist|src/viper/energy/twist.h|return viper_moment(m)|return 0.8 * viper_moment(m)|rods_compared twist.viper-xpbd.n100
mass of nodes, more|src/viper/model/model.c|node->mass += 0.5 * s->density|node->mass += 0.6 * s->density|contact_laws jacobi-published
mass of nodes, less|src/viper/model/model.c|node->mass += 0.5 * s->density|node->mass += 0.4 * s->density|contact_passing block-descent-held-speed2
inertia of scales|src/viper/model/model.c|node->scale_inertia += 0.5|node->scale_inertia += 0.3|contact_convergence stack-jacobi-published
inertia of frames|src/viper/model/model.c|out->frame_inertia = s->frame_inertia[0]|out->frame_inertia = 0.7 * s->frame_inertia[0]|contact_passing xpbd-held-speed2
friction|src/script/scene/lua_contact.c|separate ? "static_friction" : "friction", 0);|separate ? "static_friction" : "friction", 0) * 0.7;|stacks coarse
damping of scenes|src/script/scene/lua_scene.c|world->damping = vb_args|world->damping = 0.5 * vb_args|crowd_rest xpbd-damping0.1
alpha of pbd|reference/umetani/step.c|memcpy(alpha[i], settings->law.alpha, sizeof *alpha);|for (int k = 0; k < 3; k++) alpha[i][k] = 0.7 * settings->law.alpha[k];|umetani_law
moment of pbd's rods|reference/umetani/rods.c|moment = area * r * r / 4|moment = area * r * r / 5|umetani_xpbd
mass of pbd's points|reference/umetani/rods.c|double mass = s->density *|double mass = 0.75 * s->density *|umetani_xpbd
mu of flesh|reference/articulated/material.c|.mu = young / (2|.mu = 1.3 * young / (2|pectoral
mu of hanging flesh|reference/articulated/material.c|.mu = young / (2|.mu = 1.6 * young / (2|silk flesh
lambda of flesh|reference/articulated/material.c|.la = young|.la = 0.6 * young|articulated_arm
mass of flesh, more|reference/articulated/body.c|b->mass[t[i].node[a]] += 0.25|b->mass[t[i].node[a]] += 0.32|articulated_arm
mass of flesh, less|reference/articulated/body.c|b->mass[t[i].node[a]] += 0.25|b->mass[t[i].node[a]] += 0.18|silk flesh
mu of solids|reference/neohookean/material.c|{.mu = 4.0 / 3 * mu|{.mu = 0.75 * 4.0 / 3 * mu|pectoral
lambda of solids|reference/neohookean/material.c|.la = la + 5.0 / 6 * mu}|.la = 0.3 * (la + 5.0 / 6 * mu)}|pectoral
mass of rigid bodies|reference/multibody/rates.c|out[c] = f[c] / s->bone[bone].mass|out[c] = 1.2 * f[c] / s->bone[bone].mass|rigid_bar
END
}

fail() {
  echo "mutate_findings: $*" >&2
  exit 2
}

# worst FILE: of the JSON of a run, the finding that is worse by most, as a share of its band's middle: that share,
# gate, runs, value and band.
worst() {
  python3 - "$1" <<'END'
import json, sys
found = []
for study in json.load(open(sys.argv[1]))['studies']:
    for gate in study['gates']:
        if gate['verdict'] == 'worse':
            low, high = gate['band_low'], gate['band_high']
            middle = abs(low + high) / 2
            share = abs(gate['value'] - (low + high) / 2) / middle if middle > 0 else float('inf')
            found.append((share, f'{gate["name"]} ({", ".join(gate["runs"])}): {gate["value"]:.6g}, band {low:.6g} to '
                          f'{high:.6g}'))
if found:
    share, text = max(found)
    print(f'{share:.3f} {study["name"]}: {text}; {len(found)} in all')
END
}

# try NUMBER WHAT FILE TEXT REPLACEMENT PATTERN: writes to result.NUMBER by which share which finding is worse.
try() {
  local tree=$work/$1 changed=$work/$1/${3#src/} source seen code
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
    "$tree/viperbench" run "${6%% *}" --only "$6" --json --out "$tree/now" >"$tree/json" 2>"$tree/log"
    code=$?
    seen=$(worst "$tree/json")
    [ $code = 1 ] || [ $code = 0 ] || seen="error: run ends with $code: $(head -n 1 "$tree/log")"
    [ $code = 0 ] && seen=none
    [ -n "$seen" ] || seen=none
  fi
  printf '%s\n' "$seen" >"$work/result.$1"
  rm -rf "$tree"
}

work=$(mktemp -d) || fail "no temporary folder"
trap 'rm -rf "$work"' EXIT

# Without a regression every finding is inside its band.
cut -d '|' -f 5 <<<"$(faults)" | sort -u | while read -r pattern; do
  "$PROGRAM" run "${pattern%% *}" --only "$pattern" --out "$work/clean" --quiet >"$work/table" 2>&1 || {
    cat "$work/table" >&2
    fail "the findings of $pattern are not as expected without a change"
  }
done || exit

try_all 5

caught=0 missed=0 broken=0
printf '%-28s %6s  %s\n' regression 'worse' 'finding that is worse by most'
for ((i = 0; i < ${#lines[@]}; i++)); do
  IFS='|' read -r what _ <<<"${lines[i]}"
  seen=$(cat "$work/result.$i")
  share=${seen%% *}
  case $seen in
  error:* | '') broken=$((broken + 1)) share=- ;;
  none) missed=$((missed + 1)) share=- seen="- MISSED" ;;
  *)
    if awk -v share="$share" 'BEGIN { exit !(share >= 0.1) }'; then
      caught=$((caught + 1))
    else
      missed=$((missed + 1)) seen="$seen: MISSED, less than a tenth"
    fi
    ;;
  esac
  printf '%-28s %6s  %s\n' "$what" "$share" "${seen#* }"
done
echo "$caught caught, $missed missed"
[ $broken = 0 ] || fail "$broken changes could not be planted or built"
[ $missed = 0 ]

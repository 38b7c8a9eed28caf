#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plants one wrong sign or factor at a time in the frames and constraints of the reference umetani, and asserts that its
# tests of constraints fail each time.
# Usage: tests/mutate_umetani.sh (from the root of the source tree). CC, CFLAGS and JOBS as for make.
# Exits with 1 where a fault is missed, and with 2 where one cannot be planted or built.
# shellcheck disable=SC2086 # CC, FLAGS and LIBS are lists of words
set -u
# shellcheck source=tests/mutate_faults.sh
. "$(dirname "$0")/mutate_faults.sh"

CC=${CC:-cc}
JOBS=${JOBS:-$(nproc)}
FLAGS="-std=c11 -D_GNU_SOURCE -w -ffp-contract=off ${CFLAGS:--O0}"
LIBS="-fopenmp $(pkg-config --libs check gsl libmd) -lm"

# Faults: fault | file under reference/umetani | text, which must be there exactly once | replacement.
faults() {
  cat <<'END'
sign of a frame's foot|frame.h|vb_add_scaled(y, -out->s, out->d[2], z)|vb_add_scaled(y, out->s, out->d[2], z)
handedness of a frame|frame.h|vb_cross(out->d[2], out->d[0], out->d[1])|vb_cross(out->d[0], out->d[2], out->d[1])
sign of the foot in J_b|frame.h|cross[i][k] / f->l - f->s|cross[i][k] / f->l + f->s
sign of J_g|frame.h|jacobian[2][i][k] = across|jacobian[2][i][k] = -across
sign of J_a|frame.h|-jacobian[1][i][k] - jacobian[2][i][k]|-jacobian[1][i][k] + jacobian[2][i][k]
sign of eq. 10 about d1|frame.h|(q[2][1] - q[1][2])|(q[1][2] - q[2][1])
sign of eq. 10 about d2|frame.h|(q[0][2] - q[2][0])|(q[2][0] - q[0][2])
sign of eq. 10 about d3|frame.h|(q[1][0] - q[0][1])|(q[0][1] - q[1][0])
sign of the trace|frame.h|1 / (1 + q[0][0]|1 / (1 - q[0][0]
sign in G, 12|element.c|c[0] * c[1] + c[2], c[0] * c[2] - c[1]|c[0] * c[1] - c[2], c[0] * c[2] - c[1]
sign in G, 21|element.c|c[0] * c[1] - c[2], 1 + c[1]|c[0] * c[1] + c[2], 1 + c[1]
sign in G, 31|element.c|c[0] * c[2] + c[1], c[1] * c[2] - c[0]|c[0] * c[2] - c[1], c[1] * c[2] - c[0]
sign in G's square|element.c|{{1 + c[0] * c[0]|{{1 - c[0] * c[0]
sign of the first frame|element.c|{&e, {0, 1, 3}, -1}|{&e, {0, 1, 3}, 1}
sign of a rigid body's frame|element.c|{&body, {0, 1, 2}, -1}|{&body, {0, 1, 2}, 1}
factor of the Darboux vector|element.c|2 / lb * c[i] - rest[i]|2 / lb * c[i] * 2 - rest[i]
sign of a length|element.c|gradient[1][k] = t[k] / l|gradient[1][k] = -t[k] / l
sign of a bisector|element.c|vb_subtract(a, g, gradient[0])|vb_subtract(g, a, gradient[0])
factor of a distance|element.c|-0.5 * gradient[2][k]|0.5 * gradient[2][k]
sign of a right angle|element.c|-arm[0][k] - arm[1][k]|-arm[0][k] + arm[1][k]
sign of eq. 17|element.c|right[3] = {-r[0], -r[1], -r[2]}|right[3] = {r[0], r[1], r[2]}
sign of G's inverse|kernel.h|r[k] + (c[m]|r[k] - (c[m]
sign of a lever|kernel.h|wb * f->kb - wa * f->ka|wb * f->kb + wa * f->ka
sign of the shared point|kernel.h|w[1] * (x[i][k] + x[k][i])|-w[1] * (x[i][k] + x[k][i])
sign of a move across|kernel.h|-yf[1] * f->inv_l, yf[0]|yf[1] * f->inv_l, yf[0]
sign of a ghost's move|kernel.h|ge = -e->inv_rho|ge = e->inv_rho
sign of a compliance|kernel.h|error + j->soft[k] * j->lambda[k]|error - j->soft[k] * j->lambda[k]
sign of a free bisector|kernel.h|-IN(dot)(arm, t) /|IN(dot)(arm, t) /
distance of matched ghosts|rods.c|r / sqrt(2 * share)|r / sqrt(share)
share of matched ghosts|rods.c|rods->mass[edge->point[2]] = share * mass|rods->mass[edge->point[2]] = 0.5 * mass
kinetic friction|contact.c|touch->friction[1] * touch->normal|touch->friction[0] * touch->normal
sign of damping|step.c|1 + s->h * world->damping|1 - s->h * world->damping
damping|step.c|(s->h * (1 + s->h * world->damping))|s->h
share of a triangle's corner|anchors.c|-anchor->share[1], -anchor->share[2], 0|-anchor->share[2], -anchor->share[1], 0
sign of a triangle's place|anchors.c|{-anchor->share[0],|{anchor->share[0],
end of a clamped edge|element.c|{&edge, {end, 3, 4}, 1}|{&edge, {end, 3, 4}, -1}
direction of a clamped edge|anchors.c|if (!forward)|if (forward)
END
}

fail() {
  echo "mutate_umetani: $*" >&2
  exit 2
}

work=$(mktemp -d) || fail "no temporary folder"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/shared"
[ -d reference/umetani ] || fail "run this from the root of the source tree"
for source in src/scene/*.c src/solver/*.c src/base/*.c; do
  case $source in
  src/base/report_text.c | src/base/blas.c) continue ;; # need libraries of their own
  esac
  $CC $FLAGS -Isrc -c "$source" -o "$work/shared/$(basename "$source" .c).o" || fail "$source does not build"
done

# run TREE: whether the tests of the constraints pass with the sources in TREE in place of the reference's; 2 where they
# do not build. Sources that are not changed, and include nothing that is, are built once.
run() {
  local tree=$1 source object changed=
  local -a objects=()
  [ "$tree" = "$work" ] || changed=$(cd "$tree" && find reference -type f)
  for source in reference/umetani/*.c tests/reference/umetani/test_umetani_constraints.c; do
    object=$work/whole/$(basename "$source" .c).o
    if [ ! -e "$object" ] || { [ -n "$changed" ] && is_part "$changed" "$source"; }; then
      [ "$tree" = "$work" ] || object=$tree/$(basename "$source" .c).o
      [ ! -e "$tree/$source" ] || source=$tree/$source
      $CC $FLAGS -I"$tree" -I. -Isrc -Itests/support -MMD -c "$source" -o "$object" || return 2
    fi
    objects+=("$object")
  done
  $CC "${objects[@]}" "$work"/shared/*.o $LIBS -o "$tree/program" || return 2
  timeout 60 "$tree/program" >"$tree/log" 2>&1
}

# is_part FILE SOURCE: whether the source is the file or includes it, as the compiler noted.
is_part() {
  [ "$1" = "$2" ] || grep -qw -- "$1" "$work/whole/$(basename "$2" .c).d"
}

# try NUMBER WHAT FILE TEXT REPLACEMENT: writes to result.NUMBER "caught", "missed" or what is wrong.
try() {
  local tree=$work/tree.$1 seen
  mkdir -p "$tree/reference/umetani"
  if ! plant "reference/umetani/$3" "$4" "$5" >"$tree/reference/umetani/$3"; then
    seen="the text is not there exactly once: $4"
  else
    run "$tree" 2>/dev/null
    case $? in
    0) seen=missed ;;
    2) seen="does not build" ;;
    *) seen=caught ;;
    esac
  fi
  echo "$seen" >"$work/result.$1"
  rm -rf "$tree"
}

mkdir "$work/whole"
run "$work" || fail "the tests fail without a fault: $(tail -3 "$work/log")"

try_all 4

caught=0 missed=0
for ((i = 0; i < ${#lines[@]}; i++)); do
  IFS='|' read -r fault _ <<<"${lines[i]}"
  seen=$(cat "$work/result.$i")
  case $seen in
  missed) missed=$((missed + 1)) && echo "MISSED: $fault" ;;
  caught) caught=$((caught + 1)) ;;
  *) fail "$fault: $seen" ;;
  esac
done
echo "umetani: $caught caught, $missed missed"
[ $missed = 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plants one fault at a time in the reference articulated, and asserts that its tests fail each time. Run by "make mutate", which
# sets the variables below.
#
#   CC, FLAGS, LIBS  as the program was built
#   OBJECTS          the library
#   JOBS             faults at a time
#
# Exits with 1 where a fault is missed, and with 2 where one cannot be planted or built.
# shellcheck disable=SC2086 # CC, FLAGS, LIBS, OBJECTS and checks are lists of words
set -u
# shellcheck source=tests/mutate_faults.sh
. "$(dirname "$0")/mutate_faults.sh"
export LC_ALL=C OMP_NUM_THREADS=1 CK_DEFAULT_TIMEOUT=120

JOBS=${JOBS:-$(nproc)}
# Run in this order until one fails.
PROGRAMS="test_articulated_parts test_articulated_minimum test_articulated test_articulated_contact test_articulated_flesh"

# Faults: what | source under reference/articulated | text, which must be there exactly once | replacement.
faults() {
  cat <<'END'
masses in place of S|create.c|settings->published ? s->mass_weight|true ? s->mass_weight
no correction of flesh|step.c|i < m && !s->settings.published|i < 0 && !s->settings.published
sign of a turn's curvature|project.c|(i == j ? trace : 0);|(i == j ? -trace : 0);
sign of a ball's curvature|links.c|k == 0 ? -1 : 1, side[k]->r|k == 0 ? 1 : -1, side[k]->r
sign of an axis' curvature, first side|links.c|link->bone[0], -lambda|link->bone[0], lambda
sign of an axis' curvature, second side|links.c|link->bone[1], -lambda|link->bone[1], lambda
sign between two sides|links.c|value = -lambda * vb_dot|value = lambda * vb_dot
equal weights of a bone's points|project.c|*second = p->body->bone[k].second|*second = (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}
lumped inside of bones|body.c|(c % 4 == 0 ? 0.5 *|(c % 4 == 0 ? 0.6 *
factor of la|material.c|m->la * d * r[i]|0.5 * m->la * d * r[i]
factor of la, in lanes|lanes_kernel.h|b->la * d * r[i]|0.5 * b->la * d * r[i]
rotations from nowhere in the wrong lanes|lanes.c|if (!(lost >> l|if ((lost >> l
outward within a pipe|contact.c|(o->inside ? -arm[k] : arm[k])|(o->inside ? arm[k] : arm[k])
flesh that is not pushed back|contact.c|-f * o->weight[i][k]|0 * o->weight[i][k]
depth along an edge|overlap.c|depth += weight * vb_dot(arm, normal);|depth += weight * sqrt(vb_dot(arm, arm));
depth that does not go on|overlap.c|(vb_dot(arm, o->direction[j]) + o->depth[j])|o->depth[j]
flesh in all of its own body|overlap.c|(o->own && node[0] != i|(true && node[0] != i
no contact of bones|step.c|vb_add_scaled(load + 3 * r, local[r], f, load + 3 * r)|vb_add_scaled(load + 3 * r, 0, f, load + 3 * r)
obstacles at the end of a step|step.c|add_contact(s, time - h)|add_contact(s, time)
no step of atan|project.c|half = 0.5 * atan(norm)|half = 1.5 * atan(norm)
END
}

fail() {
  echo "mutate_articulated: $*" >&2
  exit 2
}

# compile SOURCE OBJECT
compile() {
  $CC $FLAGS -w -I. -iquote reference/articulated -Itests/support -c "$1" -o "$2"
}

# compile_with TREE FILE: compiles FILE of TREE; of a header, the sources that include it, which lie beside it then.
compile_with() {
  local source
  case $2 in
  *.c) compile "$1/$2" "$1/${2%.c}.o" ;;
  *)
    grep -l "#include \".*$2\"" reference/articulated/*.c | while read -r source; do
      cp "$source" "$1/" && compile "$1/${source##*/}" "$1/$(basename "$source" .c).o" || return 1
    done
    ;;
  esac
}

# run TREE: links the tests with the objects in TREE in place of those without a fault and runs them; says which one
# failed, or "none".
run() {
  local tree=$1 program object
  local -a parts=()
  for object in "$work"/whole/*.o; do
    [ ! -e "$tree/${object##*/}" ] || object=$tree/${object##*/}
    parts+=("$object")
  done
  for program in $PROGRAMS; do
    $CC -fopenmp "$work/$program.o" "${parts[@]}" $OBJECTS $LIBS $checks -o "$tree/$program" || return 2
    if ! "$tree/$program" >"$tree/log" 2>&1; then
      echo "$program"
      return 0
    fi
  done
  echo none
}

# try NUMBER WHAT SOURCE TEXT REPLACEMENT: writes to result.NUMBER which program saw the fault.
try() {
  local tree=$work/tree.$1 seen
  mkdir -p "$tree"
  if [ -n "$3" ] && ! plant "reference/articulated/$3" "$4" "$5" >"$tree/$3"; then
    seen="error: the text is not there exactly once: $4"
  elif [ -n "$3" ] && ! seen=$(compile_with "$tree" "$3" 2>&1); then
    seen="error: does not build: $seen"
  elif ! seen=$(run "$tree" 2>&1); then
    seen="error: does not build: $seen"
  fi
  printf '%s\n' "$seen" >"$work/result.$1"
  rm -rf "$tree"
}

checks=$(pkg-config --libs check)
work=$(mktemp -d) || fail "no temporary folder"
trap 'rm -rf "$work"' EXIT
mkdir "$work/whole"
for source in reference/articulated/*.c; do
  compile "$source" "$work/whole/$(basename "$source" .c).o" || fail "$source does not build"
done
for program in $PROGRAMS; do
  compile "tests/reference/articulated/$program.c" "$work/$program.o" || fail "$program does not build"
done
try whole none ""
[ "$(cat "$work/result.whole")" = none ] || fail "without a fault: $(cat "$work/result.whole")"

try_all 4

caught=0 missed=0 broken=0
for ((i = 0; i < ${#lines[@]}; i++)); do
  IFS='|' read -r what _ <<<"${lines[i]}"
  seen=$(cat "$work/result.$i")
  case $seen in
  none) missed=$((missed + 1)) seen="MISSED" ;;
  error:*) broken=$((broken + 1)) ;;
  *) caught=$((caught + 1)) ;;
  esac
  printf '%-13s %-42s %s\n' articulated "$what" "$seen"
done
echo "$caught caught, $missed missed"
[ $broken = 0 ] || fail "$broken faults could not be planted or built"
[ $missed = 0 ]

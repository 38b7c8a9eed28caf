#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plants one fault at a time in the references articulated and multibody, and asserts that their tests fail each time. Run by "make mutate", which
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
PROGRAMS="articulated/test_articulated_parts articulated/test_articulated_linked articulated/test_articulated_accelerate
  articulated/test_articulated_minimum articulated/test_articulated_touch
  articulated/test_articulated_reach articulated/test_articulated articulated/test_articulated_contact
  articulated/test_articulated_flesh multibody/test_multibody"

# Faults: what | source under reference/ | text, which must be there exactly once | replacement.
faults() {
  cat <<'END'
masses in place of S|articulated/create.c|&s->reduced, s->settings.published|&s->reduced, true
no correction of flesh|articulated/step.c|s->turned[i] = s->settings.published ?|s->turned[i] = true ?
sign of a turn's curvature|articulated/project.c|(i == j ? trace : 0);|(i == j ? -trace : 0);
sign of a ball's curvature|articulated/links.c|k == 0 ? -1 : 1, side[k]->r|k == 0 ? 1 : -1, side[k]->r
sign of an axis' curvature, first side|articulated/links.c|link->bone[0], -lambda|link->bone[0], lambda
sign of an axis' curvature, second side|articulated/links.c|link->bone[1], -lambda|link->bone[1], lambda
sign between two sides|articulated/links.c|+= -lambda * vb_dot|+= lambda * vb_dot
parent's motion with the wrong sign|articulated/tree.c|sum -= b->solved|sum += b->solved
what a branch leaves of its parent's loads|articulated/tree.c|parent->solved[i][6] -= b->|parent->solved[i][6] += b->
what a branch leaves of its parent's matrix|articulated/tree.c|parent->matrix[i][j] -= b->|parent->matrix[i][j] += b->
rows of the wrong side|articulated/tree.c|rows[1 - b->side][6 * i + j]|rows[b->side][6 * i + j]
off the diagonal of a pivot of two|articulated/tree.c|(a * v - b * u) / det;|(a * v + b * u) / det;
saddles taken for least points|articulated/tree.c|*least && negative == b->n_rows|*least || negative == b->n_rows
curvature between two sides, transposed|articulated/project.c|b->side == 0 ? i|b->side == 1 ? i
radii in what is left of a gradient|articulated/balance.c|= unit * unit;|= unit;
flesh that couples nothing|articulated/couple.c|vb_component_join(parent, n_bones + node, b->bone_of[node]);|;
links that couple nothing|articulated/couple.c|vb_component_join(parent, link[i].bone[0], link[i].bone[1]);|;
loads of other flesh|articulated/reduce.c|k * s->n_free + (size_t)part->row[i]]|k * s->n_free + i]
limits that are kept from all links|articulated/linked.c|l->set[k].links.link[i].at_limit);|0);
changes of f in place of g's|articulated/anderson.c|part[k] * a->g_changes[|part[k] * a->f_changes[
products of the wrong changes|articulated/anderson.c|a->f_changes + k * n, n);|a->g_changes + k * n, n);
acceleration that is not undone|articulated/accelerate.c|unpack(s, s->anderson.g, s->t);|;
multipliers of a combination|articulated/accelerate.c|memcpy(s->linked.multiplier, multiplier, rows|memcpy(multiplier, s->linked.multiplier, rows
equal weights of a bone's points|articulated/project.c|*second = p->body->bone[k].second|*second = (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}
lumped inside of bones|articulated/body.c|(c % 4 == 0 ? 0.5 *|(c % 4 == 0 ? 0.6 *
factor of la|articulated/material.c|m->la * d * r[i]|0.5 * m->la * d * r[i]
factor of la, in lanes|articulated/lanes_kernel.h|b->la * d * r[i]|0.5 * b->la * d * r[i]
rotations from nowhere in the wrong lanes|articulated/lanes.c|if (!(lost >> l|if ((lost >> l
outward within a pipe|articulated/obstacle.c|(o->inside ? -arm[k] : arm[k])|(o->inside ? arm[k] : arm[k])
flesh that is not pushed back|articulated/contact.c|-f * o->weight[i][k]|0 * o->weight[i][k]
depth along an edge|articulated/overlap.c|depth += weight * vb_dot(arm, normal);|depth += weight * sqrt(vb_dot(arm, arm));
depth that does not go on|articulated/overlap.c|(vb_dot(arm, o->direction[j]) + o->depth[j])|o->depth[j]
flesh in all of its own body|articulated/overlap.c|(o->own && node[0] != i|(true && node[0] != i
no contact of bones|articulated/step.c|vb_add_scaled(load + 3 * r, local[r], f, load + 3 * r)|vb_add_scaled(load + 3 * r, 0, f, load + 3 * r)
obstacles at the end of a step|articulated/step.c|begin_contact(s, time - h)|begin_contact(s, time)
no step of atan|articulated/project.c|half = 0.5 * atan(norm)|half = 1.5 * atan(norm)
no la in the weight of the global step|articulated/reduce.c|(2 * e->material.mu + 3 * e->material.la)|(2 * e->material.mu)
la instead of 3 la in that weight|articulated/reduce.c|(2 * e->material.mu + 3 * e->material.la)|(2 * e->material.mu + e->material.la)
3 mu instead of 2 mu in that weight|articulated/reduce.c|(2 * e->material.mu + 3 * e->material.la)|(3 * e->material.mu + 3 * e->material.la)
mass over h in the matrix|articulated/reduce.c|b->mass[i] / (h * h)|b->mass[i] / h
no springs in the matrix|articulated/reduce.c|+ stiffness[i], t)|+ 0 * stiffness[i], t)
kinetic friction of one that sticks|articulated/cone.c|t->friction[t->slides]|t->friction[1]
static friction of one that slides|articulated/cone.c|t->friction[t->slides]|t->friction[0]
friction along the slip|articulated/cone.c|- slip[c] / free|+ slip[c] / free
contacts that pull|articulated/cone.c|fmax(0, normal - (|(normal - (
slip from where the step ends|articulated/touch.c|memcpy(t.still, span->old_x|memcpy(t.still, x
driven obstacles that do not carry|articulated/touch.c|ar_obstacle_carry(scene, o.driver, span->before, span->time, t.still, t.still);|;
obstacles at the beginning of a step|articulated/touch.c|ar_obstacle_at(scene, (size_t)k, span->time)|ar_obstacle_at(scene, (size_t)k, span->before)
no damping|articulated/step.c|damping * h));|damping * h * 0));
forces of contact that no load has|articulated/step.c|add_forces(&s->body, s->more, s->load, s->bone_load);|;
steps that are not brought back|articulated/reach.c|move(p, f, 1);|move(p, f, 0);
gaps that no residual has|articulated/objective.c|fmax(s->report.residual, s->report.gap)|s->report.residual
bones without the mass of flesh at their nodes|articulated/body.c|bone->mass += b->mass[i];|;
second moments without that of flesh|articulated/body.c|add_moment(bone->second, b->mass[i], node|add_moment(bone->second, 0, node
what is no number, given to LAPACK|multibody/solve.c|if (!isfinite(sum)) {|if (false) {
no damping of shifts|multibody/rates.c|- world->damping * y[7 + c])|- 0 * y[7 + c])
no damping of spins|multibody/rates.c|- world->damping * momentum[c]|- 0 * momentum[c]
inertia of a bone before the link's|multibody/rates.c|divide_by_inertia(s, (size_t)s->link[k].bone[side]|divide_by_inertia(s, 0 * (size_t)s->link[k].bone[side]
END
}

fail() {
  echo "mutate_articulated: $*" >&2
  exit 2
}

# compile FOLDER SOURCE OBJECT: FOLDER is that of its headers, under reference/
compile() {
  $CC $FLAGS -w -I. -iquote "reference/$1" -Itests/support -c "$2" -o "$3"
}

# compile_with TREE FOLDER/FILE: compiles FILE of TREE; of a header, the sources that include it, which lie beside it then.
# Objects are called FOLDER.NAME.o.
compile_with() {
  local source folder=${2%/*} file=${2##*/}
  case $file in
  *.c) compile "$folder" "$1/$file" "$1/$folder.${file%.c}.o" ;;
  *)
    grep -l "#include \".*$file\"" "reference/$folder"/*.c | while read -r source; do
      cp "$source" "$1/" && compile "$folder" "$1/${source##*/}" "$1/$folder.$(basename "$source" .c).o" || return 1
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
    $CC -fopenmp "$work/${program##*/}.o" "${parts[@]}" $OBJECTS $LIBS $checks -o "$tree/${program##*/}" || return 2
    if ! "$tree/${program##*/}" >"$tree/log" 2>&1; then
      echo "${program##*/}"
      return 0
    fi
  done
  echo none
}

# try NUMBER WHAT SOURCE TEXT REPLACEMENT: writes to result.NUMBER which program saw the fault.
try() {
  local tree=$work/tree.$1 seen
  mkdir -p "$tree"
  if [ -n "$3" ] && ! plant "reference/$3" "$4" "$5" >"$tree/${3##*/}"; then
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
for folder in articulated multibody; do
  for source in reference/"$folder"/*.c; do
    compile $folder "$source" "$work/whole/$folder.$(basename "$source" .c).o" || fail "$source does not build"
  done
done
for program in $PROGRAMS; do
  compile articulated "tests/reference/$program.c" "$work/${program##*/}.o" || fail "$program does not build"
done
try whole none ""
[ "$(cat "$work/result.whole")" = none ] || fail "without a fault: $(cat "$work/result.whole")"

try_all 4

caught=0 missed=0 broken=0
for ((i = 0; i < ${#lines[@]}; i++)); do
  IFS='|' read -r what file _ <<<"${lines[i]}"
  seen=$(cat "$work/result.$i")
  case $seen in
  none) missed=$((missed + 1)) seen="MISSED" ;;
  error:*) broken=$((broken + 1)) ;;
  *) caught=$((caught + 1)) ;;
  esac
  printf '%-13s %-42s %s\n' "${file%/*}" "$what" "$seen"
done
echo "$caught caught, $missed missed"
[ $broken = 0 ] || fail "$broken faults could not be planted or built"
[ $missed = 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Extends the solver by what each tests/extend/WHAT-NAME.patch (or WHAT.patch) adds, builds it with the program
# tests/extend/WHAT_check.c, and asserts that it works; then leaves out one file of the patch at a time, and asserts
# that the compiler or the program says what is missing. A patch is at most three files, that of a solver two.
# Usage: tests/extend.sh [NAME...] (from the root of the source tree). CC, CFLAGS and JOBS as for make; with FEW, patches
# are tried as a whole alone.
# shellcheck disable=SC2086,SC2155,SC2317 # CC, FLAGS and LIBS are lists of words; xargs calls compile
set -u
export LC_ALL=C

JOBS=${JOBS:-$(nproc)}
export CK_DEFAULT_TIMEOUT=60 # unoptimized, and beside other work
export CC=${CC:-cc}
export FLAGS="-std=c11 -D_GNU_SOURCE -w -Wno-psabi -fopenmp -ffp-contract=off ${CFLAGS:--O0} $(pkg-config --cflags check)"
LIBS="$(pkg-config --libs check libmd gsl) -lcholmod -llapack -lblas -lm"

fail() {
  echo "extend: $*" >&2
  exit 2
}

# sources [WHAT]: what the viper solver is made of on a CPU; for WHAT `solver`, all solvers and their table.
sources() {
  find src/base src/scene src/viper -name '*.c' ! -path 'src/viper/cuda/*' ! -name variants.c ! -name fit.c ! -name statistics.c ! -name report_text.c
  echo src/mesh/{mesh,capsule,box,box_tree,surface_checks,surface_crossings,surface_owner}.c src/solver/*.c tests/extend/alone.c
  [ "${1-}" != solver ] || find reference src/cli/solvers.c src/cli/solver_table.c -name '*.c'
}

# compile SOURCE: builds it in the tree at hand, in one variant and precision; notes what it includes.
compile() {
  local flags=
  case $1 in
  *_lanes.c) flags="-DVIPER_LANE_BYTES=16 -DVIPER_VARIANT=base_strict -DVIPER_PRECISION=64" ;;
  *_real.c) flags=-DVIPER_PRECISION=64 ;;
  esac
  $CC $FLAGS $flags -I. -Isrc -Itests/support -MMD -c "$1" -o "build/$(tr / _ <<<"${1%.c}").o" 2>&1 || exit 255
}
export -f compile

# stale PATCH WHAT: the sources that a file of the patch is part of, and those that are not built yet.
stale() {
  local patterns
  patterns=$(files "$1" | sed 's|.*|-e &|')
  { grep -lFw $patterns build/*.d | sed 's|d$|o|' | xargs -r rm -f; } 2>/dev/null
  for source in $(sources "$2" | xargs -n 1); do
    [ -e "build/$(tr / _ <<<"${source%.c}").o" ] || echo "$source"
  done
}

# files PATCH: those that it changes or adds.
files() {
  sed -n 's|^+++ b/\([^[:space:]]*\).*|\1|p' "$1"
}

# outcome TREE PATCH CHECK: builds what the patch changes in the tree, and runs the check; says the first thing that
# goes wrong, or "works".
outcome() (
  cd "$1" || exit
  if ! stale "$2" "$3" | xargs -r -P "$JOBS" -I@ bash -c 'compile @' >log 2>&1 ||
    ! $CC $FLAGS -Isrc -Itests/support "tests/extend/$3_check.c" build/*.o $LIBS -o check >log 2>&1; then
    echo "does not build: $(grep -m1 -E 'error|undefined' log)"
  elif ! timeout 300 ./check >log 2>&1; then
    echo "fails: $(grep -m1 -E ':[EF]:' log | sed 's/.*:[EF]:[^:]*:[^:]*:[0-9]*: //')"
  else
    echo works
  fi
)

work=$(mktemp -d) || fail "no temporary folder"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/clean/src" "$work/clean/build"
if ! cp -R src/base src/mesh src/scene src/solver src/viper "$work/clean/src/" ||
  ! cp -R --parents tests/support tests/extend reference src/cli/solvers.[ch] src/cli/solver_table.c "$work/clean/"; then
  fail "run this from the root of the source tree"
fi
(cd "$work/clean" && sources | xargs -n 1 | xargs -P "$JOBS" -I@ bash -c 'compile @') || fail "the solver does not build"

code=0
[ $# -gt 0 ] || set -- tests/extend/*.patch
for name; do
  name=$(basename "$name" .patch)
  patch=$PWD/tests/extend/$name.patch
  mapfile -t changed < <(files "$patch")
  echo "$name: ${#changed[@]} files"
  most=3
  [ "${name%%-*}" != solver ] || most=2
  [ ${#changed[@]} -le $most ] || fail "$name.patch changes more than $most files"
  [ -z "${FEW:-}" ] || changed=()
  for left_out in "" "${changed[@]}"; do
    tree=$work/tree
    rm -rf "$tree"
    cp -R "$work/clean" "$tree"
    (cd "$tree" && patch -s -p1 <"$patch") || fail "$name.patch does not apply"
    if [ -n "$left_out" ]; then
      rm "$tree/$left_out"
      [ ! -e "$left_out" ] || cp "$left_out" "$tree/$left_out"
    fi
    seen=$(outcome "$tree" "$patch" "${name%%-*}")
    printf '  %-40s %s\n' "${left_out:+without }${left_out:-whole}" "$seen"
    case $left_out:$seen in
    :works | ?*:'does not build: '?* | ?*:'fails: '?*) ;;
    *) code=1 ;;
    esac
  done
done
[ -z "${FEW:-}" ] || echo 'Left to "make extend" without FEW: each file of a patch left out'
exit $code

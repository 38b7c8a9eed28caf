#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Times steps of this program against those of another revision, launches of both in turn: "make speed-against REV=...".
#
#   tests/speed_against.sh REV [STUDY:CASE...]
#
# Builds REV in a worktree below TMPDIR, which is removed at the end. Each case is one of a study of bench/, and each side
# runs the study of its own tree; where these differ, that is told. For each case: the median of the ratios of 11 pairs,
# its interval and a verdict (bench/README.md, "Comparing"). Ends with 0 where no case is SLOWER, 1 where one is, 4 where
# that is undecided for one, 2 for bad use, 5 where a side cannot be built or timed.
#
#   PROGRAM  the program of now (bin/viperbench)
#   JOBS     processes of the build (all processors)
#   LAUNCH   further options of each launch (--threads 1)
set -u
export LC_ALL=C

fail() {
  echo "speed-against: $2" >&2
  exit "$1"
}

[ $# -ge 1 ] && [ -n "$1" ] || fail 2 "wants a revision, as in: make speed-against REV=main"
root=$(git rev-parse --show-toplevel 2>/dev/null) || fail 2 "this is no clone of the source"
rev=$(git -C "$root" rev-parse -q --verify "$1^{commit}") || fail 2 "there is no commit $1"
shift
cases=("$@")
((${#cases[@]})) || cases=(rods:direct-double.rods rods:direct-float-fast.rods rods:block-float-fast.rods
  rods:xpbd-float-fast.rods rods:direct-double.one octopuses:xpbd-float-fast.100)
program=$(realpath "${PROGRAM:-bin/viperbench}") && [ -x "$program" ] || fail 5 "there is no ${PROGRAM:-bin/viperbench}"
tmp=$(mktemp -d "${TMPDIR:-/tmp}/viperbench-speed.XXXXXX") || exit 5
trap 'git -C "$root" worktree remove --force "$tmp/tree" 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
git -C "$root" worktree add -q --detach "$tmp/tree" "$rev" || exit 5
echo "Building $(git -C "$root" log -1 --format='%h %s' "$rev" | tr '\001-\010\013-\037\177' '?')"
# The processor is timed: without CUDA. And without what a make above this one tells its own.
(unset VIPERBENCH_HOME MAKEFLAGS MAKELEVEL MAKE BUILD && cd "$tmp/tree" && make all NVCC= DEPS=no JOBS="${JOBS:-$(nproc)}") \
  >"$tmp/build.log" 2>&1 || fail 5 "it cannot be built: $(tail -n 1 "$tmp/build.log")"

# launch HOME PROGRAM STUDY CASE: a command that prints the seconds of a step.
launch() {
  printf "VIPERBENCH_HOME='%s' '%s' bench '%s' --launch '%s' --quiet %s" "$1" "$2" "$3" "$4" "${LAUNCH:---threads 1}"
}

worst=0
for case in "${cases[@]}"; do
  study=${case%%:*} name=${case#*:}
  [ "$study" != "$case" ] && [ -n "$name" ] || fail 2 "\"$case\" is no STUDY:CASE"
  printf '\n%s\n' "$case"
  git -C "$root" diff --quiet "$rev" -- "bench/$study.lua" ||
    echo "bench/$study.lua has changed: the two may not do the same work"
  "$program" compare --time reported --launch "$(launch "$tmp/tree" "$tmp/tree/bin/viperbench" "$study" "$name")" \
    "$(launch "$root" "$program" "$study" "$name")"
  code=$?
  case $code in
  0) ;;
  1) worst=1 ;;
  4) ((worst == 1)) || worst=4 ;;
  *) fail 5 "$case cannot be timed on both sides" ;;
  esac
done
exit $worst

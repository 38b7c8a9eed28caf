#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Finds the first commit that changed what a gate measures, or how many gates of a study pass: "viperbench bisect".
#
#   tests/bisect.sh STUDY GATE GOOD BAD
#
# GATE is part of the names of gates, or empty: then it is counted how many gates pass, fail and are findings. A verdict
# that differs from that of GOOD is a change, and a value that differs by more than 1e-6 of itself. Builds in a worktree
# below TMPDIR, which is removed at the end: the user's tree, index and branches stay as they are. Commits that cannot be
# built, or cannot run the study, are skipped. Ends with 0 where the commit is found, 2 for bad use, 4 where only skipped
# commits are left or nothing changed.
#
#   JOBS    processes of a build (all processors)
set -u
export LC_ALL=C

# What commits and options say may hold control characters, which a terminal would obey.
printable() { tr '\001-\010\013-\037\177' '?'; }

fail() {
  printable <<<"viperbench: bisect: $2" >&2
  exit "$1"
}

# step: measures the commit that is checked out, and compares with what $TMP/good holds, or writes it where there is none.
step() {
  local tree=$TMP/tree
  cd "$tree" || exit 128
  printf '%s ' "$(git log -1 --format='%h %s' | cut -c 1-70 | printable)"
  if ! make all DEPS=no JOBS="${JOBS:-$(nproc)}" >"$TMP/build.log" 2>&1; then
    echo "(cannot be built, skipped)"
    exit 125
  fi
  VIPERBENCH_HOME=$tree bin/viperbench run "$STUDY" --out "$TMP/results" --fresh --quiet --json >"$TMP/run.json" 2>"$TMP/run.log"
  if [ $? -gt 1 ] || ! python3 "$HERE/bisect_value.py" "$GATE" "$TMP/run.json" >"$TMP/now"; then
    echo "(cannot run this, skipped)"
    exit 125
  fi
  printable <"$TMP/now" | tr '\n' ' '
  if [ ! -f "$TMP/good" ]; then
    cp "$TMP/now" "$TMP/good"
    echo
    exit 0
  fi
  python3 "$HERE/bisect_value.py" --same "$TMP/good" "$TMP/now"
  local code=$?
  echo "($([ $code = 0 ] && echo the same || echo changed))"
  exit $code
}

if [ "${1:-}" = --step ]; then step; fi

[ $# = 4 ] || fail 2 "wants STUDY GATE GOOD BAD"
export STUDY=$1 GATE=$2 HERE TMP
HERE=$(cd "$(dirname "$0")" && pwd)
root=$(git -C "$HERE" rev-parse --show-toplevel 2>/dev/null) || fail 2 "this program was not built in a clone of its source"
good=$(git -C "$root" rev-parse -q --verify "$3^{commit}") || fail 2 "there is no commit $3"
bad=$(git -C "$root" rev-parse -q --verify "$4^{commit}") || fail 2 "there is no commit $4"
git -C "$root" merge-base --is-ancestor "$good" "$bad" || fail 2 "$3 does not come before $4"
TMP=$(mktemp -d "${TMPDIR:-/tmp}/viperbench-bisect.XXXXXX") || exit 5
trap 'git -C "$root" worktree remove --force "$TMP/tree" 2>/dev/null; rm -rf "$TMP"' EXIT
trap 'exit 130' INT TERM
unset VIPERBENCH_HOME
git -C "$root" worktree add -q --detach "$TMP/tree" "$good" || exit 5
# The scripts are those of now, whatever commit is checked out.
mkdir "$TMP/here" && cp "$HERE"/bisect.sh "$HERE"/bisect_value.py "$TMP/here/" && HERE=$TMP/here || exit 5

bash "$HERE/bisect.sh" --step || fail 2 "$3 cannot be measured: $(tail -n 1 "$TMP/run.log" "$TMP/build.log" 2>/dev/null | tail -n 1)"
git -C "$TMP/tree" checkout -q --detach "$bad" || exit 5
bash "$HERE/bisect.sh" --step
case $? in
0) fail 4 "nothing changed from $3 to $4" ;;
1) ;;
*) fail 2 "$4 cannot be measured: $(tail -n 1 "$TMP/run.log" "$TMP/build.log" 2>/dev/null | tail -n 1)" ;;
esac
cd "$TMP/tree" || exit 5
git bisect start "$bad" "$good" >/dev/null 2>&1 || exit 5
git bisect run bash "$HERE/bisect.sh" --step 2>&1 | tee "$TMP/said" | printable |
  grep -v -e '^running ' -e '^Bisecting' -e '^\[' -e '^bisect ' -e '^$'
grep -q 'is the first bad commit' "$TMP/said" && exit 0
fail 4 "only commits are left that cannot be measured"

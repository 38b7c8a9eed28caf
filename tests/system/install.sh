#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tries an installed program as its users do, from elsewhere.
#
#   tests/system/install.sh PREFIX
#
# Ends with 1 where something is not as it should be.
set -u -o pipefail
export LC_ALL=C
unset VIPERBENCH VIPERBENCH_HOME PYTHONPATH
export VIPERBENCH_PYTHON=${VIPERBENCH_PYTHON:-/usr/bin/python3}

prefix=$(realpath "$1")
share=$prefix/share
export PATH=$prefix/bin:$PATH

place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 2

failures=0
# check WHAT COMMAND...: runs the command; its output is shown where it fails.
check() {
  local what=$1
  shift
  "$@" >log 2>&1 && return
  echo "FAILED: $what ($?): $*" >&2
  tail -n 5 log >&2
  failures=$((failures + 1))
}

draw() {
  local files=(results/stretch_bars-*.h5)
  viperbench render "${files[0]}" --size 64x64 --out picture.png && test -s picture.png
}
solve_in_c() {
  cp -R "$share/viperbench/plugin" mine && make -s -C mine &&
    viperbench run mine/hanging_chain.lua --solver mine/mass_spring.so --out c
}

check "the program is that of the prefix" test "$(command -v viperbench)" = "$prefix/bin/viperbench"
check "list finds the studies" sh -c 'viperbench list --names | grep -qx stretch_bars'
check "info" viperbench info stretch_bars --csv
check "a run, with its figure" viperbench run stretch_bars
check "its figure" test -s results/stretch_bars.svg
check "a run, with its page" viperbench run work_precision --set nodes=17
check "its page" test -s results/nodes=17/work_precision.md
check "table" viperbench table results/stretch_bars.h5 --csv
check "render" draw
check "report" sh -c 'viperbench report results -o report.html && test -s report.html'
check "help" sh -c 'viperbench help run | grep -q -- --only'
check "the man page" grep -q '^\.SS run' "$share/man/man1/viperbench.1"
check "completion" bash -n "$share/bash-completion/completions/viperbench"
for file in "$share"/zsh/site-functions/_viperbench "$share"/fish/vendor_completions.d/viperbench.fish \
  "$share"/viperbench/{README.md,LICENSE,CITATION.cff} "$share"/viperbench/scenarios/first_steps/own_scene.md; do
  check "$file" test -s "$file"
done
check "a solver in C" solve_in_c
if "$VIPERBENCH_PYTHON" -c 'import numpy' 2>/dev/null; then
  check "a solver in Python" viperbench run mine/hanging_chain.lua \
    --solver "$share/viperbench/python/template/mass_spring.py" --out python
  check "results in Python" env PYTHONPATH="$share/viperbench/python" "$VIPERBENCH_PYTHON" -c \
    'import viperbench; print(viperbench.load("results/stretch_bars.h5"))'
else
  echo "SKIPPED (numpy): solvers and results in Python"
fi

if ((failures)); then
  echo "$failures failures: $prefix"
  exit 1
fi
echo "what is installed in $prefix works"

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that is to be tried and measured on a machine with a GPU, from a portable folder (make
# dist) or a source tree that is built. What comes of it is left in one folder and an archive of it.
#
#   bench/gpu.sh [FOLDER]       (gpu-HOST-DATE)
#
# From the environment: TIER (full); PARTS, some of "tests sanitizer speed" (all of these); ANYWAY=1
# goes on without a device. A part whose tool is missing is skipped and counted. Ends with 3 where
# there is no device, with 1 where a part failed, whose log then tells why. The full tier takes up to
# a minute and a half for each case of a benchmark, the quick one some seconds.
set -u -o pipefail
export LC_ALL=C

home=$(cd "$(dirname "$0")/.." && pwd) || exit 2
program=$home/bin/viperbench
tier=${TIER:-full} parts=${PARTS:-tests sanitizer speed}
out=${1:-gpu-$(uname -n)-$(date -u +%Y%m%dT%H%M%SZ)}
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 5

passed=0 failed=0 skipped=0

skip() {
  skipped=$((skipped + 1))
  echo "SKIPPED ($1): $2" | tee -a "$out/steps.txt"
}

# $(part NAME COMMAND...): its output goes to NAME.log, what became of it to steps.txt. Code 3 says
# that something is not available here, 4 that what was measured tells nothing.
part() {
  local name=$1 start=$SECONDS code verdict
  shift
  "$@" >"$out/$name.log" 2>&1 </dev/null
  code=$?
  case $code in
  0) verdict=passed passed=$((passed + 1)) ;;
  3 | 4)
    skip "$name" "$(grep -v '^ *$' "$out/$name.log" | tail -n 1)"
    return
    ;;
  *) verdict="FAILED ($code)" failed=$((failed + 1)) ;;
  esac
  printf '%-28s %s after %d s\n' "$name" "$verdict" $((SECONDS - start)) | tee -a "$out/steps.txt"
}

wanted() { [[ " $parts " == *" $1 "* ]]; }

# The machine, in its own words.
describe() {
  "$program" --version
  uname -a
  lscpu
  nvidia-smi -q
  cat "$home/BUILD-INFO"
}

# The tests that use a device, each under one of compute-sanitizer's tools, in one process as it wants.
sanitize() {
  local tool=$1 test
  for test in "$home"/tests/test_cuda_device*; do
    [[ -x $test && ! -d $test ]] || continue
    part "$tool-${test##*/}" env CK_FORK=no VIPERBENCH_HOME="$home" \
      compute-sanitizer --tool "$tool" --error-exitcode 9 "$test"
  done
}

: >"$out/steps.txt"
describe >"$out/machine.txt" 2>&1
# A study that the device can run.
"$program" run stretch_bars --backend cuda --quiet --fresh --out "$out/probe" \
  >"$out/probe.log" 2>&1
code=$?
if ((code == 3)) && [ -z "${ANYWAY:-}" ]; then
  echo "bench/gpu.sh: no device: $(tail -n 1 "$out/probe.log")" >&2
  exit 3
fi

cd "$home" || exit 2
if wanted tests; then
  if compgen -G 'tests/test_*' | grep -qv '\.'; then
    part self-test "$program" --self-test --out "$out"
  else
    skip self-test "no test programs in $home/tests: use make test, or a portable folder"
  fi
fi
if wanted sanitizer; then
  if ! command -v compute-sanitizer >/dev/null; then
    skip compute-sanitizer "not installed: no memcheck, no racecheck"
  elif ! compgen -G 'tests/test_cuda_device*' | grep -qv '\.'; then
    skip compute-sanitizer "no tests of a device in $home/tests"
  else
    sanitize memcheck
    sanitize racecheck
  fi
fi
# What the device has no code for (bundles) runs on the processors: their tables tell.
if wanted speed; then
  part bench-self-test "$program" bench --self-test
  for file in bench/*.lua; do
    study=$(basename "$file" .lua)
    more=()
    [ "$study-$tier" = scaling-full ] && more=(--set most_bodies=100000)
    part "bench-$study" "$program" bench "$study" --tier "$tier" "${more[@]}" --out "$out"
  done
fi

printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped | tee -a "$out/steps.txt"
tar -C "$(dirname "$out")" -czf "$out.tar.gz" "$(basename "$out")" || exit 5
echo "all of it: $out.tar.gz"
exit $((failed > 0))

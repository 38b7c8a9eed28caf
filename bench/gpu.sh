#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests and measures on a machine with a GPU, the most important parts first, from a portable folder
# (make dist) or a built source tree. Results are in one folder, and in an archive of it, which is
# rewritten after each part.
#
#   bench/gpu.sh [SECONDS [FOLDER]]     (3600, gpu-HOST-DATE)
#
# Each part has its own time limit, and at most what is left of SECONDS. Parts that reach their limit are
# reported. Parts with less than five seconds left, or without their tool, are skipped. Both are counted.
# Environment: PARTS, those to run ("tests agreement headline kernels latencies gates self-test memcheck
# racecheck full cpu"); PROGRAM (bin/viperbench); ANYWAY=1 continues without a device. Exits with 3 if there is no
# device, with 1 if a part failed or was cut off.
set -u -o pipefail
export LC_ALL=C

home=$(cd "$(dirname "$0")/.." && pwd) || exit 2
program=${PROGRAM:-$home/bin/viperbench}
parts=${PARTS:-tests agreement headline kernels latencies gates self-test memcheck racecheck full cpu}
budget=${1:-3600}
[[ $budget =~ ^[0-9]+$ ]] || {
  echo "bench/gpu.sh: \"$budget\" is no number of seconds; use bench/gpu.sh [SECONDS [FOLDER]]" >&2
  exit 2
}
out=${2:-gpu-$(uname -n)-$(date -u +%Y%m%dT%H%M%SZ)}
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 5
start=$(date +%s)
least=5 # seconds: nothing useful is done in fewer

passed=0 failed=0 skipped=0

tell() { printf '%-28s %s\n' "$1" "$2" | tee -a "$out/steps.txt"; }

skip() {
  skipped=$((skipped + 1))
  tell "$1" "SKIPPED: $2"
}

fail() {
  failed=$((failed + 1))
  tell "$1" "$2"
}

archive() { tar -C "$(dirname "$out")" -czf "$out.tar.gz" "$(basename "$out")" || exit 5; }

left() { echo $((start + budget - $(date +%s))); }

# part NAME LIMIT COMMAND...: its output goes to NAME.log, what became of it to steps.txt. Code 3 says
# that something is not available here, 4 that what was measured tells nothing.
part() {
  local name=$1 limit=$2 begin code
  shift 2
  ((limit < $(left))) || limit=$(left)
  if ((limit < least)); then
    skip "$name" "no time is left of $budget s"
    return
  fi
  begin=$(date +%s)
  timeout -k 10 "$limit" "$@" >"$out/$name.log" 2>&1 </dev/null
  code=$?
  case $code in
  0)
    passed=$((passed + 1))
    tell "$name" "passed after $(($(date +%s) - begin)) s"
    ;;
  3 | 4) skip "$name" "$(grep -v '^ *$' "$out/$name.log" | tail -n 1)" ;;
  124 | 137) fail "$name" "CUT OFF after $limit s: its log holds what was done" ;;
  *) fail "$name" "FAILED ($code) after $(($(date +%s) - begin)) s" ;;
  esac
  archive
}

wanted() { [[ " $parts " == *" $1 "* ]]; }

# The machine, in its own words.
describe() {
  "$program" --version
  cat "$home/BUILD-INFO"
  uname -a
  lscpu
  nvidia-smi -q
}

# share NAME COMMAND...: the command by as many processes side by side as there are cores, 16 at most. Of
# the tests each does those of its PART, which NAME-K.tap and NAME-K.log tell of.
# shellcheck disable=SC2317 # part runs it
share() {
  local name=$1 parts k code=0 some
  shift
  parts=$(nproc)
  ((parts <= 16)) || parts=16
  local jobs=()
  for ((k = 0; k < parts; k++)); do
    env PART="$k/$parts" OMP_NUM_THREADS=1 VIPERBENCH_HOME="$home" CK_FORK=no CK_TAP_LOG_FILE_NAME="$out/$name-$k.tap" \
      "$@" >"$out/$name-$k.log" 2>&1 </dev/null &
    jobs+=($!)
  done
  for k in "${!jobs[@]}"; do
    wait "${jobs[k]}" && continue
    some=$?
    ((code)) && ((some == 3 || some == 4)) || code=$some
  done
  cat "$out/$name"-*.tap 2>/dev/null | awk '/^not ok/; /^ok/ { n++ } END { if (n) print n " tests passed" }'
  ((code == 0)) || tail -n 1 "$out/$name"-*.log | grep -v '^==>\|^ *$' | tail -n 1
  return "$code"
}

# device_tests PART LIMIT COMMAND...: the tests that use a device, by this command. Each process does many
# tests: a device takes a second to get ready for it.
device_tests() {
  local part=$1 limit=$2 test name
  shift 2
  for test in "$home"/tests/test_cuda_device{,_studies}; do
    name=$part-${test##*/test_}
    if [ -x "$test" ]; then
      part "$name" "$limit" bash -c 'share "$@"' share "$name" "$@" "$test"
    else
      skip "$name" "not in $home/tests: use make test, or a portable folder with all tests"
    fi
  done
}

# sanitize TOOL: the same under a tool of compute-sanitizer.
sanitize() {
  if command -v compute-sanitizer >/dev/null; then
    device_tests "$1" 600 compute-sanitizer --tool "$1" --error-exitcode 9
  else
    skip "$1" "compute-sanitizer is not installed"
  fi
}

# agree NAME ARGUMENT...: runs these studies by CPU and device: strict runs agree to the last bit. What
# fails or is refused on one of them is missing in the comparison.
# shellcheck disable=SC2317 # part runs it
agree() {
  local runs=$out/$1 backend
  shift
  for backend in cpu cuda; do
    "$program" run "$@" --backend "$backend" --out "$runs/$backend" --quiet --fresh
  done
  "$program" compare "$runs/cpu" "$runs/cuda" --allow options,arithmetic,hardware
}

# profile STUDY METHOD LAUNCH [OPTION...]: time of each kernel of some steps, from this launch on, by the
# profiler's counters, with clocks left as they are. Where these may not be read (drivers reserve them for
# administrators), or without ncu, the sums of times over a run, by its tracer.
# shellcheck disable=SC2317
profile() {
  local study=$1 method=$2 skip=$3 code=127
  shift 3
  local of=("$program" bench "$study" --method "$method" --option launch=stream --out "$out/$study-$method" "$@")
  if command -v ncu >/dev/null; then
    ncu --clock-control none --kill yes --launch-skip "$skip" --launch-count 60 --csv --page raw \
      --metrics gpu__time_duration.sum,sm__cycles_elapsed.max,smsp__inst_executed.sum "${of[@]}"
    code=$?
  fi
  if ((code)) && command -v nsys >/dev/null; then
    nsys profile --trace cuda --sample none --stats true --force-overwrite true --output "$out/$study-$method-trace" "${of[@]}"
    code=$?
  fi
  return "$code"
}
export -f agree profile share
export program out home

: >"$out/steps.txt"
describe >"$out/machine.txt" 2>&1
# A study that the device can run.
"$program" run stretch_bars --backend cuda --quiet --fresh --out "$out/probe" >"$out/probe.log" 2>&1
code=$?
if ((code == 3)) && [ -z "${ANYWAY:-}" ]; then
  echo "bench/gpu.sh: no device: $(tail -n 1 "$out/probe.log")" >&2
  exit 3
fi

cd "$home" || exit 2
! wanted tests || device_tests tests 300
# The first steps of every study, and of a crowd as it falls into a heap.
if wanted agreement; then
  part agreement-studies 180 bash -c 'agree studies all --tier gold'
  part agreement-crowd 180 bash -c 'agree crowd octopus_crowd --set n=100 --set duration=2'
  rm -rf "$out/studies" "$out/crowd"
fi
# What users ask for first, by all methods. What the device has no code for runs on the processors: the
# tables tell.
if wanted headline; then
  for study in octopuses contact_crowd rods scaling; do
    part "headline-$study" 90 "$program" bench "$study" --out "$out"
  done
fi
if wanted kernels; then
  if command -v ncu nsys >/dev/null; then
    part kernels-octopuses 60 bash -c 'profile octopuses block-descent 40'
    part kernels-contact_crowd 120 bash -c 'profile contact_crowd xpbd 18000'
  else
    skip kernels "neither ncu nor nsys is installed"
  fi
fi
# What the model of time assumes of a device, measured on this one.
if wanted latencies; then
  if command -v nvcc >/dev/null; then
    part latencies 120 nvcc -std=c++17 -O3 -arch=native -o "$out/latencies" -run bench/latencies.cu
    rm -f "$out/latencies"
  else
    skip latencies "nvcc is not installed"
  fi
fi
! wanted gates || part gates 300 "$program" run all --backend cuda --quiet --jobs "$(nproc)" --fresh --out "$out/gates"
if wanted self-test; then
  # Not by a pipe: grep ends at the first match, and compgen would fail on the closed pipe.
  if grep -qx '[^.]\+' <<<"$(compgen -G 'tests/test_*')"; then
    part self-test 900 "$program" --self-test --out "$out"
  else
    skip self-test "no test programs in $home/tests: use make test, or a portable folder"
  fi
fi
! wanted memcheck || sanitize memcheck
! wanted racecheck || sanitize racecheck
if wanted full; then
  part bench-self-test 120 "$program" bench --self-test
  for file in bench/*.lua; do
    study=$(basename "$file" .lua)
    more=()
    [ "$study" = scaling ] && more=(--set most_bodies=100000)
    part "full-$study" 600 "$program" bench "$study" --tier full "${more[@]}" --out "$out"
  done
fi
# The headline cases on the processors of this machine: where a device begins to be faster. Last, for this
# takes time of the device and does not use it.
if wanted cpu; then
  for study in octopuses contact_crowd scaling; do
    part "cpu-$study" 90 "$program" bench "$study" --backend cpu --out "$out/cpu"
  done
fi

tell "" "$passed passed, $failed failed, $skipped skipped, $(($(date +%s) - start)) s of $budget"
archive
echo "all of it: $out.tar.gz"
exit $((failed > 0))

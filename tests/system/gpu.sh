#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Rehearses bench/gpu.sh with a clock of its own and commands that only take time: the order of parts,
# the budget, each part's limit, an archive after each part, and each part failing once.
#
#   tests/system/gpu.sh
#
# PROGRAM (bin/viperbench) tells which commands and options there are.
# Ends with 1 where something is not as it should be.
# shellcheck disable=SC2015 # fail ends with 0
set -u -o pipefail
export LC_ALL=C

root=$(cd "$(dirname "$0")/../.." && pwd)
program=${PROGRAM:-$root/bin/viperbench}
unset PROGRAM # bench/gpu.sh reads it, too
place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT
failures=0
fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# A home with the script and with stand-ins. Each writes what it was called with, lets the clock go on
# by TAKES seconds (of the words in SLOW: 1000), and fails where its words hold FAULT.
mkdir -p "$place"/home/{bin,bench,tests} "$place/tools"
cp "$root"/bench/*.lua "$root/bench/gpu.sh" "$place/home/bench/"
echo stand-in >"$place/home/BUILD-INFO"
export CLOCK=$place/clock CALLS=$place/calls
cat >"$place/stand-in" <<'END'
#!/usr/bin/env bash
words="${0##*/} $*"
echo "$words" >>"$CALLS"
takes=${TAKES:-1}
[[ -n ${SLOW:-} && $words == *$SLOW* ]] && takes=1000
echo $(($(cat "$CLOCK") + takes)) >"$CLOCK"
[[ -n ${FAULT:-} && $words == *$FAULT* ]] && { echo "as planted"; exit "${CODE:-1}"; }
exit 0
END
chmod +x "$place/stand-in"
for name in bin/viperbench tests/test_cuda_device tests/test_cuda_device_studies; do
  cp "$place/stand-in" "$place/home/$name"
done
# ncu, nsys, compute-sanitizer and nvcc stand for what they run; env is the system's.
for name in ncu nsys compute-sanitizer nvcc nvidia-smi; do
  cp "$place/stand-in" "$place/tools/$name"
done
# A clock, and a timeout by it: what took longer is set back to its limit and cut off.
cat >"$place/tools/date" <<'END'
#!/usr/bin/env bash
cat "$CLOCK"
END
cat >"$place/tools/timeout" <<'END'
#!/usr/bin/env bash
limit=$3 begin=$(cat "$CLOCK")
shift 3
"$@"
code=$?
(($(cat "$CLOCK") - begin <= limit)) || { echo $((begin + limit)) >"$CLOCK"; exit 124; }
exit $code
END
printf '#!/bin/sh\necho 1\n' >"$place/tools/nproc"
chmod +x "$place"/tools/*

# rehearse NAME SECONDS: runs the script; its code is in `code`, what it did in `steps`.
rehearse() {
  echo 1000 >"$CLOCK"
  : >"$CALLS"
  PATH=$place/tools:$PATH bash "$place/home/bench/gpu.sh" "$2" "$place/$1" >"$place/$1.out" 2>&1
  code=$?
  steps=$place/$1/steps.txt
  [ -s "$place/$1.tar.gz" ] || fail "$1: no archive"
  tar -xzOf "$place/$1.tar.gz" "$1/steps.txt" | cmp -s - "$steps" || fail "$1: the archive is old"
}

rehearse all 3600
[ $code = 0 ] || fail "with all parts passing it ends with $code"
grep -q ' 0 failed, 0 skipped, ' "$steps" || fail "with all parts passing some fail or are skipped: $(tail -n 1 "$steps")"
order=$(head -n -1 "$steps" | awk '{ sub("-.*", "", $1); if ($1 != last) printf "%s ", last = $1 }')
[ "$order" = "tests agreement headline kernels latencies gates self memcheck racecheck bench full cpu " ] ||
  fail "the order of parts is: $order"
! grep -q '^nsys ' "$CALLS" || fail "nsys is called although ncu works"
mapfile -t names < <(head -n -1 "$steps" | awk '{ print $1 }')

# The program has all commands and options that the script uses.
while read -r command words; do
  page=$("$program" help "$command" 2>&1) || fail "there is no command \"$command\""
  while read -r word; do
    grep -qE -- "^ +([a-z-]+, )?$word(=|,| |$)" <<<"$page" || fail "$command has no option $word"
  done < <(grep -oE -- ' --[a-z-]+' <<<" $words")
done < <(sed -n 's/^\(ncu .*[ /]\)\?viperbench \([a-z]\)/\2/p' "$CALLS" | sort -u)

# $(word_of PART): what the part's command alone has in its words.
word_of() {
  case $1 in
  tests-*) echo "test_${1#tests-} " ;; # the sanitizers end with it
  memcheck-* | racecheck-*) echo "--tool ${1%%-*}" ;;
  headline-*) echo "bench ${1#headline-} --out" ;;
  cpu-*) echo "bench ${1#cpu-} --backend cpu" ;;
  latencies) echo bench/latencies.cu ;;
  kernels-*) echo "bench ${1#kernels-} --method" ;;
  full-*) echo "bench ${1#full-} --tier full" ;;
  bench-self-test) echo "bench --self-test" ;;
  self-test) echo "viperbench --self-test" ;;
  gates) echo /gates ;;
  agreement-*) echo "compare *${1#agreement-}" ;;
  *) fail "no fault is planted for the part $1" ;;
  esac
}

# Each part fails once; every third reaches its limit, too, or has not what it needs.
turn=0
for name in "${names[@]}"; do
  word=$(word_of "$name")
  FAULT=$word rehearse failing 3600
  [ $code = 1 ] && grep -q "^$name .*FAILED (" "$steps" && grep -q ' [12] failed, 0 skipped, ' "$steps" ||
    fail "$name fails, and it is told: $(grep -v passed "$steps")"
  ((turn++ % 3)) && continue
  SLOW=$word rehearse slow 20000
  [ $code = 1 ] && grep -q "^$name .*CUT OFF" "$steps" ||
    fail "$name is slow, and it is told: $(grep -v passed "$steps")"
  FAULT=$word CODE=3 rehearse unavailable 3600
  [ $code = 0 ] && grep -q "^$name .*SKIPPED: as planted" "$steps" ||
    fail "$name is not available, and it is told: $(grep -v passed "$steps")"
done

# Where the profiler may not read counters, its tracer gives the times of kernels.
FAULT="ncu " rehearse reserved 3600
[ $code = 0 ] && [ "$(grep -c '^nsys .* bench ' "$CALLS")" = 2 ] ||
  fail "ncu may not read counters: $(grep -v passed "$steps")"

# The budget: it is never exceeded, the first parts are there, the last ones skipped and counted.
TAKES=50 rehearse short 400
(($(cat "$CLOCK") <= 1400 + 50)) || fail "400 s became $(($(cat "$CLOCK") - 1000))"
grep -q '^tests-cuda_device .*passed' "$steps" && grep -q 'no time is left of 400 s' "$steps" ||
  fail "what a budget of 400 s leaves: $(cat "$steps")"

# No device, a wrong budget.
FAULT="run stretch_bars" CODE=3 PATH=$place/tools:$PATH bash "$place/home/bench/gpu.sh" 60 "$place/none" >"$place/none.out" 2>&1
[ $? = 3 ] && grep -q 'no device: as planted' "$place/none.out" || fail "no device: $(cat "$place/none.out")"
bash "$place/home/bench/gpu.sh" soon >"$place/wrong.out" 2>&1
[ $? = 2 ] && [ "$(wc -l <"$place/wrong.out")" = 1 ] || fail "a wrong budget: $(cat "$place/wrong.out")"

((failures == 0)) && echo "bench/gpu.sh: ${#names[@]} parts in order, each failed once"
exit $((failures > 0))

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the fuzz targets with libFuzzer and sanitizers, and lets them look for inputs that break
# something.
#
#   tests/fuzz/run.sh BUILD
#
# BUILD is the folder of a finished build; what the fuzzers do not watch is taken from it.
# Ends with a table: for each target seconds, executions, functions of the program that it entered, how many it must
# enter in CI, and crashes; then "N passed, N failed, N skipped". Ends with 1 where a target found something: the input
# is then kept in build-fuzz/found, and the command that shows it again is told. Inputs that reach further than the
# corpus are kept in build-fuzz/corpus, with which the next run begins (but for RUNS=).
#
#   TIME     seconds for each target (60)
#   RUNS     instead: inputs for each target, always the same ones; "ci" takes what fits two minutes
#   TARGETS  those to run (all that have a corpus)
#   JOBS     targets at a time (processors at hand)
#   CC       the compiler (clang)
set -u
export LC_ALL=C

build=${1:?"wants the folder of a build"}
cc=${CC:-clang} jobs=${JOBS:-$(nproc)} runs=${RUNS:-} seconds=${TIME:-60}
# The few inputs of CI take less time than it takes to optimize what reads them.
optimize=-O1
[ "$runs" = ci ] && optimize=-O0
read -ra targets <<<"${TARGETS:-$(cd tests/fuzz/corpus && echo *)}"
out=build-fuzz
# Inputs of each target in CI: as many as take some 6 s each on a processor of its own.
declare -A count=([scripts]=1800 [meshes]=2500 [results]=12 [command_line]=150 [json]=100000 [channel]=90
  [surfaces]=1500 [scenes]=100000
  [benches]=36 [shards]=30 [python_reader]=120 [hdf5_bytes]=120 [texts]=3000)
# Functions of the program that each target enters at least: nine tenths of what CI's inputs entered when this was
# written, not optimized, so that none is inlined. Fewer mean that the inputs of the corpus are refused early, and test
# nothing.
declare -A floor=([scripts]=789 [results]=871 [meshes]=75 [command_line]=646 [json]=16 [channel]=423 [surfaces]=145 [scenes]=141
  [benches]=349 [shards]=723 [python_reader]=126 [hdf5_bytes]=96 [texts]=74)

if ! echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' |
  $cc -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null; then
  echo "SKIPPED (libfuzzer): $cc has no libFuzzer (Debian: clang libclang-rt-dev)"
  echo "0 passed, 0 failed, ${#targets[@]} skipped"
  exit 0
fi
${MAKE:-make} --no-print-directory -s -j"$jobs" -Otarget BUILD=$out FAST_BUILD="$build" CC="$cc" OPT=$optimize \
  SANITIZE=fuzzer-no-link,address,undefined fuzzers || exit 2

work=$(mktemp -d) || exit 2
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export TMPDIR=$work
mkdir -p $out/found $out/logs

# Fuzzes one target; leaves NAME.result: name, seconds, inputs, functions, those that it must enter, crashes, exit code.
run_one() {
  local name=$1 log=$out/logs/$1.log start=$EPOCHREALTIME code kept=$work/$1
  local limit=(-max_total_time="$seconds")
  case $runs in
  '') kept=$out/corpus/$name ;;
  ci) limit=(-runs="${count[$name]:-1000}" -seed=1) ;;
  *) limit=(-runs="$runs" -seed=1) ;;
  esac
  mkdir -p "$kept"
  # Memory: what a script may use, and that again. Time of one input, s: far more than any takes on a busy machine.
  "$out/fuzz/$name" "${limit[@]}" -max_len=4096 -timeout=120 -rss_limit_mb=3000 -close_fd_mask=3 \
    -print_final_stats=1 -print_coverage=1 -artifact_prefix="$out/found/$name-" "$kept" \
    "tests/fuzz/corpus/$name" >"$log" 2>&1 </dev/null
  code=$?
  awk -v code=$code -v a="$start" -v b="$EPOCHREALTIME" '
    /^stat::number_of_executed_units/ { n = $2 }
    /^stat::new_units_added/ { added = $2 }
    /^COVERED_FUNC/ { entered++ }
    END { printf "%d %.0f %d %d %d\n", n, b - a, added, code, entered }' "$log" >"$work/$name.found"
  local n took added entered least=0
  read -r n took added code entered <"$work/$name.found"
  least=${floor[$name]:-1}
  local crashes=$((code != 0))
  if ((code == 0 && entered < least)) && [ "$runs" = ci ]; then
    echo "$name enters $entered functions; it should be $least or more" >>"$log"
    code=1
  fi
  echo "$name $took $n $entered $least $crashes $code" >"$work/$name.result"
  printf '  %-14s %8d inputs %5d s %6d new %6d functions%s\n' "$name" "$n" "$took" "$added" "$entered" \
    "$( ((code)) && echo '   FAILED')"
}

# That with the slowest inputs begins, so that no processor waits for it in the end.
mapfile -t in_turn < <(printf '%s\n' "${targets[@]}" | grep -x results
  printf '%s\n' "${targets[@]}" | grep -vx results)
for name in "${in_turn[@]}"; do
  while (($(jobs -rp | wc -l) >= jobs)); do wait -n; done
  run_one "$name" &
done
wait

failed=0
for name in "${targets[@]}"; do
  [ "$(cut -d ' ' -f 7 "$work/$name.result")" = 0 ] && continue
  failed=$((failed + 1))
  found=$(grep -oE "$out/found/[^ ]+" "$out/logs/$name.log" | tail -n 1)
  printf '\n--- %s found something:\n' "$name"
  grep -vE '^(UN)?COVERED|^ *UNCOVERED|^#[0-9]+|^stat::|^INFO|^NEW_FUNC|^Base64|^0x' "$out/logs/$name.log" | head -n 40
  [ -n "$found" ] && printf 'To see it again: %s/fuzz/%s %s\n' "$out" "$name" "$found"
done
printf '\n%-14s %8s %10s %10s %6s %8s\n' target seconds executions functions floor crashes
for name in "${targets[@]}"; do
  read -r name took n entered least crashes _ <"$work/$name.result"
  printf '%-14s %8d %10d %10d %6d %8d\n' "$name" "$took" "$n" "$entered" "$least" "$crashes"
done
printf '\n%d inputs in %d s\n%d passed, %d failed, 0 skipped\n' \
  "$(cat "$work"/*.result | awk '{ n += $3 } END { print n }')" $SECONDS \
  $((${#targets[@]} - failed)) $failed
exit $((failed > 0))

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the program with ThreadSanitizer and runs what starts threads: the scenes of tests/system/tsan.lua by
# every method, pictures and surfaces, and a sweep of several processes. Archer (of libomp) tells the
# sanitizer what OpenMP's barriers order.
#
#   tests/system/tsan.sh BUILD
#
# BUILD is the folder of a finished build; the variants of the time step that do not run are taken from it.
# A line for each command; closes with "N passed, N failed, N skipped". Ends with 1 where there was a report,
# which is in build-tsan/reports.
#
#   JOBS     processors for the build (those at hand)
#   CC       the compiler (clang)
set -u
export LC_ALL=C

build=${1:?"wants the folder of a build"}
cc=${CC:-clang} out=build-tsan
# LLVM's libraries lie beside its programs.
archer=$(dirname "$(realpath "$(command -v "$cc" || echo .)")")/../lib/libarcher.so
if [ ! -e "$archer" ]; then
  echo "SKIPPED (archer): $cc has no libarcher.so (Debian: clang libomp-dev)"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
# The sanitizer does not see loads and stores of more than 16 bytes: of the vector lanes the narrowest are watched,
# in float most of all (tests/system/tsan.lua).
wide=$([ "$(uname -m)" = x86_64 ] && echo yes)
narrow=$([ -n "$wide" ] && echo v2 || echo base)
${MAKE:-make} --no-print-directory -s -j"${JOBS:-$(nproc)}" -Otarget BUILD=$out FAST_BUILD="$build" NVCC= CC="$cc" \
  OPT=-O1 SANITIZE=thread WATCHED=${narrow}_strict $out/bin/viperbench || exit 2

rm -rf $out/reports $out/results
mkdir -p $out/reports $out/results
export VIPERBENCH_HOME=${VIPERBENCH_HOME:-.} OMP_NUM_THREADS=4
# Without Archer every barrier of OpenMP would be reported; libraries are not watched.
export OMP_TOOL_LIBRARIES=$archer ARCHER_OPTIONS=verbose=1
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 exitcode=66 history_size=4"
passed=0 failed=0

# try NAME CODES ARGUMENT...: runs the program, whose exit code must be one of CODES ("0 1": of gates of a
# few steps nothing is asked).
try() {
  local name=$1 codes=$2 start=$SECONDS code log=$out/reports/$1.log
  shift 2
  $out/bin/viperbench "$@" >"$log" 2>&1
  code=$?
  local reports
  reports=$(grep -c '^WARNING: ThreadSanitizer' "$log")
  if ! grep -q 'Archer detected OpenMP application with TSan' "$log"; then
    printf '  %-28s FAILED: Archer was not loaded (%s)\n' "$name" "$log"
    failed=$((failed + 1))
  elif [ "$reports" != 0 ] || [[ " $codes " != *" $code "* ]]; then
    printf '  %-28s FAILED: %d reports, exit code %d (%s)\n' "$name" "$reports" $code "$log"
    grep -A 12 -m 1 '^WARNING: ThreadSanitizer' "$log"
    failed=$((failed + 1))
  else
    printf '  %-28s no report %8d s\n' "$name" $((SECONDS - start))
    passed=$((passed + 1))
  fi
}

for method in direct xpbd block-descent jacobi-published; do
  try "$method" "0 1" run tests/system/tsan.lua --method $method ${wide:+--option instructions=x86-64-v2} --fresh --quiet --out "$out/results/$method"
done
try render 0 render $out/results/direct/tsan-direct-crowd.h5 --size 400x300 --out $out/results/crowd.png
try surface "0 1" surface $out/results/direct/tsan-direct-crowd.h5
try sweep "0 1" run float_or_double --tier gold --jobs 3 --fresh --quiet --out $out/results/sweep

printf '%d passed, %d failed, 0 skipped\n' $passed $failed
exit $((failed > 0))

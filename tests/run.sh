#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs test programs side by side and tells what they said.
#
#   tests/run.sh PROGRAM... PROGRAM:K/N...
#
# PROGRAM:K/N is part K of N, from 0 on, of a program that divides its tests (tests/support/part.h).
# Each program is one of Check's: it prints "NN%: Checks: N, Failures: F, Errors: E", and a line
# "SKIPPED (what): reason" for each test that cannot run here; these are told by reason, with counts.
# Closes with what failed, and a line "N passed, N failed, N skipped". Ends with 1 where a test failed, a program
# crashed, took too long, or ran no test.
#
#   JOBS     programs at a time (processors at hand)
#   LIMIT    seconds for one program (240)
#   LOGS     folder of what the programs said (build/tests/logs); its file "counts" holds the last line
#   REQUIRE  things without which a test must fail rather than skip, as "h5py gnuplot"
set -u
export LC_ALL=C

jobs=${JOBS:-$(nproc)}
limit=${LIMIT:-240}
logs=${LOGS:-build/tests/logs}
# Check's own limit for one test, 4 s, is too short on a busy machine.
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-$((limit / 2))}
# Programs run side by side: threads that wait must leave the processors to others.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
unset CK_RUN_SUITE CK_RUN_CASE CK_FORK

if [ $# -eq 0 ]; then
  echo "tests/run.sh: no test programs named" >&2
  exit 2
fi
rm -rf "$logs"
mkdir -p "$logs" || exit 2
trap 'kill $(jobs -p) 2>/dev/null; wait; exit 130' INT TERM

# parse PROGRAM, or PROGRAM:K/N: its program, its part, and in "name" what its log and result are called.
parse() {
  program=${1%:[0-9]*/[0-9]*}
  part=${1#"$program"}
  part=${part#:}
  name=${program##*/}${part:+_${part/\//_of_}}
}

# Runs one program; leaves NAME.log, and NAME.result: passed failed skipped seconds remark.
run_one() {
  local program part name start=$EPOCHREALTIME code seconds
  parse "$1"
  # Programs in the background ignore SIGINT, which some tests send themselves.
  timeout -k 5 "$limit" env --default-signal=INT,QUIT ${part:+PART="$part"} "$program" \
    >"$logs/$name.log" 2>&1 </dev/null &
  # shellcheck disable=SC2064 # the process id of now
  trap "kill $! 2>/dev/null; exit 143" TERM
  wait $!
  code=$?
  seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')
  awk -v code=$code -v seconds="$seconds" -v limit="$limit" '
    /^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+$/ {
      split($0, words, /[ ,]+/)
      checks += words[3]; failed += words[5] + words[7]; suites++
    }
    /^SKIPPED \(/ { skipped++ }
    END {
      if (code == 124 || code == 137) remark = "took longer than " limit " s"
      else if (code > 128) remark = "ended by signal " code - 128
      else if (!suites) remark = "told no result, exit code " code
      else if (!checks) remark = "ran no test"
      else if (code && !failed) remark = "exit code " code " though no test failed"
      if (remark != "") failed++
      passed = checks - (failed < checks ? failed : checks)
      passed -= skipped < passed ? skipped : passed
      print passed + 0, failed + 0, skipped + 0, seconds, remark
    }' "$logs/$name.log" >"$logs/$name.result"
  local passed failed skipped remark
  read -r passed failed skipped seconds remark <"$logs/$name.result"
  printf '  %-32s %4d passed%s%s %8.2f s%s\n' "$name" "$passed" \
    "$( ((failed)) && printf ', %d FAILED' "$failed")" \
    "$( ((skipped)) && printf ', %d skipped' "$skipped")" "$seconds" "${remark:+  ($remark)}"
}

for program in "$@"; do
  while (($(jobs -rp | wc -l) >= jobs)); do wait -n; done
  run_one "$program" &
done
wait

if grep -hq '^SKIPPED (' "$logs"/*.log; then
  printf '\nSkipped:\n'
  grep '^SKIPPED (' "$logs"/*.log | sed 's|^.*/||' | awk '
    {
      at = index($0, ".log:SKIPPED ")
      program = substr($0, 1, at - 1); reason = substr($0, at + 13)
      if (!n[reason]++) order[++reasons] = reason
      if (!seen[reason, program]++) {
        if (++programs[reason] <= 3) names[reason] = names[reason] (programs[reason] > 1 ? ", " : "") program
      }
    }
    END {
      for (i = 1; i <= reasons; i++) {
        r = order[i]
        more = programs[r] > 3 ? " and " programs[r] - 3 " more" : ""
        printf "  %4d %s  [%s%s]\n", n[r], r, names[r], more
      }
    }' | sort -k 1,1nr
fi

printf '\nSlowest:'
for result in "$logs"/*.result; do
  echo "$(cut -d ' ' -f 4 "$result") $(basename "$result" .result)"
done | sort -rn | head -n 3 | awk '{ printf "%s %s %s s", (NR > 1 ? "," : ""), $2, $1 }'
printf '\n\n'

# The lines of a log that tell what failed: sanitizers' own, and what Check says after its counts, as "FILE:LINE:F:..."; the
# last of a program that told no result.
tell_failed() {
  awk -v most=12 '
    { last[NR % most] = $0 }
    /ERROR: [A-Za-z]*Sanitizer|: runtime error: / && reports < 3 { chosen[++n] = $0; reports++; next }
    /^[0-9]+%: Checks: / { told = 1; next }
    told && !/^Running suite/ && n < most { chosen[++n] = $0 }
    END {
      if (!n) for (i = NR < most ? 1 : NR - most + 1; i <= NR; i++) chosen[++n] = last[i % most]
      for (i = 1; i <= n; i++) print substr(chosen[i], 1, 400)
    }' "$1"
}

# Last, since of a long output the end is what is looked at, and may be all that is kept.
failed=()
for argument in "$@"; do
  parse "$argument"
  if [ "$(cut -d ' ' -f 2 "$logs/$name.result")" != 0 ]; then
    failed+=("$name")
    printf -- '--- %s failed, and said (all of it: %s):\n' "$name" "$logs/$name.log"
    tell_failed "$logs/$name.log"
    echo
  fi
done
((${#failed[@]})) && echo "Failed: ${failed[*]}"

awk '{ passed += $1; failed += $2; skipped += $3 }
  END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 }
  ' "$logs"/*.result | tee "$logs/counts"
exit "${PIPESTATUS[0]}"

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts the machine instructions of the CUDA kernels for bodies that fit into shared memory, loop by loop:
# compiles them for one architecture and reads the output of cuobjdump. A loop over the elements of a phase
# has the instructions of one element, because a GPU thread processes one per iteration. Needs nvcc and
# cuobjdump; exits with 3 if one is missing.
#
#   bench/instructions.sh [ARCH [ARITHMETIC [PRECISION]]]      (90 fast 32)
#
# Prints for each loop of at least LEAST (60) instructions, with at most four such loops inside it: the method,
# the address of the loop, its instructions, its floating-point instructions, and the number of loops inside.
set -eu -o pipefail
export LC_ALL=C
arch=${1:-90} arithmetic=${2:-fast} precision=${3:-32}
home=$(cd "$(dirname "$0")/.." && pwd)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
case $arithmetic in
fast) flags=(--use_fast_math -DVIPER_FAST) ;;
strict) flags=(--fmad=false) ;;
*)
  echo "bench/instructions.sh: arithmetic is fast or strict, not $arithmetic" >&2
  exit 2
  ;;
esac
for tool in "$nvcc" cuobjdump; do
  if ! command -v "$tool" >/dev/null; then
    echo "bench/instructions.sh: there is no $tool" >&2
    exit 3
  fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$nvcc" -std=c++17 -O3 "-I$home/src" "${flags[@]}" -cubin "-arch=sm_$arch" "-DVIPER_ARITHMETIC=$arithmetic" \
  "-DVIPER_PRECISION=$precision" -o "$work/kernels.cubin" "$home/src/viper/cuda/core/kernels_real.cu"
cuobjdump -sass "$work/kernels.cubin" >"$work/kernels.sass"
printf '%-18s %8s %12s %10s %6s\n' method from instructions arithmetic inside
awk -v least="${LEAST:-60}" '
  function hex(s,  value, k) {
    value = 0
    for (k = 1; k <= length(s); k++) value = 16 * value + index("0123456789abcdef", substr(s, k, 1)) - 1
    return value
  }
  function tell(  i, j, k, inside, sum) {
    for (i = 0; name != "" && i < n_loops; i++) {
      inside = sum = 0
      for (j = 0; j < n_loops; j++)
        inside += j != i && from[j] >= from[i] && to[j] <= to[i] && to[j] - from[j] >= least - 1
      for (k = from[i]; k <= to[i]; k++) sum += arithmetic[k]
      if (to[i] - from[i] + 1 >= least && inside <= 4)
        printf "%-18s %8x %12d %10d %6d\n", name, 16 * from[i], to[i] - from[i] + 1, sum, inside
    }
  }
  BEGIN { split("direct xpbd block-descent jacobi-published", method) }
  /Function :/ {
    tell()
    name = ""
    if (match($0, /substep_of_coops.*viper_method[0-9]/)) name = method[substr($0, RSTART + RLENGTH - 1, 1) + 1]
    n = n_loops = 0
    delete arithmetic
  }
  /^ *\/\*[0-9a-f]+\*\/ / {
    at = hex(substr($1, 3, length($1) - 4)) / 16
    word = $2 ~ /^@/ ? $3 : $2
    arithmetic[at] = word ~ /^(F|D)(ADD|MUL|FMA|SET|SETP|SEL|MNMX|CHK)|^FFMA|^MUFU|^DFMA/
    if (word == "BRA" && match($0, /BRA 0x[0-9a-f]+/)) {
      target = hex(substr($0, RSTART + 6, RLENGTH - 6)) / 16
      if (target < at) { from[n_loops] = target; to[n_loops++] = at }
    }
  }
  END { tell() }
' "$work/kernels.sass"

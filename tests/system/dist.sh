#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tries a portable archive as strangers would: unpacked in a folder with blanks in its name, with an
# empty environment, from elsewhere.
#
#   tests/system/dist.sh ARCHIVE
#
#   TESTS    those that are run there, without "test_" (all)
#
# Ends with 1 where something is not as it should be.
set -u -o pipefail
export LC_ALL=C

archive=$(realpath "$1")
most_mib=60
# What a system has itself: glibc's libraries.
glibc='linux-vdso\.so.*|ld-linux.*|lib(c|m|mvec|pthread|dl|rt|util|resolv|anl)\.so.*'
read -ra few <<<"${TESTS:-}"

failures=0
fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

place=$(mktemp -d "${TMPDIR:-/tmp}/a place with blanks.XXXXXX") || exit 2
trap 'rm -rf "$place"' EXIT
tar -C "$place" -xf "$archive" || exit 2
folders=("$place"/*)
home=${folders[0]}
elsewhere=$place/elsewhere
mkdir "$elsewhere" && cd "$elsewhere" || exit 2

# $(alone PROGRAM...): with nothing in the environment.
alone() { env -i "$@"; }

# An archive for one architecture is below 64 MiB; CI makes one of PTX alone. Machine code adds at most 20 MiB to that:
# 0.4 MiB for the largest source of kernels (core/solid_real.cu, sm_90), of which there are 6 in 4 variants, and as much
# again for statics.
if grep -qx 'CUDA: *PTX' "$home/BUILD-INFO"; then most_mib=44; fi
size=$(stat -c %s "$archive")
((size <= most_mib << 20)) || fail "the archive has $size bytes, more than $most_mib MiB"

# Every library that any file asks for is glibc's or the folder's.
for file in "$home"/bin/* "$home"/tests/test_*; do
  strangers=$(alone ldd "$file" | grep -Ev "^[[:space:]]*(/lib[0-9]*/)?($glibc)( |$)" |
    grep -vF " => $home/")
  [ -z "$strangers" ] || fail "${file##*/} needs what is not in the folder:" "$strangers"
done

for file in LICENSE README.md BUILD-INFO scenarios/rods/stretch_bars.lua plots/style.gp; do
  [ -s "$home/$file" ] || fail "$file is missing"
done
for library in "$home"/lib/*; do
  [ -f "$library" ] && [ ! -L "$library" ] || fail "$library is no plain file"
done
[ "$(grep -c '^  ' "$home/BUILD-INFO")" = "$(find "$home/licenses" -name copyright | wc -l)" ] ||
  fail "not every package in BUILD-INFO has its terms in licenses/"

# The version that is told is the newest that any file asks for.
needs=$(sed -n 's/^needs: glibc \([0-9.]*\) or newer.*/\1/p' "$home/BUILD-INFO")
newest=$(find "$home" -type f -exec readelf -V {} + 2>/dev/null | grep -oE 'GLIBC_2[0-9.]*' |
  sort -Vu | tail -n 1)
[ "GLIBC_$needs" = "$newest" ] || fail "BUILD-INFO tells of glibc $needs, files ask for $newest"
alone "$home/bin/viperbench" --version >version.log &&
  grep -qx "needs: glibc $needs or newer.*" version.log ||
  fail "--version does not tell which glibc it needs"

alone "$home/bin/viperbench" list >list.log && grep -q '^ *stretch_bars ' list.log ||
  fail "list does not find the studies"
alone "$home/bin/viperbench" run stretch_bars --out results >run.log 2>&1 || {
  fail "a run ends with another code than 0"
  cat run.log >&2
}
[ -s results/stretch_bars.h5 ] || fail "a run leaves no results"
alone "$home/bin/viperbench" run stretch_bars --backend nowhere >/dev/null 2>&1
[ $? = 2 ] || fail "bad use is not answered by code 2"

# Without a GPU its backend, and the script for one, say so.
alone "$home/bin/viperbench" run stretch_bars --method xpbd --backend cuda --fresh --out results \
  >cuda.log 2>&1
if [ $? = 3 ]; then
  [ "$(grep -c '^viperbench: ' cuda.log)" = 1 ] || fail "the lack of a GPU is not told by one sentence"
  alone bash "$home/bench/gpu.sh" 60 gpu >gpu.log 2>&1
  [ $? = 3 ] || fail "bench/gpu.sh does not end with 3 without a GPU"
fi

# Its own tests, as it runs them.
if ((${#few[@]})); then
  mkdir "$place/kept"
  for test in "${few[@]}"; do mv "$home/tests/test_$test" "$place/kept/" || fail "test_$test is missing"; done
  rm -f "$home"/tests/test_*
  mv "$place"/kept/* "$home/tests/"
fi
alone "$home/bin/viperbench" --self-test --out results || fail "--self-test ends with $?"
[ -s results/self-test/counts ] || fail "--self-test leaves no counts"

if ((failures)); then
  echo "$failures failures: $archive"
  exit 1
fi
echo "the portable folder is sound: $((size >> 20)) MiB, glibc $needs"

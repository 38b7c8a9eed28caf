#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The program with a newer HDF5 than the system's: builds the library of a newer Debian from its source, without root,
# then the program and the tests of results files with it (make HDF5=PREFIX), and runs these.
#
#   tests/system/hdf5.sh [FOLDER]      (build/hdf5; what is built there already is kept)
#
# Ends with "N passed, N failed, N skipped", and with 1 where a test failed. Skipped where the source cannot be had, or
# the system's HDF5 is as new.
#
#   TESTS  the programs (those that read and write results files)
#   JOBS   compilers at a time (processors at hand)
set -u
cd "$(dirname "$0")/../.." || exit 1
folder=$(realpath -m "${1:-build/hdf5}") jobs=${JOBS:-$(nproc)}
read -ra tests <<<"${TESTS:-results results_bones results_failures results_hostile results_kept results_trial h5_reader}"
# Debian 13 has this version.
version=1.14.5
# From where this system takes its packages.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -v security | head -n 1)
url=${mirror}pool/main/h/hdf5/hdf5_$version+repack.orig.tar.gz
sum=71cdb04c151ef4e8a7f88907adfc4f3b75afd44e96fbd55775e1c9d7c4e7c112

skip() {
  echo "SKIPPED (hdf5): $1"
  echo "0 passed, 0 failed, ${#tests[@]} skipped"
  exit 0
}

# The library, for C alone.
build_library() {
  [ -e "$folder/lib/libhdf5.so" ] && return
  mkdir -p "$folder/source" || exit 1
  local tarball=$folder/hdf5.tar.gz
  if ! sha256sum --check --status <<<"$sum  $tarball" 2>/dev/null; then
    [ -n "$mirror" ] || skip "apt tells no place to fetch the source of HDF5 $version from"
    command -v curl >/dev/null || skip "there is no curl to fetch the source of HDF5 $version with"
    curl -sSfL -m 600 -o "$tarball" "$url" || skip "the source of HDF5 $version cannot be fetched from $url"
    sha256sum --check --status <<<"$sum  $tarball" || { echo "hdf5: $url is not the file that is expected"; exit 1; }
  fi
  tar -xzf "$tarball" -C "$folder/source" --strip-components=1 || exit 1
  (cd "$folder/source" && ./configure --quiet --prefix="$folder" --disable-tests --disable-tools \
    --disable-static --with-default-api-version=v110 CFLAGS="-O1 -w" >"$folder/configure.log" 2>&1 &&
    make -s -j"$jobs" install >"$folder/make.log" 2>&1) ||
    { tail -n 5 "$folder"/*.log; echo "hdf5: HDF5 $version cannot be built"; exit 1; }
}

system=$(pkg-config --modversion hdf5 2>/dev/null || echo 0)
[ "$(printf '%s\n' "$version" "$system" | sort -V | tail -n 1)" = "$system" ] && skip "the system has HDF5 $system"
build_library
# What tests put in the place of libraries is of the build in build/, whatever theirs.
command make --no-print-directory -s build/tests/fake_hdf5.so build/tests/fake_filter.so || exit 1
make() { command make --no-print-directory -j"$jobs" NVCC= HDF5="$folder" BUILD="$folder/build" "$@"; }
make all "${tests[@]/#/$folder/build/tests/test_}" || exit 1
found=$(ldd "$folder/build/bin/viperbench" | grep -o "$folder/lib/libhdf5[.]so[^ ]*") || { echo 'hdf5: the program has another library'; exit 1; }
echo "hdf5: $version, $found"

passed=0 failed=0
for name in "${tests[@]}"; do
  if VIPERBENCH=$folder/build/bin/viperbench VIPERBENCH_HOME=$PWD "$folder/build/tests/test_$name"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed, 0 skipped"
exit $((failed > 0))

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The program on AArch64: builds it there with the variant "base" of the time steps, which has no vectors of x86, by a
# cross compiler; then runs test programs, and the gold cut of studies against the gold results, which x86-64 made, in
# qemu. Tells which results are equal to the bit.
#
#   tests/system/aarch64.sh [FOLDER]   (build/aarch64; what is fetched and built there already is kept)
#
# The libraries are Debian's for arm64, unpacked in FOLDER/root: installed beside the system's they would displace some
# of these. Exit code: 0 all as it should be, or skipped where there are no such packages; 1 a test failed or a result
# differs, 2 it does not build.
#
#   TESTS     the test programs, without "test_"
#   STUDIES   those compared with tests/gold
#   CROSS     the compiler (aarch64-linux-gnu-gcc)
#   MIRROR    where Debian's packages are (the place that apt has its own from)
#   JOBS      compilers and programs at a time (processors at hand)
set -u
cd "$(dirname "$0")/../.." || exit 1
folder=$(realpath -m "${1:-build/aarch64}") jobs=${JOBS:-$(nproc)}
compiler=${CROSS:-aarch64-linux-gnu-gcc}
root=$folder/root program=$folder/run/viperbench
read -ra tests <<<"${TESTS:-energy viper_closed_forms inertia solid elimination}"
read -ra studies <<<"${STUDIES:-stretch_bars helix torsion free_flight cantilever linked_bars umetani}"
# shellcheck disable=SC2016 # apt's, not the shell's
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -v security | head -n 1)} release=bookworm
keys=/usr/share/keyrings/debian-archive-keyring.gpg
packages=(libc6-dev libgomp1 libhdf5-dev libgsl-dev liblua5.4-dev libjansson-dev libmd-dev libmd4c-dev liblapack-dev
  libsuitesparse-dev libopenblas0-serial libpng-dev libfreetype-dev zlib1g-dev check)

skip() {
  echo "SKIPPED (aarch64): $1"
  exit 0
}

# apt NAME...: apt-get for arm64 alone, with lists, packages and a state of its own in the folder.
apt() {
  APT_CONFIG=$folder/apt/apt.conf apt-get -qq -y "$@" >>"$folder/apt.log" 2>&1
}

# Fetches the packages and all that they need.
fetch() {
  if ! command -v apt-get >/dev/null || [ ! -r $keys ]; then skip "there is no apt-get with the keys of Debian's archive"; fi
  [ -n "$mirror" ] || skip "apt tells no place to fetch packages from; set MIRROR"
  mkdir -p "$folder"/apt/{lists,archives}/partial || exit 2
  : >"$folder/apt/status"
  echo "deb [signed-by=$keys] $mirror $release main" >"$folder/apt/sources.list"
  cat >"$folder/apt/apt.conf" <<CONF
Dir::State "$folder/apt";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt";
Dir::Etc::sourcelist "$folder/apt/sources.list";
Dir::Etc::sourceparts "-";
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "no";
APT::Sandbox::User "root";
CONF
  : >"$folder/apt.log"
  if ! apt update || ! apt --download-only install "${packages[@]}"; then
    skip "the packages of arm64 cannot be fetched from $mirror: $(grep '^[EW]:' "$folder/apt.log" | head -n 1)"
  fi
}

# Unpacks them as one tree, in which links lead to itself; what their scripts would link is linked here.
unpack() (
  set -e
  local package link target libraries=$root/usr/lib/aarch64-linux-gnu
  rm -rf "$root"
  mkdir -p "$root"
  for package in "$folder"/apt/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
  cp -a "$root/lib/." "$libraries/.."
  rm -r "${root:?}/lib"
  ln -s usr/lib "$root/lib"
  find "$root" -lname '/*' | while read -r link; do
    target=$root$(readlink "$link")
    ln -sfn "$(realpath -m -s --relative-to="$(dirname "$link")" "$target")" "$link"
  done
  ln -s hdf5-serial.pc "$libraries/pkgconfig/hdf5.pc"
  for package in blas lapack; do
    ln -s $package-netlib.pc "$libraries/pkgconfig/$package.pc"
    ln -s $package/lib$package.so "$libraries/lib$package.so"
    ln -s openblas-serial/lib$package.so.3 "$libraries/lib$package.so.3"
  done
  ln -s openblas-serial/libopenblas.so.0 "$libraries/libopenblas.so.0"
  echo "${packages[@]}" >"$root/packages"
)

build() {
  PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root \
    make --no-print-directory -s -j"$jobs" DEPS=no NVCC= BUILD="$folder/build" CC="$compiler --sysroot=$root" \
    AR=aarch64-linux-gnu-ar SETS=base SET_HERE=base INSTRUCTIONS=base "$@"
}

# emulated FILE NAME: a command in FOLDER/run that runs this program in qemu.
emulated() {
  printf '#!/bin/sh\nexec qemu-aarch64 -L %q %q "$@"\n' "$root" "$1" >"$folder/run/$2" && chmod +x "$folder/run/$2"
}

log=$(.ci/install gcc-aarch64-linux-gnu qemu-user pkg-config 2>&1) || skip "$(tail -n 1 <<<"$log")"
for command in aarch64-linux-gnu-gcc qemu-aarch64 pkg-config; do
  command -v $command >/dev/null || skip "there is no $command"
done
[ "$(cat "$root/packages" 2>/dev/null)" = "${packages[*]}" ] || { fetch; unpack; [ -e "$root/packages" ] || exit 2; }

build "$folder/build/bin/viperbench" "${tests[@]/#/$folder/build/tests/test_}" || exit 2
rm -rf "$folder/run" && mkdir -p "$folder/run" || exit 2
emulated "$folder/build/bin/viperbench" viperbench
for name in "${tests[@]}"; do emulated "$folder/build/tests/test_$name" "test_$name"; done

export VIPERBENCH_HOME=$PWD VIPERBENCH=$program
worst=0
"$program" --version || worst=1
CK_TIMEOUT_MULTIPLIER=10 LIMIT=1800 LOGS=$folder/run/logs JOBS=$jobs tests/run.sh "${tests[@]/#/$folder/run/test_}" || worst=1
PROGRAM=$program NOW=$folder/now tests/regress.sh check "${studies[@]}" || worst=1
for name in "${studies[@]}"; do
  "$program" compare "tests/gold/$name.h5" "$folder/now/$name.h5" --allow scene,arithmetic | grep " agree: "
done
exit $worst

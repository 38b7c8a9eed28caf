#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tries a wheel as its users do: in a fresh virtual environment of each Python that is here, from an empty folder,
# without gnuplot, TetGen and ffmpeg; then in chroots of Debian 12 and 13.
#
#   tests/system/wheel.sh WHEEL
#
#   PYTHONS   the interpreters (python3 and python3.9 to python3.13)
#   RELEASES  of Debian, for the chroots (bookworm trixie); needs root and debootstrap
#
# Ends with 1 where something is not as it should be.
set -u -o pipefail
export LC_ALL=C
unset VIPERBENCH VIPERBENCH_HOME VIPERBENCH_PYTHON VIRTUAL_ENV PYTHONPATH

wheel=$(realpath "$1") || exit 2
read -ra pythons <<<"${PYTHONS-python3 python3.9 python3.10 python3.11 python3.12 python3.13}"
read -ra releases <<<"${RELEASES-bookworm trixie}"

place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 2

failures=0 tried=0 skipped=0
fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}
skip() {
  echo "SKIPPED ($1): $2"
  skipped=$((skipped + 1))
}

# What is tried inside, by any shell; the folder of the environment is $1. Its programs see no others but the system's
# plainest, so that what is absent is absent everywhere.
cat >try.sh <<'TRY'
set -u
environment=$1
mkdir tools mine && cd mine || exit 2
for tool in sh env cat grep rm mkdir cp; do ln -s "$(command -v $tool)" ../tools/$tool; done
PATH=$environment/bin:$PWD/../tools
export PATH
bad=0
check() {
  what=$1
  shift
  "$@" >log 2>&1 && return
  echo "FAILED: $what ($?): $*" >&2
  cat log >&2
  bad=1
}
# One line that names what is missing, and code 3.
missing() {
  name=$1
  shift
  "$@" >log 2>&1
  code=$?
  [ $code = 3 ] && [ "$(grep -c "$name" log)" = 1 ] && return
  echo "FAILED: without $name, $* ends with $code:" >&2
  cat log >&2
  bad=1
}
home=$(python -c 'import os, viperbench; print(os.path.join(os.path.dirname(viperbench.__file__), "home"))')
check "version" viperbench --version
check "list" sh -c 'viperbench list --names | grep -qx stretch_bars'
check "a run without gnuplot" viperbench run cantilever
check "it says so" sh -c '[ "$(viperbench run cantilever --fresh 2>&1 | grep -c gnuplot)" = 1 ]'
check "a picture" sh -c 'viperbench render results/cantilever.h5 --run n8 --out p.png && test -s p.png'
check "a report" sh -c 'viperbench report results -o report.html && test -s report.html'
check "the package" python -c 'import viperbench; print(viperbench.load("results/cantilever.h5"))'
check "a run from Python" python -c '
import viperbench
scene = viperbench.Scene(step=1 / 60, duration=0.5, gravity=(0, 0, -9.81))
rod = scene.rod(start=(0, 0, 0), to=(1, 0, 0), nodes=9, radius=0.02, density=1000, material={"E": 1e6, "nu": 0.45})
scene.pin(nodes=rod.nodes[0])
assert viperbench.run(scene, solver="viper")["frames/position"][-1, -1, 2] < 0'
check "a solver in Python" viperbench run "$home/src/solver/template/hanging_chain.lua" \
  --solver "$home/src/python/template/mass_spring.py" --out python
missing ffmpeg viperbench render results/cantilever.h5 --run n8 --movie m.mp4
cat >solid.lua <<'LUA'
return { title = "a muscle of tetrahedra", build = function()
  return { scene = vb.tetrahedralize{ outside = "biceps.obj", size = 0.05 } }
end }
LUA
missing tetgen viperbench run solid.lua --out solids
exit $bad
TRY

# in_environment PYTHON: a fresh environment, in which the wheel is installed and tried.
in_environment() {
  local here=$place/${1##*/}
  mkdir "$here" && (cd "$here" && "$1" -m venv venv && venv/bin/pip install -q "$wheel") >pip.log 2>&1 || {
    cat pip.log >&2
    fail "$1: the wheel cannot be installed"
    return
  }
  (cd "$here" && sh "$place/try.sh" "$here/venv") || fail "$1"
  tried=$((tried + 1))
  rm -rf "$here"
}

# in_chroot RELEASE: the same in the smallest Debian of that name.
in_chroot() {
  local root=$place/$1
  debootstrap --variant=minbase --include=python3-venv,ca-certificates "$1" "$root" >debootstrap.log 2>&1 || {
    skip "Debian $1" "debootstrap cannot make a chroot of it here: $(tail -n 1 debootstrap.log)"
    rm -rf "$root"
    return
  }
  cp "$wheel" try.sh "$root/root/" && cp /etc/resolv.conf "$root/etc/"
  # pip there trusts what this system trusts.
  for setting in /etc/pip.conf "$HOME/.config/pip/pip.conf"; do
    if [ -r "$setting" ]; then cp "$setting" "$root/etc/pip.conf"; fi
  done
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  mount -t proc proc "$root/proc"
  chroot "$root" sh -c 'cd /root && python3 -m venv venv && venv/bin/pip install -q ./*.whl && sh try.sh /root/venv' ||
    fail "Debian $1"
  umount "$root/proc"
  tried=$((tried + 1))
  rm -rf --one-file-system "$root"
}

for python in "${pythons[@]}"; do
  if "$python" -c 'import venv' 2>/dev/null; then in_environment "$python"; else skip "$python" "there is none here"; fi
done
for release in "${releases[@]}"; do
  if [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null; then
    in_chroot "$release"
  else
    skip "Debian $release" "a chroot needs root and debootstrap"
  fi
done

echo "$tried environments tried, $skipped skipped"
((failures)) && exit 1
((tried)) || exit 1
echo "the wheel works: $wheel"

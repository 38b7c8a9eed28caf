#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Kills `run`, `run --jobs 2` and `bench` by SIGKILL at random moments, again and again in one folder:
# no finished file changes, no row that was on the disk is lost, no process is left behind, and the
# next run goes on. Likewise what starts other programs, figure, mesh, movie and plugin: none of these
# and no temporary folder is left.
#
#   tests/system/kill.sh [run] [jobs] [bench] [figure] [mesh] [movie] [plugin]     all where none is named
#
#   PROGRAM  viperbench (bin/viperbench)
#   PLUGIN   a solver in C (build/tests/plugins/falling.so)
#   N        kills of each (100)
#   SEED     of the moments (of the clock); told, so that a failure can be had again
set -u
export LC_ALL=C

program=$(realpath "${PROGRAM:-bin/viperbench}")
n=${N:-100}
seed=${SEED:-$(date +%s)}
RANDOM=$((seed % 32768))
dir=$(mktemp -d "${TMPDIR:-/tmp}/vb_kill_XXXXXX") || exit 5
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0 skipped=0
echo "kill: SEED=$seed N=$n"

fail() {
  echo "kill: FAILED: $*"
  wrong=1
}

mkdir -p "$dir/scenarios" "$dir/bench" "$dir/plots"
export VIPERBENCH_HOME=$dir
# Rows are written whenever 1024 of them are there, which is many times in a second.
cat >"$dir/scenarios/kill.lua" <<'LUA'
return {
  title = "Runs that are killed",
  build = function(p)
    local s = vb.scene{ step = 0.001, steps = 6000, gravity = { 0, 0, -9.81 } }
    local r = s:rod{ nodes = 8, from = { 0, 0, 0 }, to = { 1, 0, 0 }, radius = 0.05, density = 1000,
                     material = { E = 1e6, nu = 0.3 } }
    s:pin{ node = r.first, components = "xyz" }
    s:record{ every = 1, frames = 600, fields = { "position", "scale" } }
    s:gate{ name = "whole", quantity = "time", measure = "final", at_least = 5.99, reason = "a test" }
    return s
  end,
  runs = function() return { { name = "a" }, { name = "b" }, { name = "c" }, { name = "d" } } end,
}
LUA
cat >"$dir/bench/killed.lua" <<'LUA'
return {
  title = "Measurements that are killed",
  build = function(p)
    local s = vb.scene{ step = 0.01, steps = 10, gravity = { 0, 0, -9.81 } }
    local r = s:rod{ nodes = 4, from = { 0, 0, 0 }, to = { 1, 0, 0 }, radius = 0.1, density = 1000,
                     material = { E = 1e6, nu = 0.3 } }
    s:pin{ node = r.first, components = "xyz" }
    s:record{ every = 50, frames = 50 }
    s:bench{ after = 2 }
    s:gate{ name = "stretch", quantity = "stretch_error/max", measure = "final", at_most = 1,
            reason = "a test" }
    return s
  end,
  runs = function()
    return { { name = "one", method = "xpbd" }, { name = "two", method = "direct" } }
  end,
}
LUA

# rows FILE: the rows of a run's file, less what depends on the clock.
rows() {
  "$program" table "$1" time energy/total volume_error/rms
}

# seen FILE: how many rows another process has on the disk by now; 0 where that cannot be told.
seen() {
  HDF5_USE_FILE_LOCKING=FALSE rows "$1" 2>/dev/null | grep -vc '^#'
}

# inode NAME: which file the part of that run is; nothing where there is none.
inode() {
  stat -c %i "$out/kill-$1.h5.part" 2>/dev/null
}

now() {
  local t=$EPOCHREALTIME
  echo "${t/./}"
}

# Waits at most some seconds for all processes that name the folder to be gone.
expect_none() {
  for _ in $(seq 100); do
    pgrep -f "$dir" >/dev/null || return 0
    sleep 0.05
  done
  fail "a process is left: $(pgrep -af "$dir" | head -n 1)"
}

# remains: processes of the program, which have its environment or a path of it, and temporary folders.
remains() {
  local of
  for of in /proc/[0-9]*; do
    [ "$of" != /proc/$$ ] && grep -qsF "$dir" "$of/environ" "$of/cmdline" &&
      tr '\0' ' ' <"$of/cmdline"
  done 2>/dev/null
  ls -A "$TMPDIR"
}

# Waits at most some seconds for all that the program started to be gone.
expect_nothing() {
  local left
  for _ in $(seq 100); do
    left=$(remains)
    [ -z "$left" ] && return
    sleep 0.05
  done
  fail "there remains $left"
}

# check_runs: finished runs are as those of the reference, parts begin as these do.
check_runs() {
  local name have least
  for name in a b c d; do
    if [ -f "$out/kill-$name.h5" ]; then
      rows "$out/kill-$name.h5" >"$dir/rows" 2>"$dir/why" && cmp -s "$dir/rows" "$dir/reference" ||
        fail "kill-$name.h5 differs: $(cat "$dir/why")"
    fi
    [ -f "$out/kill-$name.h5.part" ] || continue
    rows "$out/kill-$name.h5.part" >"$dir/rows" 2>"$dir/why" || fail "$(cat "$dir/why")"
    cmp -s "$dir/rows" <(head -n "$(wc -l <"$dir/rows")" "$dir/reference") ||
      fail "kill-$name.h5.part does not begin as the finished run"
    have=$(grep -vc '^#' "$dir/rows")
    least=0
    # A run that was begun anew in between has a part of its own.
    [ "$(inode "$name")" = "${part[$name]:-none}" ] && least=${before[$name]}
    [ "$have" -ge "$least" ] || fail "kill-$name.h5.part lost rows: $have of $least"
  done
}

# kill_run ARGUMENTS...: one kill.
kill_run() {
  local child name moment
  declare -A before=() part=()
  moment=$((RANDOM * 32768 + RANDOM))
  "$program" run kill --out "$out" --quiet "$@" >"$dir/said" 2>&1 &
  child=$!
  sleep "$(printf '%d.%06d' $((moment % took / 1000000)) $((moment % took % 1000000)))"
  for name in a b c d; do
    part[$name]=$(inode "$name")
    before[$name]=$(seen "$out/kill-$name.h5.part")
  done
  kill -9 $child 2>/dev/null
  wait $child 2>/dev/null
  code=$?
  expect_none
  [ $code = 137 ] || [ $code = 0 ] || fail "the run ended with $code: $(cat "$dir/said")"
  check_runs
}

# finish_run: the next run goes on to the end.
finish_run() {
  "$program" run kill --out "$out" --quiet "$@" >"$dir/said" 2>&1 ||
    fail "the next run ends with $?: $(cat "$dir/said")"
  declare -A before=() part=()
  check_runs
  ls "$out"/*.part* >"$dir/said" 2>/dev/null && fail "it leaves $(cat "$dir/said")"
  [ -f "$out/kill.h5" ] || fail "there is no index"
  rm -rf "$out"
}

# judge WHAT NUMBER
judge() {
  if [ "$wrong" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "kill: that was kill $2 of $1"
  fi
}

kill_runs() {
  local i what="run${1:+ $*}" begun
  out=$dir/out
  rm -rf "$out"
  begun=$(now)
  "$program" run kill --out "$out" --quiet "$@" || { echo "kill: $what ends with $?" && exit 1; }
  took=$(($(now) - begun))
  rows "$out/kill-a.h5" >"$dir/reference" || exit 1
  rm -rf "$out"
  for ((i = 1; i <= n; i++)); do
    wrong=0
    kill_run "$@"
    # The next program takes the folder as it is; from time to time one comes to the end.
    [ $code = 0 ] || [ $((i % 5)) = 0 ] && finish_run "$@"
    judge "$what" "$i"
  done
  echo "kill: $n kills of $what, within $((took / 1000)) ms"
}

# cases FILE: how many cases a bench document has; fails where it is none.
cases() {
  python3 -c 'import json, sys; print(sum(len(s["cases"]) for s in json.load(open(sys.argv[1]))["studies"]))' "$1"
}

kill_benches() {
  local i begun child moment sum name
  out=$dir/out
  rm -rf "$out"
  if ! command -v python3 >/dev/null; then
    echo "SKIPPED (python3): it reads the documents of bench"
    skipped=$((skipped + n))
    return
  fi
  begun=$(now)
  "$program" bench killed --out "$out" --quiet || { echo "kill: bench ends with $?" && exit 1; }
  took=$(($(now) - begun))
  for ((i = 1; i <= n; i++)); do
    wrong=0
    sum=$(cat "$out/bench-killed.json" "$out/bench-killed.h5" | sha256sum)
    moment=$((RANDOM * 32768 + RANDOM))
    "$program" bench killed --out "$out" --quiet >"$dir/said" 2>&1 &
    child=$!
    sleep "$(printf '%d.%06d' $((moment % took / 1000000)) $((moment % took % 1000000)))"
    kill -9 $child 2>/dev/null
    wait $child 2>/dev/null
    code=$?
    expect_none
    [ $code = 137 ] || [ $code = 0 ] || fail "bench ended with $code: $(cat "$dir/said")"
    # What was finished is as it was, or is finished anew and whole.
    if [ "$sum" != "$(cat "$out/bench-killed.json" "$out/bench-killed.h5" | sha256sum)" ]; then
      [ "$(cases "$out/bench-killed.json")" = 2 ] || fail "bench-killed.json is not whole"
      "$program" table "$out/bench-killed.h5" bench/one/windows/wall_time >/dev/null 2>"$dir/why" ||
        fail "$(cat "$dir/why")"
    fi
    for name in "$out"/*.json.part; do
      [ ! -f "$name" ] || cases "$name" >/dev/null 2>&1 || fail "$name cannot be read"
    done
    for name in "$out"/*.h5.part; do
      [ ! -f "$name" ] || "$program" table "$name" gates/value >/dev/null 2>"$dir/why" ||
        grep -q 'has no dataset' "$dir/why" || fail "$(cat "$dir/why")" # the record of a window
    done
    if [ $((i % 10)) = 0 ]; then
      "$program" bench killed --out "$out" --quiet >"$dir/said" 2>&1 ||
        fail "the next bench ends with $?: $(cat "$dir/said")"
      [ "$(cases "$out/bench-killed.json")" = 2 ] || fail "bench-killed.json is not whole"
      ls "$out"/bench-killed*.part* >"$dir/said" 2>/dev/null && fail "it leaves $(cat "$dir/said")"
    fi
    judge bench "$i"
  done
  echo "kill: $n kills of bench, within $((took / 1000)) ms"
}

# make_stand_in NAME: a program that has a child of its own, writes to the temporary folder, and ends.
make_stand_in() {
  mkdir -p "$dir/bin"
  cat >"$dir/bin/$1" <<'SH'
#!/bin/sh
for last; do :; done
for word; do case $word in */frame-*) scratch=${word%/*} ;; esac; done
setsid sleep 100 &
for i in 1 2 3 4 5 6 7 8 9 10; do echo $i >"$scratch/stand-in-$i"; sleep 0.05; done
echo made >"$last"
SH
  chmod +x "$dir/bin/$1"
}

# kill_programs WHAT WORDS...: kills of a command that starts other programs. What the next command
# finds there does not matter to it.
kill_programs() {
  local i what=$1 begun child moment
  shift
  export TMPDIR=$dir/tmp
  mkdir -p "$TMPDIR"
  begun=$(now)
  "$program" "$@" >"$dir/said" 2>&1
  code=$?
  took=$(($(now) - begun))
  if grep -q 'is not installed' "$dir/said"; then
    echo "SKIPPED ($what): $(cat "$dir/said")"
    skipped=$((skipped + n))
    return
  fi
  [ $code = 0 ] || { echo "kill: $what ends with $code: $(cat "$dir/said")" && exit 1; }
  for ((i = 1; i <= n; i++)); do
    wrong=0
    moment=$((RANDOM * 32768 + RANDOM))
    "$program" "$@" >"$dir/said" 2>&1 &
    child=$!
    sleep "$(printf '%d.%06d' $((moment % took / 1000000)) $((moment % took % 1000000)))"
    kill -9 $child 2>/dev/null
    wait $child 2>/dev/null
    code=$?
    expect_nothing
    [ $code = 137 ] || [ $code = 0 ] || fail "it ended with $code: $(cat "$dir/said")"
    judge "$what" "$i"
  done
  echo "kill: $n kills of $what, within $((took / 1000)) ms"
}

# make_short: a study of one run, which takes a moment, and its record.
make_short() {
  sed '/^  runs/d; s/, "scale"//; s/^  title = /  figure = "short", title = /' "$dir/scenarios/kill.lua" >"$dir/scenarios/short.lua"
  cp plots/style.gp "$dir/plots/"
  printf 'set samples 20000\nplot sin(x)\n' >"$dir/scenarios/short.gp"
  [ -f "$dir/short/short.h5" ] || "$program" run short --out "$dir/short" --quiet || exit 1
}

kill_figures() {
  make_short
  kill_programs figure plot "$dir/short/short.h5"
  [ "$skipped" != 0 ] || [ -s "$dir/short/short.svg" ] || { echo "kill: no figure was drawn" && exit 1; }
}

kill_meshes() {
  kill_programs mesh viperize scenarios/meshes/biceps.obj --source proximal --sink distal --rods 4 --output "$dir/rods.lua"
}

kill_movies() {
  make_short
  command -v ffmpeg >/dev/null || make_stand_in ffmpeg
  PATH=$dir/bin:$PATH kill_programs movie render "$dir/short/short.h5" --frames 0:10 --size 40x30 --plain --force --movie "$dir/m.mp4"
}

kill_plugins() {
  local plugin=${PLUGIN:-build/tests/plugins/falling.so}
  make_short
  kill_programs plugin run short --solver "$(realpath "$plugin")" --out "$dir/plugin" --quiet --fresh
}

[ $# -gt 0 ] || set -- run jobs bench figure mesh movie plugin
for what; do
  case $what in
  run) kill_runs ;;
  jobs) kill_runs --jobs 2 ;;
  bench) kill_benches ;;
  figure) kill_figures ;;
  mesh) kill_meshes ;;
  movie) kill_movies ;;
  plugin) kill_plugins ;;
  *) echo "kill: there are run, jobs, bench, figure, mesh, movie and plugin, not $what" >&2 && exit 2 ;;
  esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]

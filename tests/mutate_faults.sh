#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the scripts mutate*.sh share: how a fault is planted, and how all of them are tried. They define
#
#   faults               writes a line per fault
#   try NUMBER FIELD...  plants the fault of that line in a copy, and writes to $work/result.NUMBER who saw it
#
# and have JOBS (how many at a time) and work (a temporary folder).

# plant FILE TEXT REPLACEMENT: the file with the replacement in place of the text, which must be there exactly once.
plant() {
  local content rest
  content=$(cat "$1") || return 1
  rest=${content#*"$2"}
  if [ "$rest" = "$content" ] || [ "${rest#*"$2"}" != "$rest" ]; then
    return 1
  fi
  printf '%s\n' "${content/"$2"/"$3"}"
}

# try_all COUNT: tries each fault, whose line has so many fields between "|", the last of which may hold some itself.
# Leaves the lines in the list `lines`.
try_all() {
  local lane i
  mapfile -t lines < <(faults)
  for ((lane = 0; lane < JOBS; lane++)); do
    for ((i = lane; i < ${#lines[@]}; i += JOBS)); do
      try_line "$i" "$1" "${lines[i]}"
    done &
  done
  wait
}

# try_line NUMBER COUNT LINE
try_line() {
  local number=$1 count=$2 rest=$3
  local -a fields=()
  while ((${#fields[@]} + 1 < count)); do
    fields+=("${rest%%|*}")
    rest=${rest#*|}
  done
  try "$number" "${fields[@]}" "$rest"
}

#!/usr/bin/env bash
# Runs what studies name for show, and makes a movie of each run: mk/movies.sh PROGRAM RESULTS
# STUDIES [OPTION_OF_RENDER..]; STUDIES: names, or empty for all.
set -euo pipefail
program=$1 results=$2 studies=$3
shift 3
if ! command -v ffmpeg > /dev/null; then
  echo "make movies: ffmpeg is not installed; movies need it (apt-get install ffmpeg)" >&2
  exit 3
fi
# shellcheck disable=SC2086 # names of studies have no blanks
"$program" run $studies --tier show --out "$results/show"
# shellcheck disable=SC2086
"$program" run $studies --tier show --out "$results/show" --list --csv | tr -d '\r' | while IFS=, read -r study run _; do
  [ "$study" = study ] && continue
  "$program" render "$results/show/$study-$run.h5" --movie "$results/show/$study-$run.mp4" --size 1280x720 --plain "$@" < /dev/null
done

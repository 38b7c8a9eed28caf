#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A job array for a sweep: each task executes one shard of the study's runs; the last to finish joins them.
#
#   sbatch --array=1-16 --gpus-per-task=1 bench/slurm.sh STUDY [OPTION...]     one process per GPU
#   sbatch --array=1-16 --cpus-per-task=8 bench/slurm.sh float_or_double --tier full --out /shared/results
#   JOBS=8 sbatch --array=1-16 --cpus-per-task=8 bench/slurm.sh ..            eight runs at a time in each task
#   SHARDS=16 sbatch --array=3,7 .. bench/slurm.sh ..                         two of sixteen once more
#
# STUDY and options are those of "viperbench run". All tasks must have the same folder of results (--out),
# with locks that work across nodes (scenarios/sweeps.md). Submit it in the folder of the project, or set
# VIPERBENCH to the program. A task that is preempted, killed or out of time is queued again, or can be
# submitted again: finished runs are kept, and none is executed twice. If the last task does not join the
# shards, run: viperbench join STUDY [OPTION...].
#
#SBATCH --job-name=viperbench
#SBATCH --array=1-4
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=viperbench-%A_%a.log
set -eu

if [ $# -eq 0 ]; then
  echo "bench/slurm.sh: name a study, as in: sbatch --array=1-16 bench/slurm.sh float_or_double" >&2
  exit 2
fi
if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
  echo "bench/slurm.sh: this is a job array's script; submit it with sbatch --array=1-N" >&2
  exit 2
fi

# Runs of a task share these threads.
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
program=${VIPERBENCH:-${SLURM_SUBMIT_DIR:-.}/bin/viperbench}
shards=${SHARDS:-$SLURM_ARRAY_TASK_MAX}

# The program replaces this script, so that it receives signals and ends in order.
exec "$program" run "$@" --shard "$SLURM_ARRAY_TASK_ID/$shards" --jobs "${JOBS:-1}"

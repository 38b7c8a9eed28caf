#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tries bench/slurm.sh on a cluster of one node: munged, slurmctld and slurmd of this machine, started
# with a configuration in a temporary folder and stopped at the end.
#
#   tests/system/slurm.sh PROGRAM HOME FOLDER
#
# HOME holds the study "sweep" of test_sweep.c. A job array of three tasks runs it to FOLDER/c, with one
# run that would not end: its task is canceled. Another array runs it to FOLDER/b, with --set long=20000:
# a task is killed and submitted again. Ends with 0 where all went as it should, with 3 where the daemons do not come up.
set -u
export LC_ALL=C
program=$1 home=$2 folder=$3
cluster=$folder/cluster
host=$(hostname -s)
port=$((20000 + $$ % 20000))
export VIPERBENCH=$program VIPERBENCH_HOME=$home SLURM_CONF=$cluster/slurm.conf
PATH=$PATH:/usr/sbin:/sbin

# shellcheck disable=SC2317 # the trap below calls it
stop() {
  local name file
  scancel --quiet --user="$(id -un)" 2>/dev/null
  for name in slurmd slurmctld munged; do
    file=$cluster/$name.pid
    [ -s "$file" ] && kill "$(cat "$file")" 2>/dev/null
  done
  for name in slurmd slurmctld munged; do
    file=$cluster/$name.pid
    for ((i = 0; i < 100; i++)); do
      { [ -s "$file" ] && kill -0 "$(cat "$file")" 2>/dev/null; } || break
      sleep 0.1
    done
  done
}
trap stop EXIT

fail() {
  echo "tests/system/slurm.sh: $1"
  tail -n 20 "$cluster"/*.log
  exit "${2:-1}"
}

mkdir -p "$cluster/state" "$cluster/spool"
head -c 1024 /dev/urandom >"$cluster/munge.key"
chmod 400 "$cluster/munge.key"
cat >"$SLURM_CONF" <<CONF
ClusterName=trial
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$cluster/munge.socket
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
KillWait=10
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONF

munged --force --key-file="$cluster/munge.key" --socket="$cluster/munge.socket" \
  --pid-file="$cluster/munged.pid" --log-file="$cluster/munged.log" --seed-file="$cluster/munged.seed" ||
  fail "munged does not start" 3
slurmctld -c -i || fail "slurmctld does not start" 3
slurmd || fail "slurmd does not start" 3
for ((i = 0; i < 200; i++)); do
  [ "$(sinfo --noheader --format=%t 2>/dev/null)" = idle ] && break
  sleep 0.1
done
((i < 200)) || fail "the node does not come up" 3

submit() {
  sbatch --parsable --no-requeue --output="$cluster/task-%a.log" "$@"
}
# Waits until no task is left.
await_end() {
  for ((i = 0; i < 600; i++)); do
    [ -z "$(squeue --noheader 2>/dev/null)" ] && return
    sleep 0.1
  done
  fail "tasks do not end"
}
await_file() {
  for ((i = 0; i < 300; i++)); do
    [ -e "$1" ] && return
    sleep 0.1
  done
  fail "$1 does not appear"
}

# The long run would go on for days. The task that has it is canceled, and ends in good order.
job=$(submit --array=1-3 bench/slurm.sh sweep --out "$folder/c" --set long=100000000) ||
  fail "the array cannot be submitted"
await_file "$folder/c/sweep-direct-n17.h5.part"
sleep 1.5
scancel "${job}_1" || fail "the task cannot be canceled"
await_end
grep -q 'stopped by signal 15; what was recorded is kept in' "$cluster/task-1.log" ||
  fail "the canceled task does not say so: $(cat "$cluster/task-1.log")"
ls "$folder"/c/*.lock 2>/dev/null && fail "locks are left"

# A task is killed the hard way, and submitted again; the others have done their shares by then.
submit --array=1-3 bench/slurm.sh sweep --out "$folder/b" --set long=20000 >"$cluster/job" || fail "no second array"
await_file "$folder/b/sweep-direct-n17.h5.part" # its process has the lock then
read -r _ pid _ <"$folder/b/sweep-direct-n17.h5.lock"
kill -KILL "$(ps -o ppid= -p "$pid" | tr -d ' ')" || fail "no task to kill"
await_end
[ -e "$folder/b/sweep.h5" ] && fail "there is an index without the killed task's runs"
SHARDS=3 submit --array=1 bench/slurm.sh sweep --out "$folder/b" --set long=20000 >"$cluster/job" || fail "no third array"
await_end
grep -q '12 of 12 gates passed' "$cluster/task-1.log" ||
  fail "the last task does not join: $(cat "$cluster/task-1.log")"
exit 0

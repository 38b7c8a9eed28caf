// SPDX-License-Identifier: GPL-3.0-or-later
/// What tests ask of the emulator besides the functions of CUDA's runtime.
#ifndef VB_TESTS_EMULATOR_EMULATOR_H
#define VB_TESTS_EMULATOR_EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EMULATOR_LOCKSTEP, EMULATOR_LANES, EMULATOR_BLOCKS };

/// From the next launch on: who goes on when (README.md), the seed of what is random, and whether
/// races are looked for.
void emulator_schedule(int schedule, unsigned seed, int races);
/// The device: multiprocessors, threads that each holds, and bytes of shared memory that a block
/// may ask for.
void emulator_device(int multiprocessors, int threads, size_t shared);
/// How many devices there are, of which CUDA_VISIBLE_DEVICES lets be seen what it lists.
void emulator_devices(int n);
/// Reads the code of all kernels: a process that forks does so once for all its children. None is
/// loaded by that.
void emulator_read(void);
/// The n-th call of the runtime from now on fails (0: the next one); none where n < 0.
void emulator_fail_call(long n);
/// The n-th launch or copy from now on fails when it is executed, as by an error of the hardware:
/// all calls that follow fail, too, until emulator_forget; none where n < 0.
void emulator_fail_work(long n);
/// Launches and copies that were executed so far.
long emulator_works(void);
/// The name of the call that was made to fail last; empty where none was.
const char *emulator_failed_call(void);
/// Calls of the runtime so far.
long emulator_calls(void);
/// Races found since the beginning or emulator_forget.
uint64_t emulator_races(void);
/// What a kernel did wrong; empty where none did. Calls fail from then on.
const char *emulator_fault(void);
/// Forgets races and a fault, as a new process would: memory goes with work that was made to fail.
void emulator_forget(void);
/// Allocations of the device and pinned ones that are not freed.
size_t emulator_leaks(void);
/// Instructions done, counted once for each lane.
uint64_t emulator_lane_instructions(void);
/// What the kernels in use are compiled for, as 90; 0 where none is loaded.
int emulator_target(void);

#ifdef __cplusplus
}
#endif

#endif

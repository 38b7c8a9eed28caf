// SPDX-License-Identifier: GPL-3.0-or-later
/// Reports the results of a benchmark as tables, as a JSON document, as comma-separated values and
/// as an HDF5 file, whose layout results/README.md describes. On a terminal tables fit its width,
/// and a narrow one lacks columns; elsewhere names are whole.
#ifndef VB_BENCH_BENCH_REPORT_H
#define VB_BENCH_BENCH_REPORT_H

#include "bench/bench.h"
#include "bench/machine.h"
#include "table/listing.h"

#include <stdio.h>

/// The speed that the paper reports: 26000 degrees of freedom at 140 Hz on a GTX 1080.
#define VB_PAPER_DOF_HZ 3.64e6

/// Prints a warning where others keep more than VB_MAX_BUSY of the processors busy.
void vb_bench_warn_of_others(FILE *stream, double busy);

/// Prints host, processor and cores, and that warning.
void vb_bench_report_machine(FILE *stream, const vb_machine *machine);

/// Prints the rates that were measured.
void vb_bench_report_rates(FILE *stream, const vb_machine *machine);

/// Prints what NVML reports of the device, or why it does not; nothing if no case ran on one.
void vb_bench_report_device(FILE *stream, const vb_machine *machine);

/// Prints the cases of a study: speeds, what they are of, and the fitted costs. Fails for want of
/// memory, as does the next.
vb_status vb_bench_report_cases(FILE *stream, const vb_bench *bench, vb_error *error);

/// Prints the geometric mean of each setting's rates over those of `baseline`, over all scenes.
vb_status vb_bench_report_ratios(FILE *stream, const vb_bench *benches, size_t n,
                                 const char *baseline, vb_error *error);

/// Adds all values of a case to the latest row (bench_export.c). Fails for want of memory.
vb_status vb_bench_add_case(vb_listing *table, const vb_bench_case *c, vb_error *error);

/// Writes the file of a study, in place of an older one, through `path`.part. `status` is
/// "complete" or "interrupted"; a file of an interrupted one keeps its .part. VB_CANNOT_WRITE.
vb_status vb_bench_write(const char *path, const vb_bench *bench, const vb_machine *machine,
                         const char *status, vb_error *error);

/// Prints the same as one JSON document of `n` studies, windows and all (bench_export.c).
vb_status vb_bench_json(FILE *stream, const vb_bench *benches, size_t n, const vb_machine *machine,
                        int exit_code, vb_error *error);

/// Prints all single numbers and texts of each case as a row of comma-separated values
/// (bench_export.c). Fails only for want of memory.
vb_status vb_bench_csv(FILE *stream, const vb_bench *benches, size_t n, vb_error *error);

#endif

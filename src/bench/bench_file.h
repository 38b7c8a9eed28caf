// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes the results of a benchmark as an HDF5 file and a JSON document. Their layout is described
/// in results/README.md.
#ifndef VB_BENCH_BENCH_FILE_H
#define VB_BENCH_BENCH_FILE_H

#include "bench/bench.h"
#include "bench/machine.h"

#include <stdio.h>

/// Writes the file of a study, in place of an older one, through `path`.part. `status` is
/// "complete" or "interrupted"; a file of an interrupted one keeps its .part. VB_CANNOT_WRITE.
vb_status vb_bench_write(const char *path, const vb_bench *bench, const vb_machine *machine,
                         const char *status, vb_error *error);

/// Prints the same as one JSON document of `n` studies, windows and all (bench_json.c).
vb_status vb_bench_json(FILE *stream, const vb_bench *benches, size_t n, const vb_machine *machine,
                        int exit_code, vb_error *error);

#endif

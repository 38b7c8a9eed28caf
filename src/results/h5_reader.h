// SPDX-License-Identifier: GPL-3.0-or-later
/// Reads files by confined processes, a reader for each file.
///
/// HDF5 was not made for hostile files. So this process opens a file, and never lets HDF5 see it: a
/// fork that holds nothing but the open file and a socket, and has no rights (see base/confine.h),
/// reads it, and sends names and numbers. Should a file take that process over, it can lie about
/// its own numbers, which the file could anyway. Its crash is a failure of the file, and so is a
/// request that it does not come to an end of.
///
/// h5_read.h calls these functions where an identifier is one of a reader's; they do what those of
/// the same name there do.
#ifndef VB_RESULTS_H5_READER_H
#define VB_RESULTS_H5_READER_H

#include "results/h5_read.h"

/// From here on files are read in this process, as for a fuzzer that must see what is executed.
void vb_reader_stay_here(void);
bool vb_reader_stays_here(void);

/// Sets the processor time that a reader has for one request, s, beside what the size of its file
/// adds. For tests; without it there is as much as any sound file takes, many times over.
void vb_reader_set_seconds(double seconds);

/// Whether an identifier is one of a reader's, not HDF5's.
bool vb_reader_has(hid_t id);

/// Opens the regular file with descriptor `file`, which the caller may then close. Files that were
/// read last keep their readers for a while.
hid_t vb_reader_open(vb_h5 *h5, int file, vb_h5_fault *fault);
/// The path by which the file of an object was opened; null where no reader has it.
const char *vb_reader_path(hid_t id);
void vb_reader_release(hid_t id);

/// Notes it as a failure where the reader of `id` has ended. For callers of functions that cannot
/// tell.
void vb_reader_check(vb_h5 *h5, hid_t id);

/// Opens a group or dataset; -1 where there is none. Its type to `*type`.
hid_t vb_reader_object(vb_h5 *h5, hid_t from, const char *path, H5I_type_t *type);
bool vb_reader_dataset(vb_h5 *h5, hid_t from, const char *path, vb_h5_dataset *out);

void vb_reader_expect(vb_h5 *h5, const vb_h5_dataset *dataset, vb_h5_kind kind, int least,
                      int most);

/// Reads numbers as double or, where `integer`, as int64_t.
void vb_reader_numbers(vb_h5 *h5, const vb_h5_dataset *dataset, const vb_h5_block *block,
                       bool integer, void *out);
char **vb_reader_texts(vb_h5 *h5, const vb_h5_dataset *dataset, size_t *n);

bool vb_reader_attribute(hid_t object, const char *name, char *out, size_t size);
bool vb_reader_integer(vb_h5 *h5, hid_t object, const char *name, int64_t *out);
bool vb_reader_number(vb_h5 *h5, hid_t object, const char *name, double *out);

void vb_reader_members(vb_h5 *h5, hid_t group, vb_h5_member *visit, void *data);
void vb_reader_datasets(vb_h5 *h5, hid_t from, const char *path, vb_h5_found *visit, void *data);
bool vb_reader_member(hid_t group, const char *name);
bool vb_reader_link(hid_t group, const char *name, char *out, size_t size);

/// Reads all of the file, see results_trial.h.
void vb_reader_all(vb_h5 *h5, hid_t file);

#endif

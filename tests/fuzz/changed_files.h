// SPDX-License-Identifier: GPL-3.0-or-later
/// Files that the program wrote itself in the folder of a fuzz target, and changes of them.
#ifndef VB_TESTS_FUZZ_CHANGED_FILES_H
#define VB_TESTS_FUZZ_CHANGED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An object, and a number for it that stays its own when others are added to the layout.
typedef struct fuzz_object {
  char *path;
  unsigned number;
} fuzz_object;

/// A file. Start it with its name alone.
typedef struct fuzz_file {
  const char *name;
  bool touched; ///< since it was restored
  char *bytes;  ///< as it was made
  size_t size;
  fuzz_object *objects; ///< those that it was made with
  size_t n_objects;
} fuzz_file;

/// Keeps what is in a file now. Never freed: a target keeps it as long as it runs.
void fuzz_file_keep(fuzz_file *file);

/// Puts a file back as it was kept.
void fuzz_file_restore(const fuzz_file *file);

/// Changes files by an input, a list of changes of CHANGE_BYTES bytes each, of which the first 16
/// are made: an object of another type, shape or size, without its data, as a link, with its data
/// elsewhere, with other values; an attribute likewise.
enum { CHANGE_BYTES = 8 };
void fuzz_files_change(fuzz_file *files, size_t n, const uint8_t *data, size_t size);

/// Puts back those that were changed.
void fuzz_files_restore(fuzz_file *files, size_t n);

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/// Safe opening and replacing of files in folders that other users can write to.
///
/// Folders are shared: under a name that is to be read or written there may be a pipe, a device, a
/// folder or a symbolic link. What is read is a regular file, or the standard input. What is
/// written is made under a name of its own, which is never followed where it is a link, and renamed
/// when it is whole; a target that is a device or a pipe is written in place instead, since a
/// rename would replace it.
#ifndef VB_BASE_FILE_H
#define VB_BASE_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// Opens a regular file without waiting for anybody; `flags` are those of open(2) (O_CLOEXEC is
/// added). For reading, the file that is the standard input may be of any kind. Returns the
/// descriptor; or -1, and `*why` is the rest of a sentence ("it is a pipe, not a file"), valid
/// until the next call; errno is then the system's, or EINVAL for what is no file.
int vb_file_open(const char *path, int flags, const char **why);

/// Makes a new file for writing in the place of whatever has that name, which is removed and not
/// followed; a folder is left alone. Otherwise as vb_file_open.
int vb_file_create(const char *path, const char **why);

/// Reads all of a file of at most `most` bytes, which messages call `shown`. The caller frees
/// `*out`, in which a zero follows the `*size` bytes. VB_BAD_INPUT where it cannot be read or is
/// longer; VB_INTERRUPTED where a signal comes while it waits for the standard input.
vb_status vb_file_read(const char *path, const char *shown, size_t most, char **out, size_t *size,
                       vb_error *error);

/// Copies all bytes of the file `from`, wherever it stands, to `to`. 0, or an errno value.
int vb_file_copy(int from, int to);

/// Renames a file; whatever has the other name is replaced. VB_CANNOT_WRITE and the system's
/// reason.
vb_status vb_file_rename(const char *from, const char *to, vb_error *error);

/// Makes a folder and those that it lies in, where they are not there. VB_CANNOT_WRITE and the
/// system's reason.
vb_status vb_folder_make(const char *folder, vb_error *error);

/// Gives the file `temporary` its final name. Where that is the name of a device or a pipe, copies
/// the bytes there and removes the part. A symbolic link of that name is replaced. VB_CANNOT_WRITE
/// and the system's reason, VB_INTERRUPTED where a signal comes while nobody reads the pipe; the
/// part is then left.
vb_status vb_file_publish(const char *temporary, const char *path, vb_error *error);

/// An output that is being written. Ended by vb_output_end.
typedef struct vb_output {
  char *path; ///< as requested
  char *name; ///< under which it is to be written: of a part beside it, or of a file in memory
  int file;   ///< descriptor of that, for writing
  bool in_place;
} vb_output;

/// Begins to write `path`: to `path`.part, or to memory where the target is no regular file. Where
/// the name is the user's own (`asked`), a symbolic link to a device or to this program's standard
/// output is such a target, too (/dev/stdout); any other link will be replaced. VB_CANNOT_WRITE.
vb_status vb_output_begin(const char *path, bool asked, vb_output *out, vb_error *error);

/// A stream to write it with, which owns a descriptor of its own; null for want of memory.
FILE *vb_output_stream(const vb_output *output);

/// Moves what was written to the target's place unless `status` is a failure, and frees. A
/// part that is not wanted is removed. Returns `status`, or as vb_file_publish.
vb_status vb_output_end(vb_output *output, vb_status status, vb_error *error);

#endif

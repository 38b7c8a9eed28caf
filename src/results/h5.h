// SPDX-License-Identifier: GPL-3.0-or-later
/// Checked wrappers of HDF5 for writing; h5_read.h is for reading.
///
/// A `vb_h5` is an open file and the first failure on it. Every call goes through `VB_H5`,
/// which does nothing once a call has failed, so a list of calls needs one check at its end.
/// Objects are created without time stamps, single strings are variable-length UTF-8, those of a
/// list have the length of the longest, numbers are little-endian.
#ifndef VB_RESULTS_H5_H
#define VB_RESULTS_H5_H

#include "base/status.h"

#include <hdf5.h>
#include <stdbool.h>

/// An open file. Start it with the first three members.
typedef struct vb_h5 {
  const char *path; ///< for messages
  vb_status kind;   ///< what a failure is: VB_CANNOT_WRITE or VB_BAD_INPUT
  vb_error *error;  ///< where the first failure is described
  vb_status status; ///< VB_OK until then
} vb_h5;

/// Makes one HDF5 call unless one has failed before; its value, negative after a failure.
#define VB_H5(h5, call) ((h5)->status ? (hid_t)-1 : vb_h5_checked((h5), (hid_t)(call), #call))

/// Notes a failure where `value` is negative, with the system's reason (such as a full disk) where
/// HDF5 reports one; returns `value`. `call` is the text of the call.
hid_t vb_h5_checked(vb_h5 *h5, hid_t value, const char *call);

/// Notes want of memory, unless something has failed before.
void vb_h5_out_of_memory(vb_h5 *h5);

/// Keeps HDF5 from printing its own errors, from loading plug-ins that a file requests, and from
/// tidying up at exit, where it would stumble over a file whose disk was full. To be called before
/// any other use of HDF5; may be called often.
void vb_h5_quiet(void);

/// Creates the file, which is called `path`.new until vb_h5_show_file: a writer that is killed
/// before leaves nothing unreadable under the name itself. Whatever has that early name is removed,
/// and not followed where it is a link. VB_CANNOT_WRITE and the system's reason, or that another
/// process is writing `path`.
hid_t vb_h5_create_file(vb_h5 *h5);

/// Likewise a file whose chunks and groups take the least room; it is unreadable until it is
/// closed.
hid_t vb_h5_create_small_file(vb_h5 *h5);

/// Gives a file that was created its name.
void vb_h5_show_file(vb_h5 *h5);

/// Removes a file that was created and has only its early name.
void vb_h5_drop_file(vb_h5 *h5);

/// Why a file cannot be opened.
typedef enum vb_h5_fault {
  VB_H5_DAMAGED, ///< it is no HDF5 file, or not a whole one
  VB_H5_MISSING,
  VB_H5_OUT_OF_REACH, ///< locked, forbidden, too many open files: another time it may be read
} vb_h5_fault;

/// Opens the file for reading, by a reader of its own (h5_reader.h). VB_BAD_INPUT: the message says
/// whether it is missing, no HDF5 file, truncated, or in use; `*fault`, where not null, is then
/// set. What was opened is for the functions of h5_read.h and vb_h5_release alone, not for HDF5's
/// own. h5_change.h changes a file.
hid_t vb_h5_open_file(vb_h5 *h5, vb_h5_fault *fault);

/// The descriptor under an HDF5 file, or -1.
int vb_h5_file_descriptor(hid_t file);

/// Opens for reading, by HDF5's own functions, the file with the descriptor `file`, which this
/// process has written and closed.
hid_t vb_h5_open_written(vb_h5 *h5, int file);

/// Whether another process has the file open for writing, as HDF5's lock on it says.
bool vb_h5_is_written(const char *path);

/// Makes sure that the disk takes `bytes` more bytes, so that HDF5 never finds a full disk halfway
/// through an update of the file. Nothing is changed on failure.
void vb_h5_reserve(vb_h5 *h5, hid_t file, size_t bytes);

/// Writes all that HDF5 holds back to the file, and gives back what was reserved for it.
void vb_h5_flush(vb_h5 *h5, hid_t file);

/// Ends a file that was created: flushes and closes it and gives it its name, or removes it where
/// something has failed. Returns the status of `h5`.
vb_status vb_h5_end_file(vb_h5 *h5, hid_t file);

/// Turns all further writing away from the disk, which keeps what is there. To be called before a
/// file that could not be written is closed, and before its objects are released.
void vb_h5_divert(hid_t file);

/// Releases any identifier; a negative one is ignored.
void vb_h5_release(hid_t id);

/// Makes a property list that nobody changes; -1 on failure.
typedef hid_t vb_h5_make(vb_h5 *h5);

/// The property list that `make` makes once in this process, and that `*kept` holds, which is zero
/// before; -1 on failure. To be released after each call.
hid_t vb_h5_share(vb_h5 *h5, hid_t *kept, vb_h5_make *make);

/// What a group is going to hold: so many members, whose names have so many letters together.
typedef struct vb_h5_links {
  size_t n, letters;
} vb_h5_links;

/// Creates a group; `name` may be a path whose parents are then created, too.
hid_t vb_h5_group(vb_h5 *h5, hid_t parent, const char *name);

/// Likewise, with room for `links` in the header of the group. Each link that has no room there
/// takes 28 bytes more, and each dataset made before it 28 to 56 bytes: its header cannot be
/// extended in place. The file is the same to readers whatever `links` says.
hid_t vb_h5_group_of(vb_h5 *h5, hid_t parent, const char *name, const vb_h5_links *links);

/// Property list for creating datasets: no time stamps, no room in headers beyond what they need,
/// parents created as needed (see H5Dcreate2).
hid_t vb_h5_dataset_plist(vb_h5 *h5);
/// Shared: it must not be changed.
hid_t vb_h5_link_plist(vb_h5 *h5);
/// Shared property list for reading and writing, with small buffers for conversion.
hid_t vb_h5_transfer_plist(vb_h5 *h5);

/// The type of all strings; the caller releases it.
hid_t vb_h5_text_type(vb_h5 *h5);

void vb_h5_attribute_text(vb_h5 *h5, hid_t object, const char *name, const char *text);
/// Likewise a text that lies in the header of the object: it takes some 50 bytes less there than in
/// HDF5's heap of texts, and HDF5's other users read it as bytes.
void vb_h5_attribute_label(vb_h5 *h5, hid_t object, const char *name, const char *text);
void vb_h5_attribute_int(vb_h5 *h5, hid_t object, const char *name, int64_t value);
void vb_h5_attribute_number(vb_h5 *h5, hid_t object, const char *name, double value);

/// Whether the dataset at `path` is in a group whose datasets results/README.md lists one by one:
/// all but series, frames and benchmarks.
bool vb_h5_is_described(const char *path);

/// Puts `units` on a dataset where these are not 1.
void vb_h5_unit(vb_h5 *h5, hid_t dataset, const char *unit);

/// Puts `units` and `long_name` on a dataset. Where it is described there, these take more room
/// than the numbers of most: then units are put on what has some, and there is no long_name.
void vb_h5_label(vb_h5 *h5, hid_t dataset, const char *unit, const char *long_name);

/// An array to be stored as it is.
typedef struct vb_h5_array {
  const char *name;
  int rank; ///< 0 for a single number
  hsize_t extent[3];
  hid_t file_type;
  hid_t memory_type;
  const void *data;
  const char *unit;
  const char *long_name;
} vb_h5_array;

/// Adds to the creation properties `plist` chunks of whole rows, of `most` bytes where there are
/// several, with compression and checksums: for an array of numbers that is worth it. Large arrays
/// of vectors have a chunk for each component of such rows.
void vb_h5_compress(vb_h5 *h5, const vb_h5_array *array, size_t most, hid_t plist);

/// Adds to the creation properties `plist` how an array of a finished run is stored: compressed as
/// above, in chunks of which one holds little more than a frame; a smaller one in one chunk, for
/// its checksum; one of less than 320 bytes in the header of its dataset, which has a checksum,
/// too.
void vb_h5_finish(vb_h5 *h5, const vb_h5_array *array, hid_t plist);

/// How hard deflate tries: data are 2.5 % smaller than by 4, in 1.2 times the time; 9 gains another
/// 0.3 %, and takes 2.5 times as long as 6.
#define VB_H5_COMPRESS_LEVEL 6

/// Bytes that a file may claim to hold without storing them.
#define VB_H5_SMALL ((hsize_t)4096)

/// Adds to the creation properties `plist` the one number that an array of 32 to VB_H5_SMALL
/// bytes consists of, as the value of what is not stored; false where it has several. `values` are
/// of the type in memory. Then nothing need be written to the dataset.
bool vb_h5_fill(vb_h5 *h5, const vb_h5_array *array, const void *values, hid_t plist);

/// Stores an array as a dataset.
void vb_h5_write(vb_h5 *h5, hid_t parent, const vb_h5_array *array);

/// Stores one number as a dataset.
void vb_h5_number(vb_h5 *h5, hid_t parent, const char *name, double value, const char *unit,
                  const char *long_name);
void vb_h5_integer(vb_h5 *h5, hid_t parent, const char *name, int64_t value, const char *long_name);

/// Stores `n` numbers as a dataset.
void vb_h5_numbers(vb_h5 *h5, hid_t parent, const char *name, size_t n, const double *values,
                   const char *unit, const char *long_name);

/// Stores one text as a dataset; null is stored as the empty text.
void vb_h5_text(vb_h5 *h5, hid_t parent, const char *name, const char *text, const char *long_name);

/// Stores a text that may be long, compressed: as a list of one, since HDF5 compresses no single
/// value, of a type of its length.
void vb_h5_long_text(vb_h5 *h5, hid_t parent, const char *name, const char *text,
                     const char *long_name);

/// Bytes that such a text has at most, with the zero at its end: a longer one is not compressed.
#define VB_H5_LONG_TEXT ((size_t)1 << 20)

/// Texts that have the length of the longest of a list, at most: longer ones are stored each as
/// long as it is.
#define VB_H5_FIXED_TEXT ((size_t)8192)

/// Stores `n` texts as a dataset.
void vb_h5_texts(vb_h5 *h5, hid_t parent, const char *name, size_t n, const char *const *texts,
                 const char *long_name);

/// How a member of a structure is stored: as what it is in C, but for those noted.
typedef enum vb_h5_storage {
  VB_H5_REAL, ///< double
  VB_H5_INT32,
  VB_H5_INT64,
  VB_H5_FLAG,  ///< bool, as a byte
  VB_H5_COUNT, ///< int, as a floating-point number
  VB_H5_TEXT,  ///< const char *
  VB_H5_NAME   ///< array of char, as a text
} vb_h5_storage;

/// A member of many structures that becomes one dataset.
typedef struct vb_h5_column {
  const char *name;
  vb_h5_storage storage;
  size_t offset; ///< of the member in the structure [byte]
  const char *unit;
  const char *long_name;
  hsize_t components; ///< numbers in the member; a second axis where there are several
} vb_h5_column;

/// Stores a member of each of `n` structures, which lie `stride` bytes apart.
void vb_h5_column_write(vb_h5 *h5, hid_t parent, const vb_h5_column *column, const void *structures,
                        size_t stride, size_t n);

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/// Status codes and error messages of all functions that can fail.
///
/// Every function that can fail returns a `vb_status` and describes the failure in the `vb_error`
/// that its caller passed in; on failure its outputs are left untouched. No message is ever global,
/// and nothing but `main` ends the process. Asserts are for errors of the programmer.
#ifndef VB_BASE_STATUS_H
#define VB_BASE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/// What became of a call. The values are the exit codes of the program.
typedef enum vb_status {
  VB_OK = 0,           ///< all is well
  VB_FAILED = 1,       ///< a gate failed or a run diverged: a result, not a malfunction
  VB_BAD_INPUT = 2,    ///< bad input or bad use
  VB_UNAVAILABLE = 3,  ///< a backend, solver, feature or memory is not available here
  VB_INCONCLUSIVE = 4, ///< measured, but the answer is not clear
  VB_CANNOT_WRITE = 5, ///< output could not be written
  VB_INTERRUPTED = 6,  ///< stopped by a signal; exits with 128 + its number
} vb_status;

/// The description of the latest failure. Start it zeroed.
typedef struct vb_error {
  vb_status status;
  char message[1024]; ///< one sentence: where, what is wrong, what would be right
} vb_error;

/// Sets `error` (which may be null) to `status` and the formatted message, without control
/// characters (see base/printable.h).
void vb_error_write(vb_error *error, vb_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// The same, and its value is `status`: a macro, so that compilers see what is returned.
#define vb_error_set(error, status, ...) (vb_error_write(error, status, __VA_ARGS__), (status))

/// `VB_BAD_INPUT`, the most frequent of them, with the formatted message.
#define vb_bad_input(error, ...) vb_error_set(error, VB_BAD_INPUT, __VA_ARGS__)

/// Puts the formatted text and ": " before the message of `error`, which must hold one; returns its
/// status. For callers who know the place (file, run) of a failure that a callee described.
vb_status vb_error_prefix(vb_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// `VB_UNAVAILABLE` with the message "out of memory".
static inline vb_status vb_error_memory(vb_error *error) {
  return vb_error_set(error, VB_UNAVAILABLE, "out of memory");
}

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/// The process that reads a file for the program: what it does in a fork of it.
#ifndef VB_RESULTS_H5_SERVE_H
#define VB_RESULTS_H5_SERVE_H

/// Lets go of all that is open but the two descriptors, confines this process (see base/confine.h),
/// and answers the requests that come by `socket` about the file with descriptor `file`, until the
/// other end is closed. Ends with code VB_UNAVAILABLE where it cannot be confined.
_Noreturn void vb_h5_serve(int socket, int file);

#endif

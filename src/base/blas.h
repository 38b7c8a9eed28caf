// SPDX-License-Identifier: GPL-3.0-or-later
/// Restricts the system's BLAS to one thread and reports its name, so that results do not depend on
/// the number of threads. The system's update-alternatives selects the library: the reference BLAS,
/// OpenBLAS or another.
#ifndef VB_BASE_BLAS_H
#define VB_BASE_BLAS_H

#include <stdbool.h>

/// Keeps OpenBLAS, where it is the system's BLAS, to one thread: the sums of several are not those
/// of one, so that results would depend on how many there are. Returns whether it is there. To be
/// called before a solver's first use of BLAS or LAPACK; again does no harm.
bool vb_blas_use_one_thread(void);

/// Version and kernels of OpenBLAS, or "not OpenBLAS". The text stays valid.
const char *vb_blas_name(void);

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/// The system's BLAS, which update-alternatives chooses: the reference one, OpenBLAS or another.
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

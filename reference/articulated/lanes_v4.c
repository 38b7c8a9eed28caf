// SPDX-License-Identifier: GPL-3.0-or-later
#ifdef __x86_64__
#define AR_LANES_TARGET __attribute__((target("avx512f,avx512dq")))
#else
#define AR_LANES_TARGET
#endif
#define AR_LANES_FUNCTION ar_lanes_v4
#include "lanes_kernel.h"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/device_model.h"

#include <stdlib.h>
#include <string.h>

/// Numbers of units, clocks, rates of memory and sizes: the makers' data sheets and white papers.
/// Latencies, barriers, caches of instructions and launches of Hopper: measured on an H200 by
/// bench/latencies.cu (bench/README.md); an H200 is an H100 with other memory. Of others: published
/// microbenchmarks, rounded (Volta: Jia et al. 2018, arXiv:1804.06826; Ada: Luo et al. 2024,
/// arXiv:2402.13499), and for barriers of a grid Zhang et al. 2020 (arXiv:2004.05371), of a V100
/// with a block on each multiprocessor; their first-level cache of instructions is unknown, so
/// first_code is code. Double precision: the units of a quarter of a multiprocessor, 16 of 32 lanes
/// on Hopper, and two for the whole multiprocessor on Ada, four on Pascal.
#define HOPPER                                                                                     \
  .multiprocessors = 132, .threads = 2048, .shared = 232448, .cache = 262144, .first_code = 32768, \
  .code = 131072, .second = 52428800, .clock = 1.98e9, .second_rate = 5.5e12, .plain = 4,          \
  .in_double = 8, .special = 17, .shuffle = 24, .from_shared = 30, .from_first = 42,               \
  .from_second = 350, .double_interval = 2, .special_interval = 8, .kept_line = 10,                \
  .far_line = 38, .block_barrier = 13, .warp_barrier = 2, .grid_barrier = 0.98e-6, .launch = 5e-7

static const vb_device_model devices[] = {{.name = "H200", .memory_rate = 4.8e12, HOPPER},
                                          {.name = "H100", .memory_rate = 3.35e12, HOPPER},
                                          {.name = "RTX-4090",
                                           .multiprocessors = 128,
                                           .threads = 1536,
                                           .shared = 101376,
                                           .cache = 131072,
                                           .first_code = 131072,
                                           .code = 131072,
                                           .second = 75497472,
                                           .clock = 2.52e9,
                                           .memory_rate = 1.008e12,
                                           .second_rate = 5e12,
                                           .plain = 4,
                                           .in_double = 48,
                                           .special = 23,
                                           .shuffle = 23,
                                           .from_shared = 30,
                                           .from_first = 43,
                                           .from_second = 273,
                                           .double_interval = 16,
                                           .special_interval = 8,
                                           .far_line = 2,
                                           .block_barrier = 22,
                                           .grid_barrier = 1.4e-6,
                                           .launch = 1.5e-6},
                                          {.name = "GTX-1080",
                                           .multiprocessors = 20,
                                           .threads = 2048,
                                           .shared = 49152,
                                           .cache = 147456,
                                           .first_code = 32768,
                                           .code = 32768,
                                           .second = 2097152,
                                           .clock = 1.733e9,
                                           .memory_rate = 3.2e11,
                                           .second_rate = 1e12,
                                           .plain = 6,
                                           .in_double = 48,
                                           .special = 30,
                                           .shuffle = 33,
                                           .from_shared = 24,
                                           .from_first = 82,
                                           .from_second = 216,
                                           .double_interval = 32,
                                           .special_interval = 4,
                                           .far_line = 2,
                                           .block_barrier = 30,
                                           .grid_barrier = 1.8e-6,
                                           .launch = 2e-6}};

/// The device whose name begins `text`, up to its end or a slash.
static const vb_device_model *find(const char *text) {
  const size_t length = strcspn(text, "/");
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
    if (strlen(devices[i].name) == length && strncmp(devices[i].name, text, length) == 0)
      return &devices[i];
  return NULL;
}

bool vb_device_model_find(const char *name, vb_device_model *out) {
  const vb_device_model *device = find(name);
  const char *slash = strchr(name, '/');
  char *end;
  long parts = slash ? strtol(slash + 1, &end, 10) : 1;
  if (!device || parts < 1 || device->multiprocessors % parts != 0 || (slash && *end))
    return false;
  *out = *device;
  out->multiprocessors /= (int)parts;
  out->second /= (size_t)parts;
  out->memory_rate /= (double)parts;
  out->second_rate /= (double)parts;
  return true;
}

const char *vb_device_model_names(void) {
  return "H200, H100, RTX-4090, GTX-1080";
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/nvml.h"

#include "base/text.h"

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The library's own constants, as its manual gives them.
enum { NVML_SUCCESS = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_FEATURE_ENABLED = 1 };

typedef void *device_handle;

/// The library's functions that are used; null where this one lacks it.
typedef struct functions {
  int (*init)(void);
  int (*shutdown)(void);
  const char *(*error_string)(int code);
  int (*driver)(char *out, unsigned size);
  int (*by_index)(unsigned index, device_handle *out);
  int (*by_uuid)(const char *uuid, device_handle *out);
  int (*name)(device_handle device, char *out, unsigned size);
  int (*uuid)(device_handle device, char *out, unsigned size);
  int (*ecc)(device_handle device, int *current, int *pending);
  int (*power_limit)(device_handle device, unsigned *mw);
  int (*most_clock)(device_handle device, int kind, unsigned *mhz);
  int (*clock)(device_handle device, int kind, unsigned *mhz);
  int (*throttle)(device_handle device, unsigned long long *reasons);
  int (*power)(device_handle device, unsigned *mw);
  int (*energy)(device_handle device, unsigned long long *mj);
} functions;

struct vb_nvml {
  void *library;
  functions call;
  device_handle device;
};

/// Names of the functions in their order; the second is what older drivers call it.
static const char *const NAMES[][2] = {
    {"nvmlInit_v2", "nvmlInit"},
    {"nvmlShutdown", NULL},
    {"nvmlErrorString", NULL},
    {"nvmlSystemGetDriverVersion", NULL},
    {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"},
    {"nvmlDeviceGetHandleByUUID", NULL},
    {"nvmlDeviceGetName", NULL},
    {"nvmlDeviceGetUUID", NULL},
    {"nvmlDeviceGetEccMode", NULL},
    {"nvmlDeviceGetEnforcedPowerLimit", NULL},
    {"nvmlDeviceGetMaxClockInfo", NULL},
    {"nvmlDeviceGetClockInfo", NULL},
    {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"},
    {"nvmlDeviceGetPowerUsage", NULL},
    {"nvmlDeviceGetTotalEnergyConsumption", NULL},
};
#define N_NAMES (sizeof NAMES / sizeof *NAMES)

void vb_throttle_words(uint64_t reasons, char *out, size_t size) {
  static const struct {
    uint64_t bit;
    const char *word;
  } WORDS[] = {
      {VB_THROTTLE_POWER_CAP, "power limit"},
      {VB_THROTTLE_HARDWARE, "hardware slowdown"},
      {VB_THROTTLE_SYNC_BOOST, "sync boost"},
      {VB_THROTTLE_TEMPERATURE, "temperature"},
      {VB_THROTTLE_HW_TEMPERATURE, "hardware temperature"},
      {VB_THROTTLE_POWER_BRAKE, "power brake"},
  };
  out[0] = '\0';
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
    if (reasons & WORDS[i].bit)
      vb_text_add(out, size, "%s%s", *out ? ", " : "", WORDS[i].word);
}

static void load_functions(void *library, functions *out) {
  // Members of one kind in one order: data and function pointers have one size under POSIX.
  void *found[N_NAMES];
  _Static_assert(sizeof found == sizeof *out, "a name for each function");
  for (size_t i = 0; i < N_NAMES; i++) {
    found[i] = dlsym(library, NAMES[i][0]);
    if (!found[i] && NAMES[i][1])
      found[i] = dlsym(library, NAMES[i][1]);
  }
  memcpy(out, found, sizeof *out);
}

/// Whether `code` is a success; otherwise tells why not.
static bool went_well(const functions *call, int code, const char *what, char *why, size_t size) {
  if (code == NVML_SUCCESS)
    return true;
  const char *text = call->error_string ? call->error_string(code) : NULL;
  if (text)
    snprintf(why, size, "%s: %s", what, text);
  else
    snprintf(why, size, "%s: error %d", what, code);
  return false;
}

/// Finds the device of that UUID; a slice of one (multi-instance GPU) under the name that it has
/// there: CUDA tells of both the digits alone.
static int find_by_uuid(vb_nvml *nvml, const char *uuid) {
  char slice[64];
  int code = nvml->call.by_uuid(uuid, &nvml->device);
  if (code == NVML_SUCCESS || strncmp(uuid, "GPU-", 4) != 0)
    return code;
  snprintf(slice, sizeof slice, "MIG-%s", uuid + 4);
  return nvml->call.by_uuid(slice, &nvml->device) == NVML_SUCCESS ? NVML_SUCCESS : code;
}

static bool find_device(vb_nvml *nvml, const char *uuid, char *why, size_t size) {
  const functions *call = &nvml->call;
  if (uuid[0] ? !call->by_uuid : !call->by_index) {
    snprintf(why, size, "this NVML cannot find devices");
    return false;
  }
  int code = uuid[0] ? find_by_uuid(nvml, uuid) : call->by_index(0, &nvml->device);
  return went_well(call, code, uuid[0] ? "no device of that UUID" : "no device", why, size);
}

vb_nvml *vb_nvml_open(const char *uuid, char *why, size_t size) {
  // A path in the environment stands for the driver's: for tests, and for odd places.
  const char *path = getenv("VIPERBENCH_NVML");
  vb_nvml *nvml = calloc(1, sizeof *nvml);
  if (!nvml) {
    snprintf(why, size, "out of memory");
    return NULL;
  }
  nvml->library = dlopen(path && *path ? path : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!nvml->library) {
    snprintf(why, size, "no NVML: %s", dlerror());
    free(nvml);
    return NULL;
  }
  load_functions(nvml->library, &nvml->call);
  if (!nvml->call.init || !nvml->call.shutdown)
    snprintf(why, size, "not an NVML library: nvmlInit_v2 or nvmlShutdown is missing");
  else if (went_well(&nvml->call, nvml->call.init(), "NVML does not start", why, size)) {
    if (find_device(nvml, uuid, why, size))
      return nvml;
    nvml->call.shutdown();
  }
  dlclose(nvml->library);
  free(nvml);
  return NULL;
}

void vb_nvml_close(vb_nvml *nvml) {
  if (!nvml)
    return;
  nvml->call.shutdown();
  dlclose(nvml->library);
  free(nvml);
}

static void read_text(int (*read)(device_handle, char *, unsigned), device_handle device, char *out,
                      size_t size) {
  if (!read || read(device, out, (unsigned)size) != NVML_SUCCESS)
    out[0] = '\0';
  out[size - 1] = '\0';
}

/// A number in thousandths, as watts in mW; NaN where it is not known.
static double read_milli(int (*read)(device_handle, unsigned *), device_handle device) {
  unsigned value = 0;
  return read && read(device, &value) == NVML_SUCCESS ? 1e-3 * value : NAN;
}

static double read_clock(int (*read)(device_handle, int, unsigned *), device_handle device,
                         int kind) {
  unsigned mhz = 0;
  return read && read(device, kind, &mhz) == NVML_SUCCESS ? 1e6 * mhz : NAN;
}

void vb_nvml_describe(const vb_nvml *nvml, vb_gpu *out) {
  *out = (vb_gpu){.power_limit_w = NAN, .most_sm_clock = NAN, .most_mem_clock = NAN};
  if (!nvml)
    return;
  const functions *call = &nvml->call;
  int current = 0, pending = 0;
  read_text(call->name, nvml->device, out->name, sizeof out->name);
  read_text(call->uuid, nvml->device, out->uuid, sizeof out->uuid);
  if (!call->driver || call->driver(out->driver, sizeof out->driver) != NVML_SUCCESS)
    out->driver[0] = '\0';
  if (call->ecc && call->ecc(nvml->device, &current, &pending) == NVML_SUCCESS)
    strcpy(out->ecc, current == NVML_FEATURE_ENABLED ? "on" : "off");
  out->power_limit_w = read_milli(call->power_limit, nvml->device);
  out->most_sm_clock = read_clock(call->most_clock, nvml->device, NVML_CLOCK_SM);
  out->most_mem_clock = read_clock(call->most_clock, nvml->device, NVML_CLOCK_MEM);
}

void vb_nvml_read(const vb_nvml *nvml, vb_gpu_state *out) {
  static const uint64_t HEEDED = VB_THROTTLE_POWER_CAP | VB_THROTTLE_HARDWARE |
                                 VB_THROTTLE_SYNC_BOOST | VB_THROTTLE_TEMPERATURE |
                                 VB_THROTTLE_HW_TEMPERATURE | VB_THROTTLE_POWER_BRAKE;
  *out = (vb_gpu_state){.sm_clock = NAN, .mem_clock = NAN, .power_w = NAN, .energy_j = NAN};
  if (!nvml)
    return;
  const functions *call = &nvml->call;
  unsigned long long reasons = 0, mj = 0;
  out->sm_clock = read_clock(call->clock, nvml->device, NVML_CLOCK_SM);
  out->mem_clock = read_clock(call->clock, nvml->device, NVML_CLOCK_MEM);
  if (call->throttle && call->throttle(nvml->device, &reasons) == NVML_SUCCESS)
    out->throttle = reasons & HEEDED;
  out->power_w = read_milli(call->power, nvml->device);
  if (call->energy && call->energy(nvml->device, &mj) == NVML_SUCCESS)
    out->energy_j = 1e-3 * (double)mj;
}

void vb_nvml_record(const char *uuid, vb_gpu_record *out) {
  char why[200];
  vb_gpu_state look;
  vb_nvml *nvml = vb_nvml_open(uuid, why, sizeof why);
  vb_nvml_describe(nvml, &out->gpu);
  vb_nvml_read(nvml, &look);
  vb_nvml_close(nvml);
  out->sm_clock = look.sm_clock;
  out->mem_clock = look.mem_clock;
}

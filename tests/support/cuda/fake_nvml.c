// SPDX-License-Identifier: GPL-3.0-or-later
// A library that stands for NVIDIA's management library, built twice: as a new one, and with
// FAKE_OLD as an old one, whose functions have older names or are not there. The environment
// variable FAKE_NVML says what it answers, as words NAME=VALUE[,VALUE..]: the values of a list are
// given in turn, again and again. Error codes are those of the real one.
//
//   init, find, name, clock, reasons, power, energy, ecc, limit   =!CODE: fails with that code
//   clock=1980,1500   MHz of the multiprocessors
//   reasons=0,4       why they are throttled
//   power=250000      mW
//   energy=1000       mJ that the counter grows by with each look
//   ecc=1             on
//   mig=1             the device is a slice of one
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FAKE_OLD
#define nvmlInit_v2                            nvmlInit
#define nvmlDeviceGetHandleByIndex_v2          nvmlDeviceGetHandleByIndex
#define nvmlDeviceGetCurrentClocksEventReasons nvmlDeviceGetCurrentClocksThrottleReasons
#endif

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6 };

#define DIGITS "00010203-0405-0607-0809-0a0b0c0d0e0f"

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **out);
int nvmlDeviceGetName(void *device, char *out, unsigned size);
int nvmlDeviceGetUUID(void *device, char *out, unsigned size);
int nvmlDeviceGetClockInfo(void *device, int kind, unsigned *mhz);
int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *reasons);

/// How often each word was asked for.
static struct {
  char word[16];
  unsigned n;
} asked[16];

static unsigned count(const char *word) {
  size_t i = 0;
  while (asked[i].word[0] && strcmp(asked[i].word, word) != 0)
    i++;
  snprintf(asked[i].word, sizeof asked[i].word, "%s", word);
  return asked[i].n++;
}

/// The text after "WORD=" in the script, or null.
static const char *find(const char *word) {
  const char *script = getenv("FAKE_NVML");
  size_t length = strlen(word);
  for (const char *at = script; at && *at; at += strcspn(at, " "), at += strspn(at, " "))
    if (strncmp(at, word, length) == 0 && at[length] == '=')
      return at + length + 1;
  return NULL;
}

/// The next value that the script has for `word`, or `otherwise`; its code of failure.
static int answer(const char *word, unsigned long long otherwise, unsigned long long *out) {
  const char *list = find(word);
  *out = otherwise;
  if (!list)
    return SUCCESS;
  if (*list == '!')
    return atoi(list + 1);
  unsigned n = 1, skip;
  for (const char *c = list; *c && *c != ' '; c++)
    n += *c == ',';
  for (skip = count(word) % n; skip > 0; skip--)
    list = strchr(list, ',') + 1;
  *out = strtoull(list, NULL, 10);
  return SUCCESS;
}

static int answer_small(const char *word, unsigned otherwise, unsigned *out) {
  unsigned long long value;
  int code = answer(word, otherwise, &value);
  if (code == SUCCESS)
    *out = (unsigned)value;
  return code;
}

static const char *own_uuid(void) {
  return find("mig") ? "MIG-" DIGITS : "GPU-" DIGITS;
}

int nvmlInit_v2(void) {
  unsigned long long none;
  return answer("init", 0, &none);
}

int nvmlShutdown(void) {
  return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **out) {
  unsigned long long none;
  int code = answer("find", 0, &none);
  if (code == SUCCESS && index > 0)
    code = NOT_FOUND;
  if (code == SUCCESS)
    *out = asked;
  return code;
}

int nvmlDeviceGetName(void *device, char *out, unsigned size) {
  unsigned long long none;
  int code = answer("name", 0, &none);
  if (code == SUCCESS)
    snprintf(out, size, "%s", device ? "Fake GPU" : "no device");
  return code;
}

int nvmlDeviceGetUUID(void *device, char *out, unsigned size) {
  snprintf(out, size, "%s", device ? own_uuid() : "no device");
  return SUCCESS;
}

int nvmlDeviceGetClockInfo(void *device, int kind, unsigned *mhz) {
  (void)device;
  return kind == 1 ? answer_small("clock", 1980, mhz) : answer_small("memory", 2619, mhz);
}

int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *reasons) {
  (void)device;
  return answer("reasons", 0, reasons);
}

#ifndef FAKE_OLD
const char *nvmlErrorString(int code);
int nvmlSystemGetDriverVersion(char *out, unsigned size);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **out);
int nvmlDeviceGetEccMode(void *device, int *current, int *pending);
int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *mw);
int nvmlDeviceGetMaxClockInfo(void *device, int kind, unsigned *mhz);
int nvmlDeviceGetPowerUsage(void *device, unsigned *mw);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *mj);

const char *nvmlErrorString(int code) {
  return code == NOT_SUPPORTED ? "Not Supported"
         : code == NOT_FOUND   ? "Not Found"
                               : "Unknown Error";
}

int nvmlSystemGetDriverVersion(char *out, unsigned size) {
  snprintf(out, size, "570.00");
  return SUCCESS;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **out) {
  return strcmp(uuid, own_uuid()) == 0 ? nvmlDeviceGetHandleByIndex_v2(0, out) : NOT_FOUND;
}

int nvmlDeviceGetEccMode(void *device, int *current, int *pending) {
  unsigned long long on;
  (void)device;
  int code = answer("ecc", 1, &on);
  if (code == SUCCESS) {
    *current = (int)on;
    *pending = !on;
  }
  return code;
}

int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *mw) {
  (void)device;
  return answer_small("limit", 700000, mw);
}

int nvmlDeviceGetMaxClockInfo(void *device, int kind, unsigned *mhz) {
  (void)device;
  *mhz = kind == 1 ? 1980 : 2619;
  return SUCCESS;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *mw) {
  (void)device;
  return answer_small("power", 250000, mw);
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *mj) {
  static unsigned long long total;
  unsigned long long step;
  (void)device;
  int code = answer("energy", 1000, &step);
  if (code == SUCCESS)
    *mj = total += step;
  return code;
}
#endif

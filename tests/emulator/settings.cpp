// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace emulator {

namespace {

long number_of(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? atol(text) : otherwise;
}

Schedule schedule_of(const char *text) {
  if (!text || !*text || !strcmp(text, "lockstep"))
    return Schedule::LOCKSTEP;
  if (!strcmp(text, "lanes"))
    return Schedule::LANES;
  if (!strcmp(text, "blocks"))
    return Schedule::BLOCKS;
  fprintf(stderr, "emulator: EMULATOR_SCHEDULE=%s is none of lockstep, lanes, blocks\n", text);
  exit(2);
}

Settings read() {
  Settings s;
  s.schedule = schedule_of(getenv("EMULATOR_SCHEDULE"));
  s.seed = (unsigned)number_of("EMULATOR_SEED", 1);
  s.races = number_of("EMULATOR_RACES", 0) != 0;
  s.eager = number_of("EMULATOR_EAGER", 0) != 0;
  s.tell = number_of("EMULATOR_TELL", 0) != 0;
  s.fail = number_of("EMULATOR_FAIL", -1);
  s.fail_work = number_of("EMULATOR_FAIL_WORK", -1);
  s.devices = (int)number_of("EMULATOR_DEVICES", s.devices);
  s.multiprocessors = (int)number_of("EMULATOR_MULTIPROCESSORS", s.multiprocessors);
  s.threads = (int)number_of("EMULATOR_THREADS", s.threads);
  s.shared = (size_t)number_of("EMULATOR_SHARED", (long)s.shared);
  s.memory = (size_t)number_of("EMULATOR_MEMORY", (long)s.memory);
  return s;
}

} // namespace

Settings &settings() {
  static Settings s = read();
  return s;
}

} // namespace emulator

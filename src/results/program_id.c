// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/program_id.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sha2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/// The identity of this program or library: found once, as the digest of a file takes longer than a
/// short run. Empty where there is none.
static char program_id[65];

/// The note of a loaded object that identifies its build, as hexadecimal digits; false for none.
static bool read_build_id(const struct dl_phdr_info *object, const ElfW(Phdr) * segment) {
  const char *at = (const char *)(object->dlpi_addr + segment->p_vaddr);
  const char *end = at + segment->p_memsz;
  size_t align = segment->p_align == 8 ? 8 : 4;
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) note;
    memcpy(&note, at, sizeof note);
    size_t name = (note.n_namesz + align - 1) / align * align;
    const char *data = at + sizeof note + name;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        memcmp(at + sizeof note, "GNU", 4) == 0 && 2 * note.n_descsz < sizeof program_id) {
      for (size_t k = 0; k < note.n_descsz; k++)
        sprintf(program_id + 2 * k, "%02x", (unsigned char)data[k]);
      return true;
    }
    at = data + (note.n_descsz + align - 1) / align * align;
  }
  return false;
}

/// Stops at the object that holds this code.
static int find_own_object(struct dl_phdr_info *object, size_t size, void *data) {
  uintptr_t own = (uintptr_t)&program_id;
  bool holds = false;
  (void)size, (void)data;
  for (int k = 0; k < object->dlpi_phnum; k++) {
    const ElfW(Phdr) *s = &object->dlpi_phdr[k];
    uintptr_t from = object->dlpi_addr + s->p_vaddr;
    holds |= s->p_type == PT_LOAD && own >= from && own - from < s->p_memsz;
  }
  for (int k = 0; holds && k < object->dlpi_phnum; k++)
    if (object->dlpi_phdr[k].p_type == PT_NOTE && read_build_id(object, &object->dlpi_phdr[k]))
      break;
  return holds;
}

static void find_program_id(void) {
  dl_iterate_phdr(find_own_object, NULL);
  if (!program_id[0] && !SHA256File("/proc/self/exe", program_id))
    program_id[0] = '\0';
}

vb_status vb_program_id(char hex[65], vb_error *error) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_program_id);
  if (!program_id[0])
    return vb_error_set(error, VB_UNAVAILABLE, "cannot read the running program's file");
  memcpy(hex, program_id, 65);
  return VB_OK;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/// What makes faults of memory harder to use, read from the program's own file: addresses that
/// differ from run to run, tables of the loader that cannot be changed, guards of the stack,
/// checked copies.
#include "test.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// The program, mapped.
static const unsigned char *file;
static size_t file_bytes;

static void map_program(void) {
  const char *path = getenv("VIPERBENCH");
  struct stat found;
  int descriptor = open(path ? path : "bin/viperbench", O_RDONLY | O_CLOEXEC);
  ck_assert_msg(descriptor >= 0, "cannot open %s", path ? path : "bin/viperbench");
  ck_assert_int_eq(fstat(descriptor, &found), 0);
  file_bytes = (size_t)found.st_size;
  file = mmap(NULL, file_bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  ck_assert_ptr_ne(file, MAP_FAILED);
  close(descriptor);
  ck_assert_uint_gt(file_bytes, sizeof(Elf64_Ehdr));
  ck_assert_int_eq(memcmp(file, ELFMAG, SELFMAG), 0);
  ck_assert_int_eq(file[EI_CLASS], ELFCLASS64);
}

static const Elf64_Ehdr *head(void) {
  return (const Elf64_Ehdr *)(const void *)file;
}

/// The segment of that type, or null.
static const Elf64_Phdr *segment(uint32_t type) {
  const Elf64_Phdr *list = (const void *)(file + head()->e_phoff);
  for (size_t i = 0; i < head()->e_phnum; i++)
    if (list[i].p_type == type)
      return &list[i];
  return NULL;
}

/// The value of an entry of the dynamic section; false where there is none.
static bool find_entry(int64_t tag, uint64_t *value) {
  const Elf64_Phdr *dynamic = segment(PT_DYNAMIC);
  ck_assert_ptr_nonnull(dynamic);
  const Elf64_Dyn *entry = (const void *)(file + dynamic->p_offset);
  for (; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == tag) {
      *value = entry->d_un.d_val;
      return true;
    }
  return false;
}

#ifdef __OPTIMIZE__ // tests have the flags of the program
static const bool optimized = true;
#else
static const bool optimized = false;
#endif

/// Whether the program takes a function from a library whose name begins so.
static bool imports(const char *begin) {
  const Elf64_Shdr *sections = (const void *)(file + head()->e_shoff);
  for (size_t i = 0; i < head()->e_shnum; i++) {
    if (sections[i].sh_type != SHT_DYNSYM)
      continue;
    const char *texts = (const char *)file + sections[sections[i].sh_link].sh_offset;
    const Elf64_Sym *symbols = (const void *)(file + sections[i].sh_offset);
    for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++) {
      const char *name = texts + symbols[k].st_name;
      if (symbols[k].st_shndx == SHN_UNDEF && strncmp(name, begin, strlen(begin)) == 0)
        return true;
    }
  }
  return false;
}

/// Whether the program was built with sanitizers, which take the place of some of these.
static bool is_sanitized(void) {
  return imports("__asan_") || imports("__ubsan_") || imports("__tsan_");
}

START_TEST(addresses_differ_from_run_to_run) {
  uint64_t flags = 0;
  ck_assert_int_eq(head()->e_type, ET_DYN);
  ck_assert_ptr_nonnull(segment(PT_INTERP)); // a program, not a library
  ck_assert(find_entry(DT_FLAGS_1, &flags));
  ck_assert_msg(flags & DF_1_PIE, "DT_FLAGS_1 is 0x%llx", (unsigned long long)flags);
}
END_TEST

START_TEST(tables_of_the_loader_are_read_only) {
  uint64_t flags = 0;
  ck_assert_ptr_nonnull(segment(PT_GNU_RELRO));
  ck_assert(find_entry(DT_FLAGS_1, &flags));
  ck_assert_msg(flags & DF_1_NOW, "DT_FLAGS_1 is 0x%llx", (unsigned long long)flags);
  // Of the two ways to say it to the loader, one.
  bool now = find_entry(DT_BIND_NOW, &flags);
  ck_assert(now || (find_entry(DT_FLAGS, &flags) && (flags & DF_BIND_NOW)));
}
END_TEST

START_TEST(the_stack_is_not_executable) {
  const Elf64_Phdr *stack = segment(PT_GNU_STACK);
  ck_assert_ptr_nonnull(stack);
  ck_assert_uint_eq(stack->p_flags & PF_X, 0);
}
END_TEST

START_TEST(the_stack_is_guarded_and_copies_are_checked) {
  if (is_sanitized()) {
    vb_skip("no sanitizer", "sanitizers check copies themselves");
    return;
  }
  ck_assert_msg(imports("__stack_chk_fail"), "no guard of the stack");
  if (!optimized) {
    vb_skip("optimization", "checked copies need an optimizing compiler; this was built by -O0");
    return;
  }
  ck_assert_msg(imports("__memcpy_chk") && imports("__snprintf_chk"),
                "no checked copies: _FORTIFY_SOURCE is not in force");
}
END_TEST

/// Programs of a portable folder find its libraries beside themselves.
START_TEST(libraries_are_looked_for_beside_the_program) {
  uint64_t at;
  ck_assert(find_entry(DT_RPATH, &at));
}
END_TEST

static TCase *program(void) {
  TCase *tcase = tcase_create("program");
  tcase_add_checked_fixture(tcase, map_program, NULL);
  tcase_add_test(tcase, addresses_differ_from_run_to_run);
  tcase_add_test(tcase, tables_of_the_loader_are_read_only);
  tcase_add_test(tcase, the_stack_is_not_executable);
  tcase_add_test(tcase, the_stack_is_guarded_and_copies_are_checked);
  tcase_add_test(tcase, libraries_are_looked_for_beside_the_program);
  return tcase;
}

VB_TEST_MAIN("hardening", program())

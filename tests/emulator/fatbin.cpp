// SPDX-License-Identifier: GPL-3.0-or-later
/// What nvcc put into host objects: PTX, for drivers to compile, and machine code, of which the
/// registers of each kernel are known. Both are plain, or compressed by LZ4 or zstd.
#include "runtime.hpp"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>

namespace emulator {

namespace {

/// What a host object registers.
struct Wrapper {
  int magic, version;
  const void *data;
  void *name;
};

struct Header {
  uint32_t magic;
  uint16_t version, bytes;
  uint64_t size;
};

struct Entry {
  uint16_t kind, version;
  uint32_t header_bytes;
  uint64_t size;
  uint32_t compressed_size;
  uint32_t unknown[5];
  uint64_t flags;
  uint64_t unknown_2;
  uint64_t uncompressed_size;
};

enum { WRAPPER = 0x466243b1, PTX = 1, CODE = 2 };
constexpr uint32_t FATBIN = 0xba55ed50;
constexpr uint64_t LZ4 = 0x2000, ZSTD = 0x8000;

size_t lz4_length(const uint8_t **in, size_t nibble) {
  size_t n = nibble;
  for (uint8_t more = nibble == 15 ? 255 : 0; more == 255; n += more)
    more = *(*in)++;
  return n;
}

/// A block of LZ4: literals, then a copy of what was before, and so on.
std::string of_lz4(const uint8_t *in, size_t n, size_t out_bytes) {
  std::string out;
  out.reserve(out_bytes);
  for (const uint8_t *end = in + n; in < end;) {
    uint8_t token = *in++;
    size_t literals = lz4_length(&in, token >> 4);
    out.append((const char *)in, literals);
    in += literals;
    if (in >= end)
      break;
    size_t back = (size_t)in[0] | (size_t)in[1] << 8;
    in += 2;
    size_t copy = lz4_length(&in, token & 15) + 4;
    if (back == 0 || back > out.size())
      throw Fault("PTX in an object whose compression is broken");
    for (size_t k = 0; k < copy; k++)
      out += out[out.size() - back];
  }
  return out;
}

/// By the library of the system, which package managers need, too.
std::string of_zstd(const void *in, size_t n, size_t out_bytes) {
  using Decompress = size_t (*)(void *, size_t, const void *, size_t);
  void *library = dlopen("libzstd.so.1", RTLD_NOW);
  Decompress decompress = library ? (Decompress)dlsym(library, "ZSTD_decompress") : nullptr;
  if (!decompress)
    throw Fault("PTX in an object is compressed by zstd, and there is no libzstd.so.1");
  std::string out(out_bytes, '\0');
  if (decompress(&out[0], out_bytes, in, n) != out_bytes)
    throw Fault("PTX in an object whose compression is broken");
  return out;
}

std::string text_of(const Entry *e, const char *data) {
  if (e->flags & ZSTD)
    return of_zstd(data, e->compressed_size, e->uncompressed_size);
  if (e->flags & LZ4)
    return of_lz4((const uint8_t *)data, e->compressed_size, e->uncompressed_size);
  return std::string(data, e->size);
}

/// The first entry of a kind; empty where there is none.
std::string entry_of(const void *registered, int kind) {
  const Wrapper *w = static_cast<const Wrapper *>(registered);
  const Header *h = static_cast<const Header *>(w->data);
  if (w->magic != WRAPPER || h->magic != FATBIN)
    throw Fault("an object's kernels are stored as the emulator does not know");
  const char *at = (const char *)h + h->bytes, *end = at + h->size;
  while (at < end) {
    const Entry *e = (const Entry *)at;
    const char *data = at + e->header_bytes;
    if (e->kind == kind)
      return text_of(e, data);
    at = data + e->size;
  }
  return "";
}

template <class T> std::vector<T> table_of(const std::string &code, uint64_t at, uint64_t bytes) {
  std::vector<T> out;
  if (at <= code.size() && bytes <= code.size() - at) {
    out.resize(bytes / sizeof(T));
    memcpy(out.data(), code.data() + at, out.size() * sizeof(T));
  }
  return out;
}

std::string text_at(const std::string &code, uint64_t at) {
  return at < code.size() ? code.c_str() + at : "";
}

/// Symbols of functions and their registers, from the section of attributes of machine code. An
/// attribute is a format, a kind and a value of two bytes, which in one format is the length of
/// what follows.
std::vector<std::pair<uint32_t, uint32_t>> register_counts(const std::string &code, uint64_t at,
                                                           uint64_t bytes) {
  enum { SIZED = 4, REGISTERS = 0x2f };
  std::vector<std::pair<uint32_t, uint32_t>> out;
  std::vector<uint8_t> info = table_of<uint8_t>(code, at, bytes);
  for (size_t k = 0; k + 4 <= info.size();) {
    size_t follow = info[k] == SIZED ? info[k + 2] | (size_t)info[k + 3] << 8 : 0;
    if (info[k + 1] == REGISTERS && follow == 8 && k + 12 <= info.size()) {
      uint32_t pair[2];
      memcpy(pair, &info[k + 4], sizeof pair);
      out.push_back({pair[0], pair[1]});
    }
    k += 4 + follow;
  }
  return out;
}

} // namespace

std::string ptx_of_object(const void *registered) {
  std::string text = entry_of(registered, PTX);
  if (text.empty())
    throw Fault("an object has no PTX");
  return text;
}

void note_registers(const void *registered, Module *module) {
  std::string code = entry_of(registered, CODE);
  Elf64_Ehdr head;
  if (code.size() < sizeof head)
    return;
  memcpy(&head, code.data(), sizeof head);
  std::vector<Elf64_Shdr> sections =
      table_of<Elf64_Shdr>(code, head.e_shoff, head.e_shnum * sizeof(Elf64_Shdr));
  std::vector<Elf64_Sym> symbols;
  size_t names = 0;
  for (const Elf64_Shdr &s : sections)
    if (s.sh_type == SHT_SYMTAB && s.sh_link < sections.size()) {
      symbols = table_of<Elf64_Sym>(code, s.sh_offset, s.sh_size);
      names = sections[s.sh_link].sh_offset;
    }
  for (const Elf64_Shdr &s : sections)
    if (head.e_shstrndx < sections.size() &&
        text_at(code, sections[head.e_shstrndx].sh_offset + s.sh_name) == ".nv.info")
      for (const auto &[symbol, registers] : register_counts(code, s.sh_offset, s.sh_size))
        if (symbol < symbols.size())
          if (auto k = module->kernels.find(text_at(code, names + symbols[symbol].st_name));
              k != module->kernels.end())
            k->second.registers = (int)registers;
}

} // namespace emulator

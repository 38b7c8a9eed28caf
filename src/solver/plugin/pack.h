// SPDX-License-Identifier: GPL-3.0-or-later
/// Serializes plain values into a block of bytes, for descriptions and options that are sent
/// between processes.
#ifndef VB_SOLVER_PLUGIN_PACK_H
#define VB_SOLVER_PLUGIN_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// A block that is written or read from its beginning. Once something did not fit, or was not
/// there, `broken` stays true, nothing more is written, and all that is read is 0 or "".
typedef struct vb_pack {
  char *bytes;
  size_t size;
  size_t at;
  bool broken;
} vb_pack;

static inline void vb_pack_bytes(vb_pack *pack, const void *value, size_t size) {
  if (pack->broken || size > pack->size - pack->at) {
    pack->broken = true;
    return;
  }
  memcpy(pack->bytes + pack->at, value, size);
  pack->at += size;
}

static inline void vb_pack_whole(vb_pack *pack, uint64_t value) {
  vb_pack_bytes(pack, &value, sizeof value);
}

static inline void vb_pack_number(vb_pack *pack, double value) {
  vb_pack_bytes(pack, &value, sizeof value);
}

/// A null is distinct from an empty text.
static inline void vb_pack_text(vb_pack *pack, const char *text) {
  vb_pack_whole(pack, text != NULL);
  if (text)
    vb_pack_bytes(pack, text, strlen(text) + 1);
}

static inline void vb_unpack_bytes(vb_pack *pack, void *out, size_t size) {
  memset(out, 0, size);
  if (pack->broken || size > pack->size - pack->at) {
    pack->broken = true;
    return;
  }
  memcpy(out, pack->bytes + pack->at, size);
  pack->at += size;
}

static inline uint64_t vb_unpack_whole(vb_pack *pack) {
  uint64_t value;
  vb_unpack_bytes(pack, &value, sizeof value);
  return value;
}

static inline double vb_unpack_number(vb_pack *pack) {
  double value;
  vb_unpack_bytes(pack, &value, sizeof value);
  return value;
}

/// A number of things of which each takes eight bytes or more in what is left.
static inline size_t vb_unpack_count(vb_pack *pack) {
  uint64_t n = vb_unpack_whole(pack);
  if (n > (pack->size - pack->at) / 8) {
    pack->broken = true;
    return 0;
  }
  return (size_t)n;
}

/// A text in the block itself, or null.
static inline const char *vb_unpack_text(vb_pack *pack) {
  if (!vb_unpack_whole(pack))
    return pack->broken ? "" : NULL;
  char *text = pack->bytes + pack->at;
  const char *end = memchr(text, '\0', pack->size - pack->at);
  if (!end) {
    pack->broken = true;
    return "";
  }
  pack->at += (size_t)(end - text) + 1;
  return text;
}

#endif

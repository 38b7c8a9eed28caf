// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/cpu/core/panels.h"

#include <stdlib.h>
#include <string.h>

static int32_t first_column(const viper_model_body *b) {
  return b->first_node + b->first_segment;
}

static int32_t end_column(const viper_model_body *b) {
  return first_column(b) + b->n_nodes + b->n_segments;
}

static int32_t least(int32_t a, int32_t b) {
  return a < b ? a : b;
}

/// Whether a body is a long chain that falls into partitions; finds how it lies.
static bool find_chain(const viper_model *m, const viper_elimination *e, int32_t body,
                       viper_panel_chain *out) {
  const viper_model_body *b = &m->body[body];
  if (e->top[body] == end_column(b) || !viper_chain_find(m, body, &out->segments, &out->joints))
    return false;
  for (int32_t p = first_column(b); p < end_column(b); p++)
    if (e->first_block[p + 1] > e->first_block[p] &&
        e->row[e->first_block[p + 1] - 1] >= p + VIPER_PANEL_REACH)
      return false;
  out->first_partition = e->partition[e->column_of[b->first_node]];
  for (int32_t i = 0; i < b->n_nodes; i++)
    if (e->column_of[b->first_node + i] == end_column(b) - 1)
      out->root = i;
  return out->first_partition < VIPER_MAX_PARTITIONS;
}

/// Columns and blocks of a room.
typedef struct room_size {
  size_t columns, blocks;
} room_size;

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

static size_t blocks_between(const viper_elimination *e, int32_t from, int32_t to) {
  return (size_t)(e->first_block[to] - e->first_block[from]);
}

/// What any panel of a model needs, with what is around it.
static room_size size_panel(const viper_model *m, const viper_elimination *e) {
  room_size out = {VIPER_PANEL_COLUMNS + 3 * VIPER_PANEL_REACH, 0};
  for (size_t k = 0; k < m->n_bodies; k++) {
    const int32_t end = end_column(&m->body[k]);
    for (int32_t p = first_column(&m->body[k]); p < end; p++)
      out.blocks = larger(blocks_between(e, p, least(end, p + (int32_t)out.columns)), out.blocks);
  }
  return out;
}

/// What the top of any body needs, with the columns before it that act on it.
static room_size size_top(const viper_model *m, const viper_elimination *e) {
  room_size out = {0, 0};
  for (size_t k = 0; k < m->n_bodies; k++) {
    const int32_t end = end_column(&m->body[k]), begin = e->top[k] - 2 * VIPER_PANEL_REACH;
    out.columns = larger((size_t)(end - begin), out.columns);
    out.blocks = larger(blocks_between(e, begin, end), out.blocks);
  }
  return out;
}

/// Diagonals and blocks in the columns of a partition that a panel begins with, at most.
static size_t count_begun(const viper_model *m, const viper_elimination *e) {
  size_t most = 0;
  for (size_t k = 0; k < m->n_bodies; k++) {
    const int32_t first = first_column(&m->body[k]), end = end_column(&m->body[k]);
    for (int32_t begin = first; begin < end; begin += VIPER_PANEL_COLUMNS) {
      size_t n[VIPER_MAX_PARTITIONS] = {0};
      for (int32_t p = begin; p < least(end, begin + VIPER_PANEL_REACH); p++)
        if (e->partition[p] != VIPER_TOP)
          n[e->partition[p]] += 1 + blocks_between(e, p, p + 1);
      for (int partition = 0; partition < VIPER_MAX_PARTITIONS; partition++)
        most = larger(n[partition], most);
    }
  }
  return most;
}

static size_t most_panels(const viper_model *m) {
  size_t most = 0;
  for (size_t k = 0; k < m->n_bodies; k++) {
    size_t n = ((size_t)m->body[k].n_nodes + (size_t)m->body[k].n_segments) / VIPER_PANEL_COLUMNS;
    most = larger(n + 1, most);
  }
  return most;
}

/// Lays out all numbers in one block, which begins at the first room; returns how many there are.
static size_t lay(viper_panels *s, viper_scalar *block, const viper_model *m,
                  const viper_elimination *e) {
  const room_size panel = size_panel(m, e), top = size_top(m, e);
  size_t at = 0;
  s->stride = 16 * count_begun(m, e);
  for (int partition = 0; partition <= VIPER_MAX_PARTITIONS; partition++) {
    const room_size size = partition < VIPER_MAX_PARTITIONS ? panel : top;
    viper_panel_room *room = &s->room[partition];
    room->diagonal = block ? block + at : NULL;
    room->block = block ? room->diagonal + 16 * size.columns : NULL;
    room->gradient = block ? room->block + 16 * size.blocks : NULL;
    at += 16 * (size.columns + size.blocks) + 4 * size.columns;
    at = (at + 15) / 16 * 16;
    if (partition == VIPER_MAX_PARTITIONS)
      break;
    s->begun[partition] = block ? block + at : NULL;
    at += most_panels(m) * s->stride;
  }
  return at;
}

vb_status viper_panels_create(const viper_model *m, const viper_elimination *e, viper_panels **out,
                              vb_error *error) {
  viper_panels *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return vb_error_memory(error);
  s->chain = calloc(m->n_bodies + 1, sizeof *s->chain);
  bool chains = s->chain != NULL && m->n_bodies > 0;
  for (size_t k = 0; chains && k < m->n_bodies; k++)
    chains = find_chain(m, e, (int32_t)k, &s->chain[k]);
  bool memory = s->chain != NULL;
  if (chains) {
    size_t size = lay(s, NULL, m, e) * sizeof(viper_scalar);
    viper_scalar *block = aligned_alloc(64, (size + 63) / 64 * 64);
    memory = block != NULL;
    if (block)
      memset(block, 0, size);
    lay(s, block, m, e);
  }
  if (!memory || !chains) {
    viper_panels_destroy(s);
    return memory ? VB_OK : vb_error_memory(error);
  }
  *out = s;
  return VB_OK;
}

void viper_panels_destroy(viper_panels *s) {
  if (!s)
    return;
  free(s->room[0].diagonal); // the first array of the block
  free(s->chain);
  free(s);
}

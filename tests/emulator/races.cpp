// SPDX-License-Identifier: GPL-3.0-or-later
#include "races.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace emulator {

uint64_t Races::found, Races::same_values;
std::string Races::first;

void Races::begin(int first, int n_threads) {
  first_ = first;
  seen_.assign((size_t)n_threads, std::make_shared<Clock>((size_t)n_threads, 0));
  time_.assign((size_t)n_threads, 1);
  released_.clear();
}

Races::Cell *Races::Cells::at(uintptr_t number) {
  uintptr_t page = number / PAGE;
  auto &latest = latest_[page % LATEST];
  if (latest.page != page) {
    auto &cells = pages_[page];
    if (!cells)
      cells = std::make_unique<Cell[]>(PAGE);
    latest.page = page;
    latest.cells = cells.get();
  }
  return &latest.cells[number % PAGE];
}

/// Reports an earlier access unless it happened before.
void Races::check(const Moment &m, const Access &access, bool same) {
  if (m.thread == access.thread || (m.strong && access.strong))
    return;
  bool together = m.thread >= first_ && m.thread < first_ + (int)seen_.size();
  if (!together || (*seen_[(size_t)(access.thread - first_)])[(size_t)(m.thread - first_)] < m.time)
    report(m, access, same);
}

void Races::report(const Moment &m, const Access &access, bool same) {
  (same ? same_values : found)++;
  if (same || !told_.insert({m.line, access.line}).second)
    return;
  char text[512];
  snprintf(text, sizeof text, "race in %s: thread %d at line %d, thread %d at line %d",
           kernel_.c_str(), m.thread, m.line, access.thread, access.line);
  if (first.empty())
    first = text;
  if (told_.size() <= 4)
    fprintf(stderr, "emulator: %s\n", text);
}

void Races::note_cell(Cell *cell, const Access &access, bool same) {
  Moment now = {access.thread, time_[(size_t)(access.thread - first_)], access.line, access.strong};
  if (cell->write.thread >= 0)
    check(cell->write, access, same);
  if (access.write) {
    for (int k = 0; k < cell->n_reads; k++)
      check(cell->read[k], access, same);
    cell->n_reads = 0;
    cell->write = now;
    return;
  }
  int k = 0; // in place of an earlier read by the same thread, or of one that happened before
  auto earlier = [&](const Moment &m) {
    return m.thread == access.thread ||
           (m.thread >= first_ && m.thread < first_ + (int)seen_.size() &&
            (*seen_[(size_t)(access.thread - first_)])[(size_t)(m.thread - first_)] >= m.time);
  };
  while (k < cell->n_reads && !earlier(cell->read[k]))
    k++;
  if (k < 3) {
    cell->read[k] = now;
    cell->n_reads = std::max(cell->n_reads, k + 1);
  }
}

void Races::note(const Access &access) {
  bool whole = access.at % 4 == 0 && access.bytes % 4 == 0;
  for (size_t k = 0; k < access.bytes;) {
    uintptr_t at = access.at + k;
    Cell *word = words_.at(at / 4);
    size_t step = 4 - at % 4 < access.bytes - k ? 4 - at % 4 : access.bytes - k;
    bool same = access.write &&
                memcmp((const char *)access.value + k, (const char *)access.now + k, step) == 0;
    if (whole && !word->split) {
      note_cell(word, access, same);
    } else {
      if (!word->split) { // each byte inherits what was noted of the word
        word->split = true;
        for (uintptr_t b = 0; b < 4; b++)
          *bytes_.at(at / 4 * 4 + b) = *word;
      }
      for (size_t b = 0; b < step; b++)
        note_cell(bytes_.at(at + b), access, same);
    }
    k += step;
  }
}

void Races::meet(const std::vector<int> &threads) {
  auto all = std::make_shared<Clock>(*seen_[(size_t)(threads[0] - first_)]);
  const Clock *latest = nullptr;
  for (int t : threads) {
    const Clock *clock = seen_[(size_t)(t - first_)].get();
    if (clock != latest)
      for (size_t k = 0; k < all->size(); k++)
        (*all)[k] = std::max((*all)[k], (*clock)[k]);
    latest = clock;
  }
  for (int t : threads)
    (*all)[(size_t)(t - first_)] = time_[(size_t)(t - first_)]++;
  for (int t : threads)
    seen_[(size_t)(t - first_)] = all;
}

void Races::release(int thread, uintptr_t at) {
  size_t t = (size_t)(thread - first_);
  auto clock = std::make_shared<Clock>(*seen_[t]);
  (*clock)[t] = time_[t]++;
  auto &earlier = released_[at];
  if (earlier)
    for (size_t k = 0; k < clock->size(); k++)
      (*clock)[k] = std::max((*clock)[k], (*earlier)[k]);
  earlier = clock;
}

void Races::acquire(int thread, uintptr_t at) {
  auto found = released_.find(at);
  if (found == released_.end())
    return;
  auto &seen = seen_[(size_t)(thread - first_)];
  auto both = std::make_shared<Clock>(*seen);
  for (size_t k = 0; k < both->size(); k++)
    (*both)[k] = std::max((*both)[k], (*found->second)[k]);
  seen = both;
}

} // namespace emulator

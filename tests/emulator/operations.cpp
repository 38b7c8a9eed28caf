// SPDX-License-Identifier: GPL-3.0-or-later
/// What instructions do, by their names.
#include "lanes.hpp"

namespace emulator {

// In access.cpp
Handler load_for(const Instruction &in);
Handler store_for(const Instruction &in);
Handler atomic_for(const Instruction &in);

namespace {

void nothing(Warp &, const Instruction &, uint32_t) {}

const Makers &other_makers() {
  static const Makers makers = {
      {"nop", always<nothing>}, {"ld", load_for}, {"st", store_for}, {"atom", atomic_for}};
  return makers;
}

} // namespace

Handler handler_of(const std::string &operation, const Instruction &in) {
  for (const Makers *makers :
       {&arithmetic_makers(), &bit_makers(), &compare_makers(), &convert_makers(), &other_makers()})
    if (auto found = makers->find(operation); found != makers->end())
      return found->second(in);
  return nullptr;
}

} // namespace emulator

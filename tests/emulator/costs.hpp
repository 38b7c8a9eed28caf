// SPDX-License-Identifier: GPL-3.0-or-later
/// What instructions of PTX take on a machine, as those that the driver makes of them.
#ifndef VB_TESTS_EMULATOR_COSTS_HPP
#define VB_TESTS_EMULATOR_COSTS_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace emulator {

struct Instruction;

/// The machine's instructions for one of PTX: how many are issued, and how many of these wait for
/// each other; each number by unit.
struct Cost {
  uint8_t plain = 1, in_double = 0, special = 0;
  uint8_t plain_chain = 1, double_chain = 0, special_chain = 0;

  int issued() const { return plain + in_double + special; }
};

/// That of an operation by its name ("div", "mul.wide"); exact: the division or root is rounded
/// correctly, not approximate.
Cost cost_of(const std::string &operation, const Instruction &in, bool exact);

/// Products that are read by one sum alone are part of it: the compiler makes one instruction of
/// both, where neither is told how to round.
void contract(std::vector<Instruction> *code);

} // namespace emulator

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/// Numbers of instructions are those of machine code for sm_90 by CUDA 13.0, on the path that
/// normal numbers take.
#include "costs.hpp"

#include "ptx.hpp"

#include <map>
#include <set>

namespace emulator {

namespace {

/// Moves and conversions of addresses become operands of other instructions.
const Cost NOTHING = {0, 0, 0, 0, 0, 0}, PLAIN = {}, TWO = {2, 0, 0, 2, 0, 0},
           FOUR = {4, 0, 0, 3, 0, 0}, IN_DOUBLE = {0, 1, 0, 0, 1, 0}, SPECIAL = {0, 0, 1, 0, 0, 1};

/// Each begins with an approximation by the unit of special functions, which Newton steps refine.
const std::map<std::string, Cost> in_float = {
    {"div", {10, 0, 1, 6, 0, 1}}, {"sqrt", {10, 0, 1, 5, 0, 1}}, {"rcp", {9, 0, 1, 5, 0, 1}}};
const std::map<std::string, Cost> in_double = {
    {"div", {9, 8, 1, 3, 8, 1}}, {"sqrt", {10, 8, 1, 4, 7, 1}}, {"rcp", {6, 5, 1, 3, 5, 1}}};

bool is_float(Type t) {
  return t == Type::F32 || t == Type::F64;
}

/// Between integers and floats, and from one precision to the other.
Cost of_conversion(const Instruction &in) {
  if (in.type == Type::F64 || in.from == Type::F64)
    return IN_DOUBLE;
  return is_float(in.type) != is_float(in.from) ? SPECIAL : PLAIN;
}

Cost of_integer(const std::string &op, const Instruction &in) {
  bool wide = bytes_of(in.type) == 8;
  if (op == "div" || op == "rem")
    return wide ? Cost{60, 0, 3, 40, 0, 3} : Cost{18, 0, 3, 11, 0, 3};
  if (op == "mul" || op == "mad")
    return wide ? FOUR : PLAIN;
  return wide ? TWO : PLAIN;
}

} // namespace

Cost cost_of(const std::string &op, const Instruction &in, bool exact) {
  if (op == "mov" || op == "pack" || op == "unpack" || op.rfind("cvta", 0) == 0 || op == "nop")
    return NOTHING;
  if (op == "cvt")
    return of_conversion(in);
  if (!is_float(in.type))
    return of_integer(op, in);
  const auto &sequences = in.type == Type::F64 ? in_double : in_float;
  if (auto found = sequences.find(op); exact && found != sequences.end())
    return found->second;
  for (const char *name : {"div", "sqrt", "rcp", "rsqrt", "sin", "cos", "ex2", "lg2"})
    if (op == name)
      return SPECIAL;
  return in.type == Type::F64 && op != "selp" && op != "neg" && op != "abs" ? IN_DOUBLE : PLAIN;
}

void contract(std::vector<Instruction> *code) {
  std::map<Register, int> reads, writes;
  std::set<int> begins; // of blocks
  for (size_t k = 0; k < code->size(); k++) {
    const Instruction &in = (*code)[k];
    reads[in.predicate]++;
    for (Register r : in.src)
      reads[r]++;
    for (Register r : in.dst)
      writes[r]++;
    if (in.kind != Kind::PLAIN)
      begins.insert((int)k + 1);
    if (in.target >= 0)
      begins.insert(in.target);
  }
  std::map<Register, Instruction *> product; // of this block, to be read
  for (size_t k = 0; k < code->size(); k++) {
    Instruction &in = (*code)[k];
    if (begins.count((int)k))
      product.clear();
    if (!in.contracts || in.predicate != NO_REGISTER)
      continue;
    if (!in.is_sum) {
      if (reads[in.dst[0]] == 1 && writes[in.dst[0]] == 1)
        product[in.dst[0]] = &in;
      continue;
    }
    for (Register r : in.src)
      if (auto found = product.find(r); found != product.end() &&
                                        found->second->flush == in.flush &&
                                        found->second->type == in.type) {
        found->second->cost = NOTHING;
        break;
      }
  }
}

} // namespace emulator

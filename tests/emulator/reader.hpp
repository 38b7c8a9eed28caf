// SPDX-License-Identifier: GPL-3.0-or-later
/// The code of a kernel as it is read: operands.cpp resolves what instructions name,
/// instructions.cpp reads one instruction, parser.cpp the statements of a body.
#ifndef VB_TESTS_EMULATOR_READER_HPP
#define VB_TESTS_EMULATOR_READER_HPP

#include "ptx.hpp"
#include "text.hpp"

#include <unordered_map>

namespace emulator {

/// Bytes of a lane.
size_t slot_of(Type type);

/// Reads the code of one kernel.
class Reader {
public:
  explicit Reader(Kernel *kernel) : k_(*kernel) {}
  void read();

private:
  template <class T> using Named = std::unordered_map<std::string, T>;
  void statements(const std::string &body, int line);
  void resolve(size_t first);
  void place();
  void call(const Words &o);
  Register take(size_t bytes);
  Register constant(uint64_t value, Type type);
  Register special(const std::string &name, Type type);
  Register named(const std::string &name, Type type);
  Register number(const std::string &text, Type type);
  Register operand(const std::string &text, Type type);
  void declare(const std::string &rest);
  size_t declare_array(const std::string &text, size_t end, Named<size_t> *at);
  void directive(const std::string &text);
  void statement(std::string text, int line);
  struct Opcode {
    Words words;
    Instruction in; ///< what these words say of it
  };
  static const Opcode &opcode(const std::string &text);
  void operation(Instruction *in, const Words &head, const Words &o);
  Register low_half(const Instruction &of, Register wide);
  void plain(Instruction *in, const Words &head, const Words &o);
  void move(Instruction *in, const Words &o);
  void address(Instruction *in, const std::string &text);
  uint8_t vector(const std::string &text, Type type, Register *out);
  void access(Instruction *in, const Words &o, bool load);
  void atomic(Instruction *in, const Words &o, bool returns);
  void barrier(Instruction *in, const Words &head, const Words &o);
  void vote(Instruction *in, const Words &o);
  void shuffle(Instruction *in, const Words &o);
  bool synchronizes(Instruction *in, const Words &head, const Words &o);
  [[noreturn]] void unknown(const std::string &what);

  Kernel &k_;
  int line_ = 0, depth_ = 0; ///< of calls
  Named<Register> known_;    ///< constants, specials, addresses
  std::vector<Named<Register>> scopes_{1};
  std::unordered_map<Register, size_t> width_; ///< bytes of a value
  Named<size_t> ranges_;                       ///< %r of %r<33>: bytes
  Named<size_t> shared_, local_;
  Named<int> labels_;
  std::vector<std::pair<size_t, std::string>> jumps_;
};

} // namespace emulator

#endif

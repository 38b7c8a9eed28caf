// SPDX-License-Identifier: GPL-3.0-or-later
/// Kernels as the emulator has them: PTX, parsed, with registers and labels resolved.
#ifndef VB_TESTS_EMULATOR_PTX_HPP
#define VB_TESTS_EMULATOR_PTX_HPP

#include "costs.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace emulator {

enum { WARP = 32 };

/// What a kernel or a call did wrong, or what the emulator does not know.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Type : uint8_t {
  NONE,
  PRED,
  B8,
  U8,
  S8,
  B16,
  U16,
  S16,
  B32,
  U32,
  S32,
  F32,
  B64,
  U64,
  S64,
  F64
};

/// Bytes of a value in memory.
size_t bytes_of(Type type);
/// A type by its name in PTX ("u32"); NONE where it is none.
Type type_of(const std::string &name);

enum class Compare : uint8_t { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NAN_ };
enum class Space : uint8_t { GENERIC, GLOBAL, SHARED, PARAM };
enum class Round : uint8_t { NONE, ZERO, DOWN, UP, NEAREST };
enum class Atomic : uint8_t { ADD, MIN, MAX, AND, OR, XOR, EXCHANGE, COMPARE };
enum class Shuffle : uint8_t { INDEX, UP, DOWN, BUTTERFLY };
enum class Vote : uint8_t { BALLOT, ANY, ALL };
enum class Order : uint8_t { WEAK, VOLATILE, RELAXED, ACQUIRE, RELEASE, BOTH };

/// What the scheduler does with an instruction; all but PLAIN may end the turn of a group of lanes.
enum class Kind : uint8_t {
  PLAIN,
  BRANCH,
  EXIT,
  TRAP,
  BLOCK_BARRIER,
  BLOCK_VOTE,
  WARP_BARRIER,
  VOTE,
  SHUFFLE,
  MATCH
};

struct Warp;
struct Instruction;
/// Has those lanes of a warp whose bits are set execute an instruction.
using Handler = void (*)(Warp &warp, const Instruction &in, uint32_t lanes);

/// A register is where its 32 values begin among a warp's registers, in bytes.
using Register = int32_t;
constexpr Register NO_REGISTER = -1;

struct Instruction {
  Handler run = nullptr;
  Kind kind = Kind::PLAIN;
  Type type = Type::NONE, from = Type::NONE; ///< of the result; of what is converted
  Compare compare = Compare::EQ;
  Space space = Space::GENERIC;
  Round round = Round::NONE;
  Atomic atomic = Atomic::ADD;
  Shuffle shuffle = Shuffle::INDEX;
  Vote vote = Vote::BALLOT;
  Order order = Order::WEAK;
  uint8_t n = 1;                  ///< values of a vector
  bool flush = false;             ///< subnormal numbers are 0
  bool saturate = false;          ///< to [0, 1]
  bool predicate_negated = false; ///< it is done by lanes whose predicate is false
  bool source_negated = false;    ///< of a vote
  bool contracts = false;         ///< a product or sum that the driver's compiler may make one of
  bool is_sum = false;            ///< of these two, the sum
  bool narrow = false;            ///< the address is of 32 bits
  bool wide = false;              ///< the value is in registers of 64 bits, though it has fewer
  bool aligned = false;           ///< a barrier that all lanes of a warp must meet together
  Register predicate = NO_REGISTER;
  Register dst[4] = {NO_REGISTER, NO_REGISTER, NO_REGISTER, NO_REGISTER};
  Register src[5] = {NO_REGISTER, NO_REGISTER, NO_REGISTER, NO_REGISTER, NO_REGISTER};
  int64_t offset = 0; ///< of an address, whose register is src[4]
  int32_t target = -1;
  int32_t line = 0; ///< in the PTX
  Cost cost;
  uint32_t code = 0; ///< where its machine code would begin, in bytes
};

struct Parameter {
  std::string name;
  size_t offset, bytes;
};

/// Zeroed memory. Of a large one only the pages that are used take time: most registers of a kernel
/// are of code that a warp does not come to.
struct Room {
  std::unique_ptr<char, decltype(&free)> at{nullptr, free};
  size_t bytes = 0;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  size_t parameter_bytes = 0;
  int most_threads = 1024;
  int fewest_blocks = 1; ///< of so many threads, for which a multiprocessor must have registers
  int registers = 0;     ///< of a thread, as the compiler allotted them; 0 where that is not known
  size_t static_shared = 0; ///< bytes
  size_t local = 0;         ///< bytes of each thread
  std::vector<Instruction> code;
  size_t code_bytes = 0;          ///< of machine code, about
  mutable std::vector<char> done; ///< whether any lane has done it, by instruction
  size_t register_bytes = 0;      ///< of a warp
  struct Constant {               ///< a register that nothing writes
    Register at;
    uint64_t value;
    size_t bytes;
  };
  std::vector<Constant> constants;
  /// Registers of blocks that have ended, for those that begin: they have the constants.
  mutable std::vector<Room> idle_registers;
  struct Special {
    Register at;
    std::string name; ///< "%tid.x"; "%shared" is where dynamic shared memory begins
  };
  std::vector<Special> specials;
  struct Address {
    Register at;
    size_t offset; ///< of a parameter
  };
  std::vector<Address> addresses;
  std::vector<Address> variables; ///< of the module, in its memory
  struct Module *module = nullptr;
  // Until it is first asked for
  std::string body;
  int body_line = 0;
};

/// A function that kernels call: it is read in their place, at each call.
struct Callee {
  std::vector<std::string> parameters; ///< what it returns comes first
  std::string body;
  int body_line = 0;
};

/// A module of kernels; variables are zero unless they are written.
struct Module {
  int target = 0; ///< 90 of sm_90
  std::map<std::string, Kernel> kernels;
  std::map<std::string, Callee> callees;
  std::vector<std::string> dynamic_shared; ///< names of extern shared arrays
  std::map<std::string, size_t> variables; ///< offsets
  std::vector<char> initial;               ///< what variables begin as
  char *memory = nullptr;                  ///< of variables, on the device, once loaded
};

/// Reads the kernels of a module; their code is read when they are asked for.
void read_module(const std::string &text, Module *out);
/// Reads the code of a kernel unless that is done. Throws a Fault at what is not known.
void read_code(Kernel *kernel);
/// A handler of an operation, named as in PTX without types; null where there is none.
Handler handler_of(const std::string &operation, const Instruction &in);

} // namespace emulator

#endif

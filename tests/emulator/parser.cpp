// SPDX-License-Identifier: GPL-3.0-or-later
/// PTX to kernels: directives, operands, registers and labels. What each opcode means is in
/// operations.cpp, but for those that the scheduler handles.
#include "ptx.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace emulator {

namespace {

using Words = std::vector<std::string>;

std::string trim(const std::string &s) {
  size_t a = s.find_first_not_of(" \t\r\n"), b = s.find_last_not_of(" \t\r\n");
  return a == std::string::npos ? "" : s.substr(a, b - a + 1);
}

Words split(const std::string &s, char at) {
  Words out;
  std::string word;
  std::istringstream in(s);
  while (std::getline(in, word, at))
    out.push_back(word);
  return out;
}

/// What commas separate outside of brackets.
Words operands_of(const std::string &s) {
  Words out;
  std::string word;
  int depth = 0;
  for (char c : s) {
    depth += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
    if (c == ',' && depth == 0) {
      out.push_back(trim(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!trim(word).empty())
    out.push_back(trim(word));
  return out;
}

bool has(const Words &words, const char *word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// That of a table which is among the words, or what there is otherwise.
template <class T>
T one_of(const Words &words, const std::map<std::string, T> &table, T otherwise) {
  for (const std::string &word : words)
    if (auto found = table.find(word); found != table.end())
      return found->second;
  return otherwise;
}

const std::map<std::string, Compare> compares = {
    {"eq", Compare::EQ},   {"ne", Compare::NE},   {"lt", Compare::LT},   {"le", Compare::LE},
    {"gt", Compare::GT},   {"ge", Compare::GE},   {"lo", Compare::LT},   {"ls", Compare::LE},
    {"hi", Compare::GT},   {"hs", Compare::GE},   {"equ", Compare::EQU}, {"neu", Compare::NEU},
    {"ltu", Compare::LTU}, {"leu", Compare::LEU}, {"gtu", Compare::GTU}, {"geu", Compare::GEU},
    {"num", Compare::NUM}, {"nan", Compare::NAN_}};
const std::map<std::string, Space> spaces = {{"global", Space::GLOBAL},
                                             {"shared", Space::SHARED},
                                             {"shared::cta", Space::SHARED},
                                             {"param", Space::PARAM}};
const std::map<std::string, Round> rounds = {
    {"rzi", Round::ZERO}, {"rmi", Round::DOWN}, {"rpi", Round::UP}, {"rni", Round::NEAREST}};
const std::map<std::string, Atomic> atomics = {
    {"add", Atomic::ADD},       {"min", Atomic::MIN},    {"max", Atomic::MAX},
    {"and", Atomic::AND},       {"or", Atomic::OR},      {"xor", Atomic::XOR},
    {"exch", Atomic::EXCHANGE}, {"cas", Atomic::COMPARE}};
const std::map<std::string, Shuffle> shuffles = {{"idx", Shuffle::INDEX},
                                                 {"up", Shuffle::UP},
                                                 {"down", Shuffle::DOWN},
                                                 {"bfly", Shuffle::BUTTERFLY}};
const std::map<std::string, Vote> votes = {
    {"ballot", Vote::BALLOT}, {"any", Vote::ANY}, {"all", Vote::ALL}};
const std::map<std::string, Order> orders = {{"volatile", Order::VOLATILE},
                                             {"relaxed", Order::RELAXED},
                                             {"acquire", Order::ACQUIRE},
                                             {"release", Order::RELEASE},
                                             {"acq_rel", Order::BOTH}};

/// The code of one kernel as it is read.
class Reader {
public:
  explicit Reader(Kernel *kernel) : k_(*kernel) {}
  void read();

private:
  void statements(const std::string &body, int line);
  void resolve(size_t first);
  void call(const Words &o);
  Register take(size_t bytes);
  Register constant(uint64_t value, Type type);
  Register special(const std::string &name, Type type);
  Register named(const std::string &name, Type type);
  Register number(const std::string &text, Type type);
  Register operand(const std::string &text, Type type);
  void declare(const std::string &rest);
  size_t declare_array(const std::string &text, size_t end, std::map<std::string, size_t> *at);
  void directive(const std::string &text);
  void statement(std::string text, int line);
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
  size_t n_constants_ = 0;
  struct Constant {
    Register at;
    uint64_t value;
    size_t bytes;
  };
  std::vector<Constant> constants_;
  std::map<std::string, Register> known_; ///< constants, specials, addresses
  std::vector<std::map<std::string, Register>> scopes_{1};
  std::map<Register, size_t> width_;     ///< bytes of a value
  std::map<std::string, size_t> ranges_; ///< %r of %r<33>: bytes
  std::map<std::string, size_t> shared_, local_;
  std::map<std::string, int> labels_;
  std::vector<std::pair<size_t, std::string>> jumps_;
};

void Reader::unknown(const std::string &what) {
  throw Fault(what + ", which the emulator does not know (line " + std::to_string(line_) +
              " of the PTX of " + k_.name + ")");
}

/// Bytes of a lane.
size_t slot_of(Type type) {
  return bytes_of(type) == 8 ? 8 : 4;
}

Register Reader::take(size_t bytes) {
  k_.register_bytes = (k_.register_bytes + 63) / 64 * 64;
  Register at = (Register)k_.register_bytes;
  k_.register_bytes += WARP * bytes;
  width_[at] = bytes;
  return at;
}

Register Reader::constant(uint64_t value, Type type) {
  size_t bytes = slot_of(type);
  std::string key = "#" + std::to_string(value) + (bytes == 8 ? "l" : "");
  auto found = known_.find(key);
  if (found != known_.end())
    return found->second;
  Register at = take(bytes);
  constants_.push_back({at, value, bytes});
  return known_[key] = at;
}

Register Reader::special(const std::string &name, Type type) {
  auto found = known_.find(name);
  if (found != known_.end())
    return found->second;
  Register at = take(slot_of(type));
  k_.specials.push_back({at, name});
  return known_[name] = at;
}

/// What is not a register: a parameter, a shared array, a variable of the module.
Register Reader::named(const std::string &name, Type type) {
  auto found = known_.find(name);
  if (found != known_.end())
    return found->second;
  for (const Parameter &p : k_.parameters)
    if (p.name == name) {
      k_.addresses.push_back({take(8), p.offset});
      return known_[name] = k_.addresses.back().at;
    }
  if (auto s = shared_.find(name); s != shared_.end())
    return constant(s->second, type);
  if (auto l = local_.find(name); l != local_.end())
    return special("%local+" + std::to_string(l->second), Type::U64);
  const auto &dynamic = k_.module->dynamic_shared;
  if (std::find(dynamic.begin(), dynamic.end(), name) != dynamic.end())
    return special(slot_of(type) == 8 ? "%shared8" : "%shared", type);
  if (auto v = k_.module->variables.find(name); v != k_.module->variables.end()) {
    k_.variables.push_back({take(8), v->second});
    return known_[name] = k_.variables.back().at;
  }
  unknown("the operand '" + name + "'");
}

Register Reader::number(const std::string &text, Type type) {
  if (text[0] == '0' && (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D'))
    return constant(strtoull(text.c_str() + 2, nullptr, 16), type);
  uint64_t value = text[0] == '-' ? (uint64_t)strtoll(text.c_str(), nullptr, 0)
                                  : strtoull(text.c_str(), nullptr, 0);
  if (type == Type::PRED)
    value = value ? ~0ull : 0;
  return constant(slot_of(type) == 8 ? value : (uint32_t)value, type);
}

Register Reader::operand(const std::string &text, Type type) {
  std::string s = trim(text);
  if (s.empty())
    unknown("an operand without a name");
  for (size_t scope = scopes_.size(); scope--;)
    if (auto found = scopes_[scope].find(s); found != scopes_[scope].end())
      return found->second;
  if (s == "_")
    return NO_REGISTER;
  if (isdigit(s[0]) || s[0] == '-')
    return number(s, type);
  if (s[0] != '%')
    return named(s, type);
  size_t digits = s.size();
  while (digits > 0 && isdigit(s[digits - 1]))
    digits--;
  if (auto range = ranges_.find(s.substr(0, digits)); digits < s.size() && range != ranges_.end())
    return scopes_[0][s] = take(range->second);
  return special(s, type);
}

/// .reg .b32 %r<33>; or .reg .pred p, q;
void Reader::declare(const std::string &rest) {
  std::istringstream in(rest);
  std::string type, names;
  in >> type;
  std::getline(in, names);
  size_t bytes = slot_of(type_of(type.substr(1)));
  for (const std::string &name : operands_of(names)) {
    size_t range = name.find('<');
    if (range == std::string::npos)
      scopes_.back()[name] = take(bytes);
    else
      ranges_[name.substr(0, range)] = bytes;
  }
}

/// .shared .align 16 .b8 name[48]; notes where it begins, and returns where it ends.
size_t Reader::declare_array(const std::string &text, size_t end,
                             std::map<std::string, size_t> *at) {
  size_t align = text.find(".align"), bracket = text.find_last_of('[');
  size_t by = align == std::string::npos ? 8 : strtoul(text.c_str() + align + 6, nullptr, 10);
  std::string before = trim(text.substr(0, bracket));
  size_t name = before.find_last_of(" \t"), type = before.find_last_of('.', name);
  Type element = type_of(trim(before.substr(type + 1, name - type - 1)));
  size_t n = bracket == std::string::npos ? 1 : strtoul(text.c_str() + bracket + 1, nullptr, 10);
  size_t begin = (end + by - 1) / by * by;
  (*at)[trim(before.substr(name))] = begin;
  return begin + n * bytes_of(element);
}

void Reader::directive(const std::string &text) {
  if (text.rfind(".reg", 0) == 0)
    declare(text.substr(4));
  else if (text.rfind(".shared", 0) == 0)
    k_.static_shared = declare_array(text, k_.static_shared, &shared_);
  else if (text.rfind(".local", 0) == 0 || text.rfind(".param", 0) == 0)
    k_.local = declare_array(text, k_.local, &local_);
  else if (text.rfind(".pragma", 0) != 0 && text.rfind(".loc", 0) != 0)
    unknown("the directive " + text);
}

/// [%rd1+8]
void Reader::address(Instruction *in, const std::string &text) {
  std::string s = trim(text.substr(1, text.size() - 2));
  size_t plus = s.find('+');
  if (plus != std::string::npos)
    in->offset = strtoll(s.c_str() + plus + 1, nullptr, 0);
  in->src[4] = operand(s.substr(0, plus), Type::U64);
  in->narrow = width_[in->src[4]] == 4;
}

/// {%r1, %r2}, or one register.
uint8_t Reader::vector(const std::string &text, Type type, Register *out) {
  if (text[0] != '{') {
    out[0] = operand(text, type);
    return 1;
  }
  Words w = operands_of(text.substr(1, text.size() - 2));
  for (size_t k = 0; k < w.size() && k < 4; k++)
    out[k] = operand(w[k], type);
  return (uint8_t)w.size();
}

void Reader::access(Instruction *in, const Words &o, bool load) {
  address(in, o[load ? 1 : 0]);
  Register *values = load ? in->dst : in->src;
  in->n = vector(o[load ? 0 : 1], in->type, values);
  for (int k = 0; k < in->n; k++)
    in->wide |= values[k] != NO_REGISTER && width_[values[k]] > slot_of(in->type);
}

void Reader::atomic(Instruction *in, const Words &o, bool returns) {
  size_t at = returns ? 1 : 0;
  if (returns)
    in->dst[0] = operand(o[0], in->type);
  address(in, o[at]);
  for (size_t k = at + 1; k < o.size(); k++)
    in->src[k - at - 1] = operand(o[k], in->type);
}

/// mov, also of a vector to one value or back.
void Reader::move(Instruction *in, const Words &o) {
  Type part = Type::B32;
  const std::string &vector_text = o[0][0] == '{' ? o[0] : o[1];
  if (vector_text[0] == '{' &&
      bytes_of(in->type) / operands_of(vector_text.substr(1, vector_text.size() - 2)).size() < 4)
    part = Type::B16;
  in->from = part;
  if (o[0][0] == '{') {
    in->n = vector(o[0], part, in->dst);
    in->src[0] = operand(o[1], in->type);
    in->run = handler_of("unpack", *in);
  } else if (o[1][0] == '{') {
    in->n = vector(o[1], part, in->src);
    in->dst[0] = operand(o[0], in->type);
    in->run = handler_of("pack", *in);
  } else {
    in->dst[0] = operand(o[0], in->type);
    in->src[0] = operand(o[1], in->type);
    in->run = handler_of("mov", *in);
  }
}

/// The type of an operand of an operation; k is -1 for the result.
Type type_at(const std::string &op, const Instruction &in, int k) {
  if (op == "shl" || op == "shr")
    return k == 1 ? Type::U32 : in.type;
  if (op == "setp" || op == "selp" || op == "testp")
    return k == (op == "selp" ? 2 : -1) ? Type::PRED : in.type;
  if (op == "cvt" || op == "cvta.shared")
    return k < 0 ? in.type : in.from;
  if (op == "mul.wide" || op == "mad.wide")
    return k == 0 || k == 1 || bytes_of(in.type) < 4 ? in.type : Type::U64;
  if (op == "popc" || op == "clz" || op == "bfind")
    return k < 0 ? Type::U32 : in.type;
  if (op == "bfe" || op == "bfi")
    return k >= (op == "bfe" ? 1 : 2) ? Type::U32 : in.type;
  return in.type;
}

/// A register of 32 bits, to which an instruction is added that moves the lower half of another
/// there.
Register Reader::low_half(const Instruction &of, Register wide) {
  Instruction in;
  in.line = of.line;
  in.guard = of.guard;
  in.guard_negated = of.guard_negated;
  in.type = Type::U32;
  in.from = Type::U64;
  in.src[0] = wide;
  in.dst[0] = take(4);
  in.run = handler_of("cvt", in);
  k_.code.push_back(in);
  return in.dst[0];
}

void Reader::plain(Instruction *in, const Words &head, const Words &o) {
  std::string op = head[0];
  for (const char *variant : {"wide", "hi", "l", "r"})
    if (has(head, variant) && (op == "mul" || op == "mad" || op == "shf"))
      op += std::string(".") + variant;
  if (op == "cvta")
    op = in->space != Space::SHARED ? "mov" : has(head, "to") ? "cvta.to.shared" : "cvta.shared";
  if (op == "setp" && (has(head, "and") || has(head, "or") || has(head, "xor") ||
                       o[0].find('|') != std::string::npos))
    unknown("setp with more than a comparison");
  for (size_t k = 0; k < o.size(); k++) {
    Type type = type_at(op, *in, (int)k - 1);
    Register r = operand(o[k], type);
    (k == 0 ? in->dst[0] : in->src[k - 1]) = r;
    if (op == "cvt" && k == 1 && width_[r] == 8 && slot_of(type) == 4)
      in->src[0] = low_half(*in, r);
    else if (r != NO_REGISTER && width_[r] != slot_of(type))
      unknown("an operand of " + op + " in a register of another width");
  }
  in->run = handler_of(op, *in);
  if (!in->run)
    unknown("the operation " + op);
}

void Reader::vote(Instruction *in, const Words &o) {
  in->kind = Kind::VOTE;
  in->dst[0] = operand(o[0], in->type);
  in->source_negated = o[1][0] == '!';
  in->src[0] = operand(o[1].substr(in->source_negated), Type::PRED);
  in->src[1] = operand(o[2], Type::U32);
}

/// shfl.sync.down.b32 %r1|%p1, value, lane, clamp, mask
void Reader::shuffle(Instruction *in, const Words &o) {
  in->kind = Kind::SHUFFLE;
  size_t bar = o[0].find('|');
  in->dst[0] = operand(o[0].substr(0, bar), Type::B32);
  if (bar != std::string::npos)
    in->dst[1] = operand(o[0].substr(bar + 1), Type::PRED);
  for (size_t k = 0; k < 4; k++)
    in->src[k] = operand(o[k + 1], Type::B32);
  in->src[4] = in->src[1];
  in->src[1] = in->src[3]; // the mask is where that of a vote is
  in->src[3] = in->src[4];
}

void Reader::barrier(Instruction *in, const Words &head, const Words &o) {
  in->aligned = head[0] == "bar" || has(head, "aligned");
  if (has(head, "warp")) {
    in->kind = Kind::WARP_BARRIER;
    in->src[1] = operand(o[0], Type::U32);
    return;
  }
  if (has(head, "arrive") || (has(head, "sync") && (o.size() != 1 || o[0] != "0")))
    unknown("a barrier of another number, or of a part of a block");
  in->kind = Kind::BLOCK_BARRIER;
  if (!has(head, "red"))
    return;
  in->kind = Kind::BLOCK_VOTE;
  if (has(head, "popc"))
    unknown("bar.red.popc");
  in->vote = has(head, "or") ? Vote::ANY : Vote::ALL;
  in->dst[0] = operand(o[0], Type::PRED);
  in->source_negated = o.back()[0] == '!';
  in->src[0] = operand(o.back().substr(in->source_negated), Type::PRED);
}

/// Whether it is one of those that the scheduler handles, which it then is made.
bool Reader::synchronizes(Instruction *in, const Words &head, const Words &o) {
  const std::string &op = head[0];
  if (op == "bra") {
    in->kind = Kind::BRANCH;
    jumps_.push_back({k_.code.size(), o[0]});
  } else if (op == "ret" && depth_ > 0) {
    in->kind = Kind::BRANCH;
    jumps_.push_back({k_.code.size(), "$return"});
  } else if (op == "ret" || op == "exit") {
    in->kind = Kind::EXIT;
  } else if (op == "trap") {
    in->kind = Kind::TRAP;
  } else if (op == "bar" || op == "barrier") {
    barrier(in, head, o);
  } else if (op == "vote") {
    vote(in, o);
  } else if (op == "shfl") {
    shuffle(in, o);
  } else if (op == "match" && has(head, "any")) {
    in->kind = Kind::MATCH;
    in->dst[0] = operand(o[0], Type::B32);
    in->src[0] = operand(o[1], in->type);
    in->src[1] = operand(o[2], Type::U32);
  } else {
    return false;
  }
  return true;
}

void Reader::operation(Instruction *in, const Words &head, const Words &o) {
  const std::string &op = head[0];
  std::vector<Type> types;
  for (const std::string &word : head)
    if (Type t = type_of(word); t != Type::NONE)
      types.push_back(t);
  in->type = types.empty() ? Type::NONE : op == "cvt" ? types[0] : types.back();
  in->from = types.empty() ? Type::NONE : types.back();
  in->compare = one_of(head, compares, Compare::EQ);
  in->space = one_of(head, spaces, Space::GENERIC);
  in->round = one_of(head, rounds, Round::NONE);
  in->atomic = one_of(head, atomics, Atomic::ADD);
  in->shuffle = one_of(head, shuffles, Shuffle::INDEX);
  in->vote = one_of(head, votes, Vote::BALLOT);
  in->order = one_of(head, orders, Order::WEAK);
  in->flush = has(head, "ftz");
  in->saturate = has(head, "sat");
  if (op == "cvta")
    in->type = in->from = Type::U64;
  if (synchronizes(in, head, o))
    return;
  if (op == "membar" || op == "fence" || op == "griddepcontrol" || op == "prefetch" ||
      op == "discard") {
    in->run = handler_of("nop", *in);
  } else if (op == "mov") {
    move(in, o);
  } else if (op == "ld" || op == "st") {
    access(in, o, op == "ld");
    in->run = handler_of(op, *in);
  } else if (op == "atom" || op == "red") {
    atomic(in, o, op == "atom");
    in->run = handler_of("atom", *in);
  } else {
    plain(in, head, o);
  }
}

void Reader::statement(std::string text, int line) {
  text = trim(text);
  line_ = line;
  if (text.empty())
    return;
  if (text[0] == '.')
    return directive(text);
  Instruction in;
  in.line = line;
  if (text[0] == '@') {
    size_t end = text.find_first_of(" \t");
    in.guard_negated = text[1] == '!';
    in.guard = operand(text.substr(in.guard_negated ? 2 : 1, end - (in.guard_negated ? 2 : 1)),
                       Type::PRED);
    text = trim(text.substr(end));
  }
  size_t end = text.find_first_of(" \t{");
  Words o = end == std::string::npos ? Words() : operands_of(text.substr(end));
  if (text.rfind("call", 0) == 0 && in.guard == NO_REGISTER)
    return call(o);
  operation(&in, split(text.substr(0, end), '.'), o);
  k_.code.push_back(in);
}

/// The statements of a body, one after the other.
void Reader::statements(const std::string &body, int line) {
  std::string word;
  bool start = true, comment = false;
  for (size_t i = 0; i < body.size(); i++) {
    char c = body[i];
    line += c == '\n';
    comment = (comment && c != '\n') || (c == '/' && body[i + 1] == '/');
    if (comment || (start && isspace(c)))
      continue;
    if (start && c == '{') {
      scopes_.emplace_back();
    } else if (start && c == '}') {
      if (scopes_.size() > 1)
        scopes_.pop_back();
    } else if (c == ';') {
      statement(word, line);
      word.clear();
      start = true;
    } else if (c == ':' && word.find_first_of(" \t,[.") == std::string::npos) {
      labels_[word] = (int)k_.code.size();
      word.clear();
      start = true;
    } else {
      word += c == '\n' ? ' ' : c;
      start = false;
    }
  }
}

/// Resolves the jumps since `first`.
void Reader::resolve(size_t first) {
  for (size_t k = first; k < jumps_.size(); k++) {
    auto label = labels_.find(jumps_[k].second);
    if (label == labels_.end())
      unknown("the label " + jumps_[k].second);
    k_.code[jumps_[k].first].target = label->second;
  }
  jumps_.resize(first);
}

/// call (result), function, (arguments): the function's body, whose parameters are the arguments'
/// places.
void Reader::call(const Words &o) {
  Words places;
  std::string name;
  for (const std::string &part : o)
    if (part[0] != '(')
      name = part;
    else
      for (const std::string &place : operands_of(part.substr(1, part.size() - 2)))
        places.push_back(place);
  auto callee = k_.module->callees.find(name);
  if (callee == k_.module->callees.end() || callee->second.parameters.size() != places.size() ||
      depth_ > 20)
    unknown("a call of " + name);
  for (size_t k = 0; k < places.size(); k++)
    local_[callee->second.parameters[k]] = local_.at(places[k]);
  auto scopes = std::move(scopes_);
  auto ranges = std::move(ranges_);
  auto labels = std::move(labels_);
  size_t first = jumps_.size();
  scopes_.assign(1, {});
  ranges_.clear();
  labels_.clear();
  depth_++;
  statements(callee->second.body, callee->second.body_line);
  depth_--;
  labels_["$return"] = (int)k_.code.size();
  resolve(first);
  scopes_ = std::move(scopes);
  ranges_ = std::move(ranges);
  labels_ = std::move(labels);
}

void Reader::read() {
  statements(k_.body, k_.body_line);
  Instruction end;
  end.kind = Kind::EXIT;
  k_.code.push_back(end);
  resolve(0);
  k_.constants.assign(k_.register_bytes, 0);
  for (const Constant &c : constants_)
    for (size_t lane = 0; lane < WARP; lane++)
      memcpy(&k_.constants[(size_t)c.at + lane * c.bytes], &c.value, c.bytes);
}

/// .param .align 8 .b8 name[48]
void read_parameter(const std::string &text, Kernel *kernel) {
  Words w;
  std::istringstream in(text);
  for (std::string word; in >> word;)
    w.push_back(word);
  Type type = Type::NONE;
  size_t align = 0;
  for (size_t k = 0; k < w.size(); k++)
    if (w[k] == ".align")
      align = strtoul(w[k + 1].c_str(), nullptr, 10);
    else if (Type t = type_of(w[k].substr(1)); w[k][0] == '.' && t != Type::NONE)
      type = t;
  std::string name = w.back();
  size_t bracket = name.find('['), bytes = bytes_of(type);
  align = align ? align : bytes;
  if (bracket != std::string::npos)
    bytes *= strtoul(name.c_str() + bracket + 1, nullptr, 10);
  size_t offset = (kernel->parameter_bytes + align - 1) / align * align;
  kernel->parameters.push_back({name.substr(0, bracket), offset, bytes});
  kernel->parameter_bytes = offset + bytes;
}

/// Where the bracket that opens at `at` is closed.
size_t closing(const std::string &text, size_t at) {
  int depth = 0;
  for (; at < text.size(); at++) {
    depth += (text[at] == '{') - (text[at] == '}');
    if (depth == 0)
      return at;
  }
  throw Fault("PTX ends within a kernel");
}

/// .global .align 4 .b8 name[16] = {1, 2}; only what is 0 or bytes.
void read_variable(const std::string &text, Module *out) {
  size_t equals = text.find('=');
  std::string before = trim(text.substr(0, equals));
  size_t name = before.find_last_of(" \t."), bracket = before.find('['),
         type = before.rfind('.', bracket);
  if (bracket != std::string::npos)
    name = before.find_last_of(" \t", bracket);
  else
    name = before.find_last_of(" \t");
  type = before.find_last_of('.', name);
  size_t bytes = bytes_of(type_of(trim(before.substr(type + 1, name - type - 1))));
  size_t n = bracket == std::string::npos ? 1 : strtoul(before.c_str() + bracket + 1, nullptr, 10);
  size_t at = (out->initial.size() + 255) / 256 * 256;
  out->initial.resize(at + n * bytes, 0);
  out->variables[before.substr(name + 1,
                               bracket == std::string::npos ? bracket : bracket - name - 1)] = at;
  if (equals == std::string::npos)
    return;
  size_t open = text.find('{', equals);
  Words values = operands_of(open == std::string::npos
                                 ? text.substr(equals + 1)
                                 : text.substr(open + 1, text.find('}', open) - open - 1));
  for (size_t k = 0; k < values.size() && k < n; k++) {
    uint64_t value = (uint64_t)strtoll(values[k].c_str(), nullptr, 0);
    memcpy(&out->initial[at + k * bytes], &value, bytes);
  }
}

void read_variables(const std::string &text, Module *out) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    bool variable =
        line.find(".global ") != std::string::npos || line.find(".const ") != std::string::npos;
    if (line.empty() || line[0] != '.')
      continue;
    if (line.find(".shared ") != std::string::npos) {
      size_t bracket = line.find('['), name = line.find_last_of(" \t", bracket);
      out->dynamic_shared.push_back(line.substr(name + 1, bracket - name - 1));
    } else if (variable) {
      read_variable(line.substr(0, line.find(';')), out);
    }
  }
}

/// .func (.param .b32 result) name(.param .b64 name_param_0, ..) { .. }, or only its declaration.
void read_callees(const std::string &text, Module *out) {
  for (size_t at = 0; (at = text.find(".func", at)) != std::string::npos; at++) {
    size_t stop = text.find_first_of("{;", at);
    if (stop == std::string::npos || text[stop] == ';')
      continue;
    std::string head = text.substr(at + 5, stop - at - 5);
    Callee c;
    for (size_t p = 0; (p = head.find(".param", p)) != std::string::npos; p++) {
      size_t end = head.find_first_of(",)", p), bracket = head.find('[', p);
      std::string one = trim(head.substr(p, std::min(end, bracket) - p));
      c.parameters.push_back(one.substr(one.find_last_of(" \t") + 1));
    }
    size_t name = head.find_first_not_of(" \t\n");
    if (head[name] == '(')
      name = head.find_first_not_of(" \t\n", head.find(')') + 1);
    size_t end = closing(text, stop);
    c.body = text.substr(stop + 1, end - stop - 1);
    c.body_line = 1 + (int)std::count(text.begin(), text.begin() + (long)stop, '\n');
    out->callees[head.substr(name, head.find_first_of("( \t\n", name) - name)] = c;
  }
}

} // namespace

size_t bytes_of(Type type) {
  static const size_t bytes[] = {1, 1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8};
  return bytes[(int)type];
}

Type type_of(const std::string &name) {
  static const char *const names[] = {"",    "pred", "b8",  "u8",  "s8",  "b16", "u16", "s16",
                                      "b32", "u32",  "s32", "f32", "b64", "u64", "s64", "f64"};
  for (int k = 1; k < 16; k++)
    if (name == names[k])
      return (Type)k;
  return Type::NONE;
}

void read_module(const std::string &text, Module *out) {
  if (size_t target = text.find(".target sm_"); target != std::string::npos)
    out->target = atoi(text.c_str() + target + 11);
  read_variables(text, out);
  read_callees(text, out);
  for (size_t at = 0; (at = text.find(".entry ", at)) != std::string::npos;) {
    size_t open = text.find('(', at), shut = text.find(')', open), body = text.find('{', shut),
           end = closing(text, body);
    Kernel k;
    k.name = trim(text.substr(at + 7, open - at - 7));
    for (const std::string &p : split(text.substr(open + 1, shut - open - 1), ','))
      if (!trim(p).empty())
        read_parameter(trim(p), &k);
    std::string about = text.substr(shut, body - shut);
    if (size_t most = about.find(".maxntid"); most != std::string::npos)
      k.most_threads = atoi(about.c_str() + most + 8);
    k.body = text.substr(body + 1, end - body - 1);
    k.body_line = 1 + (int)std::count(text.begin(), text.begin() + (long)body, '\n');
    out->kernels[k.name] = std::move(k);
    at = end;
  }
  for (auto &k : out->kernels)
    k.second.module = out;
}

void read_code(Kernel *kernel) {
  if (!kernel->code.empty())
    return;
  Reader(kernel).read();
  kernel->body.clear();
}

} // namespace emulator

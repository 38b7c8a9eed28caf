// SPDX-License-Identifier: GPL-3.0-or-later
/// One instruction: its opcode, with what follows it by points, and its operands. What each opcode
/// does is in operations.cpp, but for those that the scheduler handles.
#include "reader.hpp"

namespace emulator {

namespace {

/// That of a table which is among the words, or what there is otherwise.
template <class T>
T one_of(const Words &words, const std::unordered_map<std::string, T> &table, T otherwise) {
  for (const std::string &word : words)
    if (auto found = table.find(word); found != table.end())
      return found->second;
  return otherwise;
}

const std::unordered_map<std::string, Compare> compares = {
    {"eq", Compare::EQ},   {"ne", Compare::NE},   {"lt", Compare::LT},   {"le", Compare::LE},
    {"gt", Compare::GT},   {"ge", Compare::GE},   {"lo", Compare::LT},   {"ls", Compare::LE},
    {"hi", Compare::GT},   {"hs", Compare::GE},   {"equ", Compare::EQU}, {"neu", Compare::NEU},
    {"ltu", Compare::LTU}, {"leu", Compare::LEU}, {"gtu", Compare::GTU}, {"geu", Compare::GEU},
    {"num", Compare::NUM}, {"nan", Compare::NAN_}};
const std::unordered_map<std::string, Space> spaces = {{"global", Space::GLOBAL},
                                                       {"shared", Space::SHARED},
                                                       {"shared::cta", Space::SHARED},
                                                       {"param", Space::PARAM}};
const std::unordered_map<std::string, Round> rounds = {
    {"rzi", Round::ZERO}, {"rmi", Round::DOWN}, {"rpi", Round::UP}, {"rni", Round::NEAREST}};
const std::unordered_map<std::string, Atomic> atomics = {
    {"add", Atomic::ADD},       {"min", Atomic::MIN},    {"max", Atomic::MAX},
    {"and", Atomic::AND},       {"or", Atomic::OR},      {"xor", Atomic::XOR},
    {"exch", Atomic::EXCHANGE}, {"cas", Atomic::COMPARE}};
const std::unordered_map<std::string, Shuffle> shuffles = {{"idx", Shuffle::INDEX},
                                                           {"up", Shuffle::UP},
                                                           {"down", Shuffle::DOWN},
                                                           {"bfly", Shuffle::BUTTERFLY}};
const std::unordered_map<std::string, Vote> votes = {
    {"ballot", Vote::BALLOT}, {"any", Vote::ANY}, {"all", Vote::ALL}};
const std::unordered_map<std::string, Order> orders = {{"volatile", Order::VOLATILE},
                                                       {"relaxed", Order::RELAXED},
                                                       {"acquire", Order::ACQUIRE},
                                                       {"release", Order::RELEASE},
                                                       {"acq_rel", Order::BOTH}};

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

} // namespace

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
    in->cost = cost_of("unpack", *in, false);
  } else if (o[1][0] == '{') {
    in->n = vector(o[1], part, in->src);
    in->dst[0] = operand(o[0], in->type);
    in->run = handler_of("pack", *in);
    in->cost = cost_of("pack", *in, false);
  } else {
    in->dst[0] = operand(o[0], in->type);
    in->src[0] = operand(o[1], in->type);
    in->run = handler_of("mov", *in);
    in->cost = cost_of("mov", *in, false);
  }
}

/// A register of 32 bits, to which an instruction is added that moves the lower half of another
/// there.
Register Reader::low_half(const Instruction &of, Register wide) {
  Instruction in;
  in.line = of.line;
  in.predicate = of.predicate;
  in.predicate_negated = of.predicate_negated;
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
  in->cost = cost_of(head[0], *in, !has(head, "approx"));
  in->is_sum = op == "add" || op == "sub";
  in->contracts = (in->is_sum || op == "mul") && (in->type == Type::F32 || in->type == Type::F64) &&
                  !has(head, "rn") && in->round == Round::NONE && !in->saturate;
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

/// Decodes an opcode with what follows it by points. Each is decoded once.
const Reader::Opcode &Reader::opcode(const std::string &text) {
  static std::unordered_map<std::string, Opcode> all;
  auto [known, is_new] = all.try_emplace(text);
  if (!is_new)
    return known->second;
  const Words &head = known->second.words = split(text, '.');
  Instruction &in = known->second.in;
  std::vector<Type> types;
  for (const std::string &word : head)
    if (Type t = type_of(word); t != Type::NONE)
      types.push_back(t);
  in.type = types.empty() ? Type::NONE : head[0] == "cvt" ? types[0] : types.back();
  in.from = types.empty() ? Type::NONE : types.back();
  in.compare = one_of(head, compares, Compare::EQ);
  in.space = one_of(head, spaces, Space::GENERIC);
  in.round = one_of(head, rounds, Round::NONE);
  in.atomic = one_of(head, atomics, Atomic::ADD);
  in.shuffle = one_of(head, shuffles, Shuffle::INDEX);
  in.vote = one_of(head, votes, Vote::BALLOT);
  in.order = one_of(head, orders, Order::WEAK);
  in.flush = has(head, "ftz");
  in.saturate = has(head, "sat");
  if (head[0] == "cvta")
    in.type = in.from = Type::U64;
  return known->second;
}

void Reader::operation(Instruction *in, const Words &head, const Words &o) {
  const std::string &op = head[0];
  if (synchronizes(in, head, o))
    return;
  if (op == "membar" || op == "fence" || op == "griddepcontrol" || op == "prefetch" ||
      op == "discard") {
    in->run = handler_of("nop", *in);
    in->cost = cost_of("nop", *in, false);
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

} // namespace emulator

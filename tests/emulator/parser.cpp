// SPDX-License-Identifier: GPL-3.0-or-later
/// The statements of a kernel: scopes, labels and jumps, and functions that are read where they are
/// called.
#include "reader.hpp"

#include <map>

namespace emulator {

/// Of an instruction of the machine.
constexpr size_t MACHINE_BYTES = 16;

void Reader::statement(std::string text, int line) {
  text = trim(text);
  line_ = line;
  if (text.empty())
    return;
  if (text[0] == '.')
    return directive(text);
  Register predicate = NO_REGISTER;
  bool negated = text.rfind("@!", 0) == 0;
  if (text[0] == '@') {
    size_t begin = negated ? 2 : 1, end = text.find_first_of(" \t");
    predicate = operand(text.substr(begin, end - begin), Type::PRED);
    text = trim(text.substr(end));
  }
  size_t end = text.find_first_of(" \t{");
  Words o = end == std::string::npos ? Words() : operands_of(text.substr(end));
  if (text.rfind("call", 0) == 0 && predicate == NO_REGISTER)
    return call(o);
  const Opcode &code = opcode(text.substr(0, end));
  Instruction in = code.in;
  in.line = line;
  in.predicate = predicate;
  in.predicate_negated = negated;
  operation(&in, code.words, o);
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

/// Where instructions are in machine code: those of a function that is called in several places are
/// there once, though `code` has them for each call.
void Reader::place() {
  std::map<std::pair<int32_t, int>, uint32_t> places; // of a line's instructions
  int32_t line = -1;
  int at = 0;
  for (Instruction &in : k_.code) {
    at = in.line == line ? at + 1 : 0;
    line = in.line;
    auto [place, is_new] = places.insert({{line, at}, (uint32_t)k_.code_bytes});
    in.code = place->second;
    if (is_new)
      k_.code_bytes += MACHINE_BYTES * (size_t)in.cost.issued();
  }
}

void Reader::read() {
  statements(k_.body, k_.body_line);
  Instruction end;
  end.kind = Kind::EXIT;
  k_.code.push_back(end);
  resolve(0);
  contract(&k_.code);
  place();
}

void read_code(Kernel *kernel) {
  if (!kernel->code.empty())
    return;
  Reader(kernel).read();
  kernel->body.clear();
}

} // namespace emulator

// SPDX-License-Identifier: GPL-3.0-or-later
/// What instructions name: registers, numbers, parameters, arrays and their declarations.
#include "reader.hpp"

#include <algorithm>
#include <sstream>

namespace emulator {

void Reader::unknown(const std::string &what) {
  throw Fault(what + ", which the emulator does not know (line " + std::to_string(line_) +
              " of the PTX of " + k_.name + ")");
}

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
  k_.constants.push_back({at, value, bytes});
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
size_t Reader::declare_array(const std::string &text, size_t end, Named<size_t> *at) {
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

} // namespace emulator

// SPDX-License-Identifier: GPL-3.0-or-later
/// Modules: kernels with their parameters, functions and variables. The code of kernels is read
/// later.
#include "ptx.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace emulator {

namespace {

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
    if (size_t fewest = about.find(".minnctapersm"); fewest != std::string::npos)
      k.fewest_blocks = atoi(about.c_str() + fewest + 13);
    k.body = text.substr(body + 1, end - body - 1);
    k.body_line = 1 + (int)std::count(text.begin(), text.begin() + (long)body, '\n');
    out->kernels[k.name] = std::move(k);
    at = end;
  }
  for (auto &k : out->kernels)
    k.second.module = out;
}

} // namespace emulator

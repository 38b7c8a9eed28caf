// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.hpp"

#include <algorithm>
#include <sstream>

namespace emulator {

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

} // namespace emulator

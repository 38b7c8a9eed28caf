// SPDX-License-Identifier: GPL-3.0-or-later
/// Text of PTX, cut into words.
#ifndef VB_TESTS_EMULATOR_TEXT_HPP
#define VB_TESTS_EMULATOR_TEXT_HPP

#include <string>
#include <vector>

namespace emulator {

using Words = std::vector<std::string>;

/// Without spaces at both ends.
std::string trim(const std::string &s);
Words split(const std::string &s, char at);
/// What commas separate outside of brackets.
Words operands_of(const std::string &s);
bool has(const Words &words, const char *word);

} // namespace emulator

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
/// Numbers that note what is done to them, and what an ideal compiler would leave of it.
///
/// Every operation becomes an entry of a graph, looked up first: the same operation on the same
/// values is done once. Operations that a known zero or one makes needless are not done. Counted is
/// what the results depend on.
#ifndef VB_TESTS_SUPPORT_COUNTING_HPP
#define VB_TESTS_SUPPORT_COUNTING_HPP

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

/// An operation, or a leaf: 'v' an unknown, 'c' a constant, 'n' a change of sign.
struct operation {
  char what;
  int a, b;
};

class graph {
public:
  std::vector<operation> entries;
  std::vector<double> values;

  void clear() {
    entries.clear();
    values.clear();
    known.clear();
    constants.clear();
  }

  int constant(double value) {
    auto found = constants.find(value);
    if (found != constants.end())
      return found->second;
    return constants[value] = add({'c', 0, 0}, value);
  }

  int unknown(double value) { return add({'v', 0, 0}, value); }

  bool is(int id, double value) const { return entries[id].what == 'c' && values[id] == value; }

  int negated(int a) {
    if (entries[a].what == 'c')
      return constant(-values[a]);
    return entries[a].what == 'n' ? entries[a].a : make('n', a, a, -values[a]);
  }

  int make(char what, int a, int b, double value) {
    auto key = std::make_tuple(what, a, b);
    auto found = known.find(key);
    if (found != known.end())
      return found->second;
    return known[key] = add({what, a, b}, value);
  }

  /// Operations that the roots depend on.
  int count(const std::vector<int> &roots) const {
    std::vector<bool> seen(entries.size(), false);
    std::vector<int> open = roots;
    int n = 0;
    while (!open.empty()) {
      int id = open.back();
      open.pop_back();
      if (seen[id])
        continue;
      seen[id] = true;
      const operation &o = entries[id];
      if (o.what == 'v' || o.what == 'c')
        continue;
      n += o.what != 'n';
      open.push_back(o.a);
      open.push_back(o.b);
    }
    return n;
  }

private:
  std::map<std::tuple<char, int, int>, int> known;
  std::map<double, int> constants;

  int add(operation o, double value) {
    entries.push_back(o);
    values.push_back(value);
    return (int)entries.size() - 1;
  }
};

inline graph noted;

/// A number of the graph. Constants of the source are known; leaves are made by `unknown`.
struct counted {
  int id;

  counted() = default;
  counted(double value) : id(noted.constant(value)) {}
  double value() const { return noted.values[id]; }
  bool known() const { return noted.entries[id].what == 'c'; }
};

inline counted entry(int id) {
  counted out;
  out.id = id;
  return out;
}

inline counted unknown(double value) {
  return entry(noted.unknown(value));
}

inline counted operator-(counted a) {
  return entry(noted.negated(a.id));
}

/// Both operands' signs are taken out, so that a - b and b - a, or -a b and a b, are one value.
inline bool is_negated(counted a) {
  return noted.entries[a.id].what == 'n';
}

inline counted operator+(counted a, counted b) {
  double value = a.value() + b.value();
  if (a.known() && b.known())
    return counted(value);
  if (noted.is(a.id, 0))
    return b;
  if (noted.is(b.id, 0))
    return a;
  if (is_negated(a) && is_negated(b))
    return -(-a + -b);
  if (is_negated(a))
    std::swap(a, b);
  if (is_negated(b)) { // a - b, written with the lower number first
    counted c = -b;
    if (a.id == c.id)
      return counted(0);
    return a.id < c.id ? entry(noted.make('-', a.id, c.id, value))
                       : -entry(noted.make('-', c.id, a.id, -value));
  }
  return entry(noted.make('+', std::min(a.id, b.id), std::max(a.id, b.id), value));
}

inline counted operator-(counted a, counted b) {
  return a + -b;
}

inline counted operator*(counted a, counted b) {
  double value = a.value() * b.value();
  if ((a.known() && b.known()) || noted.is(a.id, 0) || noted.is(b.id, 0))
    return counted(value);
  if (noted.is(a.id, 1))
    return b;
  if (noted.is(b.id, 1))
    return a;
  if (noted.is(a.id, -1))
    return -b;
  if (noted.is(b.id, -1))
    return -a;
  if (is_negated(a) || is_negated(b)) {
    counted p = (is_negated(a) ? -a : a) * (is_negated(b) ? -b : b);
    return is_negated(a) != is_negated(b) ? -p : p;
  }
  return entry(noted.make('*', std::min(a.id, b.id), std::max(a.id, b.id), value));
}

inline counted operator/(counted a, counted b) {
  if (a.known() && b.known())
    return counted(a.value() / b.value());
  return noted.is(b.id, 1) ? a : entry(noted.make('/', a.id, b.id, a.value() / b.value()));
}

inline counted sqrt(counted a) {
  return entry(noted.make('r', a.id, a.id, std::sqrt(a.value())));
}

inline counted &operator+=(counted &a, counted b) {
  return a = a + b;
}
inline counted &operator-=(counted &a, counted b) {
  return a = a - b;
}
inline counted &operator*=(counted &a, counted b) {
  return a = a * b;
}

inline bool operator<(counted a, counted b) {
  return a.value() < b.value();
}
inline bool operator==(counted a, counted b) {
  return a.value() == b.value();
}
inline bool signbit(counted a) {
  return std::signbit(a.value());
}
inline bool operator>(counted a, counted b) {
  return b < a;
}

#endif

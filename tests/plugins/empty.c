// SPDX-License-Identifier: GPL-3.0-or-later
/// A shared object that is no plug-in.
int not_a_solver(void);

int not_a_solver(void) {
  return 0;
}

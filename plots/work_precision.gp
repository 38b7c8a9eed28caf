# SPDX-License-Identifier: GPL-3.0-or-later
# Error against a converged reference over the count of iterations or substeps, and over wall time.

methods = "direct xpbd block-descent jacobi-published"
cases = "stretch hang time"
case_name(c) = part_of("a bar stretched at once|a falling rod|the falling rod, substeps of 2 iterations", c)

# Runs of a case by a method, in the order of the study: fewest iterations first.
prefix(c, m) = word(cases, c) . "." . word(methods, m) . "."
starts(text, with) = strlen(text) > strlen(with) && text[1:strlen(with)] eq with
runs_from(c, m, i) = i > n_runs ? "" \
  : (starts(run(i), prefix(c, m)) ? run(i) . " " : "") . runs_from(c, m, i + 1)
reference(c) = word(cases, c) . ".reference"
# Columns: count, root mean square distance of the nodes from the reference's [m], wall time [s].
work(c, m) = sprintf("< { echo %s; %s table %s%s; %s table %s%s; } | awk '%s'", runs_from(c, m, 1), \
  vb, file, below(reference(c) . " " . runs_from(c, m, 1), "frames/position[frame=-1]", 1), \
  vb, file, below(runs_from(c, m, 1), "timing/step", 1), \
  "NR == 1 {n = NF; for (k = 1; k <= n; k++) {split($k, part, \".\"); count[k] = part[3]} next}" \
  . "/^#/ {block++; next}" \
  . "block == 1 {rows++; for (k = 1; k <= n; k++) for (i = 0; i < 3; i++)" \
  . " {d = $(2 + i) - $(2 + 3 * k + i); sum[k] += d * d}}" \
  . "block == 2 {for (k = 1; k <= n; k++) time[k] += $(1 + k)}" \
  . "END {for (k = 1; k <= n; k++) printf \"%s %.9g %.9g\\n\", count[k], sqrt(sum[k] / rows), time[k]}")

eval canvas(1100, 760)
set multiplot
set logscale xy
set format y "10^{%T}"
set format x "10^{%T}"
set yrange [1e-13:2]
set ytics 1e-12, 100
left(c) = 0.075 + 0.31 * (c - 1)
do for [row=1:2] {
  do for [c=1:3] {
    eval panel(left(c), left(c) + 0.285, row == 1 ? 0.565 : 0.1, row == 1 ? 0.9 : 0.435)
    if (row == 1) { set title case_name(c) } else { unset title }
    set ylabel (c == 1 ? "distance from the reference, RMS [m]" : "")
    if (c > 1) { set format y "" } else { set format y "10^{%T}" }
    set xlabel (row == 2 ? "wall time [s]" : c == 3 ? "substeps in a step" : "iterations in a step")
    if (row == 1) { set xrange [0.7:(c == 3 ? 500 : 5000)] } else { set xrange [5e-5:1] }
    if (row == 1 && c == 1) {
      set key at screen 0.5, screen 0.985 center top maxrows 1
    } else { unset key }
    plot for [m=1:4] work(c, m) using (row == 1 ? $1 : $3):($2 > 1e-13 ? $2 : 1e-13) \
      with linespoints ls m title word(methods, m)
    unset label 1000
  }
}
unset multiplot

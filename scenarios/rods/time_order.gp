# SPDX-License-Identifier: GPL-3.0-or-later
# The tip's change at the end from one number of substeps to twice as many, by integrator and method.
#
#: values runs/* frames/position[frame=-1]

lines = "euler bdf2 bdf2-descent bdf2-xpbd"
line_title(m) = part_of("Euler, direct|bdf2, direct|bdf2, block-descent|bdf2, xpbd", m)
cases = "free damped"

# Runs of a case along a line, in the order of the study: fewest substeps first.
prefix(c, m) = word(cases, c) . "." . word(lines, m) . "."
starts(text, with) = strlen(text) > strlen(with) && text[1:strlen(with)] eq with
runs_from(c, m, i) = i > n_runs ? "" \
  : (starts(run(i), prefix(c, m)) ? run(i) . " " : "") . runs_from(c, m, i + 1)
count_of(r) = part_behind(part_behind(r))
part_behind(r) = r[strstrt(r, ".") + 1:*]
nodes_of(r) = names(r, "frames/position[frame=-1]")
square(p, q) = sum [i=1:words(p)] ((real(word(p, i)) - real(word(q, i)))**2)
change(a, b) = sqrt(square(nodes_of(a), nodes_of(b)) / rows(a, "frames/position[frame=-1]"))

# Blocks of substeps and change, by case and line.
set print $change
do for [c=1:2] {
  do for [m=1:4] {
    list = runs_from(c, m, 1)
    do for [k=2:words(list)] {
      print sprintf("%s %.9g", count_of(word(list, k - 1)), change(word(list, k - 1), word(list, k)))
    }
    print ""; print ""
  }
}
unset print
first = word(runs_from(1, 1, 1), 1)
n_first = real(count_of(first))
n_last = real(count_of(run(n_runs)))
of_euler = change(first, word(runs_from(1, 1, 1), 2))
of_bdf2 = change(word(runs_from(1, 2, 1), 1), word(runs_from(1, 2, 1), 2))

eval canvas(1000, 500)
set multiplot
set logscale xy
set format y "10^{%T}"
set xlabel "substeps n in 0.2 s"
set xrange [n_first / 1.3:n_last]
set xtics n_first, 2
set mxtics 1
set yrange [of_bdf2 * (n_first / n_last)**2 / 3:of_euler * 5]
do for [c=1:2] {
  eval panel(0.09 + 0.47 * (c - 1), 0.49 + 0.47 * (c - 1), 0.14, 0.8)
  set title fold(sprintf("(%s) %s", part_of("a|b", c), part_of("without damping|damped, 5 1/s", c)))
  set ylabel (c == 1 ? "change of positions from n to 2 n, RMS [m]" : "")
  if (c == 1) { eval key_at(0.5, 0.985, "center top maxrows 2", "") } else { unset key }
  plot of_euler * n_first / x ls 9 title "orders 1 and 2", \
    of_bdf2 * (n_first / x)**2 ls 9 notitle, \
    for [m=1:4] $change index 4 * (c - 1) + m - 1 using 1:2 with linespoints ls m \
      title line_title(m)
  unset label 1000
}
unset multiplot

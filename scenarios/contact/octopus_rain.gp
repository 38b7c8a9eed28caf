# SPDX-License-Identifier: GPL-3.0-or-later
# What a step of a crowd costs, by the number of octopuses: all of it, and finding its contacts.
#
#: values runs/* topology/body timing/step timing/phases/detect timing/phases/contact

n_bodies(r) = int(number(r, "topology/body", -1, 0)) + 1
set print $cost
do for [i=1:n_runs] {
  print sprintf("%d %g %g %g", n_bodies(run(i)), 1e3 * mean(run(i), "timing/step"), \
    1e3 * mean(run(i), "timing/phases/detect"), 1e3 * mean(run(i), "timing/phases/contact"))
}
unset print

eval canvas(800, 520)
set logscale xy
set format "10^{%T}"
set xlabel "octopuses of 266 degrees of freedom"
set ylabel "wall time, mean over the steps [ms]"
set mxtics 1
set mytics 1
set xrange [n_bodies(run(1)) / 2.0:n_bodies(run(n_runs)) * 2.0]
set key top left
first = mean(run(1), "timing/step") * 1e3 / n_bodies(run(1))
plot first * x with lines ls 9 title "in proportion to the first", \
  $cost using 1:2 with linespoints ls 1 title "a step", \
  $cost using 1:3 with linespoints ls 2 title "finding contacts", \
  $cost using 1:4 with linespoints ls 3 title "solving contacts"

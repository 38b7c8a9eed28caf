# SPDX-License-Identifier: GPL-3.0-or-later
# Speeds and gates over several kept results, a line each; a mark where one changed beyond the noise. "file" has
# a block for each panel that "runs" names (speeds, gates): number of the result, value, size of the mark.
eval canvas(1000, 60 + 330 * n_runs)
set multiplot layout n_runs, 1 margins 0.09, 0.98, page_y(0.05 + 0.08 / n_runs), page_y(1 - 0.1 / n_runs) spacing 0.08, 0.06 + 0.12 / n_runs
set xtics 1
set logscale y
set xrange [0.7:*]
unset key
do for [i=1:n_runs] {
  speeds = run(i) eq "speeds"
  set title (speeds ? "time of a step, relative to the first" : "distance of gates to their reference, over the tolerance") \
    font letters_10 offset 0, -0.6
  set xlabel "result, in the order given" offset 0, 0.6
  set format y (speeds ? "%g" : "10^{%L}")
  plot file index i - 1 using 1:2 with lines ls 9, \
       file index i - 1 using 1:2:3 with points pt 7 ps variable lc rgb "#d55e00"
  do for [k=1000:1003] { unset label k }
}
unset multiplot

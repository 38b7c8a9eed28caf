# SPDX-License-Identifier: GPL-3.0-or-later
# What differs most between two records: A beside B on the left, their difference and what is allowed
# on the right, one row for each quantity. "file" has a block of x, A, B, allowed for each; "labels" a title
# and what x is.
eval canvas(1100, 60 + 260 * n_runs)
set xrange [*:*] noextend
set multiplot layout n_runs, 2 margins 0.08, 0.98, page_y(0.06 + 0.06 / n_runs), page_y(1 - 0.12 / n_runs) spacing 0.08, 0.06 + 0.12 / n_runs

title_of(i) = label_of(2 * i - 1)
x_of(i) = label_of(2 * i)

do for [i=1:n_runs] {
  set title fold(title_of(i)) noenhanced font letters_10 offset 0, -0.6
  set xlabel x_of(i) offset 0, 0.6
  unset logscale
  set format y "%.4g"
  set offsets graph 0.02, graph 0.02, graph 0.1, graph 0.1
  set key bmargin right horizontal nobox
  plot file index i - 1 using 1:2 with lines ls 9 title "A", \
       file index i - 1 using 1:3 with linespoints ls 3 title "B"
  do for [k=1000:1003] { unset label k }
  set title fold("|B - A|") font letters_10 offset 0, -0.6
  set logscale y
  set format y "10^{%L}"
  plot file index i - 1 using 1:(abs($3 - $2) > 0 ? abs($3 - $2) : 1 / 0) with linespoints ls 2 title "difference", \
       file index i - 1 using 1:($4 > 0 ? $4 : 1 / 0) with lines ls 8 title "allowed"
}
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# Errors of an entry: each answer of each run, over the length of the rod.
#: values . gates/value gates/reference gates/tolerance gates/runs
eval canvas(1000, 620)
n = rows(".", "gates/value")
error_of(i) = abs(number(".", "gates/value", i, 0) - number(".", "gates/reference", i, 0)) / (1e6 * number(".", "gates/tolerance", i, 0))
set print $errors
do for [i=0:n-1] { print sprintf("%d %.6e \"%s\"", i, error_of(i), word(names(".", "gates/runs"), i + 1)) }
unset print
set bmargin 14
set xtics rotate by -90 noenhanced font letters_7
set xrange [-1:n]
set logscale y
set yrange [1e-9:2]
set format y "10^{%T}"
set ylabel "error over length"
plot $errors using 1:($2 > 1e-9 ? $2 : 1e-9):xtic(stringcolumn(3)) with points ls 2 title "answers of runs"

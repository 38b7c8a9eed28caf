# SPDX-License-Identifier: GPL-3.0-or-later
# The tips of Ziegler's pendulum and of Beck's column over time, below and above their critical loads; Beck's column as it
# flutters; and the frequency toward that of the continuous column.
#
#: series runs/ziegler*,beck* frames/position[gate=0,0]
#: values runs/ziegler*,beck*,n* gates/value gates/reference gates/tolerance topology/rest_length
#: values runs/*.above scenario/n_steps
#: frame runs/beck*.above spread=25 frames/position

all_of(name) = run_like(name, 1)
run_like(name, i) = i > n_runs ? "" : (run(i)[1:strlen(name)] eq name ? run(i) . " " : "") . run_like(name, i + 1)
pairs(name) = word(all_of(name), 1) . " " . word(all_of(name), 2) # below, above
tip = "frames/position[gate=0,0]"
n_of(r) = rows(r, "topology/rest_length")
sizes = all_of("n")
n_sizes = words(sizes)
# Gate 0 is the factor of a step, gate 1 the frequency.
set print $errors
do for [i=1:n_sizes] {
  print sprintf("%d %.17g %.17g", n_of(word(sizes, i)), number(word(sizes, i), "gates/value", 1, 0), \
    i < n_sizes ? abs(number(word(sizes, i), "gates/value", 1, 0) - number(word(sizes, i + 1), "gates/value", 1, 0)) : NaN)
}
unset print
set print $factors
do for [i=1:n_runs] {
  print sprintf("%d %.17g %s", i, abs(number(run(i), "gates/value", 0, 0) / number(run(i), "gates/reference", 0, 0) - 1) + 1e-16, run(i))
}
unset print
tolerance = number(run(1), "gates/tolerance", 0, 0)

eval canvas(900, 800)
set multiplot
micro = 1e6
set xlabel "time [s]"
set ylabel "tip aside [µm]"
set key inside left bottom reverse Left

eval panel(0.09, 0.47, 0.58, 0.93)
set title fold("(a) Ziegler's pendulum")
plot for [k=1:2] series(word(pairs("ziegler"), k), tip) using 1:(micro * $2) with lines ls 3 - k \
  title word("0.97 1.03", k) . " of critical"
unset label 1000

eval panel(0.59, 0.97, 0.58, 0.93)
set title fold("(b) Beck's column")
plot for [k=1:2] series(word(pairs("beck"), k), tip) using 1:(micro * $2) with lines ls 3 - k \
  title word("0.97 1.03", k) . " of critical"

eval panel(0.09, 0.33, 0.09, 0.46)
set title fold("(c) Beck's, fluttering")
set xlabel "aside [µm]"
set ylabel "height [m]"
unset key
set xtics 40
flutters = word(pairs("beck"), 2)
plot for [k=0:24] frame(flutters, "frames/position", 25 * k) using (micro * $2):4 with lines lc rgb "#000000" lw (0.5 + 0.05 * k)

set logscale xy
set format y "10^{%T}"
set xlabel "segments n"
set ylabel "frequency to the next n [rad/s]"
set key inside right top reverse Left
eval panel(0.43, 0.66, 0.09, 0.46)
set title fold("(d) toward the continuum")
n_first = n_of(word(sizes, 1))
n_last = n_of(word(sizes, n_sizes))
first = abs(number(word(sizes, 1), "gates/value", 1, 0) - number(word(sizes, 2), "gates/value", 1, 0))
set xrange [n_first / 1.3:n_last * 1.3]
set xtics n_first, 2
set mxtics 1
set yrange [first * n_first / n_last / 2:3 * first]
plot first * n_first / x ls 9 title "first order", $errors using 1:3 with points ls 1 title "measured"

eval panel(0.76, 0.97, 0.09, 0.46)
set title fold("(e) factor of a step")
unset logscale x
set xlabel "run"
set ylabel "relative error"
set xrange [0.5:n_runs + 0.5]
set xtics 1, 1
set yrange [1e-17:100 * tolerance]
plot tolerance ls 9 title "tolerance", $factors using 1:2 with points ls 1 title "measured"
unset multiplot

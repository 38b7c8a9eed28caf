# SPDX-License-Identifier: GPL-3.0-or-later
# What each setting costs: the time of one step to a residual, by which settings are ranked, and speed at
# usual iterations, which says nothing where the residual is left near 1.
#
#: series bench/* accuracy/wall_time accuracy/residual
#: values bench/* speed/dof_hz speed/step_time speed/step_time_low speed/step_time_high residual/final accuracy/wall_time accuracy/residual

# 0 where there is none.
or_zero(value) = value == value ? value : 0
ladder(c) = series(c, "accuracy/wall_time accuracy/residual")

# What lies below is rounding; residuals there are recorded as 0.
least = 1e-9
or_least(value) = value > least ? value : least

eval canvas(900, 950)
set multiplot

# Time of the quickest step whose residual is at most the one that ranks; a large number
# where none is.
ranked = 1e-2
never = 1e9
points(c) = int(rows(c, "accuracy/wall_time"))
quick(c, k, best) = k == points(c) ? best : quick(c, k + 1, \
  number(c, "accuracy/residual", k, 0) <= ranked && number(c, "accuracy/wall_time", k, 0) < best \
  ? number(c, "accuracy/wall_time", k, 0) : best)
array to_accuracy[n_runs]
array speed[n_runs]
array left_over[n_runs]
array place_at[n_runs]
greatest = 1e5
do for [i=1:n_runs] {
  to_accuracy[i] = quick(run(i), 0, never)
  speed[i] = or_zero(number(run(i), "speed/dof_hz", -1, 0))
  left_over[i] = or_zero(number(run(i), "residual/final", -1, 0))
  greatest = speed[i] > greatest ? speed[i] : greatest
}
before(i, k) = to_accuracy[k] < to_accuracy[i] || (to_accuracy[k] == to_accuracy[i] && (speed[k] > speed[i] || (speed[k] == speed[i] && k < i)))
do for [i=1:n_runs] { place_at[i] = 1 + (sum [k=1:n_runs] before(i, k)) }
relative(i, bound) = or_zero(number(run(i), "speed/step_time", -1, 0) / number(run(i), bound, -1, 0))
n_speeds = 0
set print $speeds
do for [i=1:n_runs] {
  if (speed[i] > 0) {
    n_speeds = n_speeds + 1
    print sprintf("%g %g %g %g", speed[i], place_at[i], speed[i] * relative(i, "speed/step_time_high"), \
      speed[i] * relative(i, "speed/step_time_low"))
  }
}
unset print

eval panel(0.27, 0.97, 0.60, 0.93)
set title fold(sprintf("speed: direct with 2 iterations a step, sweeps with 10;\nranked by the time of a step to a residual of %g", ranked)) offset -6, 0
set xlabel "DOF Hz [1/s], with the 95 % interval of its median"
set logscale x
set format x "10^{%T}"
set xrange [1e5:2 * greatest]
set yrange [n_runs + 0.6:0.4]
set ytics ("" 0)
solves(i) = left_over[i] < 0.5
text_of(i) = (to_accuracy[i] < never ? sprintf("%.3g ms to the residual   ", 1e3 * to_accuracy[i]) : "") \
  . (!(speed[i] > 0) ? "no speed: unstable or failed" \
  : !solves(i) ? sprintf("solves nothing: residual %.2g", left_over[i]) : "")
do for [i=1:n_runs] {
  y = place_at[i]
  set ytics add (label_of(i) y)
  set object i rectangle from first 1e5, first y - 0.3 to first (speed[i] > 1e5 ? speed[i] : 1e5), first y + 0.3 \
    fs solid 0.6 border lc rgb WALL fc rgb (solves(i) ? "#56B4E9" : "#CCCCCC") behind
  set label 100 + i text_of(i) at first 1.2e5, first y left font letters_8 tc rgb "#333333" front
}
unset key
if (n_speeds > 0) { plot $speeds using 1:2:3:4 with xerrorbars lc rgb WALL lw 1.5 pt 0 } else { plot NaN notitle }
do for [i=1:n_runs] {
  unset object i
  unset label 100 + i
}
unset label 1000

eval panel(0.12, 0.97, 0.24, 0.50)
set title fold("one step from the same state, with more and more iterations") offset 0, 0
set xlabel "wall time of the step [ms]"
set ylabel "residual [1]"
set logscale xy
set autoscale
set format y "10^{%T}"
set yrange [least / 3:3]
set ytics autofreq
eval key_at(0.54, 0.04, "center bottom horizontal maxrows 3", "width -2")
# Many rods alone: one rod is another scene, and rods that differ cost as these. Of the full size double strict and float fast.
has(text, part) = strstrt(text, part) > 0
shown(i) = points(run(i)) > 0 && !has(run(i), ".one") && !has(run(i), ".differ") && !has(run(i), "-double-fast.") \
  && (!full || !has(run(i), "-float."))
full = 0
do for [i=1:n_runs] { full = full || has(run(i), "-float-fast.") }
list = ""
n_shown = 0
do for [i=1:n_runs] {
  if (shown(i)) {
    list = list . " " . i
    n_shown = n_shown + 1
  }
}
array style[n_runs]
do for [k=1:n_shown] { style[int(word(list, k))] = k }
if (n_shown > 0) {
  plot for [k in list] ladder(run(int(k))) using (1e3 * $2):(or_least($3)) with linespoints \
    ls style[int(k)] title label_of(int(k))
}
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# What each setting costs: speed at its usual iterations, and the time of one step to a residual.
#
#: series bench/* accuracy/wall_time accuracy/residual
#: values bench/* speed/dof_hz accuracy/wall_time

# 0 where there is none.
or_zero(value) = value == value ? value : 0
ladder(c) = series(c, "accuracy/wall_time accuracy/residual")

# What lies below is rounding; residuals there are recorded as 0.
least = 1e-9
or_least(value) = value > least ? value : least

paper = 3.64e6

eval canvas(900, 900)
set multiplot

array speed[n_runs]
array points[n_runs]
greatest = paper
do for [i=1:n_runs] {
  speed[i] = or_zero(number(run(i), "speed/dof_hz", -1, 0))
  points[i] = rows(run(i), "accuracy/wall_time")
  greatest = speed[i] > greatest ? speed[i] : greatest
}

eval panel(0.27, 0.97, 0.60, 0.93)
set title "speed: direct with 2 iterations a step, sweeps with 10" offset 0, 0.8
set xlabel "DOF Hz [1/s]"
set logscale x
set format x "10^{%T}"
set xrange [1e5:10 * greatest]
set yrange [n_runs + 0.6:0.4]
set ytics ("" 0)
do for [i=1:n_runs] {
  set ytics add (label_of(i) i)
  set object i rectangle from first 1e5, first i - 0.3 to first (speed[i] > 1e5 ? speed[i] : 1e5), first i + 0.3 \
    fs solid 0.6 border lc rgb WALL fc rgb "#56B4E9" front
  if (!(speed[i] > 0)) {
    set label 100 + i "no speed: unstable or failed" at first 1.2e5, first i left \
      font "DejaVu Sans,9" tc rgb "#666666" front
  }
}
set arrow 1 from paper, graph 0 to paper, graph 1 nohead lw 2 lc rgb "#D55E00" front
set label 1 "the paper, GTX 1080: 3.64 · 10^6" at paper, graph 1.0 offset 0, 0.7 center front tc rgb "#D55E00"
unset key
plot NaN notitle
do for [i=1:n_runs] {
  unset object i
  unset label 100 + i
}
unset arrow 1
unset label 1
unset label 1000

eval panel(0.12, 0.97, 0.19, 0.50)
set title "one step from the same state, with more and more iterations" offset 0, 0
set xlabel "wall time of the step [ms]"
set ylabel "residual [1]"
set logscale xy
set autoscale
set format y "10^{%T}"
set yrange [least / 3:3]
set ytics autofreq
set key at screen 0.54, screen 0.04 center bottom horizontal maxrows 3 width -2
# The many rods alone, for one rod is another scene; of the full size double strict and float fast.
has(text, part) = strstrt(text, part) > 0
shown(i) = points[i] > 0 && !has(run(i), ".one") && !has(run(i), "-double-fast.") \
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

# SPDX-License-Identifier: GPL-3.0-or-later
# Bodies that touch, over time: how deep they are in each other, how many contacts push, how their volume
# errs, and what still moves.
#
#: series runs/* penetration
#: series runs/* contacts
#: series runs/* volume_error/rms
#: series runs/* energy/kinetic

eval canvas(1000, 720)
set multiplot
set xrange [0:*]
set key at screen 0.5, screen 0.985 center top maxrows 1

array title_of[4] = ["(a) penetration", "(b) contacts that push", "(c) volume error", "(d) kinetic energy"]
array unit_of[4] = ["penetration [mm]", "contacts [1]", "volume error, rms [1]", "kinetic energy [J]"]
paths = "penetration contacts volume_error/rms energy/kinetic"
foot = 0.077 # the least radius of an octopus, m

do for [p=1:4] {
  column_of = (p - 1) % 2
  eval panel(0.08 + 0.5 * column_of, 0.48 + 0.5 * column_of, p < 3 ? 0.57 : 0.12, p < 3 ? 0.87 : 0.42)
  set title title_of[p]
  set ylabel unit_of[p]
  unset logscale y
  if (p == 4) { set logscale y; set format y "10^{%T}" } else { set format y "%g" }
  set yrange [p == 4 ? 1 : 0:*]
  if (p > 2) { set xlabel "time [s]" } else { unset xlabel }
  if (p == 1) {
    set label 1 "gray: a twentieth of the least radius" at graph 0.97, 0.92 right
    plot for [i=1:n_runs] series(run(i), word(paths, p)) using 1:(1000 * $2) with lines ls i \
      title label_of(i), 1000 * 0.05 * foot with lines lc rgb "#999999" lw 1.6 notitle
    unset label 1
  } else {
    plot for [i=1:n_runs] series(run(i), word(paths, p)) using 1:2 with lines ls i notitle
  }
  unset key
}
unset multiplot

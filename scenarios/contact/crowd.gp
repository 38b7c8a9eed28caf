# SPDX-License-Identifier: GPL-3.0-or-later
# Bodies that touch: the last run at its beginning, in its middle and at its end; how deep they are in each
# other over time, how many contacts push, how their volume errs, and what still moves.
#
#: rendered runs/last:* spread=3 660x520 30,18
#: values runs/last:* frames/time
#: series runs/* penetration
#: series runs/* contacts
#: series runs/* volume_error/rms
#: series runs/* energy/kinetic

shown = run(n_runs)
n_frames = int(rows(shown, "frames/time"))
eval canvas(1000, 1000)
set multiplot
unset key

unset grid
unset border
unset tics
set size ratio -1
set xrange [0:329]
set yrange [0:259]
do for [i=1:3] {
  k = (i - 1) * (n_frames - 1) / 2
  eval panel(0.01 + 0.33 * (i - 1), 0.33 * i, 0.71, 0.97)
  set title fold(sprintf("%s%.3g s", n_runs > 1 && i == 1 ? label_of(n_runs) . ", " : "", number(shown, "frames/time", k, 0))) offset 0, -0.5
  plot rendered(shown, "660x520 30,18", k) binary array=(660,520) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  unset label 1000
}
unset label
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale

set xrange [0:*]
array title_of[4] = ["(a) penetration", "(b) contacts that push", "(c) volume error", "(d) kinetic energy"]
array unit_of[4] = ["penetration [mm]", "contacts [1]", "volume error, RMS [1]", "kinetic energy [J]"]
paths = "penetration contacts volume_error/rms energy/kinetic"
foot = 0.077 # the least radius of an octopus, m
if (n_runs > 1) { eval key_at(0.5, 0.69, "center center maxrows 1", "") }

do for [p=1:4] {
  column_of = (p - 1) % 2
  eval panel(0.08 + 0.5 * column_of, 0.48 + 0.5 * column_of, p < 3 ? 0.41 : 0.08, p < 3 ? 0.64 : 0.32)
  set title fold(title_of[p]) offset 0, (p == 1 ? 0.6 : 0)
  set ylabel unit_of[p]
  unset logscale y
  if (p == 4) { set logscale y; set format y "10^{%T}" } else { set format y "%g" }
  set yrange [p == 4 ? 1 : 0:*]
  if (p > 2) { set xlabel "time [s]" } else { unset xlabel }
  if (p == 1) {
    set label 1 "gray: a twentieth of the least radius" at graph 0.02, graph 1.04 left font letters_9
    plot for [i=1:n_runs] series(run(i), word(paths, p)) using 1:(1000 * $2) with lines ls i \
      title label_of(i), 1000 * 0.05 * foot with lines lc rgb "#999999" lw 1.6 notitle
    unset label 1
  } else {
    plot for [i=1:n_runs] series(run(i), word(paths, p)) using 1:2 with lines ls i notitle
  }
  unset key
}
unset multiplot

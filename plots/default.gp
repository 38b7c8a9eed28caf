# SPDX-License-Identifier: GPL-3.0-or-later
# The figure of a study that names none: the first run, rendered at its beginning, in its middle and at its
# end; its energies; and of all runs (the first eight) the error of volume and the residual.
#
#: maybe rendered runs/* spread=3 330x260 30,20
#: maybe values runs/* frames/time
#: maybe series runs/* energy/*
#: maybe series runs/* volume_error/rms
#: maybe series runs/* residual

first = run(1)
n_shown = n_runs < 8 ? n_runs : 8
eval canvas(1000, 760)
set multiplot
unset key

unset grid
unset border
unset tics
view = "330x260 30,20"
set size ratio -1
set xrange [0:329]
set yrange [0:259]
set label 2 first noenhanced at screen 0.012, screen 0.98 left
if (has(first, "rendered " . view)) {
  n_frames = int(rows(first, "frames/time"))
  n_pictures = n_frames < 3 ? n_frames : 3
  do for [i=1:n_pictures] {
    k = n_pictures < 2 ? 0 : (i - 1) * (n_frames - 1) / (n_pictures - 1)
    left = 0.01 + 0.33 * (i - 1) + 0.165 * (3 - n_pictures)
    eval panel(left, left + 0.32, 0.56, 0.94)
    set label 1 sprintf("%.3g s", number(first, "frames/time", k, 0)) at screen left + 0.16, screen 0.955 center
    plot rendered(first, view, k) binary array=(330,260) format="%uchar" flipy with rgbimage
    unset label 1000
  }
} else {
  eval panel(0.01, 0.99, 0.56, 0.94)
  set label 1 "no frames to be shown" at screen 0.5, screen 0.75 center
  plot NaN
}
unset label
set size noratio
set border 3 lw 0.8
set xtics nomirror auto
set ytics nomirror auto
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale
set xlabel "time [s]"

# Energies that are ever larger than a millionth of a joule, each with a style of its own.
shown = ""
do for [path in paths_of(first, "series energy/")] {
  stats series(first, path) using 2 nooutput
  if (abs(STATS_max) > 1e-6 || abs(STATS_min) > 1e-6) { shown = shown . " " . path }
}
set xtics font "DejaVu Sans,8"
set format "%.4g"
eval panel(0.125, 0.325, 0.2, 0.5)
set title "(a) energies"
set ylabel "energy [J]"
set key at screen 0.2, screen 0.03 center bottom maxrows 4 samplen 2 font "DejaVu Sans,8"
if (words(shown) > 0) {
  plot for [e=1:words(shown)] series(first, word(shown, e)) using 1:2 with lines ls 1 + (e - 1) % 8 \
    lw (e > 8 ? 2.6 : 1.6) title word(shown, e)[8:*] noenhanced
} else { plot [0:1][0:1] NaN notitle }

paths = "volume_error/rms residual"
do for [p=1:2] {
  path = word(paths, p)
  there_are = ""
  do for [i=1:n_shown] { there_are = has(run(i), "series " . path) ? there_are . " " . i : there_are }
  eval panel(0.075 + 0.335 * p, 0.325 + 0.335 * p, 0.2, 0.5)
  set title (p == 1 ? "(b) volume error" : "(c) residual")
  set ylabel (p == 1 ? "volume error, RMS [1]" : "residual [1]")
  set logscale y
  set format y "10^{%T}"
  least = p == 1 ? 1e-9 : 1e-17
  if (p == 1) { set yrange [least / 2:*] } else { set yrange [least / 2:10] }
  if (p == 1 && words(there_are) > 0) { set key at screen 0.68, screen 0.03 center bottom } else { unset key }
  if (words(there_are) > 0) {
    plot for [i in there_are] series(run(int(i)), path) using 1:($2 > least ? $2 : least) with lines ls int(i) \
      title run(int(i)) noenhanced
  } else {
    set label 1 "not recorded" at graph 0.5, graph 0.5 center
    plot [0:1][1e-9:1] NaN notitle
    unset label 1
  }
}
unset multiplot

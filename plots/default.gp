# SPDX-License-Identifier: GPL-3.0-or-later
# The figure of a study that names none: the first run, rendered at its beginning, in its middle and at its
# end; its energies; and of all runs (the first eight) the error of volume and the residual.
#
#: maybe rendered runs/* spread=3 660x520 30,20
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
view = "660x520 30,20"
set size ratio -1
set xrange [0:329]
set yrange [0:259]
set label 2 first noenhanced at screen place_x(0.012, 0.98), screen place_y(0.012, 0.98) left
if (has(first, "rendered " . view)) {
  n_frames = int(rows(first, "frames/time"))
  n_pictures = n_frames < 3 ? n_frames : 3
  do for [i=1:n_pictures] {
    k = n_pictures < 2 ? 0 : (i - 1) * (n_frames - 1) / (n_pictures - 1)
    left = 0.01 + 0.33 * (i - 1) + 0.165 * (3 - n_pictures)
    eval panel(left, left + 0.32, 0.56, 0.94)
    set label 1 sprintf("%.3g s", number(first, "frames/time", k, 0)) at screen place_x(left + 0.16, 0.955), screen place_y(left + 0.16, 0.955) center
    plot rendered(first, view, k) binary array=(660,520) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    unset label 1000
  }
} else {
  eval panel(0.01, 0.99, 0.56, 0.94)
  set label 1 "no frames to be shown" at screen place_x(0.5, 0.75), screen place_y(0.5, 0.75) center
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
# Of volume errors and residuals those that are ever above rounding; there are panels for these alone.
kinds = "volume_error/rms residual"
least(p) = p == 1 ? 1e-9 : 1e-17
array drawn[2] = ["", ""]
n_panels = 1
do for [p=1:2] {
  do for [i=1:n_shown] {
    if (has(run(i), "series " . word(kinds, p))) {
      stats series(run(i), word(kinds, p)) using 2 nooutput
      if (STATS_max > least(p)) { drawn[p] = drawn[p] . " " . i }
    }
  }
  n_panels = n_panels + (words(drawn[p]) > 0)
}
left_of(k) = 0.125 + (k - 1) * 0.875 / n_panels
right_of(k) = 0.97 - (n_panels - k) * 0.875 / n_panels - (k < n_panels ? 0.075 : 0)

set xtics font letters_8
set ytics font letters_8
set format "%.4g"
eval panel(left_of(1), right_of(1), 0.2, 0.5)
set title fold("(a) energies of " . first) noenhanced
set ylabel "energy [J]"
eval key_at(0.5 * (left_of(1) + right_of(1)), 0.03, "center bottom maxrows 4", "samplen 2 font '" . letters(8) . "'")
if (words(shown) > 0) {
  plot for [e=1:words(shown)] series(first, word(shown, e)) using 1:2 with lines ls 1 + (e - 1) % 8 \
    lw (e > 8 ? 2.6 : 1.6) title word(shown, e)[8:*] noenhanced
} else { plot [0:1][0:1] NaN notitle }

k = 1
keyed = 0
do for [p=1:2] {
  if (words(drawn[p]) > 0) {
    k = k + 1
    eval panel(left_of(k), right_of(k), 0.2, 0.5)
    set title fold((k == 2 ? "(b) " : "(c) ") . (p == 1 ? "volume error" : "residual"))
    set ylabel (p == 1 ? "volume error, RMS [1]" : "residual [1]")
    set logscale y
    set format y "10^{%T}"
    set yrange [*:*]
    # One key for both: the styles are those of runs.
    if (!keyed) { eval key_at(0.5 * (left_of(2) + 0.97), 0.03, "center bottom", "") } else { unset key }
    keyed = 1
    plot for [i in drawn[p]] series(run(int(i)), word(kinds, p)) using 1:($2 > least(p) ? $2 : NaN) with lines ls int(i) \
      title run(int(i)) noenhanced
  }
}
unset multiplot

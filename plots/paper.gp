# SPDX-License-Identifier: GPL-3.0-or-later
# The paper's figures 5, 6, 13, 14, 15 and 16 on one sheet. Each study has its own, larger figure.
#
#: values runs/stretch_bars-n32 topology/body_name topology/body topology/rest_position frames/position[0,0]
#: outline_of runs/stretch_bars-n32 t=0,t=2,t=5 xz
#: series runs/stretch_bars-n32 volume_error/rms_by_body[0]
#: series runs/stretch_bars-n32 volume_error/rms_by_body[1]
#: series runs/stretch_bars-n32 volume_error/rms_by_body[2]
#: series runs/stretch_bars-n32 volume_error/rms_by_body[3]
#: values runs/shockwave-pulse,bergou-pulse-viper topology/rest_position frames/scale[0]
#: values runs/shockwave-pulse,bergou-pinch-viper topology/rest_radius
#: outline runs/shockwave-pulse spread=5 zx
#: series runs/stretch_convergence-* convergence/residual
#: frame runs/bergou-pulse-viper,bergou-pulse-bergou spread=8 frames/position frames/scale
#: values runs/bergou-pinch-viper,bergou-pinch-bergou frames/scale[50%]
#: outline runs/bergou-pinch-viper,bergou-pinch-bergou -1 zx
#: values runs/last:fem_band-fem* frames/time
#: box_edges runs/last:fem_band-fem*,last:fem_band-rods*,last:fem_band-free*,last:fem_band-cross* t=2,t=4 0.12 0.04
#: box_sections runs/last:fem_band-fem*,last:fem_band-rods*,last:fem_band-free*,last:fem_band-cross* t=2,t=4 0.12 0.04

bars = "stretch_bars-n32"
pulse = "shockwave-pulse"

eval canvas(1100, 1400)
set multiplot
unset key
cell(column, row) = panel(0.075 + 0.5 * column, 0.485 + 0.5 * column, \
  0.70 - 0.32 * row, 0.93 - 0.32 * row)
heading(n, text) = sprintf("{/:Bold Figure %d} – %s", n, text)
last_frame(r) = int(rows(r, "frames/scale[0]")) - 1
time_of(r, k) = number(r, "frames/scale[0]", k, -1)
frame_at(r, t) = row_at(r, "frames/position[0,0]", t)

# Figure 5: bars of growing volume stiffness at rest, stretched and compressed.
bar_names = names(bars, "topology/body_name")
n_bars = int(rows(bars, "topology/body_name"))
bodies = names(bars, "topology/body")
last_node(b) = int(sum [node=1:words(bodies)] (real(word(bodies, node)) <= b)) - 1
stands_at(b) = number(bars, "topology/rest_position", last_node(b), 0)
array x0[n_bars]
array k[3]
do for [b=1:n_bars] { x0[b] = stands_at(b - 1) }
k[1] = 0
k[2] = frame_at(bars, 2)
k[3] = frame_at(bars, 5)
gray_of(s) = word("#F0F0F0 #BDBDBD #7F7F7F", s)
shift(b, s) = 0.85 * (b - 1) + 0.24 * (s - 2) - x0[b]
unset grid
set xrange [-0.5:0.85 * n_bars]
set yrange [-0.35:2.2]
unset xtics
do for [b=1:n_bars] {
  set label b word(bar_names, b) at 0.85 * (b - 1), -0.22 center font "DejaVu Sans,7"
}
set ylabel "z [m]"
eval cell(0, 0)
set title heading(5, "stretched and compressed bars")
plot for [s=1:3] for [b=1:n_bars] outline_of(bars, k[s], "xz", b - 1) \
    using ($1 + shift(b, s)):2 with lines lw 2 lc rgb WALL, \
  for [s=1:3] for [b=1:n_bars] outline_of(bars, k[s], "xz", b - 1) \
    using ($1 + shift(b, s)):2 with filledcurves closed fs solid noborder fc rgb gray_of(s)
do for [b=1:n_bars] { unset label b }
unset label 1000
set xtics autofreq nomirror

# Figure 6: the radius pulse on its way.
L = number(pulse, "topology/rest_position", -1, 2)
radius = number(pulse, "topology/rest_radius", 0, 0)
n_rods = 5
apart = 7 * radius
end = last_frame(pulse)
frame_of(i) = int(i * end / (n_rods - 1.0))
set xrange [-3 * radius:L + 2 * radius]
set yrange [-0.8 * apart:(n_rods - 0.2) * apart]
set ytics () nomirror
do for [i=0:n_rods-1] { set ytics add (sprintf("%.3f", time_of(pulse, frame_of(i))) i * apart) }
set xlabel "z [m]"
set ylabel "time [s]"
eval cell(1, 0)
set title heading(6, "a pulse of the radius (drawn twice as thick)")
plot for [i=0:n_rods-1] outline(pulse, frame_of(i), "zx") using 1:(i * apart + 2 * $2) \
    with lines lw 2 lc rgb WALL, \
  for [i=0:n_rods-1] outline(pulse, frame_of(i), "zx") using 1:(i * apart + 2 * $2) \
    with filledcurves closed fs solid noborder fc rgb FILL
set ytics autofreq

# Figure 13: the volume's error of the same bars. The last two are shown in figure 5.
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set xrange [0:5]
set yrange [1e-4:5]
set logscale y
set format y "10^{%T}"
set xlabel "time [s]"
set ylabel "volume error [1]"
set key at graph 0.98, graph 0.97 right top maxrows 2
eval cell(0, 1)
set title heading(13, "volume error of the bars")
plot for [b=1:n_bars-2] series(bars, sprintf("volume_error/rms_by_body[%d]", b - 1)) \
  using 1:($2 > 0 ? $2 : NaN) with lines ls b title word(bar_names, b)

# Figure 14: convergence of one step.
set xrange [0.8:1250]
set yrange [1e-17:1e3]
set ytics 1e-16, 1e4
set logscale x
set format x "10^{%T}"
set xlabel "iterations"
set ylabel "residual [1]"
set key at graph 0.97, graph 0.56 right top maxrows 4
eval cell(1, 1)
set title heading(14, "one step after a two-fold stretch")
methods = "direct xpbd block-descent jacobi-published"
set label 14 "thin: one end moved; else all nodes" at graph 0.04, graph 0.94 left font "DejaVu Sans,8"
plot for [c=1:2] for [m=1:4] series(sprintf("stretch_convergence-%s-%s", word(methods, m), word("all end", c)), \
  "convergence/residual") using 1:($2 > 1e-16 ? $2 : 1e-16) with lines ls m lw (c == 1 ? 1.8 : 0.8) \
  title (c == 1 ? word(methods, m) : "")
unset label 14
unset logscale
set format "%g"
set ytics autofreq

# Figure 15: the pulse and the pinch, VIPER above Bergou.
set key off
unset grid
n = last_frame("bergou-pulse-viper")
time_step = time_of("bergou-pulse-viper", 1)
L = number("bergou-pulse-viper", "topology/rest_position", -1, 2)
n_profiles = 8
lift = 0.22
array t[n_profiles]
do for [i=1:n_profiles] { t[i] = time_step * int((i - 1) * n / (n_profiles - 1.0)) }
set xrange [0:L]
set xlabel "z [m]"
do for [m=1:2] {
  r = word("bergou-pulse-viper bergou-pulse-bergou", m)
  eval panel(0.075 + 0.215 * (m - 1), 0.27 + 0.215 * (m - 1), 0.205, 0.29)
  set title (m == 1 ? heading(15, "pulse: VIPER") : "pulse: Bergou")
  set ylabel (m == 1 ? "time [s]" : "")
  set yrange [0:1.5 * t[n_profiles]]
  set ytics 0.03
  if (m == 2) { set format y "" }
  set xtics 0.5
  plot for [i=1:n_profiles] frame(r, "frames/position frames/scale", \
    int((i - 1) * n / (n_profiles - 1.0))) using 4:(t[i] + 0.1 * lift * ($5 - 1)) with lines ls 1 lw 1.2
  r = word("bergou-pinch-viper bergou-pinch-bergou", m)
  h = number("bergou-pinch-viper", "topology/rest_radius", 0, 0) \
    * number(r, "frames/scale[50%]", -1, 0)
  eval panel(0.075 + 0.215 * (m - 1), 0.27 + 0.215 * (m - 1), 0.06, 0.13)
  set title (m == 1 ? "pinch: VIPER" : "pinch: Bergou")
  set ylabel (m == 1 ? "x [m]" : "")
  set xrange [0.25:0.75]
  set yrange [-0.1:0.1]
  set ytics 0.1
  set xtics 0.2
  set arrow 1 from 0.5, 0.095 to 0.5, h filled lc rgb "#D55E00" lw 1.5 front
  set arrow 2 from 0.5, -0.095 to 0.5, -h filled lc rgb "#D55E00" lw 1.5 front
  plot outline(r, -1, "zx") using 1:2 with lines lw 2 lc rgb WALL, \
    outline(r, -1, "zx") using 1:2 with filledcurves closed fs solid noborder fc rgb FILL
  unset arrow
  set xrange [0:L]
}
set format "%g"

# Figure 16: the band, stretched and twisted, by finite elements and by rods.
eval cell(1, 2)
unset xlabel
unset ylabel
unset tics
unset border
unset arrow
set title heading(16, "a band beside finite elements")
if (strstrt(runs, "fem_band-")) {
  # The finest run of each kind, the last: fem, fem3 and so on.
  finest(kind) = finest_from("fem_band-" . kind, n_runs)
  finest_from(head, i) = i < 1 ? "" : strstrt(run(i), head) == 1 ? run(i) : finest_from(head, i - 1)
  kind(i) = finest(word("fem rods free cross", i))
  title_of(i) = word("'finite elements' 'bundled rods' 'no bundles' 'cross rods'", i)
  W = 0.12 # at rest [m]
  T = 0.04
  band_at(t) = row_at(kind(1), "frames/time", t)
  array k[2]
  k[1] = band_at(2)
  k[2] = band_at(4)
  # Seen from a little beside.
  see(x, y) = x + 0.35 * y
  row(i) = -0.2 * (i - 1)
  beside(s) = 0.95 * (s - 1)
  set size ratio -1
  set xrange [-0.03:1.58]
  set yrange [-0.72:0.2]
  set label 31 "stretched by a half" at 0.3, 0.13 center font "DejaVu Sans,9"
  set label 32 "then twisted by half a turn" at 1.25, 0.13 center font "DejaVu Sans,9"
  do for [i=1:4] { set label 32 + i title_of(i) at 0.775, row(i) center font "DejaVu Sans,7" }
  plot for [s=1:2] for [i=1:4] box_edges(kind(i), k[s], W, T) \
      using (beside(s) + $3):(row(i) + see($1, $2)) with lines lw 1.2 lc rgb WALL, \
    for [s=1:2] for [i=1:4] box_sections(kind(i), k[s], W, T) \
      using (beside(s) + $3):(row(i) + see($1, $2)) with lines lw 0.6 lc rgb "#888888"
} else {
  set xrange [0:1]
  set yrange [0:1]
  set label 1 "The study fem\\_band has not been run here." at 0.5, 0.5 center
  plot NaN
}
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# The paper's figures 5 to 8 and 13 to 16 on one sheet. Each study has its own, larger figure.
#
#: values runs/last:stretch_bars-n*,stretch_bars-clamped,stretch_bars-clamped-published topology/body topology/rest_radius frames/position[0,0]
#: frame runs/last:stretch_bars-n*,stretch_bars-clamped,stretch_bars-clamped-published t=0,t=2,t=5 frames/position frames/scale
#: series runs/last:stretch_bars-n* volume_error/rms_by_body[2]
#: series runs/last:stretch_bars-n* stretch_error/rms_by_body[2]
#: series runs/stretch_bars-published-300 volume_error/rms
#: series runs/stretch_bars-published-300 stretch_error/rms
#: values runs/shockwave-pulse,bergou-pulse-viper topology/rest_position frames/scale[0]
#: values runs/shockwave-pulse,pinched-viper topology/rest_radius
#: frame runs/shockwave-pulse,shockwave-pulse-published spread=5 frames/position frames/scale
#: rendered runs/octopus_skins-crowd -1 2160x860 30,16,1,30
#: values runs/octopus_skins-published penetration
#: values runs/octopus_skins-crowd topology/body topology/segment topology/rest_position timing/step
#: series runs/stretch_convergence-*-both convergence/energy/stretch convergence/energy/section convergence/energy/taper
#: series runs/stretch_convergence-*-both convergence/energy/volume
#: frame runs/bergou-pulse-viper,bergou-pulse-bergou spread=8 frames/position frames/scale
#: values runs/bergou-packet-viper,bergou-packet-bergou gates/name gates/value
#: outline runs/pinched-viper,pinched-bergou t=0,t=3 zx
#: values runs/pinched-published gates/name gates/value
#: values runs/pinched-viper,pinched-bergou frames/scale[50%] gates/name gates/value topology/rest_position
#: rendered runs/last:fem_band-fem*,last:fem_band-rods*,last:fem_band-usual* t=2,t=4 256x520 25,8,1,0
#: rendered runs/last:fem_band-rods* t=2,t=4 256x520 25,8,1,0 pills
#: values runs/last:fem_band-fem*,last:fem_band-rods*,last:fem_band-usual*,last:fem_band-published* frames/time reaction/torque[1,2] reaction/force[1,2]

pulse = "shockwave-pulse"

# The upper part was drawn for 1760 pixels; what is below it is placed in pixels from the bottom.
H = 2240.0
below = 480.0
eval canvas(1100, H)
up(y) = (y * 1760 + below) / H
px(y) = y / H
set multiplot
unset key
cell(column, row) = panel(0.075 + 0.5 * column, 0.485 + 0.5 * column, \
  up(0.785 - 0.248 * row), up(0.965 - 0.248 * row))
heading(n, text) = sprintf("{/:Bold Figure %s} – %s", n, text)
last_frame(r) = int(rows(r, "frames/scale[0]")) - 1
time_of(r, k) = number(r, "frames/scale[0]", k, -1)
gate_value(r, name) = number(r, "gates/value", place_of(name, names(r, "gates/name")) - 1, 0)
titled(n, text) = (plain = fold(sprintf("Figure %s – %s", n, text)), paper_mm ? plain : heading(n, text))
# The finest of the runs that begin so: the last.
finest(head) = finest_from(head, n_runs)
finest_from(head, i) = i < 1 ? "" : strstrt(run(i), head) == 1 ? run(i) : finest_from(head, i - 1)

# Figure 5: bars at rest, stretched and compressed, the standard Cosserat rod first; with ends of free and of held
# section. Radii are drawn three times as large, and what scales differ from 1 twice as much.
bars = finest("stretch_bars-n")
runs_shown = bars . " " . bars . " " . bars . " stretch_bars-clamped stretch_bars-clamped"
bodies_shown = "4 1 3 0 1"
last_node(r, b) = int(sum [node=1:words(names(r, "topology/body"))] \
  (real(word(names(r, "topology/body"), node)) <= b)) - 1
radius = number(bars, "topology/rest_radius", 0, 0)
array first[5]
array last[5]
do for [i=1:5] {
  first[i] = last_node(word(runs_shown, i), int(word(bodies_shown, i)) - 1) + 1
  last[i] = last_node(word(runs_shown, i), int(word(bodies_shown, i)))
}
gray_of(s) = word("#F0F0F0 #BDBDBD #7F7F7F", s)
state(i, s) = frame(word(runs_shown, i), "frames/position frames/scale", \
  row_at(word(runs_shown, i), "frames/position[0,0]", s == 1 ? 0 : s == 2 ? 2 : 5))
published(i, s) = frame("stretch_bars-clamped-published", "frames/position frames/scale", \
  row_at("stretch_bars-clamped-published", "frames/position[0,0]", s == 2 ? 2 : 5))
wide(scale) = 3 * radius * (1 + 2 * (scale - 1))
# Lying, in two columns: the bar at rest, then those stretched, then those compressed.
along(i) = i > 3 ? 2.9 : 0
kind(i) = i > 3 ? i - 2 : i
height(i, s) = s == 1 ? 0 : -0.12 - 0.46 * kind(i) - 1.6 * (s - 2)
unset grid
unset border
unset tics
set autoscale
do for [i=1:5] for [s=2:3] {
  middle = (first[i] + last[i]) / 2
  stats state(i, s) every ::middle::middle using 5 nooutput
  set label 100 + 10 * s + i sprintf("%.3f", STATS_mean) at along(i) + (s == 2 ? 2.06 : 0.76), height(i, s) left font letters_8
}
set xrange [(paper_mm ? -1.35 : -0.78):5.5]
set yrange [-3.95:0.6]
do for [s=2:3] for [i=1:3] {
  set label 130 + 10 * s + i part_of("Cosserat|k_v = k_z|50 k_z", i) at -0.07, height(i, s) right font letters_8
}
set label 1 "at rest" at -0.07, 0 right font letters_8
set label 3 "free ends" at 1, 0.42 center font letters_9
set label 4 "ends of held section" at along(4) + 1, 0.42 center font letters_9
set label 6 "radius drawn as 3 r (1 + 2 (scale − 1))" at 2.3, -3.8 center font letters_8
set label 5 "1 m" at along(4) + 1.75, 0 left font letters_8
set arrow 1 from along(4) + 1.2, -0.14 to along(4) + 2.2, -0.14 heads size 0.03, 90 lw 1
unset ylabel
eval panel(0.01, 0.49, up(0.785), up(0.965))
set size ratio -1
set title titled("5", "bars stretched and compressed: scale at the middle")
eval key_at(0.25, up(0.772), "center top maxrows 2", "samplen 2 width -2 font '" . letters(8) . "'")
each = "1.1 4.1 1.2 2.2 3.2 4.2 5.2 1.3 2.3 3.3 4.3 5.3" # bar and state
bar_of(w) = int(w[1:1])
state_of(w) = int(w[3:3])
plot for [w in each] state(bar_of(w), state_of(w)) every ::first[bar_of(w)]::last[bar_of(w)] \
    using (along(bar_of(w)) + $4):(height(bar_of(w), state_of(w)) + wide($5)):(height(bar_of(w), state_of(w)) - wide($5)) \
    with filledcurves fs solid noborder fc rgb gray_of(state_of(w)) notitle, \
  for [w in each] for [side=-1:1:2] state(bar_of(w), state_of(w)) every ::first[bar_of(w)]::last[bar_of(w)] \
    using (along(bar_of(w)) + $4):(height(bar_of(w), state_of(w)) + side * wide($5)) with lines lw 1 lc rgb WALL notitle, \
  for [w in each] for [end=1:2] state(bar_of(w), state_of(w)) \
    every ::(end == 1 ? first[bar_of(w)] : last[bar_of(w)])::(end == 1 ? first[bar_of(w)] : last[bar_of(w)]) \
    using (along(bar_of(w)) + $4):(height(bar_of(w), state_of(w)) - wide($5)):(0):(2 * wide($5)) with vectors nohead lw 1 lc rgb WALL notitle, \
  for [s=1:3] keyentry with boxes fs solid border rgb WALL fc rgb gray_of(s) \
    title part_of("at rest|stretched to 2|compressed to 0.7", s), \
  for [s=2:3] for [i=4:5] for [side=-1:1:2] published(i, s) every ::first[i]::last[i] \
    using (along(i) + $4):(height(i, s) + side * wide($5)) with lines ls 4 lw 1.2 notitle, \
  keyentry with lines ls 4 lw 1.2 title "jacobi-published, 100 iterations"
unset label
unset arrow
unset key
set size noratio
set border 31 lw 0.8
set xtics autofreq nomirror
set ytics autofreq nomirror

# Figure 6: the radius pulse on its way.
L = number(pulse, "topology/rest_position", -1, 2)
radius = number(pulse, "topology/rest_radius", 0, 0)
n_rods = 5
apart = 7 * radius
magnified = 4
wall(scale) = radius * (1 + magnified * (scale - 1))
frame_of(i) = int(i * last_frame(pulse) / (n_rods - 1.0))
profile(i) = frame(pulse, "frames/position frames/scale", frame_of(i))
set xrange [-2 * radius:L + 2 * radius]
set yrange [-0.6 * apart:(n_rods - 0.1) * apart]
set ytics () nomirror
do for [i=0:n_rods-1] { set ytics add (sprintf("%.3f", time_of(pulse, frame_of(i))) i * apart) }
set xlabel "z [m]"
set ylabel "time [s]"
eval cell(1, 0)
set key at graph 0.98, graph 0.015 right bottom samplen 3 font letters_8
set title titled("6", sprintf("a pulse of the radius, drawn as r (1 + %g (scale − 1))", magnified))
plot for [i=0:n_rods-1] profile(i) using 4:(i * apart + wall($5)):(i * apart - wall($5)) \
    with filledcurves fs solid noborder fc rgb FILL notitle, \
  for [i=0:n_rods-1] for [side=-1:1:2] profile(i) using 4:(i * apart + side * wall($5)) with lines lw 1 lc rgb WALL notitle, \
  for [i=1:n_rods-1] for [side=-1:1:2] frame("shockwave-pulse-published", "frames/position frames/scale", frame_of(i)) \
    using 4:(i * apart + side * wall($5)) with lines ls 4 lw 1.2 title i + side == 0 ? "jacobi-published, β = 0.5" : ""
set ytics autofreq
unset key

# Figure 13: both errors of one bar over its motion.
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set xrange [0:5]
set yrange [0:(paper_mm ? 1.9 : 1.1)]
set ytics 0.25
set xlabel "time [s]"
set ylabel "error, RMS [1]"
set key at graph 0.985, graph 0.97 right top maxrows 4 samplen 2 font letters_9
eval cell(0, 1)
set title titled("13", "errors of the bar of k_v = 10 k_z (published: 300 iterations)")
error_of(e, m) = series(m == 1 ? "stretch_bars-published-300" : bars, \
  (e == 1 ? "stretch_error/" : "volume_error/") . (m == 1 ? "rms" : "rms_by_body[2]"))
plot for [m=1:2] for [e=1:2] error_of(e, m) using 1:2 with lines lw 1.8 lc rgb word("#0072B2 #D55E00", e) \
  dt 3 - m title (e == 1 ? "stretch, " : "volume, ") . (m == 1 ? "jacobi-published" : "converged")

# Figure 14: energies of one step over iterations, the paper's solver first. Color and dashes are of methods;
# volume is the lower family of curves, with points.
methods = "jacobi-published xpbd direct"
style_of(m) = int(word("4 2 1", m))
both(m) = "stretch_convergence-" . word(methods, m) . "-both"
set xrange [0.8:1250]
set yrange [1:3e9]
set logscale xy
set format "10^{%T}"
set xtics 10
set ytics 100
set mxtics 1
set mytics 1
set xlabel "iterations"
set ylabel "energy [J]"
set key at graph 0.98, graph 0.98 right top maxrows 4 samplen 2 font letters_9
eval cell(1, 1)
guide(x) = 1e8 / x
set label 14 "slope −1" at 30, guide(30) offset 0.5, 0.6 left font letters_9 tc rgb "#666666"
set label 15 "lines: strain; points: volume" at graph 0.03, graph 0.06 left font letters_9
set title titled("14", "energies of a step after both ends jump")
plot guide(x) with lines lc rgb "#999999" lw 1 dt solid notitle, \
  for [m=1:3] series(both(m), "convergence/energy/stretch convergence/energy/section convergence/energy/taper") \
    using 1:($2 + $3 + $4) with lines ls style_of(m) title word(methods, m), \
  for [m=1:3] series(both(m), "convergence/energy/volume") using 1:2 with points ls style_of(m) notitle
unset label
unset logscale
set format "%g"
set xtics autofreq
set ytics autofreq

# Figure 15: the pulse and the pinch, VIPER beside Bergou.
set key off
unset grid
n = last_frame("bergou-pulse-viper")
time_step = time_of("bergou-pulse-viper", 1)
L = number("bergou-pulse-viper", "topology/rest_position", -1, 2)
n_profiles = 8
lift = 0.22
array t[n_profiles]
do for [i=1:n_profiles] { t[i] = time_step * int((i - 1) * n / (n_profiles - 1.0)) }
force_of(f) = abs(f) < 1000 ? sprintf("%.3g N", f) : sprintf("%.3g kN", f / 1000)
falls(r) = gate_value(r, "height at station 2") / gate_value(r, "height at station 1")
set label 40 heading("15", sprintf("VIPER and a radius updated from the length; a packet of long waves falls to %.3f and %.3f", \
  falls("bergou-packet-viper"), falls("bergou-packet-bergou"))) at screen place_x(0.5, up(0.481)), screen place_y(0.5, up(0.481)) center
do for [m=1:2] {
  set xrange [0:L]
  set xlabel "z [m]"
  r = word("bergou-pulse-viper bergou-pulse-bergou", m)
  eval panel(0.075 + 0.215 * (m - 1), 0.27 + 0.215 * (m - 1), up(0.315), up(0.452))
  set title fold((m == 1 ? "a pulse: VIPER" : "radius updated"))
  set ylabel (m == 1 ? "time [s]" : "")
  set yrange [0:1.25 * t[n_profiles]]
  set ytics 0.03
  set format y (m == 2 ? "" : "%g")
  set xtics 0.5
  plot for [i=1:n_profiles] frame(r, "frames/position frames/scale", \
    int((i - 1) * n / (n_profiles - 1.0))) using 4:(t[i] + 0.1 * lift * ($5 - 1)) with lines ls 1 lw 1.2
  unset label 40
  r = word("pinched-viper pinched-bergou", m)
  radius = number("pinched-viper", "topology/rest_radius", 0, 0)
  closed = radius * number(r, "frames/scale[50%]", -1, 0)
  rest = 2 * number(r, "topology/rest_position", -1, 2)
  eval panel(0.55, 0.985, up(0.385 - 0.075 * (m - 1)), up(0.455 - 0.075 * (m - 1)))
  set title fold((m == 1 \
    ? sprintf("VIPER, pressed: length %.3f m, %s (published solver: %s)", gate_value(r, "length"), \
      force_of(gate_value(r, "force of a plane")), force_of(gate_value("pinched-published", "force of a plane"))) \
    : sprintf("updated radius, pulled: %.3f m by %s", (radius / closed)**2 * rest, force_of(gate_value(r, "force of the pull"))))) \
    offset 0, -0.7
  unset xlabel
  unset tics
  unset ylabel
  unset border
  set size ratio -1
  set xrange [-0.9:0.9]
  set yrange [-0.28:0.08]
  do for [side=-1:1:2] {
    set arrow from -0.85, side * radius to 0.85, side * radius nohead lc rgb (m == 1 ? "#D55E00" : "#BBBBBB") lw 1.5 back
    set arrow from -0.85, -0.22 + side * closed to 0.85, -0.22 + side * closed nohead lc rgb (m == 1 ? "#D55E00" : "#BBBBBB") lw 1.5 back
  }
  shift(k) = m == 2 ? k * rest * ((radius / closed)**2 - 1) / 2 : 0
  plot for [k=0:1] outline(r, -k, "zx") every 3 using ($1 - shift(k)):(-0.22 * k + $2) with lines lw 2 lc rgb WALL, \
    for [k=0:1] outline(r, -k, "zx") every 3 using ($1 - shift(k)):(-0.22 * k + $2) with filledcurves closed fs solid noborder fc rgb FILL
  unset arrow
  set title offset 0, 0
  set size noratio
  set border 31 lw 0.8
  set tics nomirror
}
set format "%g"

# Figure 7: the skins, rendered.
unset xlabel
unset ylabel
unset tics
unset border
crowd = "octopus_skins-crowd"
bodies = names(crowd, "topology/body")
n_bodies = int(real(word(bodies, words(bodies)))) + 1
n_segments = int(rows(crowd, "topology/segment"))
step_s = names(crowd, "timing/step")
n_steps = words(step_s)
n_last = n_steps < 20 ? n_steps : 20
mean_ms(from) = 1e3 * (sum [i=from:n_steps] real(word(step_s, i))) / (n_steps - from + 1)
eval panel(0.01, 0.99, px(470), px(900))
set size ratio -1
set xrange [0:1079]
set yrange [0:429]
set label 40 heading("7", sprintf("%d octopuses of %d pills with %s", n_bodies, \
  n_segments / n_bodies, label_of(place_of(crowd, runs)))) at screen place_x(0.5, px(920)), screen place_y(0.5, px(920)) center
set label 41 sprintf("A step of the heap takes %.1f ms (last %d steps), %.1f ms in the mean from the beginning.\n" \
  . "The published solver, in as many iterations, leaves a penetration of %.0f mm.", \
  mean_ms(n_steps - n_last + 1), n_last, mean_ms(1), 1e3 * number("octopus_skins-published", "penetration", -1, 0)) at screen place_x(0.5, px(455)), screen place_y(0.5, px(455)) center font letters_8
unset title
plot rendered(crowd, "2160x860 30,16,1,30", -1) binary array=(2160,860) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
unset label

# Figures 8 and 16: the band by finite elements, and by rods whose stiffnesses are fitted and are not.
band_at(t) = row_at(finest("fem_band-fem"), "frames/time", t)
view = "256x520 25,8,1,0"
last(r, path) = number(r, path, -1, 0)
times(r, path) = last(r, path) / last(finest("fem_band-fem"), path)
if (strstrt(runs, "fem_band-")) {
  set label 40 heading("8, 16", "a band stretched, then twisted") at screen place_x(0.02, px(400)), screen place_y(0.02, px(400)) left
  set label 41 sprintf("Twisted, bundled rods take %.1f times the torque and %.2f times the force\nof the finite elements; where nothing is fitted %.1f and %.2f times,\nand there by the published solver %.1f and %.2f times.", \
    times(finest("fem_band-rods"), "reaction/torque[1,2]"), times(finest("fem_band-rods"), "reaction/force[1,2]"), \
    times(finest("fem_band-usual"), "reaction/torque[1,2]"), times(finest("fem_band-usual"), "reaction/force[1,2]"), \
    times(finest("fem_band-published"), "reaction/torque[1,2]"), times(finest("fem_band-published"), "reaction/force[1,2]")) \
    at screen place_x(0.02, px(65)), screen place_y(0.02, px(65)) left font letters_8
  set xrange [0:127]
  set yrange [0:259]
  do for [s=1:2] {
    do for [i=1:4] {
      left = 0.01 + 0.122 * (i - 1) + 0.495 * (s - 1)
      r = finest("fem_band-" . word("fem rods rods usual", i))
      eval panel(left, left + 0.117, px(85), px(345))
      set title fold(part_of("finite elements,|bundled rods,|skinned,|nothing fitted,", i) . (paper_mm ? " " : "\n") . (s == 1 ? "stretched" : "twisted")) font letters_8
      if (i == 2) {
        plot rendered(r, view . " pills", band_at(2 * s)) binary array=(256,520) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
      } else {
        plot rendered(r, view, band_at(2 * s)) binary array=(256,520) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
      }
      unset label
    }
  }
} else {
  eval panel(0.01, 0.99, px(85), px(345))
  set size noratio
  set xrange [0:1]
  set yrange [0:1]
  set label 40 heading("8, 16", "a band stretched, then twisted") at screen place_x(0.5, px(400)), screen place_y(0.5, px(400)) center
  set label 1 "The study fem\\_band has not been run here." at 0.5, 0.5 center
  plot NaN
}
unset multiplot

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
#: rendered runs/octopus_skins-crowd -1 840x532 30,16,1,30
#: values runs/octopus_skins-published penetration
#: values runs/octopus_skins-crowd topology/body topology/segment topology/rest_position timing/step
#: series runs/stretch_convergence-*-both convergence/energy/stretch convergence/energy/section convergence/energy/taper
#: series runs/stretch_convergence-*-both convergence/energy/volume
#: frame runs/bergou-pulse-viper,bergou-pulse-bergou spread=8 frames/position frames/scale
#: values runs/bergou-packet-viper,bergou-packet-bergou gates/value
#: outline runs/pinched-viper,pinched-bergou t=0,t=3 zx
#: values runs/pinched-published gates/value
#: values runs/pinched-viper,pinched-bergou frames/scale[50%] gates/value topology/rest_position
#: rendered runs/last:fem_band-fem*,last:fem_band-rods*,last:fem_band-usual* t=2,t=4 152x484 25,8,1,0
#: rendered runs/last:fem_band-rods* t=2,t=4 152x484 25,8,1,0 pills
#: values runs/last:fem_band-fem*,last:fem_band-rods*,last:fem_band-usual*,last:fem_band-published* frames/time reaction/torque[1,2] reaction/force[1,2]

pulse = "shockwave-pulse"

eval canvas(1100, 1760)
set multiplot
unset key
cell(column, row) = panel(0.075 + 0.5 * column, 0.485 + 0.5 * column, \
  0.785 - 0.248 * row, 0.965 - 0.248 * row)
heading(n, text) = sprintf("{/:Bold Figure %s} – %s", n, text)
last_frame(r) = int(rows(r, "frames/scale[0]")) - 1
time_of(r, k) = number(r, "frames/scale[0]", k, -1)
# The finest of the runs that begin so: the last.
finest(head) = finest_from(head, n_runs)
finest_from(head, i) = i < 1 ? "" : strstrt(run(i), head) == 1 ? run(i) : finest_from(head, i - 1)

# Figure 5: two bars at rest, stretched and compressed, with ends of free and of held section.
bars = finest("stretch_bars-n")
runs_shown = bars . " " . bars . " stretch_bars-clamped stretch_bars-clamped"
bodies_shown = "1 3 0 1"
last_node(r, b) = int(sum [node=1:words(names(r, "topology/body"))] \
  (real(word(names(r, "topology/body"), node)) <= b)) - 1
radius = number(bars, "topology/rest_radius", 0, 0)
array first[4]
array last[4]
do for [i=1:4] {
  first[i] = last_node(word(runs_shown, i), int(word(bodies_shown, i)) - 1) + 1
  last[i] = last_node(word(runs_shown, i), int(word(bodies_shown, i)))
}
gray_of(s) = word("#F0F0F0 #BDBDBD #7F7F7F", s)
state(i, s) = frame(word(runs_shown, i), "frames/position frames/scale", \
  row_at(word(runs_shown, i), "frames/position[0,0]", s == 1 ? 0 : s == 2 ? 2 : 5))
published(i, s) = frame("stretch_bars-clamped-published", "frames/position frames/scale", \
  row_at("stretch_bars-clamped-published", "frames/position[0,0]", s == 2 ? 2 : 5))
# Lying, in two columns, the softer bar above the stiffer.
along(i) = i > 2 ? 2.3 : 0
height(i, s) = -1.2 * ((i - 1) % 2) - 0.34 * (s - 1)
unset grid
unset border
unset tics
set xrange [-0.45:4.4]
set yrange [-2.8:0.42]
set label 1 "k_v = k_z" at -0.07, -0.34 right font letters_9
set label 2 "50 k_z" at -0.07, -1.54 right font letters_9
set label 3 "ends free to shrink and swell" at 1, 0.3 center font letters_9
set label 4 "ends that keep their section" at along(3) + 1, 0.3 center font letters_9
set label 5 "1 m" at along(3) + 1.5, -2.02 center font letters_9
set arrow 1 from along(3) + 1, -2.17 to along(3) + 2, -2.17 heads size 0.03, 90 lw 1
unset ylabel
eval panel(0.01, 0.49, 0.785, 0.965)
set size ratio -1
set title heading("5", "bars stretched and compressed")
set key at graph 0.02, graph 0.02 left bottom vertical maxrows 2 samplen 2 width -2 font letters_8
plot for [s=1:3] for [i=1:4] state(i, s) every ::first[i]::last[i] \
    using (along(i) + $4):(height(i, s) + radius * $5):(height(i, s) - radius * $5) \
    with filledcurves fs solid noborder fc rgb gray_of(s) notitle, \
  for [s=1:3] for [i=1:4] for [side=-1:1:2] state(i, s) every ::first[i]::last[i] \
    using (along(i) + $4):(height(i, s) + side * radius * $5) with lines lw 1 lc rgb WALL notitle, \
  for [s=1:3] for [i=1:4] for [end=1:2] state(i, s) every ::(end == 1 ? first[i] : last[i])::(end == 1 ? first[i] : last[i]) \
    using (along(i) + $4):(height(i, s) - radius * $5):(0):(2 * radius * $5) with vectors nohead lw 1 lc rgb WALL notitle, \
  for [s=1:3] keyentry with boxes fs solid border rgb WALL fc rgb gray_of(s) \
    title part_of("at rest|stretched to 2|compressed to 0.7", s), \
  for [s=2:3] for [i=3:4] for [side=-1:1:2] published(i, s) every ::first[i]::last[i] \
    using (along(i) + $4):(height(i, s) + side * radius * $5) with lines ls 4 lw 1.2 notitle, \
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
set title heading("6", sprintf("a pulse of the radius, drawn as r (1 + %g (scale − 1))", magnified))
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
set yrange [0:1.1]
set ytics 0.25
set xlabel "time [s]"
set ylabel "error, RMS [1]"
set key at graph 0.985, graph 0.97 right top maxrows 4 samplen 2 font letters_9
eval cell(0, 1)
set title heading("13", "errors of the bar of k_v = 10 k_z (published: 300 iterations)")
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
set title heading("14", "energies of a step after both ends jump")
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
falls(r) = number(r, "gates/value", 3, 0) / number(r, "gates/value", 1, 0)
set label 40 heading("15", sprintf("VIPER and a radius updated from the length; a packet of long waves falls to %.3f and %.3f", \
  falls("bergou-packet-viper"), falls("bergou-packet-bergou"))) at screen place_x(0.5, 0.481), screen place_y(0.5, 0.481) center
do for [m=1:2] {
  set xrange [0:L]
  set xlabel "z [m]"
  r = word("bergou-pulse-viper bergou-pulse-bergou", m)
  eval panel(0.075 + 0.215 * (m - 1), 0.27 + 0.215 * (m - 1), 0.315, 0.452)
  set title fold((m == 1 ? "a pulse: VIPER" : "a pulse: updated radius"))
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
  eval panel(0.55, 0.985, 0.385 - 0.075 * (m - 1), 0.455 - 0.075 * (m - 1))
  set title (m == 1 \
    ? sprintf("VIPER, pressed: length %.3f m, %.0f kN (published solver: %.0f kN)", number(r, "gates/value", 1, 0), \
      number(r, "gates/value", 2, 0) / 1000, number("pinched-published", "gates/value", 2, 0) / 1000) \
    : sprintf("updated radius, pulled: %.3f m, %.1f kN of pull", (radius / closed)**2 * rest, number(r, "gates/value", 1, 0) / 1000)) \
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
  plot for [k=0:1] outline(r, -k, "zx") every 3 using ($1 - (m == 2 ? k * rest * ((radius / closed)**2 - 1) / 2 : 0)):(-0.22 * k + $2) \
    with filledcurves closed fs solid border rgb WALL fc rgb FILL
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
step_ms = 1e3 * (sum [i=1:words(step_s)] real(word(step_s, i))) / words(step_s)
eval panel(0.01, 0.49, 0.045, 0.235)
set size ratio -1
set xrange [0:419]
set yrange [0:265]
set label 40 heading("7", sprintf("%d octopuses, %d pills, %s: %.1f ms a step", n_bodies, \
  n_segments / n_bodies, label_of(place_of(crowd, runs)), step_ms)) at screen place_x(0.25, 0.252), screen place_y(0.25, 0.252) center
set label 41 sprintf("The published solver, in as many iterations, leaves a penetration of %.0f mm.", \
  1e3 * number("octopus_skins-published", "penetration", -1, 0)) at screen place_x(0.25, 0.033), screen place_y(0.25, 0.033) center font letters_8
unset title
plot rendered(crowd, "840x532 30,16,1,30", -1) binary array=(840,532) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
unset label

# Figures 8 and 16: the band by finite elements, and by rods whose stiffnesses are fitted and are not.
band_at(t) = row_at(finest("fem_band-fem"), "frames/time", t)
view = "152x484 25,8,1,0"
last(r, path) = number(r, path, -1, 0)
times(r, path) = last(r, path) / last(finest("fem_band-fem"), path)
if (strstrt(runs, "fem_band-")) {
  set label 40 heading("8, 16", "a band stretched, then twisted") at screen place_x(0.745, 0.252), screen place_y(0.745, 0.252) center
  set label 41 sprintf("Twisted, bundled rods take %.1f times the torque and %.2f times the force\nof the finite elements; where nothing is fitted %.1f and %.2f times,\nand there by the published solver %.1f and %.2f times.", \
    times(finest("fem_band-rods"), "reaction/torque[1,2]"), times(finest("fem_band-rods"), "reaction/force[1,2]"), \
    times(finest("fem_band-usual"), "reaction/torque[1,2]"), times(finest("fem_band-usual"), "reaction/force[1,2]"), \
    times(finest("fem_band-published"), "reaction/torque[1,2]"), times(finest("fem_band-published"), "reaction/force[1,2]")) \
    at screen place_x(0.745, 0.05), screen place_y(0.745, 0.05) center font letters_8
  set xrange [0:75]
  set yrange [0:241]
  do for [s=1:2] {
    do for [i=1:4] {
      left = 0.505 + 0.06 * (i - 1) + 0.25 * (s - 1)
      r = finest("fem_band-" . word("fem rods rods usual", i))
      set label 1 part_of("finite\nelements|bundled\nrods|skinned|nothing\nfitted", i) at screen place_x(left + 0.03, 0.238), screen place_y(left + 0.03, 0.238) \
        center font letters_8
      eval panel(left, left + 0.058, 0.065, 0.215)
      if (i == 2) {
        plot rendered(r, view . " pills", band_at(2 * s)) binary array=(152,484) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
      } else {
        plot rendered(r, view, band_at(2 * s)) binary array=(152,484) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
      }
      unset label
    }
  }
} else {
  eval panel(0.51, 0.98, 0.045, 0.235)
  set size noratio
  set xrange [0:1]
  set yrange [0:1]
  set label 40 heading("8, 16", "a band stretched, then twisted") at screen place_x(0.745, 0.252), screen place_y(0.745, 0.252) center
  set label 1 "The study fem\\_band has not been run here." at 0.5, 0.5 center
  plot NaN
}
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# Bars at rest, stretched and compressed, with ends of free and of held section (figure 5); the errors
# of volume and length of one bar over the motion (figure 13); and bars of several volume stiffnesses.
#
#: values runs/last:n*,clamped topology/body topology/rest_radius frames/position[0,0]
#: values runs/last:n* topology/body_name
#: frame runs/last:n*,clamped t=0,t=2,t=5 frames/position frames/scale
#: series runs/last:n* volume_error/rms_by_body[0]
#: series runs/last:n* volume_error/rms_by_body[1]
#: series runs/last:n* volume_error/rms_by_body[2]
#: series runs/last:n* volume_error/rms_by_body[3]
#: series runs/last:n* volume_error/rms_by_body[4]
#: series runs/last:n* volume_error/rms_by_body[5]
#: series runs/last:n* stretch_error/rms_by_body[2]
#: series runs/published-* volume_error/rms
#: series runs/published-* stretch_error/rms

# The finest of the runs of all bars.
bars = ""
do for [i=1:n_runs] { bars = run(i)[1:1] eq "n" ? run(i) : bars }
bar_names = names(bars, "topology/body_name")
n_bars = int(rows(bars, "topology/body_name"))

# Figure 5: bars at rest, stretched and compressed, the standard Cosserat rod first; with ends of free and of held
# section. Radii are drawn three times as large, and what scales differ from 1 twice as much.
runs_shown = bars . " " . bars . " " . bars . " clamped clamped"
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
wide(scale) = 3 * radius * (1 + 2 * (scale - 1))
# Lying, in two columns: the bar at rest, then those stretched, then those compressed.
along(i) = i > 3 ? 2.9 : 0
kind(i) = i > 3 ? i - 2 : i
height(i, s) = s == 1 ? 0 : -0.12 - 0.46 * kind(i) - 1.6 * (s - 2)
H = 1110.0
eval canvas(800, H)
up(y) = y / H # pixels from the bottom
set multiplot

eval panel(0.10, 0.93, up(625), up(1040))
unset grid
unset border
unset tics
set label 7 "(a) the scale at the middle" at screen place_x(0.015, up(1090)), screen place_y(0.015, up(1090))
eval key_at(0.65, up(1090), "center center vertical maxrows 1", "samplen 2 width -2 font '" . letters(9) . "'")
set autoscale
do for [i=1:5] for [s=2:3] {
  middle = (first[i] + last[i]) / 2
  stats state(i, s) every ::middle::middle using 5 nooutput
  set label 100 + 10 * s + i sprintf("%.3f", STATS_mean) at along(i) + (s == 2 ? 2.06 : 0.76), height(i, s) left font letters_8
}
set xrange [(narrow ? -1.35 : -0.78):5.5]
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
set size ratio -1
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
    title part_of("at rest|stretched to 2|compressed to 0.7", s)
unset label
unset arrow
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid

# The phases of the pull: held ones are shaded.
held(i, t0, t1) = sprintf("set object %d rectangle from %g, graph 0 to %g, graph 1 behind " \
  . "fs solid noborder fc rgb '#EFEFEF'", i, t0, t1)
eval held(1, 1, 2)
eval held(2, 2.1, 3)
eval held(3, 4, 5)
do for [p=1:5] {
  set label p word("pulled held 'let go' pressed held", p) at p - 0.5, graph 1.05 center
}
set xrange [0:5]
set xtics 1
set format x "%g"

# Figure 13: color tells the error, the dashes tell by what it was computed.
error_of(what, r) = series(r, what . "_error/" . (r eq bars ? "rms_by_body[2]" : "rms"))
solvers = "published-30 published-300 " . bars
solver_name(i) = word("'jacobi-published, 30 iterations' 'jacobi-published, 300' 'converged (direct)'", i)
dashes(i) = i == 1 ? "(3,3)" : i == 2 ? "(12,4)" : "solid"
color_of(e) = word("#0072B2 #D55E00", e)
error_name(e) = word("stretch volume", e)
eval panel(0.105, 0.985, up(414), up(576))
set label 7 "(b) the bar of k_v = 10 k_z" at screen place_x(0.015, up(612)), screen place_y(0.015, up(612))
set ylabel "error, RMS [1]"
set yrange [0:1.1]
set ytics 0.25
eval key_at(0.54, up(356), "center center horizontal maxrows 3", "samplen 3 width -2")
set dashtype 11 (3,3)
set dashtype 12 (12,4)
set dashtype 13 solid
plot for [e=1:2] for [i=1:3] error_of(error_name(e), word(solvers, i)) \
    using 1:2 with lines lw 1.8 lc rgb color_of(e) dt 10 + i notitle, \
  for [e=1:2] keyentry with lines lw 3 lc rgb color_of(e) title error_name(e) . " error", \
  for [i=1:3] keyentry with lines lw 1.8 lc rgb WALL dt 10 + i title solver_name(i)

# The sweep over the stiffness of volume. The last two, which lie on others' lines as long as they stay
# straight, are marks, side by side.
n_lines = n_bars - 2
eval panel(0.105, 0.985, up(130), up(279))
unset label
set label 7 "(c) all bars, converged" at screen place_x(0.015, up(302)), screen place_y(0.015, up(302))
set xlabel "time [s]"
set ylabel "volume error, RMS [1]"
set logscale y
set format y "10^{%T}"
set yrange [1e-4:2]
set ytics 1e-4, 10
eval key_at(0.54, up(50), "center center horizontal maxrows 2", "")
volume(b) = series(bars, sprintf("volume_error/rms_by_body[%d]", b))
plot for [b=0:n_lines-1] volume(b) using 1:($2 > 0 ? $2 : NaN) with lines ls b + 1 \
    title word(bar_names, b + 1), \
  for [b=n_lines:n_bars-1] volume(b) using 1:($2 > 0 ? $2 : NaN) every 18::9 * (b - n_lines) \
    with points ls b + 1 title word(bar_names, b + 1)
unset multiplot

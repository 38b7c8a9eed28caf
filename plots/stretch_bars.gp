# SPDX-License-Identifier: GPL-3.0-or-later
# The bars at rest, stretched and compressed, and the errors of their volumes and lengths over time.
#
#: values runs/* topology/body_name topology/body topology/rest_position frames/position[0,0]
#: outline_of runs/* t=0,t=2,t=5 xz
#: series runs/* volume_error/rms_by_body[0]
#: series runs/* volume_error/rms_by_body[1]
#: series runs/* volume_error/rms_by_body[2]
#: series runs/* volume_error/rms_by_body[3]
#: series runs/* volume_error/rms_by_body[4]
#: series runs/* volume_error/rms_by_body[5]
#: series runs/* stretch_error/rms_by_body[0]
#: series runs/* stretch_error/rms_by_body[1]
#: series runs/* stretch_error/rms_by_body[2]
#: series runs/* stretch_error/rms_by_body[3]
#: series runs/* stretch_error/rms_by_body[4]
#: series runs/* stretch_error/rms_by_body[5]

bars = run(1)
n_bars = int(rows(bars, "topology/body_name"))
bar_names = names(bars, "topology/body_name")
name_of(b) = word(bar_names, b + 1)
# Where a bar stands, and its place in the picture: three states side by side, one group per bar.
bodies = names(bars, "topology/body")
last_node(b) = int(sum [node=1:words(bodies)] (real(word(bodies, node)) <= b)) - 1
stands_at(b) = number(bars, "topology/rest_position", last_node(b), 0)
state_gap = 0.3
group_gap = 1.0
n_states = 3
place(b, state) = b * group_gap + (state - (n_states - 1) / 2.0) * state_gap

# The states: time [s], gray, name.
time_of(state) = state == 0 ? 0 : state == 1 ? 2 : 5
gray_of(state) = word("#F0F0F0 #BDBDBD #7F7F7F", state + 1)
state_name(state) = word("'at rest' stretched compressed", state + 1) \
  . sprintf(", t = %g s", time_of(state))
frame_at(t) = row_at(bars, "frames/position[0,0]", t)

eval canvas(700, 760)
set multiplot

eval panel(0.115, 0.985, 0.635, 0.94)
unset grid
set border 2 lw 0.8
unset xtics
set ylabel "z [m]"
set ytics 0.5
set xrange [-group_gap / 2:(n_bars - 0.5) * group_gap + 0.4] # the last one buckles
set yrange [-0.17:2.17]
set size ratio -1
set key at screen 0.55, screen 0.975 center center vertical maxrows 1 samplen 2 width -3
do for [b=0:n_bars-1] {
  set label b + 1 name_of(b) at b * group_gap, -0.32 center font "DejaVu Sans,10"
}
array x0[n_bars]
array k[n_states]
do for [b=0:n_bars-1] { x0[b + 1] = stands_at(b) }
do for [s=0:n_states-1] { k[s + 1] = frame_at(time_of(s)) }
plot for [s=0:n_states-1] for [b=0:n_bars-1] outline_of(bars, k[s + 1], "xz", b) \
    using ($1 - x0[b + 1] + place(b, s)):2 with lines lw 3 lc rgb WALL notitle, \
  for [s=0:n_states-1] for [b=0:n_bars-1] outline_of(bars, k[s + 1], "xz", b) \
    using ($1 - x0[b + 1] + place(b, s)):2 with filledcurves closed fs solid noborder \
    fc rgb gray_of(s) notitle, \
  for [s=0:n_states-1] keyentry with boxes fs solid border rgb WALL fc rgb gray_of(s) \
    title state_name(s)
unset label
set size noratio
set border 3
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid

error(what, b) = sprintf("%s_error/rms_by_body[%d]", what, b)

# The phases of the pull: held ones are shaded.
held(i, t0, t1) = sprintf("set object %d rectangle from %g, graph 0 to %g, graph 1 behind " \
  . "fs solid noborder fc rgb '#EAEAEA'", i, t0, t1)
eval held(1, 1, 2)
eval held(2, 2.1, 3)
eval held(3, 4, 5)
set xrange [0:5]
set xtics 1
unset key
# The last two, which lie on other bars' lines as long as they stay straight, are marks, side by side.
n_lines = n_bars - 2

eval panel(0.115, 0.985, 0.385, 0.555)
set format x ""
set label 1 "pulled" at 0.5, graph 1.08 center
set label 2 "held" at 1.5, graph 1.08 center
set label 3 "let go, held" at 2.5, graph 1.08 center
set label 4 "compressed" at 3.5, graph 1.08 center
set label 5 "held" at 4.5, graph 1.08 center
set ylabel "volume error [1]"
set logscale y
set format y "10^{%T}"
set yrange [1e-4:2]
set ytics 1e-4, 10
plot for [b=0:n_lines-1] series(bars, error("volume", b)) \
    using 1:($2 > 0 ? $2 : NaN) with lines ls b + 1, \
  for [b=n_lines:n_bars-1] series(bars, error("volume", b)) \
    using 1:($2 > 0 ? $2 : NaN) every 18::9 * (b - n_lines) with points ls b + 1
unset label

unset logscale y
set format y "%g"
eval panel(0.115, 0.985, 0.175, 0.345)
set format x "%g"
set xlabel "time [s]"
set ylabel "stretch error [1]"
set yrange [0:1.1]
set ytics 0.25
set key at screen 0.55, screen 0.07 center center horizontal maxrows 2
plot for [b=0:n_lines-1] series(bars, error("stretch", b)) \
    with lines ls b + 1 title name_of(b), \
  for [b=n_lines:n_bars-1] series(bars, error("stretch", b)) \
    every 18::9 * (b - n_lines) with points ls b + 1 title name_of(b)
unset multiplot

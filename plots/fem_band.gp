# SPDX-License-Identifier: GPL-3.0-or-later
# The band stretched and twisted, by finite elements and by rods; its sizes, volume, force and torque
# over the motion, and how far the surfaces are apart.
#
#: values runs/last:fem* frames/time
#: box_edges runs/last:fem*,last:rods*,last:free*,last:cross* t=2,t=4 0.12 0.04
#: box_sections runs/last:fem*,last:rods*,last:free*,last:cross* t=2,t=4 0.12 0.04
#: series runs/last:fem*,last:rods*,last:free*,last:cross* frames/vertices[-0.06:0:0.2,0] frames/vertices[-0.06:0:0.2,1] frames/vertices[-0.06:0:0.2,2] frames/vertices[0.06:0:0.2,0] frames/vertices[0.06:0:0.2,1] frames/vertices[0.06:0:0.2,2]
#: series runs/last:fem*,last:rods*,last:free*,last:cross* frames/vertices[0:-0.02:0.2,0] frames/vertices[0:-0.02:0.2,1] frames/vertices[0:-0.02:0.2,2] frames/vertices[0:0.02:0.2,0] frames/vertices[0:0.02:0.2,1] frames/vertices[0:0.02:0.2,2]
#: series runs/last:fem*,last:rods*,last:free*,last:cross* enclosed_volume
#: series runs/last:fem*,last:rods*,last:free*,last:cross* reaction/force[1,2]
#: series runs/last:fem*,last:rods*,last:free*,last:cross* reaction/torque[1,2]
#: distance runs/last:rods*,last:free*,last:cross* runs/last:fem*

# The finest run of each kind, the last: fem, fem3 and so on.
finest(kind) = finest_from(kind, n_runs)
finest_from(kind, i) = i < 1 ? "" : strstrt(run(i), kind) == 1 ? run(i) : finest_from(kind, i - 1)
kinds = "fem rods free cross"
n_kinds = words(kinds)
kind(i) = finest(word(kinds, i))
title_of(i) = word("'finite elements' 'bundled rods' 'no bundles' 'cross rods'", i)
fem = kind(1)

W = 0.12 # at rest [m]
T = 0.04
L = 0.4
t_stretched = 2.0
t_twisted = 4.0

frame_at(t) = row_at(fem, "frames/time", t)

# Distance of two vertices, given by their places at rest, over time.
path_of(v, c) = sprintf("frames/vertices[%s,%d]", v, c)
paths_of(v) = path_of(v, 0) . " " . path_of(v, 1) . " " . path_of(v, 2)
apart(r, a, b) = series(r, paths_of(a) . " " . paths_of(b))
gap(x, y, z, u, v, w) = sqrt((x - u)**2 + (y - v)**2 + (z - w)**2)

# Seen from a little beside and above.
see_x(x, y) = x + 0.35 * y
see_z(y, z) = z + 0.25 * y

eval canvas(900, 1060)
set multiplot

# The bands: at rest, stretched, twisted; lying, z to the right.
eval panel(0.01, 0.99, 0.655, 0.995)
unset grid
unset border
unset tics
set xrange [-0.13:1.78]
set yrange [-0.64:0.14]
set size ratio -1
unset key
set label 11 "stretched to 1.5 times its length" at 0.3, 0.11 center
set label 12 "twisted by half a turn" at 1.35, 0.11 center
k_stretched = frame_at(t_stretched)
k_twisted = frame_at(t_twisted)
row(i) = -0.18 * (i - 1)
do for [i=1:n_kinds] { set label 20 + i title_of(i) at 0.825, row(i) center font "DejaVu Sans,9" }
plot for [i=1:n_kinds] box_edges(kind(i), k_stretched, W, T) using ($3):(row(i) + see_x($1, $2)) with lines lw 1.2 lc rgb WALL, \
  for [i=1:n_kinds] box_sections(kind(i), k_stretched, W, T) using ($3):(row(i) + see_x($1, $2)) with lines lw 0.6 lc rgb "#888888", \
  for [i=1:n_kinds] box_edges(kind(i), k_twisted, W, T) using (1.05 + $3):(row(i) + see_x($1, $2)) with lines lw 1.2 lc rgb WALL, \
  for [i=1:n_kinds] box_sections(kind(i), k_twisted, W, T) using (1.05 + $3):(row(i) + see_x($1, $2)) with lines lw 0.6 lc rgb "#888888"
do for [i=11:12] { unset label i }
do for [i=1:n_kinds] { unset label 20 + i }
unset label 1000
set size noratio
set border 3 lw 0.8
set xtics nomirror 1
set ytics nomirror auto
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set xrange [0:4]

phases = "set label 1 'pulled' at 0.5, graph 1.05 center; set label 2 'held' at 1.5, graph 1.05 center; " \
  . "set label 3 'twisted' at 2.5, graph 1.05 center; set label 4 'held' at 3.5, graph 1.05 center"
eval phases
left = "-0.06:0:0.2"
right = "0.06:0:0.2"
below = "0:-0.02:0.2"
above = "0:0.02:0.2"

set yrange [0.2:1.6]
eval panel(0.095, 0.485, 0.465, 0.625)
set ylabel "width / at rest"
set format x ""
plot for [i=1:n_kinds] apart(kind(i), left, right) using 1:(gap($2, $3, $4, $5, $6, $7) / W) with lines ls i
eval panel(0.59, 0.985, 0.465, 0.625)
set yrange [0.6:1.05]
set ylabel "thickness / at rest"
plot for [i=1:n_kinds] apart(kind(i), below, above) using 1:(gap($2, $3, $4, $5, $6, $7) / T) with lines ls i
unset label 1
unset label 2
unset label 3
unset label 4

eval panel(0.095, 0.485, 0.28, 0.44)
set yrange [0.6:1.6]
set ylabel "volume / at rest"
plot for [i=1:n_kinds] series(kind(i), "enclosed_volume") using 1:($2 / (W * T * L)) with lines ls i
eval panel(0.59, 0.985, 0.28, 0.44)
set yrange [0:9000]
set ylabel "pulling force [N]"
plot for [i=1:n_kinds] series(kind(i), "reaction/force[1,2]") with lines ls i

set format x "%g"
set xlabel "time [s]"
eval panel(0.095, 0.485, 0.095, 0.255)
set logscale y
set yrange [1:1000]
set ylabel "torque [N m]"
plot for [i=1:n_kinds] series(kind(i), "reaction/torque[1,2]") using 1:($2 > 1 ? $2 : NaN) with lines ls i
eval panel(0.59, 0.985, 0.095, 0.255)
set yrange [0.1:100]
set ylabel "distance [mm]"
set label 5 "of surfaces from finite elements: RMS (thin: greatest)" at 0.1, graph 0.06 left font "DejaVu Sans,9"
set key at screen 0.52, screen 0.037 center center vertical maxrows 1 samplen 2.5 width -2
plot for [i=1:1] NaN with lines ls 1 title title_of(1), \
  for [i=2:n_kinds] distance(kind(i)) using 1:(1e3 * $2 > 0.1 ? 1e3 * $2 : NaN) with lines ls i title title_of(i), \
  for [i=2:n_kinds] distance(kind(i)) using 1:(1e3 * $3 > 0.1 ? 1e3 * $3 : NaN) with lines ls i lw 0.7 notitle
unset multiplot

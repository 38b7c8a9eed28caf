# SPDX-License-Identifier: GPL-3.0-or-later
# Figures 8 and 16: the band stretched and twisted, by finite elements and by rods, rendered from one
# view; what each costs; its sizes, volume, force and torque over the motion, and how far the surfaces
# are apart.
#
#: values runs/last:fem*,last:rods*,last:solid*,last:usual*,last:published*,last:free*,last:cross* frames/time timing/step topology/rest_position topology/body
#: values runs/last:rods*,last:solid*,last:usual*,last:published*,last:free*,last:cross* topology/segment
#: rendered runs/last:fem*,last:rods*,last:solid*,last:usual*,last:published*,last:free*,last:cross* t=2,t=4 230x600 25,8,1,0
#: rendered runs/last:rods* t=2,t=4 230x600 25,8,1,0 pills
#: series runs/last:fem*,last:rods*,last:solid*,last:usual*,last:published*,last:free*,last:cross* frames/vertices[-0.06:0:0.2,0] frames/vertices[-0.06:0:0.2,1] frames/vertices[-0.06:0:0.2,2] frames/vertices[0.06:0:0.2,0] frames/vertices[0.06:0:0.2,1] frames/vertices[0.06:0:0.2,2]
#: series runs/last:fem*,last:rods*,last:solid*,last:usual*,last:published*,last:free*,last:cross* frames/vertices[0:-0.02:0.2,0] frames/vertices[0:-0.02:0.2,1] frames/vertices[0:-0.02:0.2,2] frames/vertices[0:0.02:0.2,0] frames/vertices[0:0.02:0.2,1] frames/vertices[0:0.02:0.2,2]
#: series runs/last:fem*,last:rods*,last:solid*,last:usual*,last:published*,last:free*,last:cross* enclosed_volume
#: series runs/last:fem*,last:rods*,last:solid*,last:usual*,last:published*,last:free*,last:cross* reaction/force[1,2]
#: series runs/last:fem*,last:rods*,last:solid*,last:usual*,last:published*,last:free*,last:cross* reaction/torque[1,2]
#: distance runs/last:rods*,last:solid*,last:usual*,last:published*,last:free*,last:cross* runs/last:fem*

# The finest run of each kind, the last: fem, fem3 and so on.
finest(kind) = finest_from(kind, n_runs)
finest_from(kind, i) = i < 1 ? "" : strstrt(run(i), kind) == 1 ? run(i) : finest_from(kind, i - 1)
kinds = "fem rods solid usual published free cross"
n_kinds = words(kinds)
kind(i) = finest(word(kinds, i))
title_of(i) = word("'finite elements' 'bundled rods' 'solid rods' 'nothing fitted' 'published solver' 'no bundles' 'cross rods'", i)
fem = kind(1)

W = 0.12 # at rest [m]
T = 0.04
L = 0.4
t_stretched = 2.0
t_twisted = 4.0

frame_at(t) = row_at(fem, "frames/time", t)
cost_of(i) = total(kind(i), "timing/step")
dofs_of(i) = i == 1 ? 3 * int(rows(fem, "topology/rest_position")) \
  : 4 * int(rows(kind(i), "topology/rest_position")) + 3 * int(rows(kind(i), "topology/segment"))

# Distance of two vertices, given by their places at rest, over time.
path_of(v, c) = sprintf("frames/vertices[%s,%d]", v, c)
paths_of(v) = path_of(v, 0) . " " . path_of(v, 1) . " " . path_of(v, 2)
apart(r, a, b) = series(r, paths_of(a) . " " . paths_of(b))
gap(x, y, z, u, v, w) = sqrt((x - u)**2 + (y - v)**2 + (z - w)**2)

H = 1330.0
eval canvas(1000, H)
up(y) = y / H # pixels from the bottom
set multiplot
unset key

# Pictures: a column for each kind, and one of the rods that carry the second's surface.
view = "230x600 25,8,1,0"
n_columns = n_kinds + 1
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:114]
set yrange [0:299]
array k[2]
k[1] = frame_at(t_stretched)
k[2] = frame_at(t_twisted)
kind_at(c) = c < 3 ? c : c - 1
do for [c=1:n_columns] {
  do for [s=1:2] {
    eval panel((c - 1.0) / n_columns + 0.004, 1.0 * c / n_columns - 0.004, up(s == 1 ? 950 : 600), up(s == 1 ? 1250 : 900))
    # On the page in lines, on paper as one text that is broken there.
    what = (c == 3 ? "its rods" : title_of(kind_at(c))) . (paper_mm ? ", " : ",\n") . (s == 1 ? "stretched by half" : "half a turn")
    set title fold(what . (s == 2 || c == 3 || paper_mm ? "" : sprintf("\n%d DOFs, %.2g s", dofs_of(kind_at(c)), cost_of(kind_at(c))))) font letters_9
    if (c == 3) {
      plot rendered(kind(2), view . " pills", k[s]) binary array=(230,600) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    } else {
      plot rendered(kind(kind_at(c)), view, k[s]) binary array=(230,600) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    }
    unset label 1000
  }
}
unset title
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
eval panel(0.095, 0.485, up(421), up(561))
set ylabel "width / at rest"
set format x ""
plot for [i=1:n_kinds] apart(kind(i), left, right) using 1:(gap($2, $3, $4, $5, $6, $7) / W) with lines ls i
eval panel(0.59, 0.985, up(421), up(561))
set yrange [0.6:1.05]
set ylabel "thickness / at rest"
plot for [i=1:n_kinds] apart(kind(i), below, above) using 1:(gap($2, $3, $4, $5, $6, $7) / T) with lines ls i
unset label

eval panel(0.095, 0.485, up(258), up(399))
set yrange [0.6:1.6]
set ylabel "volume / at rest"
plot for [i=1:n_kinds] series(kind(i), "enclosed_volume") using 1:($2 / (W * T * L)) with lines ls i
eval panel(0.59, 0.985, up(258), up(399))
set yrange [0:7000]
set ytics 2000
set ylabel "pulling force [N]"
plot for [i=1:n_kinds] series(kind(i), "reaction/force[1,2]") with lines ls i

set format x "%g"
set xlabel "time [s]"
eval panel(0.095, 0.485, up(110), up(241))
set ytics auto
set logscale y
set yrange [1:1000]
set ylabel "torque [N m]"
plot for [i=1:n_kinds] series(kind(i), "reaction/torque[1,2]") using 1:($2 > 1 ? $2 : NaN) with lines ls i
eval panel(0.59, 0.985, up(110), up(241))
set yrange [0.1:100]
set ylabel "distance [mm]"
set label 5 "surfaces apart: RMS (thin: greatest)" at 3.95, graph 1.08 right font letters_9
eval key_at(0.52, up(35), "center center vertical maxrows 1", "samplen 2 width -3 font '" . letters(9) . "'")
plot for [i=1:1] NaN with lines ls 1 title title_of(1), \
  for [i=2:n_kinds] distance(kind(i)) using 1:(1e3 * $2 > 0.1 ? 1e3 * $2 : NaN) with lines ls i title title_of(i), \
  for [i=2:n_kinds] distance(kind(i)) using 1:(1e3 * $3 > 0.1 ? 1e3 * $3 : NaN) with lines ls i lw 0.7 notitle
unset multiplot

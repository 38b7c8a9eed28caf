# SPDX-License-Identifier: GPL-3.0-or-later
# The paper's figures 1, 3 and 9 to 12 on one sheet: muscles in motion, their cost, sections matched with and without scale, what
# that does to a muscle, and muscles as rods.
#
#: maybe rendered runs/arm_flexion-contac* 0,27 512x640 20,5,1,30
#: maybe rendered runs/arm_flexion-ski* 27 512x640 20,5,1,30
#: maybe rendered runs/leg-le* 9 512x640 40,5,1,30
#: maybe values runs/pectoral-rod*,pectoral-tetrahedr*,pectoral-articulate* timing/step
#: maybe values runs/pectoral-rod*,pectoral-tetrahedr*,pectoral-articulate* topology/body
#: maybe values runs/pectoral-tetrahedr*,pectoral-articulate* topology/poisson
#: values runs/shape_matching-* topology/rest_radius
#: frame runs/shape_matching-* t=0,t=1 frames/position frames/scale
#: rendered runs/muscle_contraction-* 0,-1 1080x320 0,10,1,30 at=0.15,0,0
#: series runs/muscle_contraction-* enclosed_volume
#: values runs/muscle_contraction-* enclosed_volume
#: rendered runs/viperized-fusiform -1 500x330 0,25,1,0 body
#: rendered runs/viperized-pennate -1 500x330 0,25,1,0 body
#: rendered runs/viperized-tube -1 500x330 0,60,1,0 body
#: rendered runs/viperized-pectoral -1 500x330 0,60,1,0 body
#: values runs/viperized-fusiform gates/name gates/value

heading(n, text) = sprintf("{/:Bold Figure %s} – %s", n, text)
titled(n, text) = (plain = fold(sprintf("Figure %s – %s", n, text)), paper_mm ? plain : heading(n, text))

H = 2030.0
eval canvas(1100, H)
up(y) = 1 - y / H # pixels from the top
set multiplot
unset key
unset grid
unset border
unset tics

# Figure 1: an arm and a leg in motion.
set size ratio -1
set xrange [0:255]
set yrange [0:319]
arm = "rendered 512x640 20,5,1,30"
leg = "rendered 512x640 40,5,1,30"
in_motion = has("arm_flexion-contact", arm) && has("arm_flexion-skin", arm) && has("leg-leg", leg)
set label 40 heading("1", "muscles on driven bones: an arm bends, alone and under one skin; a leg with a dozen muscles") \
  at screen place_x(0.5, up(22)), screen place_y(0.5, up(22)) center
if (in_motion) {
  do for [i=1:4] {
    eval panel(0.01 + 0.247 * (i - 1), 0.01 + 0.247 * i, up(385), up(65))
    set title fold(part_of("arm at rest|bent|under one skin|leg, bent", i)) font letters_9
    r = word("arm_flexion-contact arm_flexion-contact arm_flexion-skin leg-leg", i)
    if (i < 4) {
      plot rendered(r, "512x640 20,5,1,30", i == 1 ? 0 : 27) binary array=(512,640) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    } else {
      plot rendered(r, "512x640 40,5,1,30", 9) binary array=(512,640) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    }
    unset label 40
  }
  unset title
} else {
  set label 1 "The studies arm\\_flexion and leg have not been run here." at 128, 160 center
  eval panel(0.01, 0.99, up(385), up(65))
  plot NaN
  unset label
}

# Figure 3: what a frame of a muscle costs.
set size noratio
rods = "pectoral-rods"
newton = "pectoral-tetrahedra"
projective = "pectoral-articulated"
timed = has(rods, "values timing/step") && has(newton, "values timing/step") && has(projective, "values timing/step")
n_rods = timed ? int(real(word(names(rods, "topology/body"), words(names(rods, "topology/body"))))) + 1 : 0
set border 1 lw 0.8
set logscale x
set format x "10^{%T}"
set xtics 10 nomirror
set xlabel "time of a frame [s]"
set xrange [1e-4:1e4]
set yrange [0.4:4.6]
set ytics (paper_mm ? "paper: 51 000" : "51 000 tetrahedra (the paper)" 4, "rods" 1) scale 0
set grid xtics lc rgb "#CCCCCC" lw 0.5 dt solid
if (timed) {
  set ytics add (sprintf(paper_mm ? "%d, Newton" : "%d tetrahedra, Newton", int(rows(newton, "topology/poisson"))) 3)
  set ytics add ((paper_mm ? "projective" : sprintf("%d tetrahedra, projective", int(rows(newton, "topology/poisson")))) 2)
  set ytics add (sprintf("%d rods", n_rods) 1)
}
time_of(k) = k == 4 ? 150 : timed ? mean(k == 3 ? newton : k == 2 ? projective : rods, "timing/step") : NaN
written(t) = t >= 60 ? sprintf("%.1f min", t / 60.0) : t >= 1 ? sprintf("%.1f s", t) : sprintf("%.2g ms", 1000 * t)
do for [k=1:4] { if (k == 4 || timed) { set label k written(time_of(k)) at time_of(k), k offset 1.2, 0 left font letters_9 } }
if (!timed) { set label 5 "The study pectoral has not been run here." at 1e-1, 2 center }
eval panel(0.30, 0.97, up(545), up(445))
set title titled("3", "time of a frame: elements of a whole body, offline; a pectoral here, a step of 1/60 s") font letters_11
plot for [k=1:4] '+' using (time_of(k)):(k) every ::0::0 with points ls (k == 4 ? 3 : 2) pt (k == 4 ? 9 : 5) ps 1.1
unset title
unset label
unset logscale x
unset xlabel
unset border
unset tics
unset grid
set format x "%g"

# Figure 9: discs before and after.
radius = number("shape_matching-scaled", "topology/rest_radius", 0, 0)
discs(r, k) = frame(r, "frames/position frames/scale", k)
section(i) = "shape_matching-" . word("scaled plain scaled-small plain-small", i)
set size ratio -1
set style fill solid 0.35 border rgb WALL
set xrange [-0.27:0.27]
set yrange [-0.27:0.27]
set label 40 heading("9", "a section turned and scaled by 1.5 and by 0.6 (gray), and matched (orange)") at screen place_x(0.5, up(615)), screen place_y(0.5, up(615)) center
do for [i=1:4] {
  eval panel(0.01 + 0.247 * (i - 1), 0.01 + 0.247 * i, up(915), up(655))
  set title fold((i % 2 ? "with scale" : "without scale")) font letters_9
  plot discs(section(i), 0) every 2 using 3:4:(radius * $5) with circles fc rgb "#BDBDBD", \
    discs(section(i), -1) every 2 using 3:4:(radius * $5) with circles fs empty border rgb "#D55E00" lw 2
  unset label
}

# Figure 10: the muscle, rendered, and the volume in its skin.
view = "1080x320 0,10,1,30 at=0.15,0,0"
muscle(i) = "muscle_contraction-" . (i % 2 ? "scaled" : "plain")
set xrange [0:539]
set yrange [0:159]
set label 40 heading("10", "a muscle at rest and excited: sections keep the muscle's volume where they may scale") at screen place_x(0.5, up(950)), screen place_y(0.5, up(950)) center
do for [i=1:4] {
  eval panel(i % 2 ? 0.01 : 0.505, i % 2 ? 0.495 : 0.99, up(i > 2 ? 1320 : 1145), up(i > 2 ? 1165 : 990))
  set title fold(part_of("at rest|at rest|excited, with scale|excited, without scale", i)) font letters_9
  plot rendered(muscle(i), view, i > 2 ? -1 : 0) binary array=(1080,320) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  unset label
}
unset title
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror auto scale 1
set ytics nomirror auto scale 1
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
eval panel(0.10, 0.98, up(1480), up(1350))
set xlabel "time [s]"
set ylabel "volume / at rest"
set yrange [0.75:1.05]
set ytics 0.1
set key at graph 0.985, graph 0.05 right bottom maxrows 2 samplen 3 font letters_9
volume(i) = series(muscle(i), "enclosed_volume")
rest(i) = number(muscle(i), "enclosed_volume", 0, 0)
plot for [i=1:2] volume(i) using 1:($2 / rest(i)) with lines ls i title (i == 1 ? "with scale" : "without scale")

# Figure 11: the five stages of a mesh; figure 12: shapes as rods, in a picture each.
unset key
unset grid
unset border
unset tics
unset xlabel
unset ylabel
set size ratio -1
spread = number("viperized-fusiform", "gates/value", place_of("distances of neighbors", names("viperized-fusiform", "gates/name")) - 1, 0)
set xrange [0:449]
set yrange [0:381]
eval panel(0.01, 0.42, up(1980), up(1590))
set title titled("11", "a biceps: mesh, field, slices, points, rods") font letters_11
plot plots . "/viperize.png" binary filetype=png dx=0.5 dy=0.5 with rgbimage
unset label
set xrange [0:249]
set yrange [0:164]
set label 40 heading("12", sprintf("muscles as rods, evenly: within %.1f %% of the mean in the first", 100 * spread)) \
  at screen place_x(0.72, up(1560)), screen place_y(0.72, up(1560)) center
view_of(i) = "500x330 0," . (i < 3 ? "25" : "60") . ",1,0 body"
shape(i) = word("fusiform pennate tube pectoral", i)
do for [i=1:4] {
  eval panel(i % 2 ? 0.47 : 0.73, i % 2 ? 0.71 : 0.97, up(i > 2 ? 1985 : 1785), up(i > 2 ? 1820 : 1620))
  set title fold(part_of("fusiform|pennate|a bent tube|a fan, as the pectoral", i)) font letters_9
  plot rendered("viperized-" . shape(i), view_of(i), -1) binary array=(500,330) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  unset label
}
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# Corotated tetrahedra: the nodes of the patch test, seen obliquely, and the stretched cube; how far the cube's width and force
# are from their closed forms.
#
#: frame runs/patch -1 frames/position
#: series runs/patch topology/rest_position
#: rendered runs/stretch.nu45 0,-1 640x520 -60,8,1,30 body
#: values runs/* gates/name gates/value gates/reference
#: values runs/patch gates/tolerance

E = 1e6
array Nu[3] = [0, 0.3, 0.45]
cube(i) = word("stretch.nu0 stretch.nu30 stretch.nu45", i)
gate_of(r, what, stretch) = place_of(sprintf("%s at stretch %g", what, stretch), names(r, "gates/name")) - 1
measured(r, what, stretch) = number(r, "gates/value", gate_of(r, what, stretch), 0)
larger(a, b) = a > b ? a : b
apart(r, k) = abs(number(r, "gates/value", k, 0) - number(r, "gates/reference", k, 0))
relative(r, k) = apart(r, k) / (r eq "patch" ? 1 : abs(number(r, "gates/reference", k, 0)))
worst(r, k) = k < 0 ? 1e-17 : larger(worst(r, k - 1), relative(r, k))
set print $measured
do for [i=1:3] {
  do for [k=1:4] {
    print sprintf("%g %.10g %.10g", 1 + 0.125 * k, measured(cube(i), "width", 1 + 0.125 * k), measured(cube(i), "force", 1 + 0.125 * k))
  }
  print ""; print ""
}
unset print
set print $worst
do for [i=1:n_runs] { print sprintf("%d %.3g", i, worst(run(i), int(rows(run(i), "gates/value")) - 1)) }
unset print

eval canvas(1000, 860)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:319]
set yrange [0:259]
do for [i=2:3] {
  eval panel(0.01 + 0.33 * (i - 1), 0.33 * i, 0.64, 0.93)
  set title fold(part_of("|(b) cube, ν = 0.45, at rest|(c) stretched to 1.5", i))
  plot rendered("stretch.nu45", "640x520 -60,8,1,30 body", i == 2 ? 0 : -1) \
    binary array=(640,520) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
# The affine motion of the boundary, by its matrix.
moved_x(x, y, z) = 1.3 * x + 0.2 * y - 0.1 * z
moved_y(x, y, z) = 0.15 * x + 0.8 * y + 0.1 * z
moved_z(x, y, z) = -0.2 * x + 0.05 * y + 1.1 * z
aside(x, y) = x + 0.45 * y
above(y, z) = z + 0.25 * y
set autoscale
eval panel(0.02, 0.32, 0.64, 0.93)
set title fold("(a) patch test: closed form (circles), found")
set offsets 0.1, 0.1, 0.1, 0.1
plot series("patch", "topology/rest_position") using (aside(moved_x($2, $3, $4), moved_y($2, $3, $4))):(above(moved_y($2, $3, $4), moved_z($2, $3, $4))) \
    with points pt 6 ps 1.4 lc rgb "#999999" notitle, \
  frame("patch", "frames/position", -1) using (aside($2, $3)):(above($3, $4)) with points pt 7 ps 0.5 lc rgb "#0072B2" notitle
set offsets 0, 0, 0, 0
set size noratio
set border 31 lw 0.8
set xtics nomirror auto
set ytics nomirror auto
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid

set xlabel "stretch [1]"
set xrange [0.95:1.55]
set xtics 0.1
eval key_at(0.52, 0.275, "center center maxrows 1", "samplen 2")
eval panel(0.08, 0.48, 0.37, 0.57)
set title fold("(d) width of the cube")
set ylabel "lateral stretch [1]"
set yrange [0.7:1.05]
set ytics 0.1
plot for [i=1:3] 1 - Nu[i] * (x - 1) ls 9 title i == 1 ? "closed form" : "", \
  for [i=1:3] $measured index i - 1 using 1:2 with points ls i title sprintf("ν = %g", Nu[i])
unset key
eval panel(0.58, 0.98, 0.37, 0.57)
set title fold("(e) force on a section of 1 m²")
set ylabel "force [MN]"
set yrange [0:0.6]
set ytics 0.2
plot E * (x - 1) / 1e6 ls 9 notitle, \
  for [i=1:3] $measured index i - 1 using 1:($3 / 1e6) with points ls i notitle
unset xlabel
eval panel(0.08, 0.98, 0.07, 0.21)
set title fold("(f) greatest error: of the patch test's positions [m]; of the cubes, relative")
set ylabel "error"
set logscale y
set format y "10^{%T}"
set yrange [1e-18:1e-7]
set ytics 1e3
set xrange [0.5:n_runs + 0.5]
set xtics 1, 1
do for [i=1:n_runs] { set xtics add (label_of(i) i) }
set label 1 "tolerance of the cubes" at graph 0.5, first 1e-10 offset 0, 0.7 center font letters_9
set label 2 "of the patch test" at graph 0.5, first 1e-12 offset 0, 0.7 center font letters_9
plot 1e-10 ls 9 notitle, number("patch", "gates/tolerance", 0, 0) ls 8 dt 2 notitle, \
  $worst using 1:2 with points ls 1 notitle
unset multiplot

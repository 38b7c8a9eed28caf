# SPDX-License-Identifier: GPL-3.0-or-later
# A cylinder of finite elements and rods of both material models, with the theory of each load: the force of a stretch, the
# couple of a stretched slice, that of a quarter of a circle, and the torque of two turns.
#
#: series runs/*pulled1.5* reaction/force[0,2]
#: series runs/*twisted* reaction/torque[0,2]
#: values runs/*slice*,*bent* reaction/torque[0,1]

E = 1e6
radius = 0.05
area = pi * radius ** 2
moment = area * radius ** 2 / 4
slight = 1e-2 / radius
nus = "0.3 0.49"
stretches = "0.9 1 1.1 1.5"
# The finest elements there are.
fine = place_of("elements6.bent.nu0.3", runs) ? "elements6" : "elements4"
bodies = fine . " solid published"
labels_of_bodies = "finite elements|rod, model solid|rod, published model"
last(r) = number(r, "reaction/torque[0,1]", -1, 0)
of(b, rest, nu) = word(bodies, b) . "." . rest . ".nu" . nu

set print $slices
do for [u=1:2] { do for [b=1:3] { do for [i=1:4] {
  print sprintf("%s %.9g", word(stretches, i), last(of(b, "slice" . word(stretches, i), word(nus, u))) / (E * moment * slight)) }
  print ""; print "" } }
unset print
set print $circles
do for [b=1:3] { do for [u=1:2] {
  print sprintf("%d %.9g %s", u, last(of(b, "bent", word(nus, u))) / (E * moment / (10 * radius)), word(nus, u)) }
  print ""; print "" }
unset print

# A Neo-Hookean solid that keeps its volume; rods of nu = 0.49 come near it.
stretched(L) = E / 3 * area * (L - 1 / L ** 2)
title_of(b, u) = part_of(labels_of_bodies, b) . ", ν = " . word(nus, u)
point(b) = b == 1 ? 7 : b == 2 ? 4 : 8

eval canvas(1100, 900)
set multiplot
set key font own_9 samplen 2
eval panel(0.09, 0.49, 0.59, 0.93)
set title fold("(a) force of a stretch")
set xlabel "length over rest length"
set ylabel "force [N]"
set xrange [1:1.52]
set yrange [0:4900]
set key inside left top Left reverse
plot stretched(x) ls 9 title "incompressible Neo-Hookean solid", for [u=1:2] for [b=3:1:-1] series(of(b, "pulled1.5", word(nus, u)), "reaction/force[0,2]") \
  using (1 + 0.5 * $1):2 with points ls (2 * u) pt point(b) ps (b == 1 ? 1.4 : b == 2 ? 0.8 : 0.5) title title_of(b, u)
eval panel(0.59, 0.99, 0.59, 0.93)
set title fold("(b) couple of a bent slice over E I times its curvature")
set ylabel "couple over E I κ"
set xrange [0.87:1.53]
set logscale y
set yrange [0.15:900]
set key inside right top Left reverse
plot x ** -3 ls 9 title "thinner, nearer fibers: L^{-3}", for [u=1:2] for [b=1:3] $slices index 3 * (u - 1) + b - 1 using 1:2 \
  with linespoints ls (2 * u) pt point(b) ps (b == 1 ? 1.2 : 0.9) title title_of(b, u)
eval panel(0.09, 0.49, 0.09, 0.43)
set title fold("(c) couple of a circle of ten radii over E I / R")
set xlabel "Poisson's ratio"
set xrange [0.5:2.5]
set yrange [0.5:40]
set key inside left top Left reverse
plot 1 ls 9 title "E I / R", for [b=1:3] $circles index b - 1 using 1:2:xtic(stringcolumn(3)) with points ls (b == 1 ? 1 : b) pt point(b) ps 1.4 \
  title part_of(labels_of_bodies, b)
unset logscale y
eval panel(0.59, 0.99, 0.09, 0.43)
set title fold("(d) torque between held ends, two turns on forty radii")
set xlabel "turns"
set ylabel "torque over G J φ / length"
set xtics auto
set xrange [0:2.05]
set yrange [0.8:3.4]
rate = 4 * pi / (40 * radius)
torsion(u) = E / (2 * (1 + real(word(nus, u)))) * 2 * moment * rate
set key inside left top Left reverse
plot 1 ls 9 title "G J", for [u=1:2] for [b=1:3] series(of(b, "twisted", word(nus, u)), "reaction/torque[0,2]") \
  using (2 * $1):($1 > 0 ? $2 / (torsion(u) * $1) : NaN) with points ls (2 * u) pt point(b) ps (b == 1 ? 1.4 : 0.6) title title_of(b, u)
unset multiplot

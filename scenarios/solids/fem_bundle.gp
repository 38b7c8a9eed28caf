# SPDX-License-Identifier: GPL-3.0-or-later
# Torque and force of fused rods over their stretch: finite elements and rods of both material models, three in a row and two by
# two.
#
#: values runs/* reaction/torque[1,2] reaction/force[1,2]

# The finest elements there are.
fine = place_of("elements4.row.1.0", runs) ? "elements4" : "elements2"
bodies = fine . " solid published"
labels_of_bodies = "finite elements|rods, model solid|rods, published model"
stretches = "1.0 1.2 1.5"
at(r, path, t) = number(r, path, row_at(r, path, t), 0)
torque = "reaction/torque[1,2]"
force = "reaction/force[1,2]"
path(q) = q <= 2 ? torque : force
settled(q) = word("4 6 2 6", q) + 0

# A block for each quantity and body: row, then square.
set print $values
do for [q=1:4] { do for [b=1:3] {
  do for [i=(q == 3 ? 2 : 1):3] {
    print sprintf("%s %.9g", word(stretches, i), at(word(bodies, b) . ".row." . word(stretches, i), path(q), settled(q))) }
  print ""; print ""
  print sprintf("1.0 %.9g", at(word(bodies, b) . ".square.1.0", path(q), settled(q)))
  print ""; print "" } }
unset print
point(b) = b == 1 ? 7 : b == 2 ? 4 : 8
square(b) = b == 1 ? 5 : b == 2 ? 12 : 10
of(q, b) = 6 * (q - 1) + 2 * (b - 1)

eval canvas(1100, 900)
set multiplot
titles = "(a) torque at 0.1 rad|(b) torque at half a turn|(c) force, not turned|(d) force at half a turn"
set xrange [0.95:1.55]
set xlabel "length over rest length"
set key font own_9 samplen 2
do for [q=1:4] {
  x0 = q % 2 ? 0.09 : 0.59
  y0 = q <= 2 ? 0.59 : 0.09
  eval panel(x0, x0 + 0.4, y0, y0 + 0.34)
  set title fold(part_of(titles, q))
  set ylabel q <= 2 ? "torque [N m]" : "force [N]"
  if (q <= 2) { set logscale y } else { unset logscale y }
  if (q == 1) { set yrange [0.1:5000] }
  if (q == 2) { set yrange [1:2e5] }
  if (q == 3) { set yrange [0:3500] }
  if (q == 4) { set yrange [-7000:10000] }
  set key inside left top Left reverse
  plot $values index of(q, 1) using 1:(0.9 * $2):(1.1 * $2) with filledcurves fs solid 0.3 noborder lc rgb "#999999" title "elements ± 10 %", \
    for [b=1:3] $values index of(q, b) using 1:2 with linespoints ls b pt point(b) ps 1.2 title part_of(labels_of_bodies, b), \
    for [b=1:3] $values index (q == 3 ? of(q, b) : of(q, b) + 1) using 1:2 with points ls b pt square(b) ps (q == 3 ? 0 : 1.6) \
    title q == 3 ? "" : "two by two, " . part_of(labels_of_bodies, b)
}
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# Pull of the held and the released fiber, length of that against a load, and work over time; circles are the integrated motion.
#
#: series runs/*-* reaction/force[0,2]
#: series runs/*-* frames/position[1,2]
#: series runs/*-* work/muscle
#: values runs/*-* gates/value gates/reference

TIMES = "0.06 0.3 0.34 0.6"
set print $wanted
do for [i=1:4] {
  print sprintf("%s %.17g %.17g %.17g %.17g %.17g", word(TIMES, i), number("isometric-16", "gates/reference", i - 1, 0), \
    number("release-16", "gates/reference", i - 1, 0), number("concentric-16", "gates/reference", i - 1, 0), \
    number("isometric-tetrahedra", "gates/reference", i - 1, 0), number("release-tetrahedra", "gates/reference", i - 1, 0))
}
unset print

eval canvas(900, 750)
set multiplot
set xlabel "time [s]"
set xrange [0:0.62]
pull = "reaction/force[0,2]"

eval panel(0.09, 0.47, 0.58, 0.93)
set title "(a) a rod, held, and shortened by 5 %: pull"
set ylabel "force [N]"
set key inside right bottom
plot series("isometric-16", pull) using 1:2 with lines ls 1 title "held", series("release-16", pull) using 1:2 with lines ls 2 title "released", \
  $wanted using 1:2 with points pt 6 ps 1.6 lc rgb "#000000" title "integrated", $wanted using 1:3 with points pt 6 ps 1.6 lc rgb "#000000" notitle
unset label 1000

eval panel(0.59, 0.97, 0.58, 0.93)
set title "(b) tetrahedra: pull"
plot series("isometric-tetrahedra", pull) using 1:2 with lines ls 1 title "held", series("release-tetrahedra", pull) using 1:2 with lines ls 2 title "released", \
  $wanted using 1:5 with points pt 6 ps 1.6 lc rgb "#000000" title "integrated", $wanted using 1:6 with points pt 6 ps 1.6 lc rgb "#000000" notitle

eval panel(0.09, 0.47, 0.10, 0.45)
set title "(c) a rod against a weight: length"
set ylabel "length [m]"
set key inside right top
at(r) = series(r, "frames/position[1,2]")
plot at("concentric-1") using 1:2 with lines ls 3 title "1 substep", at("concentric-4") using 1:2 with lines ls 2 title "4", \
  at("concentric-16") using 1:2 with lines ls 1 title "16", $wanted using 1:4 with points pt 6 ps 1.6 lc rgb "#000000" title "integrated"

eval panel(0.59, 0.97, 0.10, 0.45)
set title "(d) work of the muscle"
set ylabel "work [J]"
set key inside left top
plot for [k=1:3] series(word("isometric concentric release", k) . "-16", "work/muscle") using 1:2 with lines ls k title word("isometric concentric release", k)
unset multiplot

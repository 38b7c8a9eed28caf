# SPDX-License-Identifier: GPL-3.0-or-later
# Length and scale of the free rods, the pull of the held ones and the work, over the activation; circles are closed forms.
#
#: series runs/*-* frames/position[8,2] frames/scale[0]
#: series runs/*-* work/muscle
#: series runs/held-* reaction/force[0,2]
#: values runs/*-* gates/value gates/reference

kinds = "strain fiber force"
kind(k) = word(kinds, k)
# Gates 0 to 3 are scale and length, or pull, at half of the activation, and the same at all of it; gate 7 is the work.
wanted(r, i) = number(r, "gates/reference", i, 0)
set print $wanted
do for [k=1:3] {
  do for [half=0:1] {
    i = 2 * half
    print sprintf("%d %g %.17g %.17g %.17g %.17g", k, 0.5 * (half + 1), wanted("free-" . kind(k), i), wanted("free-" . kind(k), i + 1), \
      wanted("held-" . kind(k), i + 1), half ? wanted("free-" . kind(k), 7) : NaN)
  }
}
unset print

eval canvas(900, 750)
set multiplot
set xlabel "part of the activation"
set xrange [0:1.05]
both = "frames/position[8,2] frames/scale[0]"

eval panel(0.10, 0.47, 0.58, 0.93)
set title fold("(a) free: length")
set ylabel "length [m]"
set key inside left bottom reverse Left
plot for [k=1:3] series("free-" . kind(k), both) using 1:2 with lines ls k title kind(k), \
  $wanted using 2:4 with points pt 6 ps 1.6 lc rgb "#000000" title "closed form"
unset label 1000

eval panel(0.59, 0.97, 0.58, 0.93)
set title fold("(b) free: scale of the sections")
set ylabel "scale [1]"
set key inside left top reverse Left
plot for [k=1:3] series("free-" . kind(k), both) using 1:3 with lines ls k title kind(k), \
  $wanted using 2:3 with points pt 6 ps 1.6 lc rgb "#000000" title "closed form"

eval panel(0.10, 0.47, 0.10, 0.45)
set title fold("(c) held: pull")
set ylabel "force [N]"
plot for [k=1:3] series("held-" . kind(k), "reaction/force[0,2]") using 1:2 with lines ls k title kind(k), \
  $wanted using 2:5 with points pt 6 ps 1.6 lc rgb "#000000" title "closed form"

eval panel(0.59, 0.97, 0.10, 0.45)
set title fold("(d) free: work")
set ylabel "work [J]"
plot for [k=1:3] series("free-" . kind(k), "work/muscle") using 1:2 with lines ls k title kind(k), \
  $wanted using 2:6 with points pt 6 ps 1.6 lc rgb "#000000" title "closed form"
unset multiplot

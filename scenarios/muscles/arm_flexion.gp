# SPDX-License-Identifier: GPL-3.0-or-later
# An arm that bends: straight, half bent, bent, and under one skin; the volume of its muscles, what they work, and the balance.
#
#: rendered runs/contact 0,14,27 480x760 20,5,1,30
#: rendered runs/skin 27 480x760 20,5,1,30
#: series runs/contact enclosed_volume
#: series runs/contact balance/unaccounted
#: series runs/contact work/biceps
#: series runs/contact work/brachialis
#: series runs/contact work/triceps
#: values runs/contact enclosed_volume

shown = "contact"
eval canvas(1000, 780)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:239]
set yrange [0:379]
do for [i=1:4] {
  eval panel(0.01 + 0.247 * (i - 1), 0.247 * i, 0.43, 0.95)
  set title fold(part_of("at rest|after 0.47 s|after 0.9 s|under one skin", i))
  plot rendered(i < 4 ? shown : "skin", "480x760 20,5,1,30", int(word("0 14 27 27", i))) binary array=(480,760) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
}
unset title
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set xlabel "time [s]"
eval panel(0.09, 0.46, 0.17, 0.37)
set title fold("(a) all muscles")
set ylabel "of the whole [%]"
set yrange [-0.5:*]
eval key_at(0.27, 0.045, "center center maxrows 1", "samplen 2 font '" . letters(9) . "'")
rest = number(shown, "enclosed_volume", 0, 0)
plot series(shown, "enclosed_volume") using 1:(100 * ($2 / rest - 1)) with lines ls 2 title "change of volume", \
  series(shown, "balance/unaccounted") using 1:(100 * $2) with lines ls 3 title "work not accounted for"
eval panel(0.59, 0.98, 0.17, 0.37)
set title fold("(b) each muscle")
set ylabel "work of activation [J]"
set yrange [*:*]
eval key_at(0.785, 0.045, "center center maxrows 1", "samplen 2 font '" . letters(9) . "'")
plot for [i=1:3] series(shown, "work/" . word("biceps brachialis triceps", i)) with lines ls (i + 1) title word("biceps brachialis triceps", i)
unset multiplot

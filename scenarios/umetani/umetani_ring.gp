# SPDX-License-Identifier: GPL-3.0-or-later
# Rings with twist: an open ring one end of which is turned, closed rings and ribbons over time, with damping and without,
# and writhe against all turns, beside the thresholds of Michell.
#
#: rendered runs/open-1 0,20,40,77,-1 440x400 30,40 pills
#: rendered runs/closed-1-2,undamped,ribbon,ribbon-undamped 0,2,4,8,24 440x400 30,40 pills
#: values runs/* frames/time
#: series runs/open-* ribbon/linking ribbon/writhe
#: series runs/closed-*,undamped,ribbon* ribbon/writhe

eval canvas(1250, 1480)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:219]
set yrange [0:199]
kinds = "open-1 closed-1-2 undamped ribbon ribbon-undamped"
titles = "one end turned, B/K3 = 1|closed, 2 turns|without damping|ribbon, 2 turns|without damping"
do for [c=1:5] {
  r = word(kinds, c)
  last = int(rows(r, "frames/time")) - 1
  do for [i=1:5] {
    k = c == 1 ? int(word(sprintf("0 20 40 77 %d", last), i)) : int(word("0 2 4 8 24", i))
    kk = k > last ? last : k
    eval panel(0.01 + 0.196 * (i - 1), 0.196 * i, 1.0 - 0.15 * c, 1.13 - 0.15 * c)
    set label 1 sprintf("%s%.3g s", i == 1 ? part_of(titles, c) . ", " : "", number(r, "frames/time", kk, 0)) \
      at screen place_x(0.015 + 0.196 * (i - 1), 1.142 - 0.15 * c), screen place_y(0.015 + 0.196 * (i - 1), 1.142 - 0.15 * c) left
    plot rendered(r, "440x400 30,40 pills", k) binary array=(440,400) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    unset label 1000
  }
}
unset label
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale
eval panel(0.07, 0.48, 0.06, 0.225)
set xlabel "writhe + twist [turns]"
set ylabel "|writhe| [turns]"
set xtics 0.5
set ytics 0.5
set xrange [-1:3.25]
set yrange [0:2.4]
set key inside left top
set arrow 1 from sqrt(3), 0 to sqrt(3), 2.4 nohead ls 9
set arrow 2 from 1.5 * sqrt(3), 0 to 1.5 * sqrt(3), 2.4 nohead ls 9
plot NaN with lines ls 9 title "Michell: sqrt(3) B/K3", \
  series("open-1", "ribbon/linking ribbon/writhe") using 2:(abs($3)) with lines ls 1 title "xpbd, B/K3 = 1", \
  series("open-1.5", "ribbon/linking ribbon/writhe") using 2:(abs($3)) with lines ls 2 title "xpbd, B/K3 = 1.5", \
  series("open-viper", "ribbon/linking ribbon/writhe") using 2:(abs($3)) with lines ls 4 title "viper, B/K3 = 1", \
  series("open-pbd", "ribbon/linking ribbon/writhe") using 2:(abs($3)) with lines ls 3 title "pbd, alpha = 1"
unset arrow
eval panel(0.57, 0.98, 0.06, 0.225)
set xlabel "time [s]"
set ylabel "|writhe| of closed rings [turns]"
set xtics 1
set ytics 0.5
set xrange [0:6]
set yrange [0:3.4]
set key inside left top maxrows 4 font own_9 samplen 2
names = "closed-1-1 closed-1-2 closed-1.5-1 closed-1.5-2 undamped ribbon ribbon-undamped"
plot for [i=1:7] series(word(names, i), "ribbon/writhe") using 1:(abs($2)) with lines ls i title part_of("B/K3 = 1, 1 turn|B/K3 = 1, 2 turns|B/K3 = 1.5, 1 turn|B/K3 = 1.5, 2 turns|B/K3 = 1, 2 turns, undamped|ribbon, 2 turns|ribbon, 2 turns, undamped", i)
unset multiplot

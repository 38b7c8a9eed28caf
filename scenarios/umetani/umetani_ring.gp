# SPDX-License-Identifier: GPL-3.0-or-later
# Writhe of rings whose one end is turned, against all their turns, and beside it the thresholds of Michell.
#
#: series runs/open-* ribbon/linking ribbon/writhe
#: frame runs/open-1,ribbon 0,t=19.25,-1 frames/position

eval canvas(1000, 760)
set multiplot
unset key
do for [k=1:4] {
  eval panel(0.09 + 0.235 * (k - 1), 0.265 + 0.235 * (k - 1), 0.66, 0.93)
  set title fold(part_of("(a) start|(b) B/K3 = 1, 1.9 turns|(c) 3.2 turns|(d) ribbon, 2 turns", k))
  set xlabel "x [m]"
  set ylabel (k == 1 ? "y [m]" : "")
  set size ratio -1
  set xrange [-0.3:0.5]
  set yrange [-0.4:0.4]
  set xtics 0.3
  set ytics 0.2
  plot frame(word("open-1 open-1 open-1 ribbon", k), "frames/position", int(word("0 77 -1 -1", k))) using 2:3:4 with linespoints ls 1
  unset label 1000
}
set size noratio
eval panel(0.09, 0.97, 0.1, 0.5)
set title fold("(e) writhe")
set xlabel "writhe + twist [turns]"
set ylabel "|writhe| [turns]"
set xtics 0.5
set ytics 0.5
set xrange [-1:3]
set yrange [0:2.4]
set key inside left top
set arrow 1 from sqrt(3), 0 to sqrt(3), 2.4 nohead ls 9
set arrow 2 from 1.5 * sqrt(3), 0 to 1.5 * sqrt(3), 2.4 nohead ls 9
plot NaN ls 9 title "Michell: sqrt(3) B/K3", \
  series("open-1", "ribbon/linking ribbon/writhe") using 2:(abs($3)) with linespoints ls 1 title "xpbd, B/K3 = 1", \
  series("open-1.5", "ribbon/linking ribbon/writhe") using 2:(abs($3)) with linespoints ls 2 title "xpbd, B/K3 = 1.5", \
  series("open-viper", "ribbon/linking ribbon/writhe") using 2:(abs($3)) with lines ls 4 title "viper, B/K3 = 1", \
  series("open-pbd", "ribbon/linking ribbon/writhe") using 2:(abs($3)) with points ls 3 title "pbd, alpha = 1"
unset multiplot

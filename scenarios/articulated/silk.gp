# SPDX-License-Identifier: GPL-3.0-or-later
# Figure 11: an acrobat that swings down, hung up by the hands: flesh alone, with bones, with bones on joints. Its length over time.
#
#: rendered runs/flesh,bones,linked 15,28 600x1200 62,6
#: series runs/flesh,bones,linked frames/position[gate=0,0] frames/position[gate=0,1] frames/position[gate=0,2]

kinds = "flesh bones linked"
array name[3] = ["(a) flesh alone", "(b) nine bones", "(c) nine bones on joints"]
array moment[2] = [15, 28]
view = "600x1200 62,6"

eval canvas(1000, 660)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:299]
set yrange [0:599]
do for [k=1:3] {
  do for [j=1:2] {
    left = (k - 1) / 3.0 + (j - 1) / 6.0
    eval panel(left + 0.002, left + 1 / 6.0 - 0.002, 0.37, 0.91)
    set title fold((j == 1 ? name[k] . ", " : "") . sprintf("%.2f s", moment[j] / 30.0)) font letters_9
    plot rendered(word(kinds, k), view, moment[j]) binary array=(600,1200) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  }
}
unset label 1000
set title font letters_11
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
eval key_at(0.5, 0.035, "center center maxrows 1", "")
eval panel(0.08, 0.97, 0.15, 0.30)
set title fold("(d) length from hand to sole; at rest 2 m")
set xlabel "time [s]"
set ylabel "length [m]"
set xrange [0:2]
set yrange [1.5:4]
set ytics 0.5
plot for [k=1:3] series(word(kinds, k), "frames/position[gate=0,0] frames/position[gate=0,1] frames/position[gate=0,2]") \
  using 1:(sqrt($2**2 + ($3 + 0.2)**2 + ($4 - 0.025)**2)) with lines ls k title name[k]
unset multiplot

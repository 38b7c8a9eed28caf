# SPDX-License-Identifier: GPL-3.0-or-later
# Figure 12: a bent tail falls into a glass, flesh alone and with nine bones; how deep nodes are in the glass.
#
#: rendered runs/flesh,bones 0,t=0.3,t=0.6,t=1.5 600x1200 20,12
#: series runs/flesh,bones penetration

kinds = "flesh bones"
array name[2] = ["flesh alone", "nine bones"]
array moment[4] = [0, 9, 18, 45]
view = "600x1200 20,12"

eval canvas(1000, 560)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:299]
set yrange [0:599]
do for [k=1:2] {
  do for [j=1:4] {
    left = (k - 1) / 2.0 + (j - 1) / 8.0
    eval panel(left + 0.002, left + 1 / 8.0 - 0.002, 0.44, 0.93)
    set title fold((j == 1 ? sprintf("(%s) %s, ", "ab"[k:k], name[k]) : "") . sprintf("%.1f s", moment[j] / 30.0)) font letters_9
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
eval key_at(0.5, 0.04, "center center maxrows 1", "")
eval panel(0.07, 0.97, 0.18, 0.36)
set title fold("(c) greatest depth of a node in the glass and its bottom")
set xlabel "time [s]"
set ylabel "depth [nm]" offset 1, 0
set xrange [0:1.5]
plot for [k=1:2] series(word(kinds, k), "penetration") using 1:(1e9 * $2) with lines ls k title name[k]
unset multiplot

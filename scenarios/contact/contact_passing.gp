# SPDX-License-Identifier: GPL-3.0-or-later
# Linked rings that are thrown apart at 30 m/s in steps of 1/60 s, the first held: at some times by each method; how many
# nodes' motion each step truncated, and the energy, which only Newton's method over bodies and contacts does not raise.
#
#: rendered runs/direct-held-speed30,xpbd-held-speed30,block-descent-held-speed30,jacobi-published-held-speed30 1 400x200 30,20,0.75
#: rendered runs/direct-held-speed30,xpbd-held-speed30,block-descent-held-speed30,jacobi-published-held-speed30 2 640x200 30,20
#: rendered runs/direct-held-speed30,xpbd-held-speed30,block-descent-held-speed30,jacobi-published-held-speed30 90 400x200 30,20
#: series runs/* contact_truncated
#: series runs/* energy/total

methods = "direct xpbd block-descent jacobi-published newton"
label(i) = word(methods, i) eq "newton" ? "direct, Newton" : word(methods, i)
name(i) = word(methods, i) . "-held-speed30"
eval canvas(1000, 1000)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set yrange [0:99]
do for [i=1:4] {
  do for [k=1:3] {
    wide = k == 2 ? 640 : 400
    left = k == 1 ? 0.01 : k == 2 ? 0.28 : 0.72
    set xrange [0:wide / 2 - 1]
    eval panel(left, left + wide / 1600.0, 0.995 - 0.155 * i, 1.12 - 0.155 * i)
    set title fold(word(methods, i) . ", " . word("1/60 2/60 1.5", k) . " s")
    plot rendered(name(i), sprintf("%dx200 30,20%s", wide, k == 1 ? ",0.75" : ""), word("1 2 90", k) + 0) \
      binary array=(wide,200) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
  }
}
unset title
set size noratio
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set autoscale
set xlabel "time [s]"
eval key_at(0.5, 0.04, "center center maxrows 2", "samplen 3")

eval panel(0.09, 0.48, 0.125, 0.295)
set title fold("(a) truncated nodes, at 30 m/s, held")
set ylabel "nodes a step [1]"
plot [0:1.5] [0:*] for [i=1:5] series(name(i), "contact_truncated") using 1:2 with lines ls i title label(i)
unset key

eval panel(0.59, 0.98, 0.125, 0.295)
set title fold("(b) energy")
set ylabel "energy [J]"
set logscale y
set format y "10^{%T}"
plot [0:1.5] for [i=1:5] series(name(i), "energy/total") using 1:2 with lines ls i
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# Rods on their way back from random points and from a line, and what bending they still have.
#
#: rendered runs/line-1,spring-1,unrolled 0,1,5,20,100 460x460 30,12 pills
#: series runs/* energy/bend

# gnuplot breaks a key that is higher than its graph into columns, for which some labels are too long on paper.
short(text) = !narrow ? text : strstrt(text, "from a line") ? "unrolled" : strstrt(text, "changing") ? "lengthens" : text
cases = "line-1 spring-1 unrolled"
frames = "0 1 5 20 100"

eval canvas(1100, 1050)
set multiplot
unset key
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:229]
set yrange [0:229]
do for [c=1:3] {
  do for [k=1:5] {
    eval panel(0.005 + 0.198 * (k - 1), 0.198 * k, 0.975 - 0.22 * c, 1.165 - 0.22 * c)
    set title fold(sprintf("%s%d steps", k == 1 ? part_of("straight|spring|spring from a line", c) . ", " : "", 10 * int(word(frames, k)))) offset 0, -0.7
    plot rendered(word(cases, c), "460x460 30,12 pills", int(word(frames, k))) binary array=(460,460) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
    unset label 1000
  }
}
unset title
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set size noratio
eval key_at(0.87, 0.18, "center center vertical", "font '" . own_9 . "'")
eval panel(0.09, 0.74, 0.075, 0.27)
set xlabel "steps"
set ylabel "bending energy [J]"
set logscale y
set format y "10^{%T}"
set xtics 200
set ytics 1e-9, 1e3
set xrange [0:1000]
set yrange [1e-10:1e6]
plot for [i=1:n_runs] series(run(i), "energy/bend") using ($1 * 60):2 with lines ls i title short(label_of(i))
unset multiplot

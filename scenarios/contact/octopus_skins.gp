# SPDX-License-Identifier: GPL-3.0-or-later
# Figure 7: the skins of a crowd, rendered, and what a step of it takes.
#
#: rendered runs/crowd -1 2000x960 30,18,1.05,30
#: values runs/crowd topology/body topology/segment topology/rest_position timing/step
#: series runs/crowd timing/step
#: series runs/crowd penetration
#: series runs/crowd contacts

r = "crowd"
bodies = names(r, "topology/body")
n_bodies = int(real(word(bodies, words(bodies)))) + 1
n_segments = int(rows(r, "topology/segment"))
dofs = 4 * int(rows(r, "topology/rest_position")) + 3 * n_segments
step_s = names(r, "timing/step")
n_steps = words(step_s)
n_last = n_steps < 20 ? n_steps : 20 # in which the heap lies
mean_ms(from) = 1e3 * (sum [i=from:n_steps] real(word(step_s, i))) / (n_steps - from + 1)

eval canvas(1000, 800)
set multiplot
unset key

eval panel(0.005, 0.995, 0.345, 0.94)
unset grid
unset border
unset tics
set size ratio -1
set xrange [0:999]
set yrange [0:479]
set title fold(sprintf("%d octopuses of %d pills, %d degrees of freedom, %s each", \
  n_bodies, n_segments / n_bodies, dofs, label_of(1)))
plot rendered(r, "2000x960 30,18,1.05,30", -1) binary array=(2000,960) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
unset label 1000
unset title
set size noratio
set autoscale
set border 3 lw 0.8
set xtics nomirror
set ytics nomirror
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid

set xlabel "time [s]"
set xrange [0:*]
set yrange [0:*]
eval panel(0.07, 0.32, 0.11, 0.31)
set ylabel "wall time of a step [ms]" offset 1
set xlabel "step"
set title fold(sprintf("heap (last %d steps): %.1f ms", n_last, mean_ms(n_steps - n_last + 1)))
plot series(r, "timing/step") using 1:(1e3 * $2) with lines ls 1, \
  mean_ms(n_steps - n_last + 1) * (x >= n_steps - n_last && x <= n_steps ? 1 : NaN) ls 9
unset title
set xlabel "time [s]"
eval panel(0.405, 0.655, 0.11, 0.31)
set ylabel "contacts that push"
plot series(r, "contacts") with lines ls 1
eval panel(0.735, 0.985, 0.11, 0.31)
set ylabel "penetration [mm]"
plot series(r, "penetration") using 1:(1e3 * $2) with lines ls 1
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# How far the tip of a falling rod is in float from where it is in double, and the residual that is left.

methods = "direct xpbd block-descent jacobi-published"
# Columns: segments, difference [m], tolerance [m]. The gates tell them.
beside(m) = sprintf("< %s table %s gates/name gates/value gates/tolerance | %s", vb, file, \
  sprintf("sed -n 's/.*float beside double: %s, n = \\([0-9]*\\)\"/\\1/p'", word(methods, m)))
residual(m, precision) = \
  last_of(slice("method precision", word(methods, m) . " " . precision), "n", "residual")

eval canvas(1100, 520)
set multiplot
set logscale xy
set format y "10^{%T}"
set xlabel "segments n"
set xtics 8, 2
set mxtics 1
set xrange [6.5:640]
set key at screen 0.5, screen 0.99 center top maxrows 1

eval panel(0.08, 0.48, 0.16, 0.84)
set title "(a) the tip in float beside double"
set ylabel "distance after the last step [m]"
set yrange [1e-9:1e-3]
set label 1 "all roundings of 10 iterations a step" at graph 0.03, first 1.4e-5
set label 2 "those of 200" at graph 0.03, first 2.8e-4
plot for [m=1:4] beside(m) using 1:(abs($2)) with linespoints ls m title word(methods, m), \
  for [m=1:2] beside(m) using 1:3 with lines ls 9 notitle
unset label 1000
unset label 1
unset label 2
unset key

eval panel(0.57, 0.97, 0.16, 0.84)
set title "(b) the residual left: in double (lines), in float (crosses)"
set ylabel "relative residual [1]"
set yrange [1e-17:100]
set ytics 1e-16, 1e4
plot for [m=1:4] residual(m, "double") using 1:($2 > 1e-16 ? $2 : 1e-16) with linespoints ls m, \
  for [m=1:4] residual(m, "float") using 1:($2 > 1e-16 ? $2 : 1e-16) \
    with points ls m pt 2 ps 1.3 lw 2
unset multiplot

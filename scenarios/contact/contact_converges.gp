# SPDX-License-Identifier: GPL-3.0-or-later
# A rope thrown at another, seen along that; the energy of throws, and their residuals, by Newton's method and by passes.
#
#: outline runs/newton-20-across-smooth 0,1,2,4 yz
#: series runs/newton-*-across-*,passes-20 energy/total residual
#: values runs/newton-*-across-*,passes-20 energy/total

speeds = "1 5 10 20 30"
name(k, kind) = sprintf("newton-%s-across-%s", word(speeds, k), kind)
first(r) = number(r, "energy/total", 0, 0)
both = "energy/total residual"
array picture[4] = [0, 1, 2, 4]

eval canvas(1000, 760)
set multiplot
set size ratio -1
set xrange [-0.4:0.4]
set xtics 0.4
set yrange [-2.2:0.2]
set xlabel "y [m]"
unset key
do for [k=1:4] {
  eval panel(0.10 + 0.23 * (k - 1), 0.235 + 0.23 * (k - 1), 0.54, 0.93)
  set title fold(sprintf("%s%.2f s", k == 1 ? "(a) 20 m/s, " : "", picture[k] / 20.0))
  set ylabel (k == 1 ? "z [m]" : "") offset -1
  plot outline("newton-20-across-smooth", picture[k], "yz") using 1:2 with filledcurves closed ls 1 @FILL
  unset label 1000
}
set size noratio
set xtics autofreq
set xlabel "time [s]"
set xrange [0:0.5]
eval panel(0.11, 0.48, 0.10, 0.40)
set title fold("(b) energy, without friction")
set ylabel "energy, over that at first [1]" offset 0
set logscale y
set format y "10^{%T}"
set yrange [0.1:1e6]
set key inside right top reverse Left
plot series("passes-20", both) using 1:($2 / first("passes-20")) with lines ls 7 title "passes, 20 m/s", \
  for [k=1:5] series(name(k, "smooth"), both) using 1:($2 / first(name(k, "smooth"))) with lines ls k \
  title sprintf("Newton, %s m/s", word(speeds, k))
eval panel(0.60, 0.97, 0.10, 0.40)
set title fold("(c) residual, with friction")
set ylabel "residual [1]"
set format y "10^{%T}"
set yrange [1e-17:1e13]
set ytics 1e5
plot 1e-8 ls 9 title "tolerance", for [k=1:5] series(name(k, "rough"), both) using 1:($3 > 0 ? $3 : 1e-16) with lines ls k \
  title sprintf("Newton, %s m/s", word(speeds, k))
unset multiplot

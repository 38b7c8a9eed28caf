# SPDX-License-Identifier: GPL-3.0-or-later
# The stiffness of position-based rods against iterations, step and edges, beside its law and the scene's material.
#
#: values runs/* gates/value gates/reference

mass = pi * 0.02**2 * 1000
material = 1e6 * pi * 0.02**4 / 4
B(n, rate, edges) = n * 0.5 * mass / edges * rate**2 / edges**3 / 3
over(r) = number(r, "gates/reference", 0, 0) / number(r, "gates/value", 0, 0)
of(case, n, rate, edges) = sprintf("%s-n%d-h%d-e%d", case, n, rate, edges)
measured(n, rate, edges) = B(n, rate, edges) * over(of("bend", n, rate, edges))

eval canvas(1000, 700)
set multiplot
set logscale xy
set format y "10^{%T}"
unset key
set ylabel "bending stiffness [N m^2]"
set yrange [1e-3:1]

set print $by_n
do for [n in "5 10 20"] { print sprintf("%s %.9g", n, measured(int(n), 60, 20)) }
set print $by_h
do for [h in "30 60 120"] { print sprintf("%s %.9g", h, measured(10, int(h), 20)) }
set print $by_e
do for [e in "10 20 40"] { print sprintf("%s %.9g", e, measured(10, 60, int(e))) }
set print $over
do for [e in "10 20 40"] {
  print sprintf("%s %.9g %.9g %.9g", e, over(of("bend", 10, 60, int(e))), 1 / over(of("twist", 10, 60, int(e))), \
    over(of("hang", 2, 60, int(e))))
}
unset print

eval panel(0.08, 0.34, 0.58, 0.86)
set title fold("(a) iterations n, 20 edges, h = 1/60 s")
set xlabel "n"
set xrange [4:25]
set xtics (5, 10, 20)
eval key_at(0.5, 0.985, "center top maxrows 1", "")
plot B(x, 60, 20) ls 9 title "law: n m l^3/(3 h^2)", material ls 3 lw 2 title "E I of the scene", \
  $by_n with points ls 1 title "measured"
unset label 1000
unset key
set ylabel ""

eval panel(0.42, 0.67, 0.58, 0.86)
set title fold("(b) steps per second, n = 10")
set xlabel "1/h [1/s]"
set xrange [25:150]
set xtics (30, 60, 120)
plot B(10, x, 20) ls 9, material ls 3 lw 2, $by_h with points ls 1

eval panel(0.74, 0.98, 0.58, 0.86)
set title fold("(c) edges, n = 10, h = 1/60 s")
set xlabel "edges N"
set xrange [8:50]
set xtics (10, 20, 40)
plot B(10, 60, x) ls 9, material ls 3 lw 2, $by_e with points ls 1

eval panel(0.08, 0.98, 0.1, 0.42)
set title fold("(d) measured over the law")
unset logscale y
set format y "%g"
set ylabel "ratio"
set yrange [0.9:1.2]
set key inside right top
plot 1 ls 9 notitle, $over using 1:2 with linespoints ls 1 title "bending (cantilever)", \
  $over using 1:3 with linespoints ls 2 title "twist", \
  $over using 1:4 with linespoints ls 3 title "stretch (hanging)"
unset multiplot

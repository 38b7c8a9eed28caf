# SPDX-License-Identifier: GPL-3.0-or-later
# The part of the material's bending stiffness that XPBD reaches against iterations, beside that of PBD's law.
#
#: values runs/* gates/value gates/reference

eval canvas(900, 520)
share(r) = number(r, "gates/reference", 0, 0) / number(r, "gates/value", 0, 0)
set print $half
do for [n in "1 3 10"] { print sprintf("%s %.9g", n, share(sprintf("R0.5-n%s", n))) }
set print $five
do for [n in "1 3 10 30"] { print sprintf("%s %.9g", n, share(sprintf("R5-n%s", n))) }
set print $fifty
do for [n in "1 3 10 30 80"] { print sprintf("%s %.9g", n, share(sprintf("R50-n%s", n))) }
unset print
law(n, R) = 2 * n / R < 1 ? 2 * n / R : 1

set logscale xy
set xlabel "iterations n of a substep"
set ylabel "bending stiffness over the material's"
set xrange [0.9:100]
set yrange [0.03:1.5]
set key inside right bottom
plot law(x, 50) ls 9 title "PBD's law, 2 n/R, at most 1", law(x, 5) ls 9 notitle, \
  $half using 1:2 with linespoints ls 1 title "R = 6 K h^2/(m l^3) = 0.5", \
  $five using 1:2 with linespoints ls 2 title "R = 5", \
  $fifty using 1:2 with linespoints ls 3 title "R = 50"

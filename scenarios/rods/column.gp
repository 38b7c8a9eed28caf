# SPDX-License-Identifier: GPL-3.0-or-later
# A column pushed across its middle, by how much of Euler's force presses it: its shape at rest, and its deflection.
#
#: frame runs/* spread=2 frames/position
#: values runs/* gates/value gates/reference

# Deflection without a force along the column, and the part of Euler's force of a run, which its name ends with.
first = number(run(1), "gates/reference", 0, 0)
part_of_force(r) = real(r[5:*])
exaggerated = 500

eval canvas(900, 420)
set multiplot

eval panel(0.09, 0.42, 0.17, 0.88)
set title fold("(a) at rest, across × 500")
set xlabel "across × 500 [m]"
set ylabel "along [m]"
set xrange [-0.1:0.9]
set yrange [-0.05:1.05]
set key inside right top reverse Left
plot for [i=1:n_runs] frame(run(i), "frames/position", 1) using (exaggerated * $2):4 \
  with linespoints ls i pt 7 ps 0.3 title run(i)[5:*] . " of Euler's"
unset label 1000

set print $measured
do for [i=1:n_runs] {
  print sprintf("%.9g %.9g", part_of_force(run(i)), number(run(i), "gates/value", 0, 0) / first)
}
unset print
eval panel(0.58, 0.97, 0.17, 0.88)
set title fold("(b) deflection of the middle")
set xlabel "part of Euler's force"
set ylabel "over that without it [1]"
set xrange [-0.03:1.03]
set yrange [0.8:60]
set logscale y
set key inside left top reverse Left
# All of the first mode but a hundredth: 1 / (1 - part).
plot [0:0.985] 1 / (1 - x) ls 9 title "1 / (1 − part)", $measured using 1:2 with points ls 1 pt 6 title "measured"
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# The energies of the swinging rod; by how much the total of each run leaves its first value; and the momentum of the rod that
# tumbles freely.
#
#: series runs/* energy/total energy/kinetic
#: series runs/swing energy/kinetic energy/gravity energy/total
#: series runs/free momentum[0] momentum[1] momentum[2]
#: values runs/* energy/total energy/kinetic

array most[3] = [2.44, 2.44, 0.228] # kinetic energy, J
first(i) = number(run(i), "energy/total", 0, 0)

names = "momentum[0] momentum[1] momentum[2]"
momentum = series("free", names)
array start[3]
do for [c=1:3] {
  stats momentum using c + 1 every ::0::0 nooutput
  start[c] = STATS_mean
}

eval canvas(1100, 400)
set multiplot
set xlabel "time [s]"
eval panel(0.06, 0.31, 0.17, 0.88)
set title fold("(a) energies of the rod that swings")
set ylabel "energy [J]"
set key inside right center
plot series("swing", "energy/kinetic energy/gravity energy/total") using 1:2 with lines ls 1 title "kinetic", \
  "" using 1:3 with lines ls 2 title "gravity", "" using 1:4 with lines ls 3 title "total"
unset label 1000
eval panel(0.41, 0.65, 0.17, 0.88)
set title fold("(b) drift of the total")
set ylabel "drift over the kinetic energy"
set logscale y
set format y "10^{%T}"
set yrange [1e-13:1e-3]
set key inside right bottom
plot 1e-4 ls 9 title "allowed", for [i=1:n_runs] series(run(i), "energy/total energy/kinetic") \
  using 1:(abs($2 - first(i)) > 0 ? abs($2 - first(i)) / most[i] : NaN) with lines ls i title label_of(i)
eval panel(0.75, 0.98, 0.17, 0.88)
set title fold("(c) momentum of the free rod")
set ylabel "change [kg m/s]"
set yrange [1e-18:1e-7]
plot 1e-9 ls 9 title "allowed", for [c=1:3] momentum using 1:(abs(column(c + 1) - start[c]) + 1e-17) with lines ls c title word("x y z", c)
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# Velocities of the capsules on the plane and on the rails over time; circles are closed forms.
#
#: series runs/direct-* frames/velocity[gate=1,0] frames/velocity[gate=5,0] frames/velocity[gate=9,0] frames/velocity[gate=13,0] frames/velocity[gate=17,0] frames/velocity[gate=21,0]
#: values runs/direct-* gates/from
#: values runs/* gates/reference gates/tolerance gates/value

paths = "frames/velocity[gate=1,0] frames/velocity[gate=5,0] frames/velocity[gate=9,0] frames/velocity[gate=13,0] " \
  . "frames/velocity[gate=17,0] frames/velocity[gate=21,0]"
# Of each capsule there are four gates: place and velocity at half of the time and at the end.
array Text[6] = ["none of its own", "half of the ground's", "0.25, of the rod", "0.4", "static 0.5, kinetic 0.28", "0.5, at rest"]
set print $wanted
do for [i=0:5] {
  do for [half=0:1] {
    print number("direct-plane", "gates/from", 4 * i + 2 * half + 1, 0), " ", number("direct-plane", "gates/reference", 4 * i + 2 * half + 1, 0)
  }
}
unset print
larger(a, b) = a > b ? a : b
worst(r, k) = k < 0 ? 1e-17 : larger(worst(r, k - 1), abs(number(r, "gates/value", k, 0) - number(r, "gates/reference", k, 0)))
set print $worst
do for [i=1:n_runs] { print sprintf("%d %.3g", i, worst(run(i), 23)) }
unset print

eval canvas(900, 760)
set multiplot
set xlabel "time [s]"
set xrange [0:0.52]
set yrange [-0.1:1.7]
set ylabel "velocity [m/s]"
do for [k=1:2] {
  if (k == 1) { eval panel(0.09, 0.48, 0.42, 0.83) } else { eval panel(0.57, 0.97, 0.42, 0.83) }
  set title fold(word("(a)|(b)", 1)[4 * k - 3:4 * k - 1] . (k == 1 ? " on a plane of 0.2" : " on rails of 0.2"))
  if (k == 1) { eval key_at(0.5, 0.985, "center top maxrows 3", "") } else { unset key }
  plot for [i=1:6] series(k == 1 ? "direct-plane" : "direct-rails", paths) using 1:(column(i + 1)) with lines ls i title Text[i], \
    $wanted using 1:2 with points pt 6 ps 1.6 lc rgb "#000000" title "closed form"
  unset label 1000
}
eval panel(0.09, 0.97, 0.12, 0.29)
set title fold("(c) the greatest distance of a gate's value from the closed form")
unset xlabel
unset key
set ylabel "[m, m/s]"
set logscale y
set format y "10^{%T}"
set xrange [0.5:n_runs + 0.5]
set yrange [1e-17:1e-5]
set xtics 1, 1
method_of(r) = strstrt(r, "block") == 1 ? "block" : r[1:strstrt(r, "-") - 1]
do for [i=1:n_runs] { set xtics add (method_of(run(i)) . (strstrt(run(i), "plane") ? "\nplane" : "\nrails") i) }
plot number(run(1), "gates/tolerance", 0, 0) ls 9, $worst using 1:2 with points ls 1
unset multiplot

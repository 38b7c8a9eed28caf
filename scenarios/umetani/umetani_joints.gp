# SPDX-License-Identifier: GPL-3.0-or-later
# Deflection of a curved rod by how the components of a joint are enforced, against iterations and against time.
#
#: values runs/* frames/position[20,2] timing/step

joints = "block scalar squared"
counts = "1 2 5 10 20 50 100"
deflection(r) = number(r, "frames/position[20,2]", -1, 0)
# The mean time of a step [ms].
time_of(r) = 1e3 * mean(r, "timing/step")
set print $work
do for [method in "pbd xpbd"] {
  do for [joint in joints] {
    do for [n in counts] {
      r = sprintf("%s-%s-%s", method, joint, n)
      print sprintf("%s %.9g %.9g", n, deflection("xpbd-block-100") / deflection(r), time_of(r))
    }
    print ""; print ""
  }
}
unset print

eval canvas(1000, 480)
set multiplot
set logscale xy
set yrange [0.4:50]
eval key_at(0.5, 0.985, "center top maxrows 2", "")
do for [c=1:2] {
  eval panel(0.09 + 0.48 * (c - 1), 0.5 + 0.48 * (c - 1), 0.15, 0.76)
  set title fold((c == 1 ? "(a) over iterations" : "(b) over time"))
  set xlabel (c == 1 ? "iterations of a step" : "time of a step, mean [ms]")
  set ylabel (c == 1 ? "stiffness over the material's" : "")
  set xrange [(c == 1 ? 0.8 : 0.003):(c == 1 ? 125 : 10)]
  plot 1 ls 9 notitle, for [k=0:5] $work index k using (c == 1 ? $1 : $3):2 with linespoints ls k + 1 \
    title (k < 3 ? "pbd, " : "xpbd, ") . word(joints, k % 3 + 1)
  unset label 1000
  unset key
}
unset multiplot

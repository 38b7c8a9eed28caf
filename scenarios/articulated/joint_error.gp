# SPDX-License-Identifier: GPL-3.0-or-later
# Joint error over inner iterations (fig. 8 of Li, Liu, Kavan 2019): a panel for each body, a color for each step.
#
#: values runs/* joint_gaps[0] joint_gaps[1] joint_gaps[2] joint_gaps[3] joint_gaps[4] joint_gaps[5] joint_gaps[6] joint_gaps[7] joint_gaps[8] joint_gaps[9] joint_gaps[10] joint_gaps[11]

eval canvas(900, 430)
set multiplot
kinds = "chain ring machine"
array title_of[3] = ["(a) chain of nine bars", "(b) ring of six bars", "(c) washing machine, nine bones"]
steps = "0.0333 0.01 0.001"
last = 12

# Of the first step, into which bars are torn apart; of the machine's last one, in which limbs move.
set print $gaps
do for [k=1:3] {
  do for [inner in "newton gauss_newton"] {
    do for [h in steps] {
      do for [i=1:last] {
        r = sprintf("%s.%s.h%s", word(kinds, k), inner, h)
        print sprintf("%d %g", i, number(r, sprintf("joint_gaps[%d]", i - 1), k == 3 ? -1 : 1, 0))
      }
      print ""; print ""
    }
  }
}
unset print

set logscale y
set format y "10^{%T}"
set xrange [0.5:last + 0.5]
set yrange [1e-17:1]
set xtics 4
set xlabel "inner iteration"
unset key
do for [k=1:3] {
  eval panel(0.11 + 0.30 * (k - 1), 0.37 + 0.30 * (k - 1), 0.34, 0.90)
  set title fold(title_of[k])
  if (k == 1) { set ylabel "joint error [m]" } else { unset ylabel; set format y "" }
  if (k == 2) {
    eval key_at(0.52, 0.17, "center top vertical maxrows 2", "reverse Left nobox samplen 3 font '" . letters(10) . "'")
  } else { unset key }
  plot for [j=0:5] $gaps index 6 * (k - 1) + j / 2 + 3 * (j % 2) using 1:($2 > 0 ? $2 : NaN) with linespoints ls j / 2 + 1 \
      dt 1 + 2 * (j % 2) title sprintf("h = %s s%s", word(steps, j / 2 + 1), j % 2 ? ", as published" : "")
}
unset multiplot

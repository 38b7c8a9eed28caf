# SPDX-License-Identifier: GPL-3.0-or-later
# How far the tip of a falling rod is in float from where it is in double, and the residual that is left.
#
#: values . scenario/grid/method scenario/grid/precision scenario/grid/n gates/name gates/value gates/tolerance
#: values runs/* residual

methods = values_of("method")
# Blocks of segments, difference [m] and tolerance [m], one for each method. The gates tell them.
gate_names = names(".", "gates/name")
head(m) = sprintf("float beside double: %s, n = ", word(methods, m))
found(g, m) = strstrt(word(gate_names, g), head(m))
set print $beside
do for [m=1:words(methods)] {
  do for [g=1:words(gate_names)] {
    if (found(g, m)) {
      print word(gate_names, g)[found(g, m) + strlen(head(m)):*], " ", \
        word(names(".", "gates/value"), g), " ", word(names(".", "gates/tolerance"), g)
    }
  }
  print ""; print ""
}
# Blocks of segments and residual, for each method one in double, then one in float.
set print $residuals
do for [m=1:words(methods)] {
  do for [p=1:2] {
    print last_of(slice("method precision", word(methods, m) . " " . word("double float", p)), "n", "residual")
    print ""; print ""
  }
}
unset print

eval canvas(1100, 520)
set multiplot
set logscale xy
set format y "10^{%T}"
set xlabel "segments n"
set xtics 8, 2
set mxtics 1
sizes = values_of("n")
n_least = real(word(sizes, 1))
n_most = n_least
do for [i=1:words(sizes)] {
  n_least = real(word(sizes, i)) < n_least ? real(word(sizes, i)) : n_least
  n_most = real(word(sizes, i)) > n_most ? real(word(sizes, i)) : n_most
}
set xrange [n_least / 1.25:n_most * 1.25]
eval key_at(0.5, 0.99, "center top maxrows 1", "")

eval panel(0.08, 0.48, 0.16, 0.84)
set title fold("(a) the tip in float beside double")
set ylabel "distance after the last step [m]"
set yrange [1e-9:1e-3]
set label 1 "all roundings of 10 iterations a step" at graph 0.03, first 1.4e-5
set label 2 "those of 200" at graph 0.03, first 2.8e-4
plot for [m=1:words(methods)] $beside index m - 1 using 1:(abs($2)) with linespoints ls m title word(methods, m), \
  for [m=1:2] $beside index m - 1 using 1:3 with lines ls 9 notitle
unset label 1000
unset label 1
unset label 2
unset key

eval panel(0.57, 0.97, 0.16, 0.84)
set title fold("(b) the residual left: in double (lines), in float (crosses)")
set ylabel "relative residual [1]"
set yrange [1e-17:100]
set ytics 1e-16, 1e4
plot for [m=1:words(methods)] $residuals index 2 * (m - 1) using 1:($2 > 1e-16 ? $2 : 1e-16) with linespoints ls m, \
  for [m=1:words(methods)] $residuals index 2 * m - 1 using 1:($2 > 1e-16 ? $2 : 1e-16) \
    with points ls m pt 2 ps 1.3 lw 2
unset multiplot

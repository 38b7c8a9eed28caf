# SPDX-License-Identifier: GPL-3.0-or-later
# Writhe and twist of a straight rod and of a spring against the turns turned in, by order of visits and iterations.
#
#: series runs/* ribbon/linking

eval canvas(1100, 440)
set multiplot
set xlabel "turned in [turns]"
set xrange [0:4]
set xtics 1
set ytics 0.5
do for [k=1:2] {
  shape = word("straight spring", k)
  eval panel(0.065 + 0.38 * (k - 1), 0.365 + 0.38 * (k - 1), 0.17, 0.9)
  set title fold(part_of("(a) a straight rod|(b) a spring", k))
  set ylabel (k == 1 ? "writhe + twist [turns]" : "")
  set yrange [(k == 1 ? 0 : 2):(k == 1 ? 3 : 5)]
  if (k == 1) { unset key } else { eval key_at(0.99, 0.9, "right top", "font '" . letters_of('', 9) . "' samplen 2") }
  plot (k == 1 ? x : x + 2.87) ls 9 title "no turn lost", \
    series(shape . "-interleaved", "ribbon/linking") using ($1 / 4):2 with linespoints ls 1 title "interleaved", \
    series(shape . "-ends", "ribbon/linking") using ($1 / 4):2 with linespoints ls 2 title "ends", \
    series(shape . "-sequential", "ribbon/linking") using ($1 / 4):2 with linespoints ls 3 title "sequential", \
    series(shape . "-random", "ribbon/linking") using ($1 / 4):2 with linespoints ls 4 title "random", \
    series(shape . "-5", "ribbon/linking") using ($1 / 4):2 with points ls 6 title "interleaved, 5 iterations", \
    series(shape . "-20", "ribbon/linking") using ($1 / 4):2 with points ls 7 title "interleaved, 20 iterations"
  unset label 1000
}
unset multiplot

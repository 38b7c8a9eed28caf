# SPDX-License-Identifier: GPL-3.0-or-later
# Error over wall time of every solver on every problem of the page; numbers are segments. Coarser and finer settings of a sweep
# are points without a line and a number.
#: values runs/*-elastica-10-*,*-heavy_cantilever-20-*,*-roll_up-once-*,*-bend_45-600-*,*-helical_spring-50-*,*-elastic_catenary-20-* timing/step
#: maybe values runs/*-elastica-10-*,*-heavy_cantilever-20-*,*-roll_up-once-*,*-bend_45-600-*,*-helical_spring-50-*,*-elastic_catenary-20-* timing/phases/package
#: values . gates/value gates/reference gates/tolerance gates/runs

problems = "elastica-10 heavy_cantilever-20 roll_up-once bend_45-600 helical_spring-50 elastic_catenary-20"
title_of(i) = part_of("elastica, F = 10|heavy cantilever, w = 20|roll-up, once|45 degree bend|helical spring|elastic catenary", i)

# The parts of a run's name, peer_PEER-PROBLEM-nN.
behind(r) = r[6:*]
peer_of(r) = (behind(r))[1:strstrt(behind(r), "-") - 1]
rest_of(r) = (behind(r))[strstrt(behind(r), "-") + 1:*]
last_dash(s, k) = k < 1 ? 0 : (s[k:k+1] eq "-n" ? k : last_dash(s, k - 1))
problem_of(r) = (rest_of(r))[1:last_dash(rest_of(r), strlen(rest_of(r))) - 1]
segments_of(r) = (rest_of(r))[last_dash(rest_of(r), strlen(rest_of(r))) + 2:*]

time_of(r) = total(r, has(r, "values timing/phases/package") ? "timing/phases/package" : "timing/step")

# The greatest error of the answers of each run, over the length; the peers in their order.
n_gates = rows(".", "gates/value")
error_of(i) = abs(number(".", "gates/value", i, 0) - number(".", "gates/reference", i, 0)) / (1e6 * number(".", "gates/tolerance", i, 0))
gate_runs = names(".", "gates/runs")
array error[n_runs]
do for [i=1:n_runs] { error[i] = 0 }
k = 1
do for [g=0:n_gates-1] {
  name = word(gate_runs, g + 1)
  tries = 0
  while (run(k) ne name && tries <= n_runs) { k = k % n_runs + 1; tries = tries + 1 }
  if (error_of(g) > error[k]) { error[k] = error_of(g) } # never of a run that diverged, which has no number
}
peers = ""
do for [i=1:n_runs] {
  if (strstrt(" " . peers . " ", " " . peer_of(run(i)) . " ") == 0) { peers = peers . peer_of(run(i)) . " " }
}

# Blocks of time, error and segments: for each problem and peer that of its entry, and that of the other settings of a sweep.
number_of(list, name) = (sum [j=1:words(list)] (word(list, j) eq name ? j : 0))
block(p, m, k) = 2 * (words(peers) * (p - 1) + m - 1) + k
array lines[block(words(problems), words(peers), 1) + 1]
do for [b=1:|lines|] { lines[b] = "" }
do for [i=1:n_runs] {
  p = number_of(problems, problem_of(run(i)))
  if (p && error[i] > 0) {
    b = block(p, number_of(peers, peer_of(run(i))), strstrt(segments_of(run(i)), "-") > 0) + 1
    lines[b] = lines[b] . sprintf("%.6g %.6g %s\n", time_of(run(i)), error[i], segments_of(run(i)))
  }
}
set print $work
do for [b=1:|lines|] { print strlen(lines[b]) ? lines[b] : "NaN NaN -"; print ""; print "" }
unset print

eval canvas(1200, 860)
set multiplot
set logscale xy
set format y "10^{%T}"
set format x "10^{%T}"
set ytics 1e-9, 100
set yrange [1e-9:3]
set xrange [5e-5:300]
left(c) = 0.07 + 0.315 * (c - 1)
do for [row=1:2] {
  do for [c=1:3] {
    p = 3 * (row - 1) + c
    eval panel(left(c), left(c) + 0.28, row == 1 ? 0.55 : 0.085, row == 1 ? 0.875 : 0.41)
    set title title_of(p)
    set ylabel (c == 1 ? "error over length" : "")
    set xlabel (row == 2 ? "wall time to rest [s]" : "")
    if (p == 1) { set key at screen 0.5, screen 0.935 center top maxrows 2 } else { unset key }
    plot for [m=1:words(peers)] $work index block(p, m, 0) using 1:2 with linespoints ls m pt m title word(peers, m) noenhanced, \
      for [m=1:words(peers)] $work index block(p, m, 1) using 1:2 with points ls m pt m ps 0.6 notitle, \
      for [m=1:words(peers)] $work index block(p, m, 0) using 1:2:3 with labels offset 0.9, 0.6 font ",7" notitle
    unset label 1000
  }
}
unset multiplot

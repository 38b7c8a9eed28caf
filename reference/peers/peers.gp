# SPDX-License-Identifier: GPL-3.0-or-later
# Error over wall time of every solver on every problem of the page; numbers are segments. Coarser and finer settings of a sweep
# are points without a line and a number.
#: values runs/* timing/step
#: maybe values runs/* timing/phases/package
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

total_of(list) = sum [i=1:words(list)] real(word(list, i))
time_of(r) = has(r, "values timing/phases/package") ? total_of(names(r, "timing/phases/package")) : total_of(names(r, "timing/step"))

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

# What is compared often: the number of a run's problem, 0 for others, and of its peer, and whether its setting is one of a sweep.
number_of(list, name) = (sum [j=1:words(list)] (word(list, j) eq name ? j : 0))
array problem_at[n_runs]
array peer_at[n_runs]
array swept[n_runs]
do for [i=1:n_runs] {
  problem_at[i] = number_of(problems, problem_of(run(i)))
  peer_at[i] = problem_at[i] ? number_of(peers, peer_of(run(i))) : 0
  swept[i] = problem_at[i] && strstrt(segments_of(run(i)), "-") > 0 ? 1 : 0
}

# Blocks of time, error and segments, by these.
block(p, m, k) = 2 * (words(peers) * (p - 1) + m - 1) + k
set print $work
do for [p=1:words(problems)] {
  do for [m=1:words(peers)] {
    do for [k=0:1] {
      found = 0
      do for [i=1:n_runs] {
        if (problem_at[i] == p && peer_at[i] == m && swept[i] == k && error[i] > 0) {
          print sprintf("%.6g %.6g %s", time_of(run(i)), error[i], segments_of(run(i)))
          found = 1
        }
      }
      if (!found) { print "NaN NaN -" }
      print ""; print ""
    }
  }
}
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

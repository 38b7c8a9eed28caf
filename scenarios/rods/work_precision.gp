# SPDX-License-Identifier: GPL-3.0-or-later
# Error against a converged reference over the count of iterations or substeps, and over wall time; there
# the front, the runs that no other beats in both.
#
#: values runs/* frames/position[frame=-1] timing/step

methods = "direct xpbd block-descent jacobi-published"
cases = "stretch hang time"
case_name(c) = part_of("a bar stretched at once|a falling rod|the falling rod, substeps of 2 iterations", c)

# Runs of a case by a method, in the order of the study: fewest iterations first.
prefix(c, m) = word(cases, c) . "." . word(methods, m) . "."
starts(text, with) = strlen(text) > strlen(with) && text[1:strlen(with)] eq with
runs_from(c, m, i) = i > n_runs ? "" \
  : (starts(run(i), prefix(c, m)) ? run(i) . " " : "") . runs_from(c, m, i + 1)
reference(c) = word(cases, c) . ".reference"
# Root mean square distance of a run's nodes from the reference's [m], and its wall time [s].
count_of(r) = part_behind(part_behind(r))
part_behind(r) = r[strstrt(r, ".") + 1:*]
nodes_of(r) = names(r, "frames/position[frame=-1]")
square(p, q) = sum [i=1:words(p)] ((real(word(p, i)) - real(word(q, i)))**2)
distance_of(r, c) = sqrt(square(nodes_of(reference(c)), nodes_of(r)) / rows(r, "frames/position[frame=-1]"))
wall_time(r) = total(r, "timing/step")

# Blocks of count, distance and time, by case and method.
set print $work
do for [c=1:3] {
  do for [m=1:4] {
    list = runs_from(c, m, 1)
    do for [k=1:words(list)] {
      r = word(list, k)
      print sprintf("%s %.9g %.9g", count_of(r), distance_of(r, c), wall_time(r))
    }
    print ""; print ""
  }
}
unset print

# The front of each case: its points' time and distance, and the method.
array time[200]
array distance_at[200]
set print $front
do for [c=1:3] {
  n = 0
  do for [m=1:4] {
    list = runs_from(c, m, 1)
    do for [k=1:words(list)] {
      if (n < 200) {
        n = n + 1
        time[n] = wall_time(word(list, k))
        distance_at[n] = distance_of(word(list, k), c)
      }
    }
  }
  do for [i=1:n] {
    beaten = 0
    do for [k=1:n] {
      beaten = beaten || (time[k] < time[i] && distance_at[k] <= distance_at[i])
    }
    if (!beaten && distance_at[i] < 1) { print sprintf("%.9g %.9g", time[i], distance_at[i]) }
  }
  print ""; print ""
}
unset print

eval canvas(1100, 760)
set multiplot
set logscale xy
set format y "10^{%T}"
set format x "10^{%T}"
set yrange [1e-13:2]
set ytics 1e-12, 100
left(c) = 0.075 + 0.31 * (c - 1)
do for [row=1:2] {
  do for [c=1:3] {
    eval panel(left(c), left(c) + 0.285, row == 1 ? 0.565 : 0.1, row == 1 ? 0.9 : 0.435)
    if (row == 1) { set title fold(case_name(c)) } else { unset title }
    set ylabel (c == 1 ? "distance from the reference, RMS [m]" : "")
    if (c > 1) { set format y "" } else { set format y "10^{%T}" }
    set xlabel (row == 2 ? "wall time [s]" : c == 3 ? "substeps in a step" : "iterations in a step")
    if (row == 1) { set xrange [0.7:(c == 3 ? 500 : 5000)] } else { set xrange [5e-5:1] }
    if (row == 1 && c == 1) {
      eval key_at(0.5, 0.985, "center top maxrows 1", "")
    } else { unset key }
    set label 1 (row == 2 && c == 3 ? "gray: the front,\nruns that no other beats" : "") at graph 0.5, graph 0.2 center
    plot $front index c - 1 using (row == 2 ? $1 : NaN):($2 > 1e-13 ? $2 : 1e-13) smooth unique \
      with lines lw 7 lc rgb "#CCCCCC" dt solid notitle, \
      for [m=1:4] $work index 4 * (c - 1) + m - 1 using (row == 1 ? $1 : $3):($2 > 1e-13 ? $2 : 1e-13) \
      with linespoints ls m title word(methods, m)
    unset label 1000
  }
}
unset multiplot

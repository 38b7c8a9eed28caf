# SPDX-License-Identifier: GPL-3.0-or-later
# Error at the end over wall time, of each task: all runs, and the front of each method, which no other run of it beats in both.
#
#: values runs/* frames/position[frame=-1]
#: values runs/*.reference frames/position[frame=0]
#: values runs/* timing/step

methods = "direct xpbd block-descent"
tasks = "rod bar rods crowd band cable"
title_of(c) = part_of("a falling rod|a stretched bar|a hundred rods|octopuses that land|a band|a long cable", c)

starts(text, with) = strlen(text) > strlen(with) && text[1:strlen(with)] eq with
# Of a hundred equal rods, the nodes of the first.
cut(text, c) = c == 3 ? text[1:4000] : text
nodes_of(r, f, c) = cut(names(r, "frames/position[frame=" . f . "]"), c)
wall_time(r) = total(r, "timing/step")

# Greatest displacement of the reference, squared; errors of runs, by task and method: time [ms], error.
array time[100]
array error[100]
set print $work
do for [c=1:6] {
  last = nodes_of(word(tasks, c) . ".reference", "-1", c)
  first = nodes_of(word(tasks, c) . ".reference", "0", c)
  n = c == 3 ? 33 : words(last) / 3
  array at[3 * n]
  scale = 0
  i = 0
  do for [w in last] { i = i + 1; if (i <= 3 * n) { at[i] = real(w) } }
  i = 0
  do for [w in first] {
    i = i + 1
    if (i > 3 * n) { break }
    d = i % 3 == 1 ? (at[i] - real(w))**2 : d + (at[i] - real(w))**2
    if (i % 3 == 0 && d > scale) { scale = d }
  }
  do for [m=1:3] {
    k = 0
    do for [r=1:n_runs] {
      if (starts(run(r), word(tasks, c) . "." . word(methods, m) . ".")) {
        sum = 0
        i = 0
        do for [w in nodes_of(run(r), "-1", c)] { i = i + 1; if (i <= 3 * n) { sum = sum + (at[i] - real(w))**2 } }
        if (sum == sum && i >= 3 * n) {
          k = k + 1
          time[k] = 1e3 * wall_time(run(r))
          error[k] = sqrt(sum / n / scale)
        }
      }
    }
    do for [fronts=0:1] {
      do for [i=1:k] {
        beaten = 0
        do for [j=1:k] { beaten = beaten || (time[j] < time[i] && error[j] <= error[i]) }
        if (!fronts || !beaten) { print sprintf("%.9g %.9g", time[i], error[i]) }
      }
      print ""; print ""
    }
  }
}
unset print
eval canvas(1100, 760)
set multiplot
set logscale xy
set format "10^{%T}"
set xrange [0.3:3e4]
set yrange [1e-7:2]
do for [c=1:6] {
  left = 0.075 + 0.31 * ((c - 1) % 3)
  eval panel(left, left + 0.285, c < 4 ? 0.565 : 0.1, c < 4 ? 0.9 : 0.435)
  set title fold(title_of(c))
  set ylabel (c % 3 == 1 ? "error at the end" : "")
  set format y (c % 3 == 1 ? "10^{%T}" : "")
  set xlabel (c > 3 ? "wall time of all steps [ms]" : "")
  if (c == 1) { eval key_at(0.5, 0.985, "center top maxrows 1", "") } else { unset key }
  plot for [m=1:3] $work index 6 * (c - 1) + 2 * m - 1 using 1:2 smooth unique with lines ls m title word(methods, m), \
    for [m=1:3] $work index 6 * (c - 1) + 2 * m - 2 using 1:2 with points ls m notitle
}
unset multiplot

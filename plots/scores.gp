# SPDX-License-Identifier: GPL-3.0-or-later
# Fronts of all entries: the least error over the length that runs of at most that wall time reach. A panel for each
# case of a problem.
#: values . scores/best scores/entry scores/problem scores/trials/entry scores/trials/problem scores/trials/error scores/trials/time scores/trials/all
n = rows(".", "scores/trials/error")
n_scores = rows(".", "scores/best")
entry_of(i) = word(names(".", "scores/trials/entry"), i + 1)
problem_of(i) = word(names(".", "scores/trials/problem"), i + 1)
entries = ""; problems = ""
do for [i=0:n_scores-1] {
  e = word(names(".", "scores/entry"), i + 1); p = word(names(".", "scores/problem"), i + 1)
  if (!strstrt(" ".entries, " ".e." ")) { entries = entries.e." " }
  if (!strstrt(" ".problems, " ".p." ") && strstrt(p, "-")) { problems = problems.p." " }
}
columns = 3
lines = int(ceil((words(problems) + 1.0) / columns))
eval canvas(1200, 300 * lines)
trial_error(i) = number(".", "scores/trials/error", i, 0)
trial_time(i) = number(".", "scores/trials/time", i, 0)
is_of(i, e, p) = entry_of(i) eq e && problem_of(i) eq p && number(".", "scores/trials/all", i, 0) == 0 && trial_error(i) > 0
# A line for each run on a front, "panel entry time error": runs that no quicker run beats.
set print $fronts
do for [p=1:words(problems)] {
  do for [e=1:words(entries)] {
    print "nan nan"
    print ""; print ""
    now = 0.0
    do for [k=1:64] {
      next = 1e300; best = 1e300
      do for [i=0:n-1] {
        if (is_of(i, word(entries, e), word(problems, p)) && trial_time(i) > now && trial_time(i) < next) { next = trial_time(i); best = trial_error(i) }
      }
      if (next < 1e300) { now = next; if (k == 1 || best < least) { least = best; print sprintf("%.6e %.6e", next, best) } }
    }
  }
}
print "nan nan"
unset print
set multiplot layout lines, columns
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xlabel "time of the steps [s]"
set ylabel "error over length"
set xrange [1e-4:10]
set yrange [1e-7:3]
unset key
do for [p=1:words(problems)] {
  set title word(problems, p) noenhanced
  plot for [e=1:words(entries)] $fronts index ((p - 1) * words(entries) + e) using 1:2 with linespoints ls 1 + (e - 1) % 8 pt e ps 0.8
}
unset title; unset tics; unset border; unset xlabel; unset ylabel; unset grid
set key center center samplen 3 noenhanced
plot for [e=1:words(entries)] 1e9 with linespoints ls 1 + (e - 1) % 8 pt e ps 0.8 title word(entries, e)
unset multiplot

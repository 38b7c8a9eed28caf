# SPDX-License-Identifier: GPL-3.0-or-later
# Fronts of all entries: the least error, over the length or what else a problem says, that runs of at most that wall time
# reach. A panel for each case of a problem.
#: values . scores/best scores/entry scores/problem scores/trials/error scores/trials/time scores/trials/front scores/trials/score
n = rows(".", "scores/trials/error")
n_scores = rows(".", "scores/best")
entries = ""; problems = ""
array panel[n_scores]; array line_of[n_scores]
place(list, name) = sum [i=1:words(list)] (word(list, i) eq name ? i : 0)
do for [i=0:n_scores-1] {
  e = word(names(".", "scores/entry"), i + 1); p = word(names(".", "scores/problem"), i + 1)
  if (place(entries, e) == 0) { entries = entries.e." " }
  if (place(problems, p) == 0 && strstrt(p, "-")) { problems = problems.p." " }
  panel[i + 1] = place(problems, p); line_of[i + 1] = place(entries, e)
}
columns = 3
lines = int(ceil((words(problems) + 1.0) / columns))
eval canvas(1200, 300 * lines)
# A block for each panel and entry, of the runs on its front.
array block[n]
do for [i=0:n-1] {
  s = int(number(".", "scores/trials/score", i, 0)) + 1
  block[i + 1] = number(".", "scores/trials/front", i, 0) == 1 && number(".", "scores/trials/error", i, 0) >= 0 \
    ? (panel[s] - 1) * words(entries) + line_of[s] - 1 : -1
}
least = 1.5e-7 # errors below are drawn there
set print $fronts
do for [b=0:words(problems)*words(entries)-1] {
  print "nan nan"
  do for [i=1:n] {
    if (block[i] == b) {
      e = number(".", "scores/trials/error", i - 1, 0)
      print sprintf("%.6e %.6e", number(".", "scores/trials/time", i - 1, 0), e > least ? e : least)
    }
  }
  print ""; print ""
}
unset print
set multiplot layout lines, columns margins 0.07, 0.985, page_y(0.2 / lines), page_y(1 - 0.1 / lines) spacing 0.07, 0.3 / lines
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xlabel "time of the steps [s]"
set ylabel "error"
set xrange [1e-4:30]
set yrange [1e-7:3]
unset key
do for [p=1:words(problems)] {
  set title fold(word(problems, p)) noenhanced
  if ((sum [i=1:int(n)] (block[i] >= 0 && floor(1.0 * block[i] / words(entries)) == p - 1 ? 1 : 0)) == 0) {
    set label 1 "no times" at graph 0.5, 0.5 center textcolor rgb "#808080"
  }
  plot for [e=1:words(entries)] $fronts index ((p - 1) * words(entries) + e - 1) using 1:2 smooth unique with linespoints ls 1 + (e - 1) % 8 pt e ps 0.8
  unset label 1
}
unset title; unset tics; unset border; unset xlabel; unset ylabel; unset grid
set key center center maxrows 12 samplen 3 noenhanced font letters_8
plot for [e=1:words(entries)] 1e9 with linespoints ls 1 + (e - 1) % 8 pt e ps 0.8 title word(entries, e)
unset multiplot

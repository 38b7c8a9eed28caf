# SPDX-License-Identifier: GPL-3.0-or-later
# Time to 1 % of every system on every case, on the machine with most of them.
#: values . scores/row/machine scores/row/system scores/row/problem scores/row/time_1
n = rows(".", "scores/row/time_1")
place(list, name) = sum [i=1:words(list)] (word(list, i) eq name ? i : 0)
short(name) = strstrt(name, ",") ? name[1:strstrt(name, ",") - 1] . "+bundles" : name
systems = ""; problems = ""
array line_of[n]; array row_of[n]
do for [i=1:n] {
  s = short(word(names(".", "scores/row/system"), i)); p = word(names(".", "scores/row/problem"), i)
  if (place(systems, s) == 0) { systems = systems . s . " " }
  if (place(problems, p) == 0) { problems = problems . p . " " }
  line_of[i] = place(systems, s); row_of[i] = place(problems, p)
}
set print $points
do for [s=1:words(systems)] {
  print "nan nan"
  do for [i=1:n] {
    t = number(".", "scores/row/time_1", i - 1, 0)
    if (line_of[i] == s && number(".", "scores/row/machine", i - 1, 0) == 0 && t > 0) { print sprintf("%.6e %d", t, row_of[i]) }
  }
  print ""; print ""
}
unset print
eval canvas(1200, 200 + 18 * words(problems))
set logscale x
set format x "10^{%T}"
set xlabel "wall time to an error of 1 % [s]"
set yrange [words(problems) + 0.5:0.5]
unset ytics
set for [p=1:words(problems)] ytics add (word(problems, p) p)
set ytics noenhanced font ",9"
set grid x y
set key outside right center samplen 1 noenhanced font ",9"
eval panel(0.2, 0.78, page_y(0.06), page_y(0.96))
plot for [s=1:words(systems)] $points index s - 1 using 1:2 with points ls 1 + (s - 1) % 8 pt s ps 1 title word(systems, s)

# SPDX-License-Identifier: GPL-3.0-or-later
# Forces and couples of rods of both material models over those of a cylinder of finite elements.
#: values . gates/value gates/name gates/runs
eval canvas(900, 520)
n = rows(".", "gates/value")
text(path, i) = word(names(".", path), i + 1)
is_ratio(i) = strstrt(text("gates/name", i), "over that of elements") > 0
of_model(i, model) = is_ratio(i) && strstrt(text("gates/runs", i), "fem_cylinder-" . model . ".") == 1
# The case and nu of the run, the second of its gate being that of the elements.
first(i) = word(text("gates/runs", i), 1)
case_of(i) = first(i)[strstrt(first(i), ".")+1:]
place = 0
set print $solid
do for [i=0:n-1] { if (of_model(i, "solid")) { print sprintf("%d %.6g \"%s\"", place, number(".", "gates/value", i, 0), case_of(i)); place = place + 1 } }
unset print
place = 0
set print $published
do for [i=0:n-1] { if (of_model(i, "published")) { print sprintf("%d %.6g", place, number(".", "gates/value", i, 0)); place = place + 1 } }
unset print
set bmargin 10
set xtics rotate by -90 noenhanced font letters_9
set xrange [-1:place]
set logscale y
set yrange [0.5:30]
set ytics (0.5, 1, 2, 5, 10, 20)
set ylabel "force or couple over that of the elements"
set key inside left top Left reverse
plot 1 ls 9 notitle, $solid using 1:2:xtic(stringcolumn(3)) with points ls 1 title "model solid", \
  $published using 1:2 with points ls 2 title "published model"

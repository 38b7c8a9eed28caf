# SPDX-License-Identifier: GPL-3.0-or-later
# The common style of all figures, read before each figure script.
#
# A figure script is plots/FIGURE.gp, named by the study's "figure"; further ones of the same study are
# plots/FIGURE_SUFFIX.gp. viperbench runs each twice, for SVG and for PNG, as
#   gnuplot -e DEFINITIONS plots/style.gp plots/FIGURE.gp
# and defines
#   runs, labels   names of the study's runs (see run(i)) and what to call them (see label_of(i))
#   footer         program, commit, scenes and date, drawn by this file
#   term, output   format and file of the picture, set by this file
#   vb, file       this program and the study's index file, quoted for the shell; used by the helpers
# A script only plots what the helpers read from the results, and labels its axes with units:
#
#   set xlabel "time [s]"
#   set ylabel "energy [J]"
#   plot for [i=1:n_runs] series(run(i), "energy/stretch") using 1:2 with lines ls i title label_of(i)
#
# Helpers, each giving a data source for plot:
#   series(RUN, "PATH PATH[2] PATH[2,0]")  column 1 is time [s] (or iterations), then one per path;
#                                          paths as in gates: "energy/stretch", "convergence/residual"
#   frame(RUN, "PATH PATH", K)             fields of frame K (-1 is the last): column 1 is the element
#                                          (node or segment), then the components of each field;
#                                          paths as in "frames/position frames/scale"
#                                          (also series(RUN, "topology/rest_position"): what has no
#                                          time, below topology/, gates/ and scenario/, is whole)
#   outline(RUN, K, "xz")                  the rods of frame K seen in a plane, as closed polygons
#                                          x, y, mean scale: plot with filledcurves closed fs solid ..
#   outline_of(RUN, K, "xz", B)            those of body B alone
#   box_edges(RUN, K, W, T)                the surface of frame K, at rest a box W wide (x) and T thick (y)
#                                          along z: its four edges as lines x, y, z
#   box_sections(RUN, K, W, T)             likewise, every second of its cross-sections
# And some giving a number, for formulas:
#   number(RUN, PATH, I, C)                component C of row I (-1 is the last) of series or elements
#   names(RUN, "PATH")                     its texts, such as those of topology/body_name, as words:
#                                          word(names(RUN, PATH), 1) is the first, spaces and all
#   rows(RUN, PATH)                        how many rows those have
# Of a study with a grid, lists of runs:
#   slice("AXIS AXIS", "VALUE VALUE")      names of the runs with these values on these axes, in their order
#   last_of(LIST, "AXIS", "PATH")          a data source with one line for each run of the list: its place on
#                                          the axis, and the last row of its series
# A shell reads these sources, so names must not hold spaces or quotes; names of runs never do.
#
# plots/FIGURE.md.gp, where there is one, writes the page STUDY.md about the figures: it is run in the same
# way with term "md", and what it prints is the page.
#
# Another size of canvas: eval canvas(900, 1200), before the first plot. Line styles 1 to 8 differ in
# color, in gray level and in dashes; fill rods with FILL and draw their walls with WALL.

set encoding utf8

canvas(w, h) = (term eq "svg" \
  ? sprintf("set terminal svg enhanced size %d,%d font 'DejaVu Sans,11' background 'white'", w, h) \
  : sprintf("set terminal pngcairo enhanced size %d,%d font 'DejaVu Sans,11' fontscale 2 linewidth 2 pointscale 2 background 'white'", 2 * w, 2 * h)) \
  . "; set output output"
eval term eq "md" ? "set print output" : canvas(900, 600)

# Okabe and Ito's colors, told apart with any color vision, in an order of growing lightness.
set style line 1 lc rgb "#000000" lw 1.6 dt solid          pt 6  ps 0.8
set style line 2 lc rgb "#0072B2" lw 1.6 dt (16,6)         pt 4  ps 0.8
set style line 3 lc rgb "#D55E00" lw 1.6 dt (4,4)          pt 8  ps 0.9
set style line 4 lc rgb "#009E73" lw 1.6 dt (16,5,4,5)     pt 10 ps 0.9
set style line 5 lc rgb "#CC79A7" lw 1.6 dt (28,5,10,5)    pt 12 ps 0.9
set style line 6 lc rgb "#56B4E9" lw 1.6 dt (8,5)          pt 7  ps 0.7
set style line 7 lc rgb "#E69F00" lw 1.6 dt (16,4,4,4,4,4) pt 5  ps 0.7
set style line 8 lc rgb "#999999" lw 1.6 dt solid          pt 9  ps 0.8
# A closed form beneath the measured points.
set style line 9 lc rgb "#999999" lw 3.5 dt solid

FILL = "#D9D9D9"
WALL = "#404040"

set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set border lw 0.8
set tics nomirror
set key opaque box lw 0.3 samplen 3 spacing 1.15
set bmargin 5
set rmargin 3
set label 1000 footer at screen 0.008, character 0.6 left noenhanced font "DejaVu Sans,7" tc rgb "#666666"

n_runs = words(runs)
run(i) = word(runs, i)

# The i-th of the texts between bars.
head_of(s) = strstrt(s, "|") ? s[1:strstrt(s, "|") - 1] : s
tail_of(s) = strstrt(s, "|") ? s[strstrt(s, "|") + 1:*] : ""
part_of(s, i) = i <= 1 ? head_of(s) : part_of(tail_of(s), i - 1)
label_of(i) = part_of(labels, i)

# The paths from the i-th on as arguments, each below its run and with a selection behind it.
arguments(r, paths, selection, i) = i > words(paths) ? "" \
  : sprintf(" 'runs/%s/%s%s'", r, word(paths, i), selection) . arguments(r, paths, selection, i + 1)

series(r, paths) = sprintf("< %s table %s%s", vb, file, arguments(r, paths, "", 1))
frame(r, paths, k) = \
  sprintf("< %s table %s%s", vb, file, arguments(r, paths, sprintf("[frame=%d]", k), 1))
outline(r, k, plane) = \
  sprintf("< %s outline %s --run %s --frame %d --plane %s --measure scale", vb, file, r, k, plane)
outline_of(r, k, plane, b) = outline(r, k, plane) . sprintf(" --body %d", b)
box_vertices(r, k) = sprintf("< %s table %s runs/%s/topology/rest_vertex 'runs/%s/frames/vertices[frame=%d]'", \
  vb, file, r, r, k)
box_corner(w, t) = sprintf("NR > 1 && ($2^2 - %g)^2 < 1e-15 && ($3^2 - %g)^2 < 1e-15", 0.25 * w**2, 0.25 * t**2)
in_lines = " | sort -n -k1,1 -k2,2 | awk 'o != $1 {print \"\"} {o = $1; print $3, $4, $5}'"
box_edges(r, k, w, t) = box_vertices(r, k) . " | awk '" . box_corner(w, t) \
  . " {print ($2 > 0) + 2 * ($3 > 0), $4, $5, $6, $7}'" . in_lines
box_sections(r, k, w, t) = box_vertices(r, k) . " | awk '" . box_corner(w, t) \
  . " {q = $2 > 0 ? ($3 > 0 ? 2 : 1) : ($3 > 0 ? 3 : 0); if (int($4 * 100 + 0.5) % 2 == 0)" \
  . " {print $4, q, $5, $6, $7; if (!q) print $4, 4, $5, $6, $7}}'" . in_lines
from_table(r, path, program) = \
  real(system(sprintf("%s table %s 'runs/%s/%s' | awk '%s'", vb, file, r, path, program)))
number(r, path, i, c) = \
  from_table(r, path, sprintf("%s {print $%d}", i < 0 ? "END" : sprintf("NR == %d", i + 2), c + 2))
rows(r, path) = from_table(r, path, "END {print NR - 1}")
names(r, path) = system( \
  sprintf("%s table %s 'runs/%s/%s' | sed -n 's/^[0-9]* //p'", vb, file, r, path))

# One row of the table for each run: number, name, then the values on the axes; all but numbers quoted.
slice(axes, values) = system(sprintf("%s table %s scenario/runs%s | awk -v want='%s' '%s'", vb, file, \
  axes_from(axes, 1), values, "/^#/ {n = split(want, value, \" \"); next}" \
  . "{gsub(/\"/, \"\"); for (k = 1; k <= n; k++) if ($(2 + k) != value[k]) next; printf \"%s \", $2}"))
axes_from(axes, i) = i > words(axes) ? "" : " scenario/grid/" . word(axes, i) . axes_from(axes, i + 1)
below(list, path, i) = i > words(list) ? "" \
  : sprintf(" 'runs/%s/%s'", word(list, i), path) . below(list, path, i + 1)
last_of(list, axis, path) = sprintf("< { %s table %s%s; %s table %s%s; } | awk '%s'", \
  vb, file, below(list, "scenario/grid/" . axis, 1), vb, file, below(list, path, 1), \
  "/^#/ {block++; next} {for (k = 2; k <= NF; k++) value[block, k] = $k; n = NF}" \
  . "END {for (k = 2; k <= n; k++) print value[1, k], value[2, k]}")

# Multiplots: eval panel(left, right, bottom, top) before each plot, in parts of the canvas, and
# "unset label 1000" after the first, so that the footer is drawn once.
panel(l, r, b, t) = sprintf("set lmargin at screen %g; set rmargin at screen %g; " \
  . "set bmargin at screen %g; set tmargin at screen %g", l, r, b, t)

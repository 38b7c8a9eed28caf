# SPDX-License-Identifier: GPL-3.0-or-later
# The common style of all figures, read before each figure script.
#
# A figure script is FIGURE.gp, named by the study's "figure" (scenarios/README.md, "Files"); further
# ones of the same study are FIGURE_SUFFIX.gp in the same folder. viperbench runs each three times, for
# SVG, PNG and PDF, as
#   gnuplot -d DEFINITIONS plots/style.gp FIGURE.gp
# and defines
#   runs, labels   names of the study's runs (see run(i)) and their labels (see label_of(i))
#   footer         program, commit, scenes and date, drawn by this file
#   headline       name and title of the study, drawn by this file
#   varied, shared   what its runs differ in; tier, and settings that all runs share; drawn below the headline
#   term, output   format and file of the picture, set by this file
#   plots          the folder of this file, for the one picture that no results make (viperize.png)
#   requests, ..   locations of the requested data; used by the helpers
# A script starts no program and reads no results. It requests data by lines that begin with "#:", in its
# head; viperbench writes these data to plain files in a temporary folder before gnuplot runs. The helpers
# below return the requested data. A script only plots them, and labels its axes with units:
#
#   #: series runs/* energy/stretch
#   set xlabel "time [s]"
#   set ylabel "energy [J]"
#   plot for [i=1:n_runs] series(run(i), "energy/stretch") using 1:2 with lines ls i title label_of(i)
#
# A request is a line "#: HELPER OF ..", its words separated by spaces:
#
#   #: series OF PATH..                   for series(RUN, "PATH..")
#   #: frame OF FRAMES PATH..             for frame(RUN, "PATH..", K)
#   #: outline OF FRAMES PLANE            for outline(RUN, K, "PLANE")
#   #: outline_of OF FRAMES PLANE         for outline_of(RUN, K, "PLANE", B)
#   #: box_edges OF FRAMES W T            for box_edges(RUN, K, W, T)
#   #: box_sections OF FRAMES W T         for box_sections(RUN, K, W, T)
#   #: rendered OF FRAMES SIZE VIEW WORD..  for rendered(RUN, "SIZE VIEW WORD..", K)
#   #: distance OF RUN                    for distance(RUN)
#   #: values OF PATH..                   for number, rows, total, mean and names of each PATH
#
# "maybe" before a helper makes the request optional: has(RUN, "HELPER PATH") tells whether there are data.
#
# OF names the runs: runs/ and names of runs separated by commas, with the wildcards * ? [..]; a name
# without wildcards must exist. "last:" before a name selects the last match. bench/ and scaling/ are
# those of a benchmark, and "." is the index file itself.
# FRAMES: "all", or a list, separated by commas, of numbers (-1 is the last), t=TIME for the last frame
# up to that time [s], and spread=N for N frames from the first to the last.
# SIZE VIEW WORD..: WIDTHxHEIGHT in pixels; AZIMUTH,ELEVATION[,ZOOM[,LENS]] as of "viperbench render";
# then any of pills (in place of a surface), body, scale or volume_error (colors; by default those of
# materials), limits=LOW,HIGH of colors, and at=X,Y,Z, the center of the picture. All pictures of a request
# have the same camera, which shows all of them.
# PATH: as in gates and "viperbench table", such as energy/stretch, frames/position[0,2] or, for values,
# frames/frame[frame=-1]. A row can be 50%, the row in the middle; gate=I, that of gate I; or X:Y:Z, the
# vertex at this position at rest. Helpers take the same words as the request.
# A * in the only PATH of a request matches all that a run has recorded: "maybe series runs/* energy/*"
# requests every energy of any solver, and paths_of(RUN, "series energy/") lists those of a run.
#
# Helpers that return a data source for plot:
#   series(RUN, "PATH PATH[2] PATH[2,0]")  column 1 is time [s] (or iterations), then one per path;
#                                          paths as in gates: "energy/stretch", "convergence/residual"
#   frame(RUN, "PATH PATH", K)             fields of frame K (-1 is the last): column 1 is the element
#                                          (node or segment), then the components of each field;
#                                          paths as in "frames/position frames/scale"
#                                          (also series(RUN, "topology/rest_position"): whole data
#                                          without time, of topology/, gates/ and scenario/)
#   outline(RUN, K, "xz")                  the rods of frame K projected to a plane, as closed polygons
#                                          x, y, mean scale: plot with filledcurves closed fs solid ..
#   outline_of(RUN, K, "xz", B)            only those of body B
#   box_edges(RUN, K, W, T)                the surface of frame K, at rest a box along z of width W (x) and
#                                          thickness T (y): its four edges as lines x, y, z
#   box_sections(RUN, K, W, T)             likewise, every second of its cross-sections
#   rendered(RUN, "SIZE VIEW", K)          frame K as a picture: plot it with
#                                          binary array=(WIDTH,HEIGHT) format="%uchar" flipy with rgbimage;
#                                          for sharp pictures twice as many pixels as the panel has, with
#                                          dx=0.5 dy=0.5 behind array
#   distance(RUN)                          time [s], root mean square and greatest distance [m] of its
#                                          surface from that of the run in the request
# Helpers that return a number, for formulas; without a request the error is "Non-numeric string found":
#   number(RUN, PATH, I, C)                component C of row I (-1 is the last) of series or elements;
#                                          C = -1 is the time
#   names(RUN, "PATH")                     texts, such as those of topology/body_name, as words:
#                                          word(names(RUN, PATH), 1) is the first, including spaces
#   rows(RUN, PATH)                        number of rows
#   total(RUN, PATH), mean(RUN, PATH)      sum of all numbers, and over the number of rows
#   row_at(RUN, PATH, T)                   the last row up to time T
#   largest(RUN, PATH, T)                  the row of the greatest number after time T
#   has(RUN, "HELPER ..")                  whether the run has the data of a request with "maybe"
#   paths_of(RUN, "HELPER START")          the paths of the run that begin with START, as words
# Lists of runs, for a study with a grid; they need "#: values . scenario/grid/AXIS" for each axis:
#   values_of("AXIS")                      the values on this axis, in the order of their first runs
#   slice("AXIS AXIS", "VALUE VALUE")      names of the runs with these values on these axes, in their order
#   last_of(LIST, "AXIS", "PATH")          lines of text, for a data block, one for each run of the list:
#                                          its value on the axis, and the last row of its series
#
# The page about a study, STUDY.md, is written by a template, FIGURE.md.lua (scenarios/figures.md, "Pages").
#
# For another canvas size, call eval canvas(900, 1200) before the first plot. The headline has room of its own
# above that size: write screen page_y(0.98) for a vertical place in the rest. Line styles 1 to 8 differ in color,
# gray level and dashes. Fill rods with FILL, and draw their outlines with WALL. For the width of a paper's
# column, use panel, fold, letters_9, key_at and place_x as described at the end of this file.

set encoding utf8

head_height = strlen(headline) ? 42 + 13 * (strlen(varied) > 0) : 0 # pixels
page_part = 1.0 # of the canvas, below the headline
page_y(y) = page_part * y
then_output = "; set output output"

# For a paper's column (viperbench plot --width) the script runs twice. First "asked" notes what it places
# where; viperbench lays that out anew (src/figure/plot_layout.h), and defines paper_w, paper_h (the size in
# pixels of which eleven are 8 points), paper_mm (the width) and the places for the second time.
if (!exists("paper_mm")) { paper_mm = 0; array panel_at[4]; array place_at[2]; array key_place[3]; array fold_at[1] }
asked = ""
canvas(w, h) = (asked = asked . sprintf("canvas %g %g\n", w, h), paper_mm ? paper_terminal(w) . then_output : page_canvas(w, h))
paper_terminal(w) = paper_terminal_of(paper_mm / 25.4, 72 * paper_mm / 25.4 / paper_w)
paper_terminal_of(inches, points) = term eq "svg" ? terminal_of(paper_w, paper_h) : term eq "pdf" \
  ? sprintf("set terminal pdfcairo enhanced size %.6gin,%.6gin font 'DejaVu Sans,11' fontscale %g linewidth %g pointscale %g " \
    . "background 'white'", inches, inches * paper_h / paper_w, points * 72 / 96, points, points) \
  : sprintf("set terminal pngcairo enhanced size %d,%d font 'DejaVu Sans,11' fontscale %g linewidth %g pointscale %g " \
    . "background 'white'", 300 * inches, 300 * inches * paper_h / paper_w, points * 225 / 72, points * 300 / 72, points * 300 / 72) # letters at 96 dots per inch
page_canvas(w, h) = (page_part = h / (h + 1.0 * head_height), terminal_of(w, h + head_height) \
  . (head_height ? head_of_page(w) . sprintf("; set tmargin at screen %g", page_y(1 - 26.0 / h)) : "") . then_output)
# Long lines have smaller letters.
head_of_page(w) = head_line(1001, "headline", ":Bold", fitting(11, w / 0.8, headline), 0.9) \
  . head_line(1002, "varied", "", fitting(8, w / 0.7, varied), 1.9) \
  . head_line(1003, "shared", "", fitting(8, w / 0.7, shared), strlen(varied) ? 2.7 : 1.9)
fitting(size, room, text) = size * strlen(text) > room ? room / strlen(text) : size
head_line(tag, text, face, size, down) = sprintf("; set label %d %s at screen 0.008, screen 1 " \
  . "offset character 0, character %g left noenhanced font 'DejaVu Sans%s,%.3g'", tag, text, -down, face, size)
terminal_of(w, h) = term eq "svg" \
  ? sprintf("set terminal svg enhanced size %d,%d font 'DejaVu Sans,11' background 'white'", w, h) \
  : term eq "pdf" \
  ? sprintf("set terminal pdfcairo enhanced size %gin,%gin font 'DejaVu Sans,11' fontscale 0.75 linewidth 1 pointscale 1 background 'white'", w / 72.0, h / 72.0) \
  : sprintf("set terminal pngcairo enhanced size %d,%d font 'DejaVu Sans,11' fontscale 2 linewidth 2 pointscale 2 background 'white'", 2 * w, 2 * h)
eval canvas(900, 600)
asked = ""

# Fonts of a script, of 8 points at least on paper.
letters_of(family, size) = family . "," . (paper_mm ? "11" : sprintf("%g", size))
letters(size) = letters_of("DejaVu Sans", size)
letters_7 = letters(7); letters_8 = letters(8); letters_9 = letters(9)
letters_10 = letters(10); letters_11 = letters(11); letters_14 = letters(14)
narrow = paper_mm > 0 && paper_mm < 120 # a paper's column, for shorter texts
own_8 = letters_of("", 8); own_9 = letters_of("", 9); own_10 = letters_of("", 10); own_11 = letters_of("", 11)

# Okabe and Ito's colors, distinguishable with any color vision, in order of increasing lightness.
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
set label 1000 footer at screen 0.008, character 0.6 left noenhanced font letters_7 tc rgb "#666666"

n_runs = words(runs)
run(i) = word(runs, i)

# The i-th of the texts between bars.
head_of(s) = strstrt(s, "|") ? s[1:strstrt(s, "|") - 1] : s
tail_of(s) = strstrt(s, "|") ? s[strstrt(s, "|") + 1:*] : ""
part_of(s, i) = i <= 1 ? head_of(s) : part_of(tail_of(s), i - 1)
label_of(i) = part_of(labels, i)

# The place of a word in a list, 0 where it is not there.
place_of(w, list) = sum [place=1:words(list)] (word(list, place) eq w ? place : 0)

# The same for names with a blank before each of them, in a time that grows with their number and not with its square.
spot_of(name, list) = spot_at(strstrt(list . " ", " " . name . " "), list)
spot_at(at, list) = at ? words(list[1:at]) + 1 : 0

# Data are called by two numbers: that of the request, a helper with its arguments, and that of the
# run among those asked for.
numbers_of(r, request) = numbers_at(r, place_of(request, requests), request)
numbers_at(r, q, request) = q == 0 ? "" : numbers_from(q, spot_of(r, value(sprintf("subjects_%d", q))))
numbers_from(q, s) = s == 0 ? "" : sprintf("%d-%d", q, s)
file_of(r, request, rest) = file_named(numbers_of(r, request), r, request, rest)
file_named(numbers, r, request, rest) = strlen(numbers) ? folder . "/" . numbers . rest \
  : sprintf("(the list of the script does not ask for: %s of %s)", request, r)
variable(r, path, name) = variable_of(numbers_of(r, "values " . path), name)
variable_of(numbers, name) = strlen(numbers) ? value(name . "_" . underscored(numbers)) : "not asked for"
underscored(s) = s[1:strstrt(s, "-") - 1] . "_" . s[strstrt(s, "-") + 1:*]
frame_number(r, request, k) = k >= 0 ? k : k + int(value("frames_" . underscored(numbers_of(r, request))))

series(r, paths) = file_of(r, "series " . paths, "")
of_frame(r, request, k) = file_of(r, request, sprintf("-%d", frame_number(r, request, k)))
frame(r, paths, k) = of_frame(r, "frame " . paths, k)
outline(r, k, plane) = of_frame(r, "outline " . plane, k)
outline_of(r, k, plane, b) = of_frame(r, "outline_of " . plane, k) . sprintf("-%d", b)
box_edges(r, k, w, t) = of_frame(r, sprintf("box_edges %g %g", w, t), k)
box_sections(r, k, w, t) = of_frame(r, sprintf("box_sections %g %g", w, t), k)
rendered(r, view, k) = of_frame(r, "rendered " . view, k)
distance(r) = file_of(r, "distance", "")
has(r, request) = strlen(numbers_of(r, request)) > 0
paths_of(r, start) = paths_from(r, start, 1, words(requests))
paths_from(r, start, a, b) = a > b ? "" : a < b ? paths_from(r, start, a, (a + b) / 2) \
  . paths_from(r, start, (a + b) / 2 + 1, b) : strstrt(word(requests, a), start) == 1 \
  && has(r, word(requests, a)) ? word(word(requests, a), 2) . " " : ""

names(r, path) = variable(r, path, "values")
rows(r, path) = real(variable(r, path, "rows"))
total(r, path) = real(variable(r, path, "total"))
mean(r, path) = total(r, path) / rows(r, path)
number(r, path, i, c) = number_in(r, path, i < 0 ? i + int(rows(r, path)) : i, c)
number_in(r, path, i, c) = c < 0 ? real(word(variable(r, path, "x"), i + 1)) \
  : real(word(names(r, path), i * int(variable(r, path, "width")) + c + 1))
row_at(r, path, t) = words_up_to(variable(r, path, "x"), t + 1e-9) - 1
words_up_to(list, t) = sum [at=1:words(list)] (real(word(list, at)) <= t)
largest(r, path, t) = largest_of(names(r, path), variable(r, path, "x"), t, 1, int(rows(r, path))) - 1
largest_of(y, x, t, a, b) = a == b ? a \
  : larger_of(y, x, t, largest_of(y, x, t, a, (a + b) / 2), largest_of(y, x, t, (a + b) / 2 + 1, b))
larger_of(y, x, t, a, b) = real(word(x, b)) > t \
  && (real(word(x, a)) <= t || real(word(y, b)) > real(word(y, a))) ? b : a

# Lists are cut in halves, since recursion must not go deep.
slice(axes, values) = slice_of(axes, values, 1, n_runs)
slice_of(axes, values, a, b) = a > b ? "" : a < b ? slice_of(axes, values, a, (a + b) / 2) \
  . slice_of(axes, values, (a + b) / 2 + 1, b) : is_at(a, axes, values, 1) ? run(a) . " " : ""
is_at(k, axes, values, i) = i > words(axes) ? 1 \
  : is_same(on_axis(k, word(axes, i)), word(values, i)) && is_at(k, axes, values, i + 1)
values_of(axis) = values_in(names(".", "scenario/grid/" . axis), 1, n_runs)
values_in(list, a, b) = a < b ? joined(values_in(list, a, (a + b) / 2), values_in(list, (a + b) / 2 + 1, b), 1) \
  : word(list, a)
joined(list, more, i) = i > words(more) ? list \
  : joined(place_of(word(more, i), list) ? list : list . " " . word(more, i), more, i + 1)
on_axis(k, axis) = word(names(".", "scenario/grid/" . axis), k)
is_same(a, b) = a eq b || (is_number(a) && is_number(b) && real(a) == real(b))
is_number(s) = strlen(s) && strstrt("-0123456789", s[1:1]) && has_digits(s)
has_digits(s) = strlen(s) == 0 || (strstrt("+-.0123456789e", s[1:1]) && has_digits(s[2:*]))
last_of(list, axis, path) = lines_of(list, axis, path, 1, words(list))
lines_of(list, axis, path, a, b) = a > b ? "" : a < b ? lines_of(list, axis, path, a, (a + b) / 2) \
  . lines_of(list, axis, path, (a + b) / 2 + 1, b) : sprintf("%s %.17g\n", \
  on_axis(place_of(word(list, a), runs), axis), number(word(list, a), path, -1, 0))

# Multiplots: eval panel(left, right, bottom, top) before each plot, in parts of the canvas. Headline and
# footer are drawn once, with the first.
panels = 0
once = "unset label 1000; unset label 1001; unset label 1002; unset label 1003; "
panel(l, r, b, t) = (panels = panels + 1, asked = asked . sprintf("panel %g %g %g %g\n", l, r, b, t), \
  (panels > 1 ? once : "") . (paper_mm ? margins_at(panel_at[4 * panels - 3], panel_at[4 * panels - 2], \
  panel_at[4 * panels - 1], panel_at[4 * panels]) : margins_at(l, r, page_y(b), page_y(t))))
margins_at(l, r, b, t) = sprintf("set lmargin at screen %g; " \
  . "set rmargin at screen %g; set bmargin at screen %g; set tmargin at screen %g", l, r, b, t)

# What is placed on the page: labels at screen place_x(x, y), screen place_y(x, y); keys by eval key_at(x, y,
# "center top maxrows 1", "samplen 3"), the position first and other options then; titles by set title
# fold(text), which breaks long ones on paper.
n_places = 0
place_x(x, y) = (n_places = n_places + 1, asked = asked . sprintf("place %g %g\n", x, y), \
  paper_mm ? place_at[2 * n_places - 1] : x)
place_y(x, y) = paper_mm ? place_at[2 * n_places] : page_y(y)
n_keys = 0
key_at(x, y, position, options) = (n_keys = n_keys + 1, asked = asked . sprintf("key %g %g\n", x, y), \
  paper_mm ? sprintf("set key at screen %g, screen %g center top vertical maxrows %d %s", key_place[3 * n_keys - 2], \
  key_place[3 * n_keys - 1], key_place[3 * n_keys], options) \
  : sprintf("set key at screen %.12g, screen %.12g %s %s", x, page_y(y), position, options))
n_folds = 0
fold(text) = (n_folds = n_folds + 1, asked = asked . sprintf("title %d\n", strlen(text)), \
  paper_mm ? folded(text, fold_at[n_folds]) : text)
folded(text, n) = strstrt(text, "\n") ? folded(text[1:strstrt(text, "\n") - 1], n) . "\n" \
  . folded(text[strstrt(text, "\n") + 1:*], n) : strlen(text) <= n ? text : broken(text, n, last_space(text, n))
broken(text, n, k) = k ? text[1:k - 1] . "\n" . folded(text[k + 1:*], n) \
  : strstrt(text, " ") ? broken(text, n, strstrt(text, " ")) : text
last_space(text, k) = k < 1 ? 0 : text[k:k] eq " " ? k : last_space(text, k - 1)

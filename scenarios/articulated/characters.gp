# SPDX-License-Identifier: GPL-3.0-or-later
# Figures 10 to 12 at their size: frames of the acrobat, the mermaid and the snail; and the times of a step of 20 iterations beside table 1. Steps in
# contact have the further part "contact", which the paper's have not (it pushes nodes by springs).
#
#: maybe rendered runs/acroba[t] spread=3 500x720 70,6,1.05
#: maybe rendered runs/mermai[d] spread=3 440x720 20,12
#: maybe rendered runs/snai[l] spread=3 640x560 -18,12
#: values runs/* timing/step timing/phases/project timing/phases/contact
#: values . gates/reference gates/value

has_run(r) = sum [i=1:n_runs] (run(i) eq r)
whole = has_run("snail") # the full size
eval canvas(1000, whole ? 900 : 600)
set multiplot
kinds = "acrobat mermaid snail"
views = "'500x720 70,6,1.05' '440x720 20,12' '640x560 -18,12'"
array paper[3] = ["407 + 262", "276 + 8", "998 + 16"]
array paper_step[3] = [669, 284, 1014]
array count[3] = ["45 888", "32 270", "105 694"]
array paper_count[3] = [45888, 32270, 105694]
unset key
unset grid
unset border
unset tics
set size ratio -1
do for [k=1:3] {
  r = word(kinds, k)
  view = word(views, k)
  wide = k == 1 ? 500 : k == 2 ? 440 : 640
  high = k == 3 ? 560 : 720
  last = has_run(r) ? int(rows(r, "timing/step")) : 0
  if (has(r, "rendered " . view)) {
    do for [j=1:3] {
      left = k == 1 ? 0.0 : k == 2 ? 0.53 : 0.1
      each = k == 1 ? 0.17 : k == 2 ? 0.15 : 0.26
      set xrange [0:wide / 2 - 1]
      set yrange [0:high / 2 - 1]
      eval panel(left + each * (j - 1) + 0.002, left + each * j - 0.002, k == 3 ? 0.25 : whole ? 0.60 : 0.40, k == 3 ? 0.54 : whole ? 0.93 : 0.90)
      moment = (j - 1) * last / 2
      set title fold((j == 1 ? sprintf("(%s) %s", "abc"[k:k], r) : ""))
      set label 1 sprintf("%.2f s", 0.033 * moment) at graph 0.5, -0.04 center font letters_9 tc rgb "#666666"
      plot rendered(r, view, moment) binary array=(wide,high) dx=0.5 dy=0.5 format="%uchar" flipy with rgbimage
      unset label 1
      unset label 1000
    }
  }
}
eval panel(0.0, 1.0, 0.02, whole ? 0.21 : 0.31)
unset title
set size noratio
set xrange [0:1]
set yrange [0:5]
# The first steps are free of contact, as printed times are of "affine" and "joint" parts: the fastest of all.
fastest(r, k, best) = k == int(rows(r, "timing/step")) ? best : fastest(r, k + 1, \
  number(r, "timing/step", k, 0) < number(r, "timing/step", best, 0) ? k : best)
longest(r, k, most) = k == int(rows(r, "timing/step")) ? most : longest(r, k + 1, \
  number(r, "timing/step", k, 0) > most ? number(r, "timing/step", k, 0) : most)
# What the gate that has the paper's number of tetrahedra measured.
size_of(n, i) = i == int(rows(".", "gates/reference")) ? NaN : number(".", "gates/reference", i, 0) == n ? number(".", "gates/value", i, 0) : size_of(n, i + 1)
cell(x, y, text) = sprintf("set label \"%s\" at %g, %g right", text, x, y)
set label "time of a step of 20 iterations [ms]" at 0.03, 4.9
array heads[8] = ["tetrahedra", "affine", "joint", "per iteration", "longest step", "tetrahedra", "affine + joint", "per iteration"]
array across[8] = [0.2, 0.27, 0.34, 0.44, 0.59, 0.74, 0.86, 0.97]
do for [c=1:8] { eval cell(across[c], 3.8, heads[c]) }
set label "paper" at 0.97, 4.9 right
do for [k=1:3] {
  r = word(kinds, k)
  if (has_run(r)) {
    b = fastest(r, 0, 0) + 0
    step = 1e3 * number(r, "timing/step", b, 0)
    joint = 1e3 * number(r, "timing/phases/project", b, 0)
    y = 3.8 - k
    eval sprintf("set label \"%s\" at 0.03, %g", r, y)
    eval cell(across[1], y, sprintf("%d", size_of(paper_count[k], 0)))
    eval cell(across[2], y, sprintf("%.1f", step - joint))
    eval cell(across[3], y, sprintf("%.1f", joint))
    eval cell(across[4], y, sprintf("%.2f", step / 20))
    eval cell(across[5], y, sprintf("%.0f", 1e3 * longest(r, 0, 0)))
    eval cell(across[6], y, count[k])
    eval cell(across[7], y, paper[k])
    eval cell(across[8], y, sprintf("%.1f", paper_step[k] / 20.0))
  }
}
plot NaN notitle
unset multiplot

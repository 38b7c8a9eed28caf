# SPDX-License-Identifier: GPL-3.0-or-later
# Table 1 of Li, Liu, Kavan 2019: time of a step of 20 iterations, by parts: affine (local and global steps), joint (projections of bones), and
# in all; and of the same bodies as flesh alone, PD. The paper's columns stand beside. Ours are those of the fastest step of each run.
#
#: values runs/* timing/step timing/phases/project

examples = "bar snail washer silk mermaid"
array title_of[5] = ["bar", "snail", "washing machine", "silk", "mermaid"]
array paper_affine[5] = [59, 998, 413, 407, 276]
array paper_joint[5] = [17, 16, 108, 262, 8]
array paper_pd[5] = [56, 1159, 431, 439, 273]

has_run(r) = sum [i=1:n_runs] (run(i) eq r)
# The fastest step, of as many as there are, and its projections [ms].
fastest(r, k, best) = k == int(rows(r, "timing/step")) ? best : fastest(r, k + 1, \
  number(r, "timing/step", k, 0) < number(r, "timing/step", best, 0) ? k : best)
step_ms(r) = 1e3 * number(r, "timing/step", fastest(r, 0, 0), 0)
joint_ms(r) = 1e3 * number(r, "timing/phases/project", fastest(r, 0, 0), 0)

set print $ours
do for [k=1:5] {
  r = word(examples, k)
  if (has_run(r)) {
    print sprintf("%d %g %g %g", k, step_ms(r) - joint_ms(r), joint_ms(r), has_run(r . "-stiff") ? step_ms(r . "-stiff") : NaN)
  }
}
unset print
set print $paper
do for [k=1:5] { if (has_run(word(examples, k))) { print sprintf("%d %g %g %g", k, paper_affine[k], paper_joint[k], paper_pd[k]) } }
unset print

eval canvas(900, 560)
set multiplot
eval panel(0.09, 0.97, 0.42, 0.92)
set title fold("time of a step of 20 iterations: ours (left) and the paper's (right)")
set ylabel "time [ms]"
set xrange [0.4:5.6]
set yrange [0:*]
set xtics ("bar" 1, "snail" 2, "washing machine" 3, "silk" 4, "mermaid" 5)
set style fill solid 0.8 noborder
set boxwidth 0.16
set key top left reverse Left
plot $ours using ($1 - 0.3):($2 + $3) with boxes lc rgb "#E69F00" title "joint", \
  $ours using ($1 - 0.3):2 with boxes lc rgb "#0072B2" title "affine", \
  $ours using ($1 - 0.12):4 with boxes lc rgb "#999999" title "PD: bones as flesh", \
  $paper using ($1 + 0.12):($2 + $3) with boxes lc rgb "#F3CF80" title "joint, paper", \
  $paper using ($1 + 0.12):2 with boxes lc rgb "#80B9D9" title "affine, paper", \
  $paper using ($1 + 0.3):4 with boxes lc rgb "#CCCCCC" title "PD, paper"

eval panel(0.0, 1.0, 0.04, 0.33)
unset border
unset tics
unset grid
unset title
unset ylabel
unset key
unset label 1000
set xrange [0:1]
set yrange [0:7]
cell(x, y, text) = sprintf("set label \"%s\" at %g, %g right", text, x, y)
set label "time [ms]" at 0.03, 6.2
array heads[9] = ["affine", "joint", "total", "PD", "total/PD", "affine", "joint", "total", "PD"]
do for [c=1:9] { eval cell(0.2 + 0.08 * c + (c > 5 ? 0.06 : 0), 6.2, heads[c]) }
set label "ours" at 0.2, 7.1
set label "the paper's" at 0.68, 7.1
do for [k=1:5] {
  r = word(examples, k)
  if (has_run(r)) {
    eval sprintf("set label \"%s\" at 0.03, %g", title_of[k], 6.2 - k)
    total = step_ms(r)
    pd = has_run(r . "-stiff") ? step_ms(r . "-stiff") : NaN
    eval cell(0.28, 6.2 - k, sprintf("%.1f", total - joint_ms(r)))
    eval cell(0.36, 6.2 - k, sprintf("%.1f", joint_ms(r)))
    eval cell(0.44, 6.2 - k, sprintf("%.1f", total))
    eval cell(0.52, 6.2 - k, sprintf("%.1f", pd))
    eval cell(0.60, 6.2 - k, sprintf("%.2f", total / pd))
    eval cell(0.74, 6.2 - k, sprintf("%d", paper_affine[k]))
    eval cell(0.82, 6.2 - k, sprintf("%d", paper_joint[k]))
    eval cell(0.90, 6.2 - k, sprintf("%d", paper_affine[k] + paper_joint[k]))
    eval cell(0.98, 6.2 - k, sprintf("%d", paper_pd[k]))
  }
}
plot NaN notitle
unset multiplot

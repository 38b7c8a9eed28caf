# SPDX-License-Identifier: GPL-3.0-or-later
# How far bodies slide on a slope: above the threshold and with a velocity at first; and below it, where they hold.
#
#: series runs/breaks*,stops*,rails_slide* frames/position[0,0]
#: series runs/holds*,settles*,rails-* frames/position[0,0]
#: values runs/* frames/position[frame=0]

methods = "direct xpbd block-descent"
title_of(m) = word(methods, m)
start(r) = number(r, "frames/position[frame=0]", 0, 0)
way(r) = series(r, "frames/position[0,0]")

eval canvas(1000, 440)
set multiplot
set xlabel "time [s]"
eval panel(0.08, 0.47, 0.16, 0.80)
set title fold("(a) it breaks away at 1.06 of the threshold, or is stopped at 0.2 of it")
set ylabel "slid [m]"
eval key_at(0.5, 0.985, "center top maxrows 1", "")
plot for [m=1:3] way("breaks-" . title_of(m)) using 1:2 with lines ls m lw 4 - m title title_of(m), \
  for [m=1:3] way("stops-" . title_of(m)) using 1:2 with lines ls m lw 4 - m notitle
unset key
unset label 1000
eval panel(0.58, 0.97, 0.16, 0.80)
set title fold("(b) it holds at 0.95 of the threshold")
set ylabel "moved [m]"
set logscale y
set format y "10^{%T}"
set yrange [1e-18:1e-2]
set xrange [0:10]
set label 1 "a rod whose sections settle" at 0.4, 3e-4
plot 1e-6 ls 9, \
  for [m=1:3] way("holds-" . title_of(m)) using 1:(abs($2 - start("holds-" . title_of(m))) + 1e-17) with lines ls m, \
  for [m=1:3] way("settles-" . title_of(m)) using 1:(abs($2 - start("settles-" . title_of(m))) + 1e-17) with lines ls m
unset multiplot

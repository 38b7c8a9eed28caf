# SPDX-License-Identifier: GPL-3.0-or-later
# Motions in contact beside their closed forms.
#
#: values . scenario/grid/method
#: series runs/*-rolling frames/velocity[0,0]
#: series runs/*-spinning frames/velocity[0,0] frames/angular_velocity[0,1]
#: series runs/*-row energy/kinetic
#: series runs/*-belt work/belt
#: series runs/*-bouncing energy/total momentum[0]

eval canvas(1000, 900)
methods = values_of("method")
of(m, case) = word(methods, m) . "-" . case
set multiplot
set xrange [0:*]

eval panel(0.08, 0.48, 0.74, 0.95)
set title fold("(a) rolling down a slope")
set xlabel "time [s]"
set ylabel "velocity [m/s]"
set key inside left top Left reverse samplen 2.5 font letters_9
plot [0:0.4] [0:1.2] 2.0 / 3 * 10 * sin(0.3) * x ls 9 title "2/3 g sin", \
  for [m=1:words(methods)] series(of(m, "rolling"), "frames/velocity[0,0]") using 1:2 with lines ls m title word(methods, m)
unset key

eval panel(0.58, 0.98, 0.74, 0.95)
set title fold("(b) a spin of 3 rad/s becomes rolling: a third is left")
set ylabel "v and r ω [m/s]"
plot [0:0.05] [0:0.35] 0.1 ls 9, for [m=1:words(methods)] for [c=2:3] series(of(m, "spinning"), "frames/velocity[0,0] frames/angular_velocity[0,1]") \
    using 1:((c == 2 ? 1 : 0.1) * column(c)) with lines ls m

eval panel(0.08, 0.48, 0.41, 0.62)
set title fold("(c) twelve impacts in a row, none gives back")
set ylabel "kinetic energy [J]"
set logscale y 2
gap = 0.02
hits(t) = int((sqrt(1 + 8 * t / (gap / 2)) - 1) / 2)
plot [0:1] [2:40] 31.4159265 / (1 + (hits(x) > 12 ? 12 : hits(x))) ls 9, \
  for [m=1:words(methods)] series(of(m, "row"), "energy/kinetic") using 1:2 with lines ls m
unset logscale y

eval panel(0.58, 0.98, 0.41, 0.62)
set title fold("(d) a rope on a moving plane, up a slope")
set ylabel "work of the plane [J]"
mass = pi * 0.02**2 * 1000
plot [0:1.5] [0:3.5] mass * 0.5 * (0.5 + 10 * sin(0.3) * x) ls 9, \
  for [m=1:words(methods)] series(of(m, "belt"), "work/belt") using 1:2 with lines ls m

eval panel(0.08, 0.48, 0.08, 0.29)
set title fold("(e) a bar between two planes")
set ylabel "energy, over the first [1]"
set yrange [0:4]
start = pi * 0.05**2 * 1000 / 2
plot [0:3] 1 ls 9, for [m=1:words(methods)] series(of(m, "bouncing"), "energy/total momentum[0]") using 1:($2 / start) with lines ls m

eval panel(0.58, 0.98, 0.08, 0.29)
set title fold("(f) its momentum")
set ylabel "momentum [kg m/s]"
set yrange [-15:15]
plot [0:3] for [m=1:words(methods)] series(of(m, "bouncing"), "energy/total momentum[0]") using 1:3 with lines ls m
unset multiplot

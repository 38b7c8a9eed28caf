# SPDX-License-Identifier: GPL-3.0-or-later
# Figure 15, second half: a rod between two planes that close on it, and one of an updated radius that is pulled.
#
#: outline runs/viper,light,bergou spread=4 zx
#: values runs/viper frames/scale[50%]
#: values runs/viper topology/rest_radius topology/rest_position topology/stiffness topology/volume_stiffness
#: series runs/viper,direct,light frames/position[gate=1,2] frames/position[0,2]
#: series runs/viper,direct,light reaction/force[1,0]

radius = number("viper", "topology/rest_radius", 0, 0)
rest = number("viper", "topology/rest_position", -1, 2) - number("viper", "topology/rest_position", 0, 2)
kz = number("viper", "topology/stiffness", 0, 2)
kxy = number("viper", "topology/stiffness", 0, 0) + number("viper", "topology/stiffness", 0, 1)
kv = number("viper", "topology/volume_stiffness", 0, 0)
last = number("viper", "frames/scale[50%]", -1, 0)

# The uniform rod between planes that have closed for t seconds, of one.
gap(t) = t < 1 ? 1 - (1 - last) * t : last
stretch(s) = (kz + kv * s**2) / (kz + kv * s**4)
force(s, e) = -pi * radius * rest / 2 * (kxy * (s - 1) + 2 * kv * s * e * (s**2 * e - 1))

eval canvas(1000, 540)
set multiplot
last_frame(r) = int(rows(r, "frames/scale[50%]")) - 1

eval panel(0.02, 0.98, 0.60, 0.95)
set title fold("(a) at 0, 1, 2 and 3 s")
unset grid
unset key
unset border
unset tics
set size ratio -1
set xrange [-0.95:4.75]
set yrange [-0.75:(narrow ? 0.32 : 0.2)]
columns = "viper bergou light"
heads = narrow ? "VIPER, pressed|updated, pulled|1000 kg/m^3" : "VIPER, pressed by planes|updated radius, pulled to fit|direct, 1000 kg/m^3"
middle(c) = 1.9 * (c - 1)
row(k) = -0.17 * k
do for [c=1:3] {
  set label c part_of(heads, c) at middle(c), (narrow ? 0.19 : 0.13) center
  do for [k=0:3] {
    do for [side=-1:1:2] {
      set arrow from middle(c) - 0.86, row(k) + side * gap(k) * radius to middle(c) + 0.86, row(k) + side * gap(k) * radius \
        nohead lw 1.5 lc rgb (c == 2 ? "#BBBBBB" : "#D55E00") back
    }
  }
}
set label 4 "1 m" at 0.6, -0.70 left
set arrow from -0.5, -0.70 to 0.5, -0.70 heads size 0.03, 90 lw 1
# Walls first, then what covers those within the rod.
across(c, k) = middle(c) - (c == 2 ? rest * (gap(k)**-2 - 1) / 2 : 0)
plot for [k=0:3] for [c=1:3] outline(word(columns, c), int(k * last_frame("viper") / 3.0), "zx") \
    using ($1 + across(c, k)):(row(k) + $2) with lines lw 2 lc rgb WALL, \
  for [k=0:3] for [c=1:3] outline(word(columns, c), int(k * last_frame("viper") / 3.0), "zx") \
    using ($1 + across(c, k)):(row(k) + $2) with filledcurves closed fs solid noborder fc rgb FILL
unset arrow
do for [c=1:4] { unset label c }
unset label 1000
set size noratio
set border 31 lw 0.8
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid

set xlabel "time [s]"
set xrange [0:3]
set xtics 0.5 nomirror
set format y "%g"
unset key
eval panel(0.075, 0.48, 0.13, 0.50)
set title fold("(b) length")
set ylabel "length [m]"
set yrange [0.9:1.65]
set ytics 0.2 nomirror
plot rest * stretch(gap(x)) ls 9, rest / gap(x)**2 ls 8, \
  for [m=1:3] series(word("viper direct light", m), "frames/position[gate=1,2] frames/position[0,2]") \
    using 1:($2 - $3) with lines ls m
eval panel(0.58, 0.985, 0.13, 0.50)
set title fold("(c) force on a plane, inertia and damping included")
set ylabel "force [kN]"
set yrange [0:200]
set ytics 50
set key inside right center reverse Left samplen 2.5 font letters_9
plot force(gap(x), stretch(gap(x))) / 1000 ls 9 title "closed form", \
  keyentry with lines ls 8 title "volume kept", \
  for [m=1:3] series(word("viper direct light", m), "reaction/force[1,0]") \
    using 1:(abs($2) / 1000) with lines ls m title part_of("VIPER|VIPER, direct|direct, 1000 kg/m^3", m)
unset multiplot

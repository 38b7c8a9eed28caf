# SPDX-License-Identifier: GPL-3.0-or-later
# VIPER beside a radius updated from the length: a radius pulse, an acoustic packet, a stretch, a pinch.
#
#: values runs/pulse-viper,pulse-bergou,packet-viper,packet-bergou,pinch-viper,pinch-bergou topology/rest_position topology/rest_radius
#: values runs/pulse-viper,pulse-bergou,packet-viper,packet-bergou frames/scale[0]
#: values runs/pulse-viper frames/scale[50%] frames/scale[75%]
#: values runs/pinch-viper,pinch-bergou frames/scale[50%]
#: values runs/packet-viper,packet-bergou gates/value gates/row
#: frame runs/pulse-viper,pulse-bergou spread=13 frames/position frames/scale
#: series runs/packet-viper,packet-bergou frames/scale[gate=0]
#: series runs/packet-viper,packet-bergou frames/scale[gate=2]
#: series runs/stretch-viper,stretch-bergou,stretch-feedback frames/scale[50%]
#: series runs/stretch-viper,stretch-bergou,stretch-feedback reaction/force[0,2]
#: outline runs/pinch-viper,pinch-bergou -1 zx

models = "viper bergou"
model_name(m) = word("VIPER 'updated radius'", m)
run_of(what, m) = what . "-" . word(models, m)
left_of(m) = 0.085 + 0.475 * (m - 1)
place(m, bottom, top) = panel(left_of(m), left_of(m) + 0.415, bottom, top)
named(m, text) = m == 1 ? text : ""
count(r) = int(rows(r, "frames/scale[0]"))
time_of(r, k) = number(r, "frames/scale[0]", k, -1)
length_of(r) = number(r, "topology/rest_position", -1, 2)

eval canvas(1000, 1400)
set multiplot
unset key
do for [m=1:2] {
  set label m model_name(m) at screen place_x(left_of(m) + 0.2075, 0.985), screen place_y(left_of(m) + 0.2075, 0.985) center font letters_14
}

# (a) Each profile stands at its time; a scale of 1 + bar is so many seconds higher. The crest's speed
# is that between two nodes, each where its scale is greatest in the later half.
n_profiles = 13
bar = 0.2
array t[n_profiles]
crest(r, scale) = number(r, scale, largest(r, scale, 0.015), -1)
unset grid
do for [m=1:2] {
  r = run_of("pulse", m)
  end = time_of(r, -1)
  n = count(r)
  L = length_of(r)
  lift = end / (n_profiles - 1) * 5 / bar * 0.6
  k_of(i) = int((i - 1) * (n - 1) / (n_profiles - 1.0))
  do for [i=1:n_profiles] { t[i] = time_of(r, k_of(i)) }
  eval place(m, 0.755, 0.935)
  set title fold("(a) radius pulse: scale along the rod, each profile at its time") font letters_10
  set xlabel "z [m]"
  set ylabel named(m, "time [s]")
  set xrange [0:L]
  set yrange [-0.05 * end:1.35 * end]
  set ytics 0.02
  set arrow 1 from graph 0.55, first 1.12 * end to graph 0.55, first 1.12 * end + lift * bar \
    heads filled size screen 0.006, 20 lw 1.2
  set label 11 sprintf("%g", bar) at graph 0.565, first 1.12 * end + 0.5 * lift * bar left
  if (m == 1) {
    t1 = crest(r, "frames/scale[50%]")
    t2 = crest(r, "frames/scale[75%]")
    set label 12 sprintf("crest: %.1f m/s", 0.25 * L / (t2 - t1)) at graph 0.03, graph 0.93 left
  } else {
    set label 12 "gone after the first step" at graph 0.03, graph 0.93 left
  }
  plot for [i=1:n_profiles] frame(r, "frames/position frames/scale", k_of(i)) \
      using 4:(t[i]) with lines lw 0.5 lc rgb "#999999", \
    for [i=1:n_profiles] frame(r, "frames/position frames/scale", k_of(i)) \
      using 4:(t[i] + lift * ($5 - 1)) with lines ls 1 lw 1.2
  unset label 1000
  unset label 1
  unset label 2
  unset label 11
  unset label 12
  unset arrow 1
}

# (b) Gates judge arrival and height at each station, in turn.
millionths(scale) = 1e6 * (scale - 1)
do for [m=1:2] {
  r = run_of("packet", m)
  L = length_of(r)
  gate(i) = number(r, "gates/value", i - 1, 0)
  node(i) = int(number(r, "gates/row", 2 * (i - 1), 0))
  z(i) = number(r, "topology/rest_position", node(i), 2)
  eval place(m, 0.525, 0.685)
  set title fold("(b) acoustic packet: scale at two stations")
  set xlabel "time [s]"
  set ylabel named(m, "scale − 1 [10^{−6}]")
  set xrange [0:time_of(r, -1)]
  set yrange [-7:9]
  set ytics 5
  set label 12 sprintf("%.2f m/s; damping: height falls to %.3f", \
    (z(2) - z(1)) / (gate(3) - gate(1)), gate(4) / gate(2)) at graph 0.03, graph 0.92 left
  do for [i=1:2] {
    set label 20 + i sprintf("z = %.1f m", z(i)) at gate(2 * i - 1) + 0.016 * (i - 1.5), first -6 center
  }
  plot for [i=1:2] series(r, sprintf("frames/scale[gate=%d]", 2 * (i - 1))) using 1:(millionths($2)) \
    with lines ls i
  unset label 12
  unset label 21
  unset label 22
}

# (c) The stretch.
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set xrange [0:3]
set key at graph 0.97, graph 0.92 right top
eval place(1, 0.295, 0.455)
set title fold("(c) stretch to twice the length: scale at the middle")
set ylabel "scale [1]"
set yrange [0.65:1.05]
set ytics 0.1
plot for [m=1:2] series(run_of("stretch", m), "frames/scale[50%]") \
    using 1:2 with lines ls m title model_name(m)
eval place(2, 0.295, 0.455)
set title fold("(c) stretch to twice the length: force at the pulled end")
set ylabel "force [kN]" offset 1
set yrange [-0.5:9]
set ytics 2
set key at graph 0.03, graph 0.92 left top
plot for [m=1:2] series(run_of("stretch", m), "reaction/force[0,2]") \
    using 1:($2 / 1000) with lines ls m title model_name(m), \
  series("stretch-feedback", "reaction/force[0,2]") \
    using 1:($2 / 1000) with lines ls 3 title "radius fed back"
unset key

# (d) The pinch: the rod at the end, and the planes.
unset grid
do for [m=1:2] {
  r = run_of("pinch", m)
  L = length_of(r)
  radius = number(r, "topology/rest_radius", 0, 0)
  s = number(r, "frames/scale[50%]", -1, 0)
  h = radius * s
  eval place(m, 0.065, 0.225)
  set ylabel offset 0
  set title fold("(d) pinched at its middle node by two narrow planes")
  set xlabel "z [m]"
  set ylabel named(m, "x [m]")
  set xrange [0.2 * L:0.8 * L]
  set yrange [-0.11:0.11]
  set ytics 0.05
  do for [side=-1:1:2] {
    set arrow 3 + side from 0.485 * L, side * h to 0.515 * L, side * h nohead lw 3 lc rgb "#D55E00" front
    set arrow 13 + side from 0.5 * L, side * (h + 0.04) to 0.5 * L, side * (h + 0.006) \
      filled lw 1.5 lc rgb "#D55E00" front
  }
  set label 12 sprintf("scale %.3f at the pinch", s) at graph 0.03, graph 0.92 left
  plot outline(r, -1, "zx") using 1:2 with lines lw 2.4 lc rgb WALL, \
    outline(r, -1, "zx") using 1:2 with filledcurves closed fs solid noborder fc rgb FILL
  unset arrow
  unset label 12
}
unset multiplot

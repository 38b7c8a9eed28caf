# SPDX-License-Identifier: GPL-3.0-or-later
# The octopus in its flight, the drift of its momentum, and its energies.
#
#: values runs/* frames/scale[0] momentum[0] momentum[1] momentum[2]
#: outline runs/* spread=4 xz
#: outline runs/* spread=4 xy
#: series runs/* momentum[0]
#: series runs/* momentum[1]
#: series runs/* momentum[2]
#: series runs/* energy/total
#: series runs/* energy/kinetic
#: series runs/* energy/stretch
#: series runs/* energy/volume
#: series runs/* energy/section
#: series runs/* energy/bend energy/volume_bend energy/surface_bend
#: series runs/* energy/taper energy/twist

flight = run(1)
n_frames = int(rows(flight, "frames/scale[0]"))
time_of(k) = number(flight, "frames/scale[0]", k, -1)
end = time_of(n_frames - 1)

# Poses side by side, seen along y and along z.
n_poses = 4
apart = 5.2
frame_of(i) = int(i * (n_frames - 1) / (n_poses - 1.0))
pose(i, plane) = outline(flight, frame_of(i), plane)

eval canvas(900, 1050)
set multiplot
set size ratio -1
unset grid
unset xtics
unset key
set xrange [-2.8:n_poses * apart - 1.2]
panes = "xz xy"
do for [p=1:2] {
  plane = word(panes, p)
  eval panel(0.09, 0.98, p == 1 ? 0.73 : 0.485, p == 1 ? 0.975 : 0.73)
  set ylabel plane[2:2] . " [m]"
  set yrange [(p == 1 ? -1.2 : -3.4):(p == 1 ? 4.9 : 2.7)]
  if (p == 1) {
    do for [i=0:n_poses-1] {
      set label i + 1 sprintf("t = %.2f s", time_of(frame_of(i))) \
        at i * (apart + 0.5), graph 1.07 center
    }
  }
  if (p == 2) { set xlabel sprintf("x, each pose %g m further to the right", apart) }
  plot for [i=0:n_poses-1] pose(i, plane) using ($1 + apart * i):2 with lines \
      lw 2.4 lc rgb WALL, \
    for [i=0:n_poses-1] pose(i, plane) using ($1 + apart * i):2 \
      with filledcurves closed fs solid noborder fc rgb FILL
  unset label
}
unset xlabel
set size noratio
set xtics
set grid xtics ytics lc rgb "#CCCCCC" lw 0.5 dt solid
set xrange [0:end]
set xlabel "time [s]"

array start[3]
do for [c=1:3] { start[c] = number(flight, sprintf("momentum[%d]", c - 1), 0, 0) }
size = sqrt(start[1]**2 + start[2]**2 + start[3]**2)
eval panel(0.09, 0.48, 0.19, 0.41)
set ylabel "(p(t) − p(0)) / |p(0)| [10^{−15}]"
set yrange [*:*]
eval key_at(0.285, 0.11, "center center vertical maxrows 1", "")
plot for [c=1:3] series(flight, sprintf("momentum[%d]", c - 1)) \
  using 1:(1e15 * ($2 - start[c]) / size) with lines ls c title word("p_x p_y p_z", c)

# The terms of bending are told together, and so are taper and twist.
paths(e) = "energy/" . part_of("total|kinetic|stretch|volume|section|" \
  . "bend energy/volume_bend energy/surface_bend|taper energy/twist", e)
energy_name(e) = part_of("total|kinetic|stretch|volume|section|bending|taper, twist", e)
several(e) = words(paths(e)) == 1 ? 0 : words(paths(e)) == 2 ? column(3) : column(3) + column(4)

eval panel(0.60, 0.98, 0.19, 0.41)
set ylabel "energy [J]"
set logscale y
set format y "10^{%T}"
eval key_at(0.78, 0.08, "center center vertical maxrows 4", "")
plot for [e=1:7] series(flight, paths(e)) \
  using 1:(column(2) + several(e)) with lines ls e title energy_name(e)
unset multiplot

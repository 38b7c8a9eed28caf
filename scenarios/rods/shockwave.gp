# SPDX-License-Identifier: GPL-3.0-or-later
# A pulse of the radius runs along the rod, and by the published solver does not: its profile over time, and the rod
# itself.
#
#: values runs/pulse frames/scale[0] topology/rest_position topology/rest_radius
#: frame runs/pulse,pulse-published all frames/position frames/scale

pulse = "pulse"
n_frames = int(rows(pulse, "frames/scale[0]"))
time_of(k) = number(pulse, "frames/scale[0]", k, -1)
array t[n_frames]
do for [k=1:n_frames] { t[k] = time_of(k - 1) }
end = t[n_frames]
step = end / (n_frames - 1)
L = number(pulse, "topology/rest_position", -1, 2)
radius = number(pulse, "topology/rest_radius", 0, 0)

eval canvas(900, 1000)
set multiplot
set xrange [-2 * radius:L + 2 * radius]
unset grid

# Each second profile, at the height of its time; a scale of 1 + bar is so many steps higher.
bar = 0.2
magnified = 5 * step / bar
eval panel(0.10, 0.90, 0.53, 0.955)
set title fold("(a) scale along the rod: each profile stands at its time")
set xlabel "z [m]"
set ylabel "time [s]"
set yrange [-3 * step:end + 4 * step]
set arrow 1 from graph 1.03, first end / 2 - 2.5 * step to graph 1.03, first end / 2 + 2.5 * step \
  heads filled size screen 0.008, 20 lw 1.2
set label 1 sprintf("scale\n+ %g", bar) at graph 1.042, first end / 2 + step left
unset key
profile(k) = frame(pulse, "frames/position frames/scale", k - 1)
published(k) = frame("pulse-published", "frames/position frames/scale", k - 1)
plot for [k=1:n_frames:2] profile(k) using 4:(t[k]) with lines lw 0.5 lc rgb "#999999", \
  for [k=1:n_frames:2] profile(k) using 4:(t[k] + magnified * ($5 - 1)) with lines ls 1 lw 1.2
unset label 1000
unset label 1
unset arrow 1

# The rod at some of these times, one above the other; what its scale differs from 1 is magnified.
n_rods = 6
magnified_scale = 4
apart = 7 * radius
frame_of(i) = int(i * (n_frames - 1) / (n_rods - 1.0))
wall(scale) = radius * (1 + magnified_scale * (scale - 1))
eval key_at(0.5, 0.035, "center center maxrows 1", "samplen 3")
eval panel(0.10, 0.90, 0.115, 0.435)
set title fold(sprintf("(b) the rod; its radius drawn as r (1 + %g (scale − 1)), r = %g m", \
  magnified_scale, radius))
set ylabel "time [s]"
set yrange [-0.6 * apart:(n_rods - 0.2) * apart]
set ytics () nomirror
do for [i=0:n_rods-1] { set ytics add (sprintf("%.3f", t[frame_of(i) + 1]) i * apart) }
plot for [i=0:n_rods-1] profile(frame_of(i) + 1) \
    using 4:(i * apart + wall($5)):(i * apart - wall($5)) with filledcurves fs solid noborder fc rgb FILL notitle, \
  for [i=0:n_rods-1] for [side=-1:1:2] profile(frame_of(i) + 1) \
    using 4:(i * apart + side * wall($5)) with lines lw 1 lc rgb WALL notitle, \
  for [i=1:n_rods-1] for [side=-1:1:2] published(frame_of(i) + 1) \
    using 4:(i * apart + side * wall($5)) with lines ls 4 lw 1 \
    title i + side == 0 ? "jacobi-published, β = 0.5" : ""
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# A packet of acoustic waves on its way along the rod, and its predicted arrivals at two stations.
#
#: values runs/packet frames/scale[0] topology/rest_position
#: values runs/packet gates/row gates/value gates/reference
#: frame runs/packet spread=4 frames/position frames/scale
#: series runs/packet frames/scale[gate=0]
#: series runs/packet frames/scale[gate=1]

packet = "packet"
n_frames = int(rows(packet, "frames/scale[0]"))
time_of(k) = number(packet, "frames/scale[0]", k, -1)
end = time_of(n_frames - 1)
L = number(packet, "topology/rest_position", -1, 2)

# Each of the first gates judges the arrival at one node.
n_stations = 2
array node[n_stations]
array z[n_stations]
array measured[n_stations]
array predicted[n_stations]
do for [i=1:n_stations] {
  node[i] = int(number(packet, "gates/row", i - 1, 0))
  z[i] = number(packet, "topology/rest_position", node[i], 2)
  measured[i] = number(packet, "gates/value", i - 1, 0)
  predicted[i] = number(packet, "gates/reference", i - 1, 0)
}

# The scale's distance from 1, in millionths: the packet is linear.
millionths(scale) = 1e6 * (scale - 1)
eval canvas(900, 1000)
set multiplot

# Profiles at a few times, one above the other.
n_profiles = 4
frame_of(i) = int(i * (n_frames - 1) / (n_profiles - 1.0))
apart = 13
eval panel(0.10, 0.86, 0.55, 0.92)
set title fold("(a) the packet on its way, from the lowest profile upwards")
set xlabel "z [m]"
set ylabel "scale − 1 [10^{−6}]" offset -1
set xrange [0:L]
set yrange [-0.6 * apart:(n_profiles - 0.1) * apart]
set ytics ()
do for [i=0:n_profiles-1] {
  set ytics add ("−5" i * apart - 5, "0" i * apart, "5" i * apart + 5)
  set label 10 + i sprintf("t = %.3f s", time_of(frame_of(i))) at graph 1.02, first i * apart
}
do for [i=1:n_stations] {
  set arrow i from z[i], graph 0 to z[i], graph 1 nohead dt (4,4) lw 1.2
  if (i == 1) { set label 1 "station 1" at z[1], graph 0.955 right offset -0.5, 0 } else { set label i sprintf("station %d", i) at z[i], graph 0.955 left offset 0.5, 0 }
}
unset key
plot for [i=0:n_profiles-1] frame(packet, "frames/position frames/scale", frame_of(i)) \
  using 4:(i * apart + millionths($5)) with lines ls 1
unset label
unset arrow

eval panel(0.10, 0.86, 0.16, 0.405)
set title fold("(b) the scale at the stations, and by how much its arrival is later than predicted")
set xlabel "time [s]"
set xrange [0:end]
set yrange [-6:6]
set ytics autofreq
eval key_at(0.48, 0.065, "center center vertical maxrows 2", "")
do for [i=1:n_stations] {
  set arrow i from predicted[i], graph 0 to predicted[i], graph 1 nohead dt (4,4) lw 1.2
  set label i sprintf("%+.2f %%", 100 * (measured[i] / predicted[i] - 1)) \
    at predicted[i], graph 0.94 left offset 0.5, 0
}
plot for [i=1:n_stations] series(packet, sprintf("frames/scale[gate=%d]", i - 1)) \
    using 1:(millionths($2)) with lines ls i title sprintf("station %d, z = %.1f m", i, z[i]), \
  keyentry with lines lc rgb "#000000" dt (4,4) lw 1.2 title "predicted arrival", \
  "+" using (measured[1]):(0) every ::0::0 with points ls 1 pt 7 ps 1.2 title "measured arrival", \
  for [i=2:n_stations] "+" using (measured[i]):(0) every ::0::0 with points ls 1 pt 7 ps 1.2 notitle
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# Dispersion of the three kinds of waves, the errors of frequency and decay, and waves over time.
#
#: values runs/* gates/value gates/reference gates/tolerance scenario/step scenario/n_steps
#: values runs/* topology/stiffness topology/volume_stiffness topology/density topology/rest_radius topology/rest_length
#: values runs/* frames/scale[0] frames/frame[0,3]
#: series runs/* frames/scale[0]
#: series runs/* frames/frame[0,3]

# Runs are named BRANCH-MODE, where MODE counts the half waves on the rod.
branches = "acoustic optical twist"
dash(r) = strstrt(r, "-")
is_of(r, b) = r[1:dash(r) - 1] eq word(branches, b)
branch_of(r) = is_of(r, 1) ? 1 : is_of(r, 2) ? 2 : 3
mode_of(r) = real(r[dash(r) + 1:*])

stiffness(c) = number(run(1), "topology/stiffness", 0, c)
across = stiffness(0) + stiffness(1)
along = stiffness(2)
volume = number(run(1), "topology/volume_stiffness", 0, 0)
density = number(run(1), "topology/density", 0, 0)
radius = number(run(1), "topology/rest_radius", 0, 0)
l = number(run(1), "topology/rest_length", 0, 0)
L = l * rows(run(1), "topology/rest_length")

# The closed forms of a straight rod in segments of length l, as angular frequency over wave number:
# a and b being the amplitudes of the displacement's gradient and of the scale, the square of the
# frequency is an eigenvalue of the matrix of the elements aa, ab, ba, bb.
kap(k) = 2 / l * sin(k * l / 2)
C(k) = cos(k * l / 2)
aa(k) = kap(k)**2 * (along + volume) / density
ab(k) = kap(k)**2 * 2 * volume * C(k) / density
ba(k) = 4 * volume * C(k) / (density * radius**2)
bb(k) = 2 * ((across + 4 * volume) * C(k)**2 + radius**2 / 4 * across * kap(k)**2) \
  / (density * radius**2)
half(k) = (aa(k) + bb(k)) / 2
optical(k) = sqrt(half(k) + sqrt(half(k)**2 - aa(k) * bb(k) + ab(k) * ba(k)))
acoustic(k) = sqrt(aa(k) * bb(k) - ab(k) * ba(k)) / optical(k)
twist(k) = sqrt(across / (2 * density)) * kap(k)
dispersion(b, k) = b == 1 ? acoustic(k) : b == 2 ? optical(k) : twist(k)

# Implicit Euler with step h makes of frequency w:
slowed(w, h) = atan(w * h) / h
decay(w, h) = 1 / sqrt(1 + (w * h)**2)

# Of each run: branch, wave number, frequency, errors of frequency and decay against the closed form.
gate(r, i, what) = number(r, "gates/" . what, i, 0)
step(r) = number(r, "scenario/step", 0, 0)
error(r, i) = abs(gate(r, i, "value") / gate(r, i, "reference") - 1)
set print $modes
do for [i=1:n_runs] {
  print sprintf("%d %.17g %.17g %.17g %.17g", branch_of(run(i)), mode_of(run(i)) * pi / L, \
    gate(run(i), 0, "value"), error(run(i), 0), error(run(i), 1))
}
unset print
tolerance = gate(run(1), 0, "tolerance")
of_branch(b, value) = column(1) == b ? value : NaN

# In all runs the step is the same part of the period, which shifts all frequencies alike.
phase = tan(gate(run(1), 0, "reference") * step(run(1)))
shift = atan(phase) / phase

# The run of the lowest mode of each branch.
array Lowest[3]
do for [i=n_runs:1:-1] { Lowest[branch_of(run(i))] = run(i) }

eval canvas(900, 1150)
set multiplot
set samples 500
set logscale xy
set xlabel "wave number k [rad/m]"
set xrange [2:pi / l]

eval panel(0.09, 0.48, 0.64, 0.965)
set title fold("(a) measured (points) and closed form (lines)")
set ylabel "angular frequency [rad/s]"
set yrange [30:30000]
set format y "10^{%T}"
set key inside right bottom reverse Left
plot for [b=1:3] keyentry with linespoints ls b title word(branches, b), \
  for [b=1:3] shift * dispersion(b, x) with lines ls b notitle, \
  for [b=1:3] $modes using 2:(of_branch(b, $3)) with points ls b notitle
unset label 1000

eval panel(0.60, 0.97, 0.64, 0.965)
set title fold("(b) errors of frequency (open) and decay (filled)")
set ylabel "relative error"
set yrange [1e-17:1]
set ytics 1e4
set key inside right top reverse Left
least = 1e-16 # what is exact stays in sight
plot tolerance ls 9 title "tolerance", \
  for [b=1:3] $modes using 2:(of_branch(b, $4 > least ? $4 : least)) with points ls b \
    title word(branches, b), \
  for [b=1:3] $modes using 2:(of_branch(b, $5 > least ? $5 : least)) with points ls b \
    pt (b == 1 ? 7 : b == 2 ? 5 : 9) notitle

# Both the change of the scale and the angle of twist are printed in units of 1e-8.
unset logscale
set format y "%g"
set ytics autofreq
set xlabel "time [ms]"
set samples 1000
set key at graph 0.99, graph 0.95 right top horizontal
do for [b=1:3] {
  r = Lowest[b]
  k = mode_of(r) * pi / L
  h = step(r)
  quantity = b == 3 ? "frames/frame[0,3]" : "frames/scale[0]"
  shown(y) = 1e8 * (b == 3 ? 2 * asin(y) : y - 1)
  start = shown(number(r, quantity, 0, 0))
  end = 1e3 * h * number(r, "scenario/n_steps", 0, 0)
  exact(t) = start * decay(dispersion(b, k), h)**(t / h) * cos(slowed(dispersion(b, k), h) * t)
  eval panel(0.09, 0.97, 0.613 - 0.18 * b, 0.713 - 0.18 * b)
  set title fold(sprintf("(%s) %s, mode %g, at the end of the rod", word("c d e", b), \
    word(branches, b), mode_of(r)))
  set ylabel b == 3 ? "angle [10^{-8} rad]" : "s − 1 [10^{-8}]"
  set xrange [0:end]
  set yrange [-1.2 * abs(start):1.8 * abs(start)]
  plot exact(x / 1e3) ls 9 title "closed form", \
    series(r, quantity) using (1e3 * $1):(shown($2)) every 3 with points ls b lc rgb "#000000" lw 1 title "measured"
}
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# Figure 14: the energies of strain (eqs. 11 to 14) and of volume (eqs. 18 to 20) of figure 13's bar in the
# step after both its ends jump to twice its length, over the iterations of each method (block-descent, which
# has no line search, runs away); and those of the paper's solver over its relaxation beta.
#
#: series runs/*-both,*-both-* convergence/energy/stretch convergence/energy/section convergence/energy/taper
#: series runs/*-both,*-both-* convergence/energy/volume
#: values runs/jacobi-published-both convergence/energy/stretch convergence/energy/volume
#: values runs/jacobi-published-both topology/rest_radius topology/rest_position topology/stiffness topology/volume_stiffness

# Styles are of methods, as in all figures; the paper's is first.
methods = "jacobi-published xpbd direct"
style_of(m) = int(word("4 2 1", m))
run_of(m) = word(methods, m) . "-both"
paper = run_of(1)

# The held bar at stretch e: the root of (kx + ky)(s - 1) + 2 kv s e (s^2 e - 1) = 0 by bisection.
e = 2.0
kz = number(paper, "topology/stiffness", 0, 2)
kxy = number(paper, "topology/stiffness", 0, 0) + number(paper, "topology/stiffness", 0, 1)
kv = number(paper, "topology/volume_stiffness", 0, 0)
volume = pi * number(paper, "topology/rest_radius", 0, 0)**2 * number(paper, "topology/rest_position", -1, 2)
force(s) = kxy * (s - 1) + 2 * kv * s * e * (s**2 * e - 1)
root(a, b, n) = n == 0 ? (a + b) / 2 : force((a + b) / 2) > 0 ? root(a, (a + b) / 2, n - 1) : root((a + b) / 2, b, n - 1)
scale = root(0.01, 2, 50)
strain_level = volume / 2 * (kz * (e - 1)**2 + kxy * (scale - 1)**2)
volume_level = volume / 2 * kv * (scale**2 * e - 1)**2
level(p) = p == 1 ? strain_level : volume_level

# Slopes of the paper's solver between two of its counts of iterations.
at_count(path, n) = number(paper, path, row_at(paper, path, n), 0)
slope(path, n, m) = log(at_count(path, m) / at_count(path, n)) / log(real(m) / n)

eval canvas(1300, 520)
set multiplot
set logscale xy
set format "10^{%T}"
set mxtics 1
set mytics 1
set xrange [0.8:1250]
set xtics 10
set xlabel "iterations"
eval key_at(0.35, 0.975, "center top vertical maxrows 1", "samplen 3")

do for [p=1:2] {
  eval panel(0.06 + 0.33 * (p - 1), 0.32 + 0.33 * (p - 1), 0.16, 0.83)
  set title fold((p == 1 ? "(a) strain energy, eqs. 11 to 14" : "(b) volume energy, eqs. 18 to 20"))
  set ylabel (p == 1 ? "energy [J]" : "")
  set yrange [(p == 1 ? 1e3 : 1):(p == 1 ? 3e6 : 1e10)]
  guide(x) = (p == 1 ? 1e6 : 3e7) / x
  path = p == 1 ? "convergence/energy/stretch" : "convergence/energy/volume"
  set label 1 "slope −1" at (p == 1 ? 12 : 60), guide(p == 1 ? 12 : 60) offset 1, 0.5 left tc rgb "#666666"
  set label 2 "the held bar, closed form" at 1.1, level(p) offset 0, -1.2 left tc rgb "#666666"
  set label 3 sprintf("jacobi-published: slope %.2f from 10 to 100,\n%.2f from 100 to 1000 iterations", \
    slope(path, 10, 100), slope(path, 100, 1000)) at graph 0.98, graph 0.95 right font letters_9
  energies = p == 1 ? "convergence/energy/stretch convergence/energy/section convergence/energy/taper" : path
  plot guide(x) with lines lc rgb "#999999" lw 1 dt solid notitle, \
    level(p) with lines ls 9 notitle, \
    for [m=1:3] series(run_of(m), energies) using 1:(p == 1 ? $2 + $3 + $4 : $2) \
      with linespoints ls style_of(m) title (p == 1 ? word(methods, m) : "")
  unset label 1000
}

# Green is the published solver's color: the darker, the larger beta.
beta(b) = word("0.25 0.5 1 1.5", b)
run_at(b) = paper . (b == 3 ? "" : "-" . beta(b))
shade(b) = word("#A8DDC8 #5DBE97 #009E73 #003D2C", b)
unset label 2
unset label 3
eval panel(0.72, 0.98, 0.16, 0.83)
set title fold("(c) jacobi-published over its relaxation β")
set key at graph 0.97, graph 0.97 right top vertical maxrows 4 samplen 2
set ylabel "energy [J]"
set yrange [1:1e8]
set label 1 "strain" at 1.2, 8e3 left tc rgb "#000000"
set label 2 "volume" at 1.2, 1.5e6 left tc rgb "#000000"
plot for [b=1:4] series(run_at(b), "convergence/energy/stretch convergence/energy/section convergence/energy/taper") \
    using 1:($2 + $3 + $4) with lines lw 1.6 lc rgb shade(b) title "β = " . beta(b), \
  for [b=1:4] series(run_at(b), "convergence/energy/volume") using 1:2 with lines lw 1.6 dt 2 lc rgb shade(b) notitle
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# Finite elements of the reference neohookean: a pulled cube, a cantilever under refinement, and how
# Newton's method ends.
#
#: values runs/* topology/poisson
#: values runs/five.*,six.*,quadratic.* topology/rest_position frames/position[100%,2] reaction/force[1,2]
#: series runs/stretch.* frames/position[100%,1]
#: series runs/stretch.* reaction/force[0,0]
#: series runs/stretch.* newton_residuals[0] newton_residuals[1]
#: series runs/stretch.* newton_residuals[1] newton_residuals[2]

young = 1e6
nu_of(r) = number(r, "topology/poisson", 0, 0)

# The pulled cube: the root of its equilibrium by bisection.
mu(n) = 2.0 / 3 * young / (1 + n)
la(n) = young * n / ((1 + n) * (1 - 2 * n)) + 5.0 / 8 * mu(n)
side(n, e, t) = mu(n) * (1 - 1 / (e**2 + 2 * t**2 + 1)) + (la(n) * (e * t**2 - 1) - 0.75 * mu(n)) * e
root(n, e, a, b, k) = k == 0 ? (a + b) / 2 : side(n, e, (a + b) / 2) > 0 \
  ? root(n, e, a, (a + b) / 2, k - 1) : root(n, e, (a + b) / 2, b, k - 1)
width(n, e) = root(n, e, 0.01, 3, 40)
stress(n, e, t) = mu(n) * (1 - 1 / (e**2 + 2 * t**2 + 1)) * e + (la(n) * (e * t**2 - 1) - 0.75 * mu(n)) * t**2

# Names of the runs of a kind, in their order.
of_kind(head, i) = i > n_runs ? "" : \
  (run(i)[1:strlen(head)] eq head ? run(i) . " " : "") . of_kind(head, i + 1)
pulled = of_kind("stretch.", 1)
array nu[words(pulled)]
do for [i=1:words(pulled)] { nu[i] = nu_of(word(pulled, i)) }
beams = "five.nu30 six.nu30 quadratic.nu30 five.nu49 six.nu49 quadratic.nu49"

# Stiffness of each beam over Timoshenko's: cells across, signed error.
shear(n) = 10 * (1 + n) / (12 + 11 * n)
softness(n, l) = l**3 * 4 / young + l * 2 * (1 + n) / (shear(n) * young)
set print $beams
do for [b=1:words(beams)] {
  of = of_kind(word(beams, b) . ".", 1)
  do for [k=1:words(of)] {
    r = word(of, k)
    l = number(r, "topology/rest_position", -1, 0)
    push = number(r, "frames/position[100%,2]", -1, 0) - 1
    stiffness = number(r, "reaction/force[1,2]", -1, 0) / push
    cells = real(r[strstrt(r, ".n") + strlen(".nuXX.n"):])
    print sprintf("%g %.10g", cells, stiffness * softness(nu_of(r), l) - 1)
  }
  print ""; print ""
}
unset print

eval canvas(900, 760)
set multiplot

eval panel(0.08, 0.48, 0.59, 0.94)
set title fold("(a) width of a cube pushed or pulled along x")
set xlabel "stretch"
set ylabel "lateral stretch"
set key inside right top reverse Left
set xrange [0.4:2.6]
# The hand pushes for 5 s, then pulls.
stretch_at(t) = t <= 5 ? 1 - 0.1 * t : 0.5 + 0.1 * (t - 5)
nu_label(i) = sprintf("ν = %g", nu[i])
plot for [i=1:words(pulled)] width(nu[i], x) ls 9 title i == 1 ? "root" : "", \
  for [i=1:words(pulled)] series(word(pulled, i), "frames/position[100%,1]") \
    using (stretch_at($1)):2 with points ls i title nu_label(i)
unset label 1000

eval panel(0.58, 0.98, 0.59, 0.94)
set title fold("(b) the force it takes")
set ylabel "nominal stress [MPa]"
set key inside right bottom reverse Left
force(n, e) = stress(n, e, width(n, e)) / 1e6
plot for [i=1:words(pulled)] force(nu[i], x) ls 9 title i == 1 ? "root" : "", \
  for [i=1:words(pulled)] series(word(pulled, i), "reaction/force[0,0]") \
    using (stretch_at($1)):($2 / 1e6) with points ls i title nu_label(i)

eval panel(0.08, 0.48, 0.10, 0.45)
set title fold("(c) cantilever: stiffness against Timoshenko's")
set xlabel "cells across"
set ylabel "|relative error|"
set logscale xy
set format y "10^{%T}"
set xrange [1.6:16]
set xtics (2, 4, 8, 12)
set yrange [3e-4:300]
set ytics 10
set key inside right top reverse Left spacing 0.9 maxrows 4 samplen 2 font letters_8 width -1
set object 2 rectangle from graph 0, first 3e-4 to graph 1, first 3e-3 behind fs solid noborder fc rgb "#EAEAEA"
set label 2 "gray: what Timoshenko's beam\nis itself off, where errors end" at graph 0.98, first 1.4e-3 right font letters_8
beam_label(b) = sprintf("%s, ν = %s", word("'5 linear' '6 linear' '6 quadratic'", (b - 1) % 3 + 1), b > 3 ? "0.49" : "0.3")
plot 0.4457 * (2 / x)**2 ls 9 title "second order", \
  for [b=1:6] $beams index b - 1 using 1:(abs($2)) with linespoints ls b title beam_label(b)

eval panel(0.58, 0.98, 0.10, 0.45)
set title fold("(d) Newton's method: the residuals of a step")
set xlabel "relative residual of an iteration"
set ylabel "of the next"
set format x "10^{%T}"
set xtics auto
set ytics auto
set mxtics 1
set xrange [1e-9:1]
set yrange [1e-17:1]
unset label 2
unset object 2
set key inside left top reverse Left spacing 1.15 maxrows auto samplen 3 font letters_11 width 0
plot x**2 ls 9 title "square", \
  for [i=1:words(pulled)] series(word(pulled, i), "newton_residuals[0] newton_residuals[1]") \
    using ($2 > 0 ? $2 : NaN):($3 > 0 ? $3 : NaN) with points ls i title nu_label(i), \
  for [i=1:words(pulled)] series(word(pulled, i), "newton_residuals[1] newton_residuals[2]") \
    using ($2 > 0 ? $2 : NaN):($3 > 0 ? $3 : NaN) with points ls i notitle
unset multiplot

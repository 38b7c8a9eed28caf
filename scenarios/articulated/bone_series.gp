# SPDX-License-Identifier: GPL-3.0-or-later
# Flesh, a bone, flesh, pulled: what the projection makes of the traction, and how it comes to rest.
#
#: series runs/* reaction/force[0,0]
#: values runs/* topology/young reaction/force[0,0]

eval canvas(900, 430)
set multiplot
traction(e) = e * 0.04 * 0.12 / 0.8
is_of(r, what) = r[1:strlen(what)] eq what
# The second moment of the bone and of the flesh lumped at its faces.
second = 16 * 0.4**2 / 12 + 2 * (1000 * 0.04 * 0.4 / 4 / 2) * 0.2**2
published(x, h) = 1 / (1 + h**2 * x * 0.04 * 0.4**2 / (0.8 * second))
set print $share
do for [i=1:n_runs] {
  e = number(run(i), "topology/young", 0, 0)
  print sprintf("%g %.10g %d %d", e, number(run(i), "reaction/force[0,0]", -1, 0) / traction(e), \
    is_of(run(i), "published"), strstrt(run(i), "h120") > 0)
}
unset print

eval panel(0.10, 0.48, 0.2, 0.88)
set title fold("(a) at rest, over Young's modulus")
set ylabel "traction over E A {/Symbol d}/L [1]"
set xlabel "Young's modulus [Pa]"
set logscale x
set xrange [3e3:1e6]
set yrange [0:1.65]
set format x "10^{%T}"
set key inside right top reverse Left spacing 1.1 samplen 2
has_fine = 0
do for [i=1:n_runs] { if (strstrt(run(i), "h120") > 0) { has_fine = 1 } }
plot 1 ls 9 notitle, published(x, 1 / 30.0) ls 9 title "1/(1 + h^2 E A L_b^2/(L_f Σ))", \
  has_fine ? published(x, 1 / 120.0) : NaN ls 9 dt 3 notitle, \
  $share using ($3 == 0 ? $1 : NaN):2 with points ls 1 ps 1.5 title "consistent", \
  $share using ($3 == 1 ? $1 : NaN):2 with points ls 2 ps 1.5 title "published"

eval panel(0.58, 0.97, 0.2, 0.88)
set title fold("(b) coming to rest, E = 5·10^4 Pa, h = 1/30 s")
set xlabel "time [s]"
unset logscale x
set format x "%g"
set xrange [0:3]
set yrange [0:1.5]
set key inside right top
plot for [w in "consistent published"] series(w . ".E50000.h30", "reaction/force[0,0]") \
  using 1:($2 / traction(5e4)) with lines ls (w eq "published" ? 2 : 1) lw 2 title w
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# How far the tip of the falling rod is from where steps solved to rounding have it, over sweeps, for each Poisson's ratio: both
# material models by both methods.
#
#: values runs/* frames/position[frame=-1]

nus = "0.3 0.49"
models = "published solid"
methods = "xpbd block-descent"
sweeps = "10 100 1000"
nodes_of(r) = names(r, "frames/position[frame=-1]")
last_of(list) = real(word(list, words(list))) # z of the last node
tip(r) = last_of(nodes_of(r))
name_of(model, nu, method, n) = sprintf("%s.nu%s.%s.%s", model, nu, method, n)
distance(model, nu, method, n) = abs(tip(name_of(model, nu, method, n)) - tip(name_of(model, nu, "direct", "60")))

set print $tips
do for [u=1:2] {
  do for [m=1:2] {
    do for [k=1:2] {
      do for [i=1:3] {
        n = word(sweeps, i)
        print sprintf("%s %.9g", n, distance(word(models, m), word(nus, u), word(methods, k), n))
      }
      print ""; print ""
    }
  }
}
unset print

eval canvas(1000, 440)
set multiplot
set logscale xy
set xrange [7:1500]
set yrange [1e-4:2]
set format y "10^{%L}"
set xlabel "sweeps per step of 1/60 s"
set key inside left bottom reverse Left samplen 2 font own_9
do for [u=1:2] {
  eval u == 1 ? panel(0.08, 0.48, 0.16, 0.88) : panel(0.57, 0.97, 0.16, 0.88)
  set title fold(sprintf("(%s) ν = %s", u == 1 ? "a" : "b", word(nus, u)))
  set ylabel "distance of the tip after 0.6 s [m]"
  plot 0.01 ls 9 title "1 % of the length", for [m=1:2] for [k=1:2] $tips index 4 * (u - 1) + 2 * (m - 1) + k - 1 using 1:2 \
    with linespoints ls k pt (m == 1 ? 6 : 7) ps (m == 1 ? 1.6 : 1) title word(models, m) . ", " . word(methods, k)
}
unset multiplot

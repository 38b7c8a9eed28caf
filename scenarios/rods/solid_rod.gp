# SPDX-License-Identifier: GPL-3.0-or-later
# What resists bending, shear and torsion, of both material models over that of a solid rod by theory; and the tip of a falling
# rod by each method.
#
#: values runs/solid.bent*,solid.short*,solid.turned*,published.bent*,published.short*,published.turned* gates/value gates/reference
#: series runs/falling* frames/position[8,2]

loads = "bent short turned"
array load_title[3] = ["bending", "short beam (4 r)", "torsion"]
nus = "0 0.3 0.49"
name(model, l, nu) = sprintf("%s.%s.nu%s", model, word(loads, l), word(nus, nu))
measured(model, l, nu) = number(name(model, l, nu), "gates/value", 0, 0)
theory(l, nu) = number(name("solid", l, nu), "gates/reference", 0, 0)
# The same force bends both models, the same angle turns them.
ratio(model, l, nu) = l == 3 ? measured(model, l, nu) / theory(l, nu) : theory(l, nu) / measured(model, l, nu)

set print $stiffness
do for [m=1:2] {
  do for [l=1:3] {
    do for [nu=1:3] {
      print sprintf("%s %.9g", word(nus, nu), ratio(word("solid published", m), l, nu))
    }
    print ""; print ""
  }
}
unset print

eval canvas(1000, 440)
set multiplot
eval panel(0.08, 0.47, 0.16, 0.88)
set title fold("(a) stiffness over that of a solid rod by theory")
set xlabel "Poisson's ratio"
set xrange [-0.03:0.52]
set logscale y
set yrange [0.5:2000]
set key inside left top reverse Left samplen 2 font own_9
plot 1 ls 9 title "theory", \
  for [l=1:3] $stiffness index l + 2 using 1:2 with linespoints ls l pt 6 title "published, " . load_title[l], \
  for [l=1:3] $stiffness index l - 1 using 1:2 with points ls l pt 7 ps 1.4 - 0.3 * l title "solid, " . load_title[l]
unset label 1000
unset logscale
eval panel(0.58, 0.97, 0.16, 0.88)
set title fold("(b) tip of a falling rod, solid, ν = 0.49")
set xlabel "time [s]"
set ylabel "height [m]"
set xrange [0:0.2]
set autoscale y
set key inside left bottom reverse Left samplen 2 font own_9
methods = "direct xpbd block-descent"
plot for [m=1:3] series("falling." . word(methods, m), "frames/position[8,2]") using 1:2 with lines ls m lw 5 - 1.5 * m \
  title word(methods, m)
unset multiplot

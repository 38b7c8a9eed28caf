# SPDX-License-Identifier: GPL-3.0-or-later
# How far the wing's tip is from Euler's solution after two seconds, over the number of steps.
#
#: values runs/* frames/position[frame=-1]
#: values runs/bdf2.4000 gates/reference

arm = sqrt((0.005 * cos(pi / 6))**2 + (0.0025 * sin(pi / 6))**2) # m
place(r, c) = number(r, "frames/position[frame=-1]", 2, c)
exact(c) = number("bdf2.4000", "gates/reference", c, 0)
off(r) = sqrt(sum [c=0:2] ((place(r, c) - exact(c))**2)) / arm
size_of(r) = real(r[strstrt(r, ".") + 1:*])

array list[2] = ["bdf2", "euler"]
set print $errors
do for [m=1:2] {
  do for [n in "1000 2000 4000"] {
    print sprintf("%s %.9g", n, off(list[m] . "." . n))
  }
  print ""; print ""
}
unset print

eval canvas(620, 480)
eval panel(0.16, 0.95, 0.14, 0.90)
set title fold("a free top after 2 s")
set logscale xy
set format y "10^{%T}"
set xlabel "steps in 2 s"
set ylabel "error of the tip over its arm"
set xrange [800:5000]
set xtics 1000, 2
set mxtics 1
set yrange [1e-8:1e3]
set key inside right top samplen 2 font own_9
plot off("bdf2.1000") * (1000 / x)**2 ls 9 title "orders 1 and 2", off("euler.1000") * 1000 / x ls 9 notitle, \
  $errors index 0 using 1:2 with points ls 1 pt 7 title "bdf2", $errors index 1 using 1:2 with points ls 2 pt 5 title "euler", \
  "+" using (2000):(off("published")) every ::0::0 with points ls 3 pt 9 title "bdf2, without gyroscope"

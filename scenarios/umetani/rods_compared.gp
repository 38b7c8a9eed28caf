# SPDX-License-Identifier: GPL-3.0-or-later
# Errors of rods by solver over sweeps and time, and their stiffness over iterations and step. Lines are iterations in one
# substep, points alone the same sweeps divided among substeps.
#
#: values runs/bend.* frames/position[15,2] timing/step
#: values runs/twist.* reaction/torque[0,0] timing/step
#: values runs/hair.* frames/position[frame=-1] timing/step
#: values . gates/name gates/reference

kinds = "pbd xpbd viper-xpbd block-descent direct bergou"
kind_name(k) = part_of("umetani, pbd|umetani, xpbd|viper, xpbd|viper, block-descent|viper, direct|bergou", k)
counts = "1 3 10 30 100"
run_of(c, k, n) = sprintf("%s.%s.n%s", c, word(kinds, k), n)
recorded(r) = place_of(r, runs) > 0
# The closed form of a case, as its gates have it.
goal(c) = real(word(names(".", "gates/reference"), place_of(c . " by direct.n10", names(".", "gates/name"))))
last(r, path) = number(r, path, -1, 0)
# Distance of the nodes of two runs, root mean square [m]; the hair is 0.2 m long.
square(p, q) = sum [i=1:words(p)] ((real(word(p, i)) - real(word(q, i)))**2)
apart(r, q) = sqrt(square(names(r, "frames/position[frame=-1]"), names(q, "frames/position[frame=-1]")) \
  / rows(r, "frames/position[frame=-1]"))
point(r, i, c) = real(word(names(r, "frames/position[frame=-1]"), 3 * i + c))
height(r) = sqrt((point(r, 30, 1) - point(r, 0, 1))**2 + (point(r, 30, 2) - point(r, 0, 2))**2 \
  + (point(r, 30, 3) - point(r, 0, 3))**2)
# Relative error of a run of a case.
error_of(c, r) = c eq "hair" ? apart(r, run_of(c, 5, "10")) / 0.2 \
  : c eq "bend" ? abs(last(r, "frames/position[15,2]") / goal(c) - 1) \
  : c eq "twist" ? abs(last(r, "reaction/torque[0,0]") / goal(c) - 1) : abs(height(r) / 0.5 - 1)
# The mean time of a step [ms].
time_of(r) = 1e3 * mean(r, "timing/step")
# Sweeps divided: iterations and substeps, as names of runs have them.
divisions = "3-s10 10-s3 1-s30 10-s10 1-s100"
sweeps_of(d) = real(d[1:strstrt(d, "-") - 1]) * real(d[strstrt(d, "s") + 1:*])
floor_of(e) = e > 1e-5 ? e : 1e-5

cases = "bend twist hair"
set print $work
do for [c in cases] {
  do for [k=1:6] {
    do for [n in counts] {
      r = run_of(c, k, n)
      if (recorded(r) && !(c eq "hair" && k == 5 && n eq "10")) {
        print sprintf("%s %.9g %.9g", n, floor_of(error_of(c, r)), time_of(r))
      }
    }
    print ""; print ""
  }
}
unset print
set print $divided
do for [c in cases] {
  do for [k=1:6] {
    print "nan nan nan"
    do for [d in divisions] {
      r = run_of(c, k, d)
      if (recorded(r) && error_of(c, r) < 30) {
        print sprintf("%g %.9g %.9g", sweeps_of(d), floor_of(error_of(c, r)), time_of(r))
      }
    }
    print ""; print ""
  }
}
unset print
stiffness(r) = goal("bend") / last(r, "frames/position[15,2]")
set print $stiffness
do for [k=1:6] {
  do for [n in counts] {
    if (recorded(run_of("bend", k, n))) { print sprintf("%s %.9g", n, stiffness(run_of("bend", k, n))) }
  }
  print ""; print ""
}
do for [k=1:6] {
  do for [rate in "30 60 120 240"] {
    r = run_of("bend", k, "10") . (rate eq "60" ? "" : "-h" . rate)
    print sprintf("%s %.9g", rate, stiffness(r))
  }
  print ""; print ""
}
unset print

eval canvas(1400, 760)
set multiplot
set logscale xy
set format y "10^{%T}"
left(c) = 0.065 + 0.235 * (c - 1)
do for [row=1:2] {
  do for [c=1:4] {
    eval panel(left(c) + (c == 4 ? 0.035 : 0), left(c) + 0.205 + (c == 4 ? 0.02 : 0), row == 1 ? 0.565 : 0.1, \
      row == 1 ? 0.87 : 0.405)
    set title fold(part_of("(a) a bent rod|(b) a twisted rod|(c) hair|(d) stiffness of the bent rod|(e) a bent rod|(f) a twisted rod" \
      . "|(g) hair|(h) stiffness of the bent rod", 4 * row + c - 4))
    set ylabel (c == 1 ? "relative error" : c == 4 ? "over the material's" : "")
    set xlabel (row == 1 ? "sweeps of a step" : c == 4 ? "steps of ten iterations a second [Hz]" : "time of a step, mean [ms]")
    set xrange [(row == 1 ? 0.8 : c == 4 ? 25 : 0.003):(row == 1 ? 130 : c == 4 ? 300 : 5)]
    set yrange [(c == 4 ? 0.01 : 6e-6):30]
    if (row == 1 && c == 1) { eval key_at(0.5, 0.985, "center top maxrows 2", "") } else { unset key }
    if (c < 4) {
      plot for [k=1:6] $work index 6 * (c - 1) + k - 1 using (row == 1 ? $1 : $3):2 with linespoints ls k title kind_name(k), \
        for [k=1:6] $divided index 6 * (c - 1) + k - 1 using (row == 1 ? $1 : $3):2 with points ls k ps 1.6 lw 2.4 notitle, \
        1/0 with points ls 8 ps 1.6 lw 2.4 title "divided among substeps"
    } else {
      plot 1 ls 9 notitle, for [k=1:6] $stiffness index 6 * (row - 1) + k - 1 using 1:2 with linespoints ls k notitle
    }
    unset label 1000
  }
}
unset multiplot

# SPDX-License-Identifier: GPL-3.0-or-later
# The page about rods by position-based solvers and others: when they are good enough. What is printed is Markdown.
#
#: values runs/bend.* frames/position[15,2] timing/step
#: values runs/twist.* reaction/torque[0,0] timing/step
#: values runs/recovery.*,hair.* frames/position[frame=-1] timing/step
#: values runs/coil.* ribbon/linking ribbon/writhe timing/step
#: values . gates/runs gates/reference

kinds = "pbd xpbd viper-xpbd block-descent direct bergou"
kind_name(k) = part_of("umetani, pbd|umetani, xpbd|viper, xpbd|viper, block-descent|viper, direct|bergou", k)
counts = "1 3 10 30 100"
run_of(c, k, n) = sprintf("%s.%s.n%s", c, word(kinds, k), n)
recorded(r) = place_of(r, runs) > 0
# The closed form of a case, as its gates have it.
goal(c) = real(word(names(".", "gates/reference"), place_of(run_of(c, 5, "10"), names(".", "gates/runs"))))
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
mean(list) = 1e3 * (sum [i=1:words(list)] real(word(list, i))) / words(list)
time_of(r) = mean(names(r, "timing/step"))
cell(c, k, n) = !recorded(run_of(c, k, n)) ? "–" \
  : c eq "hair" && k == 5 && n eq "10" ? "the reference" \
  : (error_of(c, run_of(c, k, n)) > 100 ? "diverges" : sprintf("%.1e", error_of(c, run_of(c, k, n)))) \
  . sprintf(" (%.3f ms)", time_of(run_of(c, k, n)))
# The fewest of the iterations that come within a part of the answer, with the time of a step; "none".
enough(c, k, part) = enough_from(c, k, part, 1)
enough_from(c, k, part, i) = i > words(counts) ? "none" \
  : recorded(run_of(c, k, word(counts, i))) && error_of(c, run_of(c, k, word(counts, i))) <= part \
  ? sprintf("%s (%.3f ms)", word(counts, i), time_of(run_of(c, k, word(counts, i)))) : enough_from(c, k, part, i + 1)
stiffness(r) = goal("bend") / last(r, "frames/position[15,2]")

print "# Rods by position-based solvers and others"
print ""
print "Written by " . as_code("viperbench run rods_compared") . " and " . as_code("viperbench plot rods_compared") . " from recorded runs. Times are"
print "means over the steps of one run on one thread: good for a factor, not for a percent."
print ""
print "![rods_compared](rods_compared.svg)"
print ""
print "## Errors"
print ""
print "Relative error against the closed form of the discrete rod (bend, twist, recovery), or root mean square distance from"
print "viper's direct method over the length of a strand (hair); in parentheses the time of a step."
do for [c in "bend twist recovery hair"] {
  print ""
  print "| " . c . " | 1 | 3 | 10 | 30 | 100 iterations |"
  print "|---|---|---|---|---|---|"
  do for [k=1:6] {
    line = "| " . kind_name(k) . " |"
    do for [n in counts] { line = line . " " . cell(c, k, n) . " |" }
    print line
  }
}
print ""
print "## Six turns"
print ""
print "A straight rod of 60 edges is turned six times while its ends come nearer; writhe + twist is six turns if none is"
print "lost. Ten iterations in steps of 1/200 s. Scales are held: viper's rods whose scales are free, of a material that has no"
print "stiffness against changes of scale, get thin in one place and lose turns there."
print ""
print "| | writhe + twist | writhe | a step |"
print "|---|---|---|---|"
do for [k=1:5] {
  r = run_of("coil", k, "10")
  print sprintf("| %s | %.3f | %.3f | %.3f ms |", kind_name(k), last(r, "ribbon/linking"), last(r, "ribbon/writhe"), time_of(r))
}
print ""
print "## When position-based rods are good enough"
print ""
pbd = stiffness(run_of("bend", 1, "10"))
print sprintf("- **pbd, never as a material.** Its bending stiffness after 10 iterations of 1/60 s is %.2f of the material's, after 100", pbd)
print sprintf("  iterations %.2f; in steps of 1/30 s %.2f, of 1/240 s %.2f. It is that of iterations n, step h, edges l and masses m,", \
  stiffness(run_of("bend", 1, "100")), stiffness(run_of("bend", 1, "10") . "-h30"), stiffness(run_of("bend", 1, "10") . "-h240"))
print sprintf("  n m l^3/(3 h^2), and meets this material by chance at some %.0f iterations. Its torque after 10 iterations is %.2f of", \
  10 / pbd, last(run_of("twist", 1, "10"), "reaction/torque[0,0]") / goal("twist"))
print "  the material's: bending and twist meet theirs at different counts. Good enough where a shape is to come back and nobody"
print "  asks how hard it resists, and step, edges and iterations are chosen once and kept."
print "- **xpbd, where its iterations are at least twice R = 6 K h^2/(m l^3), and at least ten**, K the bending stiffness, m the mass of"
print "  a node: its rod is then 2 % too soft or less (study umetani_xpbd: 0.2 % at R = 5 with ten iterations; but 25 % at R = 0.5"
print "  with a single one). Here R is 51 in bend and 660 in hair,"
print "  so that ten iterations of hair are those of pbd. The fewest iterations, of 1, 3, 10, 30, 100, within an error:"
print ""
print "| | bend, 10 % | bend, 3 % | twist, 10 % | twist, 3 % | hair, 10 % | hair, 3 % |"
print "|---|---|---|---|---|---|---|"
do for [k=1:6] {
  line = "| " . kind_name(k) . " |"
  do for [c in "bend twist hair"] { line = line . " " . enough(c, k, 0.1) . " | " . enough(c, k, 0.03) . " |" }
  print line
}
print ""
print "- **block-descent** comes to rest in the answer however few its iterations are, since it begins each step where the last ended;"
print "  they tell how fast. xpbd does not, since its multipliers begin at 0 in each step."
print "- **A direct method** comes within these errors in the iterations and the time of its line. Where that time is less, there is"
print "  no reason for a position-based rod but contact: its iterations take contacts in their stride."
print "- **Under twist** xpbd keeps the turns that pbd lets slip: a projection turns a joint back by the sine of its angle, so half a"
print "  turn is no wall, and a soft rod gets there."

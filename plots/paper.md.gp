# SPDX-License-Identifier: GPL-3.0-or-later
# The page about the paper's figures: what is seen, with the numbers. What is printed is Markdown.
#
#: picture paper paper_muscles stretch_bars shockwave octopus_skins stretch_convergence stretch_convergence_residual bergou pinched fem_band shape_matching muscle_contraction viperized arm_flexion pectoral leg
#: values . gates/name gates/runs gates/value gates/passed gates/finding gates/reference gates/tolerance gates/comparator
#: values runs/stretch_bars-n32 topology/body_name gates/value gates/reference stretch_error/rms_by_body[2]
#: values runs/stretch_bars-clamped,stretch_bars-clamped-published frames/scale[50%] gates/value gates/reference
#: values runs/stretch_bars-published-* volume_error/rms stretch_error/rms
#: values runs/octopus_skins-crowd topology/body topology/segment topology/rest_position topology/rest_radius topology/rest_length timing/step
#: values runs/stretch_convergence-*-both,stretch_convergence-*-both-* convergence/energy/stretch convergence/energy/volume
#: values runs/last:fem_band-fem*,last:fem_band-rods*,last:fem_band-usual*,last:fem_band-published* reaction/torque[1,2] reaction/force[1,2]
#: values runs/stretch_bars-n32 volume_error/rms_by_body[0] volume_error/rms_by_body[1] volume_error/rms_by_body[2]
#: values runs/stretch_bars-n32 volume_error/rms_by_body[3] volume_error/rms_by_body[4] volume_error/rms_by_body[5]
#: values runs/shockwave-pulse topology/stiffness topology/volume_stiffness topology/density frames/scale[0]
#: values runs/shockwave-pulse-published frames/scale[50%]
#: values runs/octopus_skins-published penetration volume_error/rms
#: values runs/muscle_contraction-* enclosed_volume
#: values runs/viperized-* gates/value
#: values runs/pinched-viper,pinched-published,pinched-bergou gates/value gates/reference
#: values runs/bergou-pulse-viper topology/rest_position
#: values runs/bergou-pulse-viper,bergou-pulse-bergou frames/scale[0] frames/scale[50%] frames/scale[75%]
#: values runs/bergou-ripple-viper gates/value gates/reference
#: values runs/stretch_convergence-* convergence/residual
#: values runs/bergou-packet-viper,bergou-packet-bergou,bergou-packet-feedback gates/value gates/row topology/rest_position
#: values runs/bergou-stretch-viper,bergou-stretch-bergou gates/value volume_error/rms
#: values runs/bergou-pinch-viper,bergou-pinch-bergou frames/scale[50%]

bars = "stretch_bars-n32"
picture(name) = there(name) ? sprintf("![%s](%s.svg)", name, name) \
  : sprintf("(The picture of the study %s is not here.)", name)
own(path) = names(".", path)
last(r, path) = number(r, path, -1, 0)
# A series' value at the last row up to a time.
at_time(r, path, t) = number(r, path, row_at(r, path, t), 0)
most(r, path) = number(r, path, largest(r, path, -1), 0)
gate(r, i) = number(r, "gates/value", i, 0)
wanted(r, i) = number(r, "gates/reference", i, 0)

print "# The paper's figures"
print ""
print 'Angles et al. 2019, *VIPER: Volume Invariant Position-based Elastic Rods*. Written by ' . as_code("viperbench run paper")
print 'and ' . as_code("viperbench plot paper") . ' from recorded runs; the numbers are read from them.'
print ""
print picture("paper")
print ""
print picture("paper_muscles")
print ""
passed = own("gates/passed")
n_passed = 0
do for [i=1:words(passed)] { n_passed = n_passed + (word(passed, i) > 0) }
findings = own("gates/finding")
n_findings = 0
do for [i=1:words(passed)] { n_findings = n_findings + (word(passed, i) < 1 && word(findings, i) > 0) }
print sprintf("%d of %d gates of the studies behind these figures passed; %d of the others are findings", \
  n_passed, words(passed), n_findings)
print sprintf("about the model, the paper's claims or the published solver, %d are failures.", words(passed) - n_passed - n_findings)

print ""
print "## At a glance"
print ""
print "The paper's claims are in our words. The last column is the command that makes the numbers."
print ""
print "| figure | the paper | here | verdict | command |"
print "|---|---|---|---|---|"
entry(figure, claim, ours, verdict, study) = sprintf("| %s | %s | %s | %s | %s |", figure, claim, ours, verdict, \
  as_code("viperbench run " . study))
published = "stretch_bars-published-300"
at_value(r, path, t) = number(r, path, row_at(r, path, t), 0)
print entry("5", "bars get thinner as they are stretched, thicker as they are compressed, more so where volume is stiffer", \
  sprintf("between ends that keep their section the middle of the bar of kv = 50 kz has the scale %.3f stretched to 2 and %.3f compressed to 0.7; volume alone asks for %.3f and %.3f; the published solver comes to %.3f and %.3f in 100 iterations", \
    number("stretch_bars-clamped", "gates/value", 2, 0), number("stretch_bars-clamped", "gates/value", 3, 0), 1 / sqrt(2), 1 / sqrt(0.7), \
    number("stretch_bars-clamped-published", "gates/value", 2, 0), number("stretch_bars-clamped-published", "gates/value", 3, 0)), \
  "agrees where converged", "stretch_bars")
print entry("6", "a disturbance of the radius runs along a rod", \
  sprintf("a crest of the scale of %.3f passes the middle; with the published solver (30 iterations, relaxation 0.5) none: most there is %.3f", \
    most("bergou-pulse-viper", "frames/scale[50%]"), most("shockwave-pulse-published", "frames/scale[50%]")), \
  "agrees; the published solver, whose inertia is multiplied, is slower, and with a relaxation of 1 a scale comes to 0", "shockwave")
crowd = "octopus_skins-crowd"
bodies = names(crowd, "topology/body")
n_octopuses = int(real(word(bodies, words(bodies)))) + 1
n_pills = int(rows(crowd, "topology/segment"))
step_s = names(crowd, "timing/step")
print entry("7", "100 octopuses of 37 pills with skins of 13 000 faces: 7 ms of simulation and 6 ms of rendering a frame on a GTX 1080; no count of iterations is printed", \
  sprintf("%d octopuses, %d pills each, %s, %d degrees of freedom: %.1f ms a step of 4 substeps of 10 sweeps on this machine's CPU, skins moved in recorded frames alone", \
    n_octopuses, n_pills / n_octopuses, label_of(place_of(crowd, runs)), \
    4 * rows(crowd, "topology/rest_position") + 3 * n_pills, \
    1e3 * (sum [i=1:words(step_s)] real(word(step_s, i))) / words(step_s)) \
  . sprintf("; the published solver in as many iterations leaves a penetration of %.3f m and a volume error of %.2f", \
    last("octopus_skins-published", "penetration"), last("octopus_skins-published", "volume_error/rms")), \
  "not the same machine, nor known to be the same work; speed alone is measured by " . as_code("viperbench bench contact_crowd"), "octopus_skins")
if (strstrt(runs, "fem_band-")) {
  finest_from(head, i) = i < 1 ? "" : strstrt(run(i), head) == 1 ? run(i) : finest_from(head, i - 1)
  finest(kind) = finest_from("fem_band-" . kind, n_runs)
  over(kind, path) = last(finest(kind), path) / last(finest("fem"), path)
  print entry("8, 16", "bundled rods correspond closely to finite elements as a band is stretched and twisted", \
    sprintf("twisted, %.1f times the torque and %.2f times the force of the finite elements; %.1f and %.2f times where nothing is fitted, and there %.1f and %.2f times with the published solver", \
      over("rods", "reaction/torque[1,2]"), over("rods", "reaction/force[1,2]"), \
      over("usual", "reaction/torque[1,2]"), over("usual", "reaction/force[1,2]"), \
      over("published", "reaction/torque[1,2]"), over("published", "reaction/force[1,2]")), \
    "agrees in shape while stretched; differs in twist: the rods of a bundle keep one frame across the band, so that slanting rods are sheared, which the vector form of eqs. 11 and 18 resists with kz + kv", "fem_band")
}
muscle(kind) = last("muscle_contraction-" . kind, "enclosed_volume") / number("muscle_contraction-" . kind, "enclosed_volume", 0, 0)
print entry("9", "shape matching without scale cannot follow a section that swells, with scale it can", \
  "a section of seven rods, turned and scaled by 1.5 and by 0.6, is matched with scale to rounding; without, it goes back to its size at rest, to rounding, too", \
  "agrees", "shape_matching")
print entry("10", "an excited muscle loses volume by plain shape matching, and keeps it where sections scale", \
  sprintf("shortened to 0.8 of its length, the skin holds %.3f of its volume with scale, %.3f without", muscle("scaled"), muscle("plain")), \
  "agrees; the rods, which may not swell, are pressed, and give way where they are pinned", "muscle_contraction")
print entry("11, 12", "a muscle's mesh becomes rods: a harmonic field, slices, evenly spread points, matched from slice to slice", \
  sprintf("distances of neighbors differ by %.1f, %.1f, %.1f and %.1f %% of their slice's mean at most (fusiform, pennate, tube, pectoral); slices are joined as by trying all ways, and no longer than %.3f times the best of 50 random beginnings", \
    100 * number("viperized-fusiform", "gates/value", 0, 0), 100 * number("viperized-pennate", "gates/value", 0, 0), \
    100 * number("viperized-tube", "gates/value", 0, 0), 100 * number("viperized-pectoral", "gates/value", 0, 0), \
    number("viperized-few", "gates/value", 4, 0)), \
  "agrees", "viperized")
print entry("13", "stretch and volume are violated little over a sequence of stretch and compression", \
  sprintf("bar of kv = 10 kz, stretched to 2: volume error %.3f converged, %.3f after 30 and %.3f after 300 iterations of the published solver", \
    at_value(bars, "volume_error/rms_by_body[2]", 2), at_value("stretch_bars-published-30", "volume_error/rms", 2), \
    at_value(published, "volume_error/rms", 2)), \
  "agrees where converged; the published solver's error is that of its iterations", "stretch_bars")
paper14 = "stretch_convergence-jacobi-published-both"
slope14(path) = log(at_value(paper14, path, 1000) / at_value(paper14, path, 10)) / log(100)
over14(beta) = last(paper14 . "-" . beta, "convergence/energy/stretch") \
  / last("stretch_convergence-direct-both", "convergence/energy/stretch")
print entry("14", "energies fall with slope one in log-log axes (called linear convergence), strain to the level of figure 13", \
  sprintf("published solver, 10 to 1000 iterations: slope %.2f (stretch) and %.2f (volume); stretch ends at %.2f times the converged energy", \
    slope14("convergence/energy/stretch"), slope14("convergence/energy/volume"), \
    last(paper14, "convergence/energy/stretch") / last("stretch_convergence-direct-both", "convergence/energy/stretch")) \
  . sprintf("; over a relaxation of 0.25, 0.5 and 1.5 that is %.2f, %.2f and %.2f times", over14("0.25"), over14("0.5"), over14("1.5")), \
  "a slope of one would be sublinear convergence; energies here do not follow one slope", "stretch_convergence")
fall(r) = number(r, "gates/value", 3, 0) / number(r, "gates/value", 1, 0)
print entry("15", "with a radius updated from the length, motion is significantly dampened", \
  sprintf("a packet of long waves falls to %.3f of its height between two stations with VIPER, to %.3f with the updated radius, and to %.3f where that enters the next step's stiffness", \
    fall("bergou-packet-viper"), fall("bergou-packet-bergou"), fall("bergou-packet-feedback")), \
  "differs: both lose what implicit Euler takes, and no more; but a pulse of the radius alone does not run at all, since nothing holds a radius", "bergou")
pinched(r, g) = number("pinched-" . r, "gates/value", g, 0)
print entry("15", "a rod is pinched between two surfaces", \
  sprintf("pressed to a scale of %.3f it is %.3f m long and pushes each plane with %.1f kN; a uniform rod: %.3f m, %.1f kN. The published solver: %.3f m, %.1f kN. A rod whose radius follows from its length has to be pulled, to %.3f m by %.2f kN", \
    pinched("viper", 0), pinched("viper", 1), pinched("viper", 2) / 1000, wanted("pinched-viper", 1), wanted("pinched-viper", 2) / 1000, \
    pinched("published", 1), pinched("published", 2) / 1000, pinched("bergou", 0)**-2, pinched("bergou", 1) / 1000), \
  "agrees: VIPER is pinched, an updated radius cannot be; forces of contact need iterations in proportion to stiffness over inertia", "pinched")
print ""
in_motion = "arm_flexion pectoral leg"
n_in_motion = there(word(in_motion, 1)) + there(word(in_motion, 2)) + there(word(in_motion, 3))
print (n_in_motion > 0 ? "" : "Figure 1, of a body in motion, has no study yet. ") . "Left unbuilt by choice:"
print ""
print "- splines: rods are polygons of segments;"
print "- sections that are not round: one isotropic scale per node;"
print "- wedges, the fat and skin layers, and implicit blends of surfaces;"
print "- interactive editing, and fitting of rods to muscle scans;"
print "- levels of detail."

print ""
print "## Figure 5: bars stretched and compressed"
print ""
print "Bars are pulled to twice their length and pressed to 0.7 of it. The larger the volume stiffness kv, the"
print "thinner they get as they are pulled and the thicker as they are pressed, toward the scale"
print "1/sqrt(stretch) of a constant volume. Each held scale is that of the closed form."
print ""
print "| bar | scale, stretched | closed form | scale, compressed | closed form |"
print "|---|---|---|---|---|"
bar_names = names(bars, "topology/body_name")
do for [b=1:4] {
  i = 2 * (b - 1)
  print sprintf("| %s | %.6f | %.6f | %.6f | %.6f |", word(bar_names, b), gate(bars, i), \
    wanted(bars, i), gate(bars, i + 1), wanted(bars, i + 1))
}
print sprintf("| constant volume | | %.6f | | %.6f |", 1 / sqrt(2), 1 / sqrt(0.7))
print ""
print picture("stretch_bars")

print ""
print "## Figure 6: a pulse of the radius"
print ""
r = "shockwave-pulse"
crest(r, scale) = number(r, scale, largest(r, scale, 0.015), -1)
# sqrt(kz'/rho), kz' the stiffness of a slow pull.
stiffness(r, i) = number(r, "topology/stiffness", 0, i)
pull(kx, ky, kz, kv) = kz + kv - 4 * kv ** 2 / (kx + ky + 4 * kv)
long_waves(r) = sqrt(pull(stiffness(r, 0), stiffness(r, 1), stiffness(r, 2), number(r, "topology/volume_stiffness", 0, 0)) \
  / number(r, "topology/density", 0, 0))
fine = "bergou-pulse-viper"
speed = 0.25 * number(fine, "topology/rest_position", -1, 2) \
  / (crest(fine, "frames/scale[75%]") - crest(fine, "frames/scale[50%]"))
print sprintf("A rod half again as thick at one end sends a wave along itself: a crest of the scale of %.3f passes the", \
  most(fine, "frames/scale[50%]"))
print sprintf("middle and goes on at %.1f m/s, the speed of long waves being %.1f m/s. The end is back at the scale %.3f", \
  speed, long_waves(r), number(r, "frames/scale[0]", -1, 0))
print "when the crest reaches the far end."
print sprintf("A pulse of a millionth agrees with the sum over the discrete modes: %.9g s and %.9g s of arrival.", \
  gate("bergou-ripple-viper", 0), wanted("bergou-ripple-viper", 0))
print ""
print picture("shockwave")

print ""
print "## Figure 7: a crowd with skins"
print ""
# Balls of the pill's radii along its axis, so dense that the groove between two is no deeper than that.
n_own = n_pills / n_octopuses
groove = 0.05 * 0.077
r_at(j, side) = number(crowd, "topology/rest_radius", int(number(crowd, "topology/segment", j, side)), 0)
smaller(j) = r_at(j, 0) < r_at(j, 1) ? r_at(j, 0) : r_at(j, 1)
apart(j) = 2 * sqrt(2 * smaller(j) * groove - groove**2)
balls = int(sum [j=0:n_own-1] ceil(number(crowd, "topology/rest_length", j, 0) / apart(j)))
print sprintf("Against particles: balls along the axes of the %d pills that leave grooves of no more than 5 %% of the least radius", n_own)
print sprintf("are %d for an octopus, of 4 degrees of freedom or more each; its pills have %d nodes.", balls + 1, n_own + 1)
print ""
print picture("octopus_skins")
print ""
print "Movies, where ffmpeg is installed, of this and of figures 5, 6 and 15:"
print ""
print "    viperbench run octopus_skins --set frames=3 && viperbench render results/octopus_skins.h5 --run crowd --movie figure-7.mp4"
print "    viperbench render results/stretch_bars.h5 --run clamped --movie figure-5.mp4"
print "    viperbench render results/shockwave.h5 --run pulse --color scale --movie figure-6.mp4"
print "    viperbench render results/bergou.h5 --run pulse-viper --color scale --frames 0:last:10 --movie figure-15.mp4"

print ""
print "## Figures 9 to 12: sections that scale, and muscles as rods"
print ""
print picture("shape_matching")
print ""
print picture("muscle_contraction")
print ""
print picture("viperized")
print ""
print "The five stages of one mesh (figure 11) are drawn by " . as_code("viperbench viperize MESH --picture FILE") . "."

print ""
if (n_in_motion > 0) {
  print "## Figure 1: muscles in motion"
  do for [m=1:3] {
    if (there(word(in_motion, m))) {
      print ""
      print picture(word(in_motion, m))
    }
  }
  print ""
}
print "## Figure 13: volume and stretch errors"
print ""
print "RMS volume error of the bars of figure 5 while held, stretched (2 s) and compressed (5 s):"
print ""
print "| bar | stretched | compressed |"
print "|---|---|---|"
do for [b=1:int(rows(bars, "topology/body_name"))] {
  path = sprintf("volume_error/rms_by_body[%d]", b - 1)
  print sprintf("| %s | %.3e | %.3e |", word(bar_names, b), at_time(bars, path, 2), at_time(bars, path, 5))
}
print ""
print "It falls about as one over kv. The bar of free nodes buckles, so that its compressed volume error is small."

print ""
print "## Figure 14: convergence of one step"
print ""
print "Energies of figure 13's bar in the step after both its ends jump to twice its length [J]:"
print ""
methods = "jacobi-published xpbd direct block-descent"
print "| method | energy | 10 iterations | 100 | 1000 |"
print "|---|---|---|---|---|"
do for [m=1:3] {
  r = sprintf("stretch_convergence-%s-both", word(methods, m))
  do for [e=1:2] {
    path = "convergence/energy/" . word("stretch volume", e)
    print sprintf("| %s | %s | %.4g | %.4g | %.4g |", word(methods, m), word("stretch volume", e), \
      at_time(r, path, 10), at_time(r, path, 100), at_time(r, path, 1000))
  }
}
print ""
print 'Without a line search, ' . as_code("block-descent") . ' runs away here.'
print ""
print picture("stretch_convergence")
print ""
print "Relative residual of one step after an instant two-fold stretch, against iterations:"
print ""
print "| method | what is moved | 5 iterations | 100 | 1000 |"
print "|---|---|---|---|---|"
do for [c=1:2] {
  do for [m=1:4] {
    r = sprintf("stretch_convergence-%s-%s", word(methods, m), word("all end", c))
    print sprintf("| %s | %s | %.1e | %.1e | %.1e |", word(methods, m), \
      part_of("all nodes|one end", c), at_time(r, "convergence/residual", 5), \
      at_time(r, "convergence/residual", 100), at_time(r, "convergence/residual", 1000))
  }
}
print ""
print as_code("direct") . ' (Newton with an exact factorization) is at rounding after a handful of iterations; 0 is'
print 'within rounding. Sweeps of the others carry an error along the bar segment by segment.'
print ""
print picture("stretch_convergence_residual")

print ""
print "## Figure 15: VIPER beside an updated radius"
print ""
print 'The solver ' . as_code("bergou") . ' has no unknown for the radius: it follows from the length after each step. Its axial'
print "stiffness is that of VIPER's rod to a slow pull."
print ""
print "| what | VIPER | Bergou |"
print "|---|---|---|"
v = "bergou-packet-viper"
b = "bergou-packet-bergou"
way(r) = number(r, "topology/rest_position", int(number(r, "gates/row", 2, 0)), 2) \
  - number(r, "topology/rest_position", int(number(r, "gates/row", 0, 0)), 2)
print sprintf("| acoustic packet: speed [m/s] | %.3f | %.3f |", way(v) / (gate(v, 2) - gate(v, 0)), \
  way(b) / (gate(b, 2) - gate(b, 0)))
print sprintf("| its height from station to station | %.4f | %.4f |", gate(v, 3) / gate(v, 1), gate(b, 3) / gate(b, 1))
print sprintf("| radius pulse of 0.5: end's scale − 1 after the first step | %.4f | %.1e |", \
  number("bergou-pulse-viper", "frames/scale[0]", 1, 0) - 1, \
  number("bergou-pulse-bergou", "frames/scale[0]", 1, 0) - 1)
print sprintf("| crest at the middle, scale − 1 | %.4f | %.1e |", \
  most("bergou-pulse-viper", "frames/scale[50%]") - 1, \
  most("bergou-pulse-bergou", "frames/scale[50%]") - 1)
v = "bergou-stretch-viper"
b = "bergou-stretch-bergou"
print sprintf("| pulled by 0.1 %%: force [N] | %.4f | %.4f |", gate(v, 1), gate(b, 1))
print sprintf("| pulled to twice its length: force [N] | %.1f | %.1f |", gate(v, 3), gate(b, 3))
print sprintf("| scale then | %.5f | %.5f |", gate(v, 2), gate(b, 2))
print sprintf("| volume error then (RMS) | %.1e | %.1e |", last(v, "volume_error/rms"), last(b, "volume_error/rms"))
v = "bergou-pinch-viper"
b = "bergou-pinch-bergou"
print sprintf("| pinched by two planes: scale there | %.4f | %.4f |", \
  number(v, "frames/scale[50%]", -1, 0), number(b, "frames/scale[50%]", -1, 0))
print ""
print "Long waves go about as fast in both; VIPER's are a little slower, since its sections have to be moved in and"
print "out as well. The pulse of the radius is gone after Bergou's first step: nothing holds a radius. Pulled far,"
print "VIPER's bar resists less than in proportion, its section having shrunk; Bergou's keeps the stiffness of its"
print "rest section. The pinch has no net force on the center line, so it moves only VIPER's radius."
print ""
print picture("bergou")
print ""
print "A rod pinched between two planes that close:"
print ""
print picture("pinched")

print ""
print "## Figure 16: a band beside finite elements"
print ""
if (strstrt(runs, "fem_band-")) {
  print 'An elastic band is pulled to one and a half times its length, then twisted by half a turn. The stiffnesses of'
  print "the rods are fitted to the stretch alone, so that the twist is a prediction. Each row is a gate that was set"
  print "before the band was run; what misses one is a finding, and the gate stays."
  print ""
  print "| runs | gate | value | wanted | met |"
  print "|---|---|---|---|---|"
  gate_names = own("gates/name")
  gate_runs = own("gates/runs")
  gate_values = own("gates/value")
  gate_findings = own("gates/finding")
  gate_references = own("gates/reference")
  gate_tolerances = own("gates/tolerance")
  gate_comparators = own("gates/comparator")
  short(name) = strstrt(name, "fem_band-") == 1 ? name[10:*] : name
  runs_of(names) = short(word(names, 1)) . (words(names) > 1 ? " / " . short(word(names, 2)) : "")
  wants(g) = word(gate_comparators, g) eq "near" \
    ? sprintf("%.4g ± %g %%", word(gate_references, g) + 0, 100 * word(gate_tolerances, g)) \
    : sprintf("%s %.4g", word(gate_comparators, g) eq "at_most" ? "≤" : "≥", word(gate_references, g) + 0)
  do for [g=1:words(passed)] {
    if (strstrt(word(gate_runs, g), "fem_band-") == 1) {
      print sprintf("| %s | %s | %.4g | %s | %s |", runs_of(word(gate_runs, g)), word(gate_names, g), \
        word(gate_values, g) + 0, wants(g), \
        word(passed, g) > 0 ? "yes" : word(gate_findings, g) > 0 ? "**finding**" : "**no**")
    }
  }
  print ""
  print "Stretched, the band of bundled rods has the width, the thickness and nearly the volume of the finite elements', but"
  print "it pulls harder: its cross-sections keep one frame, so that the outer rods, which slant toward the clamps, are"
  print "sheared. For the same reason it takes far more torque to twist, and gets thinner. Without bundles nothing draws"
  print "the rods together as they stretch; with cross rods, whose scale falls with that of the rods they tie, the band"
  print "grows wider."
  print ""
  print picture("fem_band")
} else {
  print '**Not here:** the study ' . as_code("fem_band") . ' was not run, so nothing is said about this figure.'
}
print ""
print "---"
print footer

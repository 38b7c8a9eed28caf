# SPDX-License-Identifier: GPL-3.0-or-later
# The page about work and precision: the fastest method for each accuracy. What is printed is Markdown.
#
#: values runs/* frames/position[frame=-1] timing/step

methods = "direct xpbd block-descent jacobi-published"
cases = "stretch hang time"
case_name(c) = part_of("a bar stretched at once|a falling rod|the falling rod, substeps of 2 iterations", c)

# Runs of a case by a method, in the order of the study: fewest iterations first.
prefix(c, m) = word(cases, c) . "." . word(methods, m) . "."
starts(text, with) = strlen(text) > strlen(with) && text[1:strlen(with)] eq with
runs_from(c, m, i) = i > n_runs ? "" \
  : (starts(run(i), prefix(c, m)) ? run(i) . " " : "") . runs_from(c, m, i + 1)
reference(c) = word(cases, c) . ".reference"
# Root mean square distance of a run's nodes from the reference's [m], and its wall time [s].
count_of(r) = part_behind(part_behind(r))
part_behind(r) = r[strstrt(r, ".") + 1:*]
nodes_of(r) = names(r, "frames/position[frame=-1]")
square(p, q) = sum [i=1:words(p)] ((real(word(p, i)) - real(word(q, i)))**2)
distance_of(r, c) = sqrt(square(nodes_of(reference(c)), nodes_of(r)) / rows(r, "frames/position[frame=-1]"))
wall_time(r) = total_of(names(r, "timing/step"))
total_of(list) = sum [i=1:words(list)] real(word(list, i))

# Wall time [s] of the quickest run of a list within an accuracy, or 0; and with how many.
quickest(list, c, accuracy) = quickest_from(list, c, accuracy, 1, 0, "0")
quickest_from(list, c, accuracy, i, best, with) = i > words(list) ? sprintf("%.9g %s", best, with) \
  : is_better(word(list, i), c, accuracy, best) \
  ? quickest_from(list, c, accuracy, i + 1, wall_time(word(list, i)), count_of(word(list, i))) \
  : quickest_from(list, c, accuracy, i + 1, best, with)
is_better(r, c, accuracy, best) = distance_of(r, c) <= accuracy && (best == 0 || wall_time(r) < best)
told(found) = real(word(found, 1)) > 0 \
  ? sprintf("%.2f ms (%s)", 1e3 * real(word(found, 1)), word(found, 2)) : "–"
accuracies = "0.1 0.01 0.0001 0.000001"

print "# Work and precision"
print ""
print 'Root mean square distance of the nodes from a converged reference, at the end of the run, over the length of'
print 'the rod, 1 m; and the wall time of all steps by the quickest run that is as near, with its iterations (or'
print 'substeps) in a step in parentheses. Double precision, one rod of 33 nodes; written from recorded runs. Times'
print 'are those of a single run each, on the machine told in the figure: good for a factor, not for a percent.'
print ""
print "![work_precision](work_precision.svg)"
do for [c=1:3] {
  print ""
  print "## " . case_name(c)
  print ""
  print "| within | direct | xpbd | block-descent | jacobi-published | fastest |"
  print "|---|---|---|---|---|---|"
  do for [a=1:words(accuracies)] {
    line = "| " . word(accuracies, a) . " m |"
    fastest = "none"
    least = 1e9
    do for [m=1:4] {
      found = quickest(runs_from(c, m, 1), c, real(word(accuracies, a)))
      line = line . " " . told(found) . " |"
      t = real(word(found, 1))
      fastest = t > 0 && t < least ? word(methods, m) : fastest
      least = t > 0 && t < least ? t : least
    }
    print line . " " . fastest . " |"
  }
}
print ""
print 'In the first two cases the reference takes the same steps, so the distance is what the method leaves of the'
print 'equations of a step; in the third it takes many more substeps, so it is the error of the time step, too.'
print 'xpbd and jacobi-published stop short of any accuracy: the one at its gap, the other at the minimizer with'
print 'multiplied inertias.'

# SPDX-License-Identifier: GPL-3.0-or-later
# The page about work and precision: the fastest method for each accuracy. What is printed is Markdown.

methods = "direct xpbd block-descent jacobi-published"
cases = "stretch hang time"
case_name(c) = part_of("a bar stretched at once|a falling rod|the falling rod, substeps of 2 iterations", c)

# Runs of a case by a method, in the order of the study: fewest iterations first.
prefix(c, m) = word(cases, c) . "." . word(methods, m) . "."
starts(text, with) = strlen(text) > strlen(with) && text[1:strlen(with)] eq with
runs_from(c, m, i) = i > n_runs ? "" \
  : (starts(run(i), prefix(c, m)) ? run(i) . " " : "") . runs_from(c, m, i + 1)
reference(c) = word(cases, c) . ".reference"
# Columns: count, root mean square distance of the nodes from the reference's [m], wall time [s].
work(c, m) = sprintf("< { echo %s; %s table %s%s; %s table %s%s; } | awk '%s'", runs_from(c, m, 1), \
  vb, file, below(reference(c) . " " . runs_from(c, m, 1), "frames/position[frame=-1]", 1), \
  vb, file, below(runs_from(c, m, 1), "timing/step", 1), \
  "NR == 1 {n = NF; for (k = 1; k <= n; k++) {split($k, part, \".\"); count[k] = part[3]} next}" \
  . "/^#/ {block++; next}" \
  . "block == 1 {rows++; for (k = 1; k <= n; k++) for (i = 0; i < 3; i++)" \
  . " {d = $(2 + i) - $(2 + 3 * k + i); sum[k] += d * d}}" \
  . "block == 2 {for (k = 1; k <= n; k++) time[k] += $(1 + k)}" \
  . "END {for (k = 1; k <= n; k++) printf \"%s %.9g %.9g\\n\", count[k], sqrt(sum[k] / rows), time[k]}")


command(source) = source[3:*]
# Wall time [s] of the quickest run of a method within an accuracy, or 0; and with how many.
quickest(c, m, accuracy) = system(sprintf("%s | awk '$2 <= %g && (!best || $3 < best) {best = $3; with = $1} " \
  . "END {print best + 0, with + 0}'", command(work(c, m)), accuracy))
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
      found = quickest(c, m, real(word(accuracies, a)))
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

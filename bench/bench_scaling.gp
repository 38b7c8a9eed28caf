# SPDX-License-Identifier: GPL-3.0-or-later
# How the time of a step grows with the number of bodies, and with the nodes in one body; the lines are
# the fitted t0 + DOFs / r.
#
#: series scaling/* size dofs step_time
#: values scaling/* offset rate
#: values . scaling/names

series_names = names(".", "scaling/names")
# 0 where nothing could be fitted.
or_zero(value) = value == value ? value : 0
value_of(s, name) = or_zero(number(s, name, -1, 0))
columns_of(s) = series(s, "size dofs step_time")
has_end(s, end) = strlen(s) > strlen(end) && s[strlen(s) - strlen(end) + 1:] eq end
chosen(end) = pick(end, 1)
pick(end, i) = i > words(series_names) ? "" \
  : (has_end(word(series_names, i), end) ? " " . word(series_names, i) : "") . pick(end, i + 1)
setting_of(s) = s[1:strstrt(s, ".") - 1]

eval canvas(900, 480)
set multiplot
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set key top left

do for [panel_number=1:2] {
  list = chosen(panel_number == 1 ? ".bodies" : ".nodes")
  left = panel_number == 1 ? 0.09 : 0.57
  eval panel(left, left + 0.41, 0.16, 0.90)
  set title fold(panel_number == 1 ? "bodies of 33 nodes" : "one body")
  set xlabel panel_number == 1 ? "bodies" : "nodes in the body"
  set ylabel panel_number == 1 ? "time of a step [ms]" : ""
  array offset[words(list) + 1]
  array rate[words(list) + 1]
  fitted = ""
  do for [i=1:words(list)] {
    offset[i] = value_of(word(list, i), "offset")
    rate[i] = value_of(word(list, i), "rate")
    fitted = rate[i] > 0 ? fitted . " " . i : fitted
  }
  if (words(list) > 0) {
    plot for [i=1:words(list)] columns_of(word(list, i)) \
        using 2:(1e3 * $4) with points ls i title setting_of(word(list, i)), \
      for [k in fitted] columns_of(word(list, int(k))) \
        using 2:(1e3 * (offset[int(k)] + $3 / rate[int(k)])) with lines ls int(k) notitle
  }
  undefine offset
  undefine rate
  unset label 1000
}
unset multiplot

-- SPDX-License-Identifier: GPL-3.0-or-later
-- Gates: see tests/script/test_bad_scenarios.c.

-- in: gate

-- error: unknown measure "fnal"; did you mean "final"?
measure = 'fnal', near = 1, tolerance = 1

-- error: gate: needs "tolerance"
near = 1

-- error: "tolerance" is -1
near = 1, tolerance = -1

-- error: set absolute = true
near = 0, tolerance = 1

-- error: "near" is NaN
near = 0/0, tolerance = 1

-- error: exactly one of "near", "at_most" and "at_least"
tolerance = 1

-- error: exactly one of
at_most = 1, at_least = 1

-- error: go with "near" only
at_most = 1, tolerance = 1

-- error: "at" goes with measure = "value" only
at_most = 1, at = 1

-- error: measure = "value" needs "at"
at_most = 1, measure = 'value'

-- error: window is empty
at_most = 1, from = 2, to = 1

-- error: there is no node 9
at_most = 1, node = 9

-- error: there is no body 1
at_most = 1, body = 1

-- error: either "node" or "segment"
at_most = 1, node = 1, segment = 1

-- error: takes either "number" or "quantity"
at_most = 1, number = 1

-- error: unknown component "w"
at_most = 1, component = 'w'

-- error: "component" is 0
at_most = 1, component = 0

-- error: unknown key "run"
at_most = 1, run = 'test'

-- in: scene

-- error: gate: needs "reason"
ROD s:gate{name = 'g', quantity = 'q', at_most = 1}

-- in: gates

-- error: gate "g": needs either "run" or "runs"
at_most = 1

-- error: gate "g": there is no run "d"
at_most = 1, run = 'd'

-- error: gate "g": there is no node 5; run "a" has 5
at_most = 1, run = 'a', node = 5

-- error: set "combine"
at_most = 1, runs = {'a', 'b'}

-- error: names run "a" twice
at_most = 1, runs = {'a', 'a'}, combine = 'ratio'

-- error: takes 2 runs, not 3
at_most = 1, runs = {'a', 'b', 'c'}, combine = 'ratio'

-- error: takes 2 runs, not 1
at_most = 1, run = 'a', combine = 'surface_rms'

-- error: "apart_from" goes with a row
at_most = 1, run = 'a', apart_from = 2

-- error: either "component" or "apart_from"
at_most = 1, run = 'a', node = 0, component = 'x', apart_from = 2

-- error: it must be at least 0
at_most = 1, run = 'a', node = 0, apart_from = -1

-- error: "finding" must be true or false
at_most = 1, run = 'a', finding = 1

-- error: "timed" goes with finding = true only
at_most = 1, run = 'a', timed = true

-- error: did you mean "order"?
at_most = 1, runs = {'a', 'b'}, combine = 'ordre'

-- error: at least 3 runs
at_most = 1, runs = {'a', 'b'}, combine = 'order', sizes = {1, 2}

-- error: needs "sizes", one per run: 3
at_most = 1, runs = {'a', 'b', 'c'}, combine = 'order'

-- error: increase
at_most = 1, runs = {'a', 'b', 'c'}, combine = 'order', sizes = {1, 3, 2}

-- error: go with combine = "order" only
at_most = 1, run = 'a', limit = 2

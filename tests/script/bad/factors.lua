-- SPDX-License-Identifier: GPL-3.0-or-later
-- Loads that turn, activation, factors: see tests/script/test_bad_scenarios.c.

-- in: scene

-- error: "turns_with": there is no segment 9
ROD s:load{node = 1, force = {1, 0, 0}, turns_with = 9}

-- error: needs "amount"
ROD s:activation{segments = {0}}

-- error: needs either "segments" or "tetrahedra"
ROD s:activation{amount = 1}

-- error: activates nothing
ROD s:activation{segments = {}, amount = 1}

-- error: did you mean "fiber"?
ROD s:activation{segments = {0}, amount = 1, kind = 'fibre'}

-- error: "direction" is for tetrahedra
ROD s:activation{segments = {0}, amount = 1, direction = {1, 0, 0}}

-- error: "bending" of segment 0 is {1, -1}; its factors must not be negative
s:rod{GOOD STUFF, bending = {1, -1}}

-- error: "bending" must be a list of 2 numbers
s:rod{GOOD STUFF, bending = 2}

-- error: its friction -2 is negative
s:rod{GOOD STUFF, friction = -2}

-- error: "rest_curvature" lists 1 joints; the rod has 3
s:rod{GOOD STUFF, rest_curvature = {{1, 0, 0}}}

-- error: "rest_curvature" must be a list of 3 numbers, not a number
s:rod{GOOD STUFF, rest_curvature = 1}

-- error: did you mean "spread"?
s:rod{GOOD STUFF, loop = 'spred'}

-- error: loop
s:rod{GOOD STUFF, loop = 'spread'}

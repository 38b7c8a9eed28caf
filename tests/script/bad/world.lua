-- SPDX-License-Identifier: GPL-3.0-or-later
-- The world and the plans: see tests/script/test_bad_scenarios.c.

-- error: test.lua:1: scene: "step" is 0 s; it must be positive
return {title = 't', build = function() vb.scene{step = 0, steps = 1} end}

-- error: is -1 s
return {title = 't', build = function() vb.scene{step = -1, steps = 1} end}

-- error: either "duration" or "steps"
return {title = 't', build = function() vb.scene{step = 1} end}

-- error: "duration"
return {title = 't', build = function() vb.scene{step = 1, duration = -1} end}

-- error: takes
return {title = 't', build = function() vb.scene{step = 1e-300, duration = 1} end}

-- error: "steps" is -1
return {title = 't', build = function() vb.scene{step = 1, steps = -1} end}

-- error: "gravity" must be a list of 3 numbers, not a number
return {title = 't', build = function() vb.scene{step = 1, steps = 1, gravity = 9.81} end}

-- error: "damping" is -1
return {title = 't', build = function() vb.scene{step = 1, steps = 1, damping = -1} end}

-- in: scene

-- error: record: "every" is 0; it must be at least 1
ROD s:record{every = 0}

-- error: "converged" is -1e-06; it must be a residual
ROD s:record{converged = -1e-6}

-- error: names "scale" twice
ROD s:record{fields = {'scale', 'scale'}}

-- error: "reference" has one point
ROD s:record{reference = {{0, 0, 1}}}

-- error: point 1 must be a list of 3 numbers
ROD s:record{reference = {{0, 0, 1}, {0, 1}}}

-- error: unknown field to record "scael"; did you mean "scale"?
ROD s:record{fields = {'scael'}}

-- error: solver: unknown key "methd"; did you mean "method"?
ROD s:solver{methd = 'direct'}

-- error: dircet
ROD s:solver{method = 'dircet'}

-- error: iterations
ROD s:solver{iterations = 0}

-- error: "iterations" must be a text, not a table
ROD s:solver{iterations = {}}

-- error: vipre
ROD s:solver{solver = 'vipre'}

-- error: convergence: needs "iterations"
ROD s:convergence{}

-- error: must increase; 2 follows 5
ROD s:convergence{iterations = {1, 5, 2}}

-- error: "after" is 3; it must be at most 2
ROD s:convergence{iterations = {1}, after = 3}

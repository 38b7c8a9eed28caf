-- SPDX-License-Identifier: GPL-3.0-or-later
-- Keys and types: see tests/script/test_bad_scenarios.c.

-- in: scene

-- error: test.lua:4: rod: unknown key "radus"; did you mean "radius"?
s:rod{radus = 1}

-- error: test.lua:4: rod: unknown key "qqqqq"; known: nodes
s:rod{qqqqq = 1}

-- error: test.lua:4: rod: takes named values only
s:rod{1, 2}

-- error: test.lua:4: rod: takes one table of named values, not a number
s:rod(3)

-- error: test.lua:4: rod: must be called on a scene, as in s:rod{...}
s.rod{}

-- error: test.lua:4: rod: takes one table
s:rod()

-- error: unknown method or property "rodd"; did you mean "rod"?
s:rodd{}

-- error: test.lua:4: scene: has methods and properties only
local x = s[1]

-- error: rod: needs exactly one of "from"
s:rod{STUFF}

-- error: go together
s:rod{nodes = 5, from = {0, 0, 0}, radius = 1, STUFF}

-- error: rod: "nodes" must be a whole number, not a string
s:rod{nodes = 'five', from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, STUFF}

-- error: "nodes" must be a whole number, not 2.5
s:rod{nodes = 2.5, from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, STUFF}

-- error: "nodes" is 1; it must be at least 2
s:rod{nodes = 1, from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, STUFF}

-- error: "from" must be a list of 3 numbers; it has 2
s:rod{nodes = 5, from = {0, 0}, to = {0, 0, 1}, radius = 1, STUFF}

-- error: "from" must be a number, not a string
s:rod{nodes = 5, from = {0, 0, 'a'}, to = {0, 0, 1}, radius = 1, STUFF}

-- error: "curve" must be a function of t
s:rod{nodes = 5, curve = 3, radius = 1, STUFF}

-- error: "curve" at t = 0 must return 3 numbers; value 3 is a nil
s:rod{nodes = 5, curve = function(t) return t end, radius = 1, STUFF}

-- error: "nodes" is not the number of "points", which is 2
s:rod{nodes = 3, points = {{0, 0, 0}, {0, 0, 1}}, radius = 1, STUFF}

-- error: at least 2 points
s:rod{points = {{0, 0, 0}}, radius = 1, STUFF}

-- error: point 1 must be a list
s:rod{points = {{0, 0, 0}, 4}, radius = 1, STUFF}

-- error: finite
s:rod{points = {{0, 0, 0}, {0, 0, 0/0}}, radius = 1, STUFF}

-- error: "radius" lists 2 values where 3 are needed
s:rod{nodes = 3, from = {0, 0, 0}, to = {0, 0, 1}, radius = {1, 2}, STUFF}

-- error: "reverse" must be true, false or a function
s:rod{GOOD STUFF, reverse = 3}

-- error: "name" must be a text, not a number
s:rod{GOOD STUFF, name = 3}

-- error: "name" must be a text of UTF-8
s:rod{GOOD STUFF, name = '\xff'}

-- error: "name" is empty
s:rod{GOOD STUFF, name = ''}

-- error: "name" is longer than 47 bytes
s:rod{GOOD STUFF, name = ('x'):rep(48)}

-- error: "reverse_joints" must be true or false
s:rod{GOOD STUFF, reverse_joints = 1}

-- error: either "frame" or "twist"
s:rod{GOOD STUFF, twist = 1, frame = function() end}

-- error: "frame" must be a unit quaternion w, x, y, z; its norm is 1.41421
s:rod{GOOD STUFF, frame = function() return 1, 1, 0, 0 end}

-- error: "frame" has its third axis along (0, 0, -1); it must be along the segment, (0, 0, 1)
s:rod{GOOD STUFF, frame = function() return 0, 1, 0, 0 end}

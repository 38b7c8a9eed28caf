-- SPDX-License-Identifier: GPL-3.0-or-later
-- The study: see tests/script/test_bad_scenarios.c.

-- error: test.lua:1:
return {

-- error: test.lua:1: unexpected symbol near '='
x = = 1

-- error: test.lua: study: the script must return a table
local x = 1

-- error: study: unknown key "bild"; did you mean "build"?
return {title = 't', bild = 1}

-- error: study: needs "title"
return {build = function() end}

-- error: "title" must be a text, not a number
return {title = 3}

-- error: run "test": the scenario needs "build"
return {title = 't'}

-- error: "build" must return the scene
return {title = 't', build = function() end}

-- error: test.lua:1: study: a figure must be the name of
return {title = 't', figure = '../x'}

-- error: "parameters" must be a table of defaults
return {title = 't', parameters = 3}

-- error: parameter "n" must be a number
return {title = 't', parameters = {n = {}}}

-- error: parameter "n" must be finite
return {title = 't', parameters = {n = 0/0}}

-- error: takes named values only
return {title = 't', parameters = {3}}

-- error: test.lua:1: parameters: unknown parameter "noeds"; did you mean "nodes"?
return {title = 't', parameters = {nodes = 1}, build = function(p) return p.noeds end}

-- error: "gates" must be a function
return {title = 't', gates = 3, build = function() local s = vb.scene{step = 1, steps = 1} ROD return s end}

-- error: run "b": "build" returned the scene of an earlier run
local s return {title = 't', runs = function() return {{name = 'a'}, {name = 'b'}} end,
build = function() if not s then s = vb.scene{step = 1, steps = 1} ROD end return s end}

-- error: test.lua:2: 
local s return {title = 't', runs = function() return {{name = 'a'}, {name = 'b'}} end,
build = function() if s then s:hinge{node = 0} end s = vb.scene{step = 1, steps = 1} ROD return s end}

-- error: an error that is not a string
return {title = 't', build = function() error({}) end}

-- error: test.lua: mine
return {title = 't', build = function() error('mine', 0) end}

-- SPDX-License-Identifier: GPL-3.0-or-later
-- Scripts that would not end, or would take all memory: see tests/script/test_bad_scenarios.c.

-- error: test.lua:1: the script ran more than 100000 instructions
while true do end

-- error: ran more than
while true do pcall(function() while true do end end) end

-- error: ran more than
local function f() pcall(f) f() end while true do pcall(f) end

-- error: ran more than
return {title = 't', build = function() for i = 1, 1e9 do end end}

-- error: than
local t = {} for i = 1, 1e9 do t[i] = i end

-- error: string.rep: 1000000000 copies need more than 4000000 bytes
local x = ('x'):rep(1e9)

-- error: ran more than
local x = (''):rep(1e18) while true do end

-- error: table.move: 9223372036854775805 elements are more than the script has
table.move({}, 1, math.maxinteger - 1, 2)

-- error: table.move: 18446744073709551615 elements
table.move({}, math.mininteger, math.maxinteger, 2)

-- error: more than 4000000 bytes of memory
local x = 'x' while true do x = x .. x end

-- in: scene

-- error: more than 4000000 bytes of memory
s:rod{nodes = 2147483647, from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, STUFF}

-- error: than
for i = 1, 1e9 do s:node{position = {i, 0, 0}, radius = 1} end

-- in: nothing

-- error: than
local function f() return f() + 1 end f()

-- in: scene

-- error: than
ROD for i = 1, 1e9 do s:hinge{node = 1} end

-- error: more than 4000000 bytes of memory
ROD local x = ('x'):rep(1e5) for i = 1, 100 do s:gate{name = x, quantity = x, reason = x, at_most = 1} end

-- SPDX-License-Identifier: GPL-3.0-or-later
-- Numbers: see tests/script/test_bad_scenarios.c.

-- in: scene

-- error: "radius" of node 0 is 0 m; it must be positive
s:rod{nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0, STUFF}

-- error: "radius" of node 2 is 0 m
s:rod{nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = function(t) return 0.5 - t end, STUFF}

-- error: is -1 m
s:rod{nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = -1, STUFF}

-- error: "radius" is NaN; it must be finite
s:rod{nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0/0, STUFF}

-- error: "radius" is infinite
s:rod{nodes = 5, from = {0, 0, 0}, to = {0, 0, 1}, radius = math.huge, STUFF}

-- error: "scale" at t = 0 returned NaN
s:rod{GOOD STUFF, scale = function(t) return 0/0 end}

-- error: "scale" of node 0 is 0; it must be positive
s:rod{GOOD STUFF, scale = 0}

-- error: has no length
s:rod{nodes = 5, from = {0, 0, 1}, to = {0, 0, 1}, radius = 1, STUFF}

-- error: its nodes 1 and 2 coincide
s:rod{points = {{0, 0, 0}, {0, 0, 1}, {0, 0, 1}}, radius = 1, STUFF}

-- error: "density" is 0 kg/m^3; it must be positive
s:rod{GOOD density = 0, material = {E = 1, nu = 0}}

-- error: rod: needs "density"
s:rod{GOOD material = {E = 1, nu = 0}}

-- error: rod: needs "material"
s:rod{GOOD density = 1}

-- error: rod: material: needs "nu"
s:rod{GOOD density = 1, material = {E = 1}}

-- error: "nu" is 0.5
s:rod{GOOD density = 1, material = {E = 1, nu = 0.5}}

-- error: "nu" is -0.1
s:rod{GOOD density = 1, material = {E = 1, nu = -0.1}}

-- error: "E" is 0 Pa
s:rod{GOOD density = 1, material = {E = 0, nu = 0}}

-- error: "kx" is -1; it must not be negative
s:rod{GOOD density = 1, material = {kx = -1}}

-- error: needs "E" and "nu", or stiffnesses
s:rod{GOOD density = 1, material = {}}

-- error: did you mean "kx"?
s:rod{GOOD density = 1, material = {kxx = 1}}

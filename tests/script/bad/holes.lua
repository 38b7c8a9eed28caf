-- SPDX-License-Identifier: GPL-3.0-or-later
-- Lists with holes: see tests/script/test_bad_scenarios.c.

-- in: scene

-- error: "points" lists 4611686018427387904 elements, more than the script
HOLES s:rod{points = h, radius = 1, STUFF}

-- error: "vertices" lists 4611686018427387904 elements, more than the script
HOLES vb.pills{mesh = m, count = 1}

-- error: "triangles" lists 4611686018427387904 elements, more than the script
HOLES vb.pills{mesh = few, count = 1}

-- error: "vertices" lists 4611686018427387904 elements, more than the script
HOLES vb.tetrahedralize{outside = m}

-- error: "triangles" lists 4611686018427387904 elements, more than the script
HOLES vb.tetrahedralize{outside = few}

-- error: "tetrahedra" lists 4611686018427387904 elements, more than the script
HOLES vb.viperize{mesh = few, source = h, sink = h, rods = 1, slices = 2}

-- error: "pills" lists 4611686018427387904 elements, more than the script
HOLES vb.pill_surface{pills = h, faces = 100, blend = 1}

-- error: "vertices" lists 4611686018427387904 elements, more than the script
HOLES vb.vertices_at{mesh = m, x = 0}

-- error: "tetrahedra" lists 4611686018427387904 elements, more than the script
HOLES s:mesh{mesh = few, density = 1, material = {E = 1, nu = 0}}

-- error: "vertices" lists 4611686018427387904 elements, more than the script
HOLES s:surface{vertices = h}

-- error: "regions" must hold lists of vertices
local t = vb.box{to = {1, 1, 1}, cells = {1, 1, 1}} t.regions = {{math.maxinteger}} s:mesh{mesh = t, density = 1, material = {E = 1, nu = 0}}

-- error: test.lua:4: the script needs more than 4294967296 bytes
vb.box{to = {1, 1, 1}, cells = {1000000, 1000000, 1000000}}

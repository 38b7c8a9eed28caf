-- SPDX-License-Identifier: GPL-3.0-or-later
-- Nodes, segments, joints: see tests/script/test_bad_scenarios.c.

-- in: scene

-- error: node: needs "position"
s:node{radius = 1}

-- error: node: "radius" is 0 m
s:node{position = {0, 0, 0}, radius = 0}

-- error: node: "scale" is -1
s:node{position = {0, 0, 0}, radius = 1, scale = -1}

-- error: test.lua:4: segment: "nodes": there is no node 7; the scene has 5 so far, counted from 0
ROD s:segment{nodes = {0, 7}, STUFF}

-- error: there is no node -1
ROD s:segment{nodes = {-1, 2}, STUFF}

-- error: goes from node 2 to itself
ROD s:segment{nodes = {2, 2}, STUFF}

-- error: must be a list of 2 nodes
ROD s:segment{nodes = {0}, STUFF}

-- error: segment: its nodes 0 and 5 coincide
ROD s:segment{nodes = {0, s:node{position = {0, 0, 0}, radius = 1}}, STUFF}

-- error: unit quaternion
ROD s:segment{nodes = {0, 2}, frame = {1, 0, 0, 1}, STUFF}

-- error: test.lua:4: joint: segments 0 and 2 do not touch: they share no node
ROD s:joint{segments = {0, 2}}

-- error: joins segment 1 with itself
ROD s:joint{segments = {1, 1}}

-- error: there is no segment 4
ROD s:joint{segments = {0, 4}}

-- error: run "test"
ROD s:joint{segments = {0, 1}} s:joint{segments = {1, 0}}

-- error: run "test"
ROD s:segment{nodes = {0, 1}, STUFF}

-- error: run "test"


-- error: hinge: "node": there is no node 5
ROD s:hinge{node = 5}

-- error: name: needs "name"
ROD s:name{node = 0}

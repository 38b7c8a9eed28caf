-- SPDX-License-Identifier: GPL-3.0-or-later
-- Colliders: see tests/script/test_bad_scenarios.c.

-- in: scene

-- error: exactly one of "sphere", "cylinder" and
ROD s:collider{radius = 1}

-- error: "radius" is 0 m
ROD s:collider{sphere = {0, 0, 0}, radius = 0}

-- error: "inside" is of a cylinder
ROD s:collider{sphere = {0, 0, 0}, radius = 1, inside = true}

-- error: coincide
ROD s:collider{capsule = {{0, 0, 0}, {0, 0, 0}}, radius = 1}

-- error: did you mean "capsule"?
ROD s:collider{capsul = {0, 0, 0}, radius = 1}

-- error: there is no node 9
ROD s:friction{node = 9, friction = 1}

-- error: "driver": there is no driver 1
ROD s:halfplane{driver = 1}

-- error: there is no driver 0
ROD s:pin{node = 0, driver = 0}

-- error: node 0 is pinned to another driver already
ROD s:pin{node = 0} s:pin{node = 0, driver = s:driver{}}

-- error: "axis" is zero
s:driver{axis = {0, 0, 0}}

-- error: there is a driver "a" already
s:driver{name = 'a'} s:driver{name = 'a'}

-- error: "x" must be a number or a list of keys {time, value}
s:driver{x = 'a'}

-- error: at least one key
s:driver{x = {}}

-- error: key 2 is at 0 s, not after the one before it
s:driver{x = {{0, 1}, {0, 2}}}

-- error: key 2 must be {time, value}
s:driver{x = {{0, 1}, 2}}

-- error: the value of key 1 must be a finite number
s:driver{x = {{0, 0/0}}}

-- error: did you mean "linear"?
s:driver{x = {{0, 1, 'linaer'}}}

-- error: needs exactly one of "node", "segment"
ROD s:load{force = {0, 0, 1}}

-- error: load: does nothing
ROD s:load{node = 0}

-- error: "torque" is for a segment
ROD s:load{node = 0, torque = {0, 0, 1}}

-- error: "force" and "scale_force" are for a node
ROD s:load{segment = 0, force = {0, 0, 1}}

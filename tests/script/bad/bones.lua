-- SPDX-License-Identifier: GPL-3.0-or-later
-- Bones and links: see tests/script/test_bad_scenarios.c.

-- in: scene

-- error: bone: needs "center"
ROD s:bone{mass = 1, inertia = {1, 1, 1, 0, 0, 0}}

-- error: it has no inertia, and no tetrahedron
ROD s:bone{mass = 1, center = {0, 0, 0}}

-- error: list of 6 numbers
ROD s:bone{mass = 1, center = {0, 0, 0}, inertia = {1}}

-- error: there is a bone "b" already
ROD BONE BONE 

-- error: "mass" is of a bone that moves freely
ROD s:bone{driver = s:driver{}, mass = 2}

-- error: tie: needs "bone", as s:bone returned it
ROD s:tie{nodes = {0}}

-- error: must be a bone that s:bone returned, not a str
ROD s:tie{bone = 'b', nodes = {0}}

-- error: there is no bone 3; the scene has 0 so far
ROD s:tie{bone = 3, nodes = {0}}

-- error: ties nothing
ROD BONE s:tie{bone = b}

-- error: "bone" is driven
ROD s:tie{bone = s:bone{driver = s:driver{}}, nodes = {0}}

-- error: link: needs "at"
ROD BONE s:link{kind = 'ball', bones = {b}}

-- error: did you mean "ball"?
ROD BONE s:link{kind = 'bal', bones = {b}}

-- error: a list of one or two bones
ROD BONE s:link{kind = 'ball', at = {0, 0, 0}}

-- error: "axis" is of a hinge
ROD BONE s:link{kind = 'ball', bones = {b}, at = {0, 0, 0}, axis = {1, 0, 0}}

-- error: needs "axis"
ROD BONE s:link{kind = 'hinge', bones = {b}, at = {0, 0, 0}}

-- error: an axis is zero
ROD BONE s:link{kind = 'hinge', bones = {b}, at = {0, 0, 0}, axis = {0, 0, 0}}

-- error: "limit" is of the angle of a hinge
ROD BONE s:link{kind = 'ball', bones = {b}, at = {0, 0, 0}, limit = {0, 1}}

-- error: the first of "bones" is driven
ROD s:link{kind = 'ball', bones = {s:bone{driver = s:driver{}}}, at = {0, 0, 0}}

-- error: a bone takes "force" and "torque"
ROD BONE s:load{bone = b, scale_force = 1}

-- error: needs exactly one of
ROD BONE s:load{bone = b, node = 0, force = {1, 0, 0}}

-- error: "turns_with" is for a load on a node or a segment
ROD BONE s:load{bone = b, force = {1, 0, 0}, turns_with = 0}

-- SPDX-License-Identifier: GPL-3.0-or-later
-- Pins, drivers, loads: see tests/script/test_bad_scenarios.c.

-- in: scene

-- error: pin: pins nothing
ROD s:pin{}

-- error: there is no node 9
ROD s:pin{node = 9}

-- error: "components" has "q"
ROD s:pin{node = 0, components = 'xq'}

-- error: "components" are of nodes
ROD s:pin{segment = 0, components = 'x'}

-- error: "frame" has "x"; it takes the letters u, v
ROD s:pin{segment = 0, frame = 'x'}

-- error: "frame" is of segments
ROD s:pin{node = 0, frame = 'u'}

-- error: the frame of segment 0 is pinned already; name all of its components in one s:pin
ROD s:pin{segment = 0, frame = 'u'} s:pin{segment = 0, frame = 'v'}

-- error: components of the frame of segment 0 are pinned already
ROD s:pin{segment = 0, frame = 'u'} s:pin{segment = 0}

-- error: "ends" is 0 s; it must be positive
ROD s:pin{node = 0, ends = 0}

-- error: pin end 0: the pin of node 0 ends at 1e-09 s, before the first step does
ROD s:pin{node = 0, ends = 1e-9}

-- error: pin end 1: node 0 has one already, pin end 0; it can have one only
ROD s:pin{node = 0, ends = 1} s:pin{node = 0, components = 's', ends = 2}

-- error: driver: "parent": there is no driver 0
ROD s:driver{parent = 0}

-- error: did you mean "parent"?
ROD s:driver{parnt = 0}

-- error: "drivers" must be a list of one or two drivers
ROD s:follow{nodes = {0}}

-- error: "weights" of node 0 of the list are 0.5 and 1; they must not be negative, and their sum
ROD s:follow{nodes = {0}, drivers = {s:driver{}, s:driver{}}, weights = {0.5, 1}}

-- error: follow: needs "weights", one per driver, or a function of t
ROD s:follow{nodes = {0}, drivers = {s:driver{}, s:driver{}}}

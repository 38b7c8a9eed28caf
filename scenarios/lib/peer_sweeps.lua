-- Our sweeping methods beside other packages: include("peer_sweeps")(title, label, solver) is the
-- study of one by xpbd, damped until it rests, with the settings of its entry in scenarios/entries;
-- the more segments, the more substeps.
-- SPDX-License-Identifier: GPL-3.0-or-later
local peer = include("peer")

local function settings(n, problem)
  local column = problem == "column" -- near its critical load it moves half as fast, so that it is damped half as much, and longer
  return {
    ramp = 50, hold = column and 200 or 100, step = 0.1, slender = 0.02, damping = column and 3.5 or 7,
    options = { method = "xpbd", substeps = n == 8 and 10 or 100, threads = 1 },
  }
end

return function(title, label, solver)
  return peer{ title = title, label = label, solver = solver, segments = { 8, 16, 32 }, quick = 2, hold_spin = true, settings = settings }
end

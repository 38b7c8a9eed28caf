-- Explicit: the thinner the rod, the less it shears, and the shorter its substeps must be. In statics both errors fall together
-- here: that of the segments and that of the shear are of second order in 1/n. Motions have the problem's section; a chain has
-- one that bends by 1e-4 of its weight.
local options = { courant = 0.6, time_limit = 900 }

--- Near its critical load a column moves half as fast, so that it is damped half as much, and longer.
local function resting(n, problem)
  local column = problem == "column"
  return {
    ramp = 4, hold = column and 16 or 8, step = 0.5, slender = 0.8 / n, options = options, rates = { damping = column and 3.5 or 7 },
  }
end

--- A ring is stiff: its slowest motion out of its plane, at three quarters of its critical twist, has the rate 70.
local function ring(n)
  return { ramp = 8, hold = 8, step = 0.05, slender = 0.4 / n, options = { courant = 0.4, time_limit = 900 }, rates = { damping = 60 } }
end

--- In fast motion through space its substeps must be shorter.
local function moving(segments, quick, steps, radius, courant)
  return {
    segments = segments, quick = quick,
    settings = function()
      return { steps = steps, model = "solid", radius = radius, options = { courant = courant or 0.6, time_limit = 900 } }
    end,
  }
end

return include("peer"){
  title = "PyElastica: Cosserat rods, damped until they rest, and in motion", label = "PyElastica", segments = { 8, 16, 32 },
  few = { bend_45 = 1 }, most = { bend_45 = 2 }, -- a real section: its thickness is the problem's, and steps are as short
  without = {
    elastic_catenary = "the entry's string does not resist bending, which its rods need to be stable",
    stretch_wave = "its elements keep their volume", spin_up = "so thin a rod takes more than seven minutes even with 8 segments", whip = "it has no hinges",
    capstan = "an explicit run of so thin a rope has ten million steps",
    rolling = "bodies of one segment: its rods have two elements or more", crossing = "bodies of one segment: its rods have two elements or more",
  },
  sweep = { { name = "c125", courant = 1.25 }, { name = "c05", courant = 0.5, full = true } },
  settings = resting,
  others = {
    hanging_chain = moving({ 8, 16, 32 }, 1, 40, 2e-3), vibrating_cantilever = moving({ 8, 16, 32 }, 2, 40),
    flying_rod_round = moving({ 8, 16, 32, 64 }, 3, 100, nil, 0.1), twist_wave = moving({ 8, 16, 32, 64 }, 4, 100),
    twist_under_tension = { segments = { 8, 16 }, quick = 1, settings = resting },
    michell_ring = { segments = { 16, 32 }, quick = 1, settings = ring },
    ["crowd-1"] = { segments = { 8, 16, 32 }, quick = 2, settings = resting },
    ["crowd-100"] = { segments = { 8 }, quick = 1, settings = resting },
    ["crowd-1000"] = { segments = { 8 }, quick = 0, settings = resting },
  },
}

-- Projective dynamics: linear tetrahedra of corotated flesh, in steps so long that inertia does not matter. The half of a bar has as many
-- layers of cells as a rod has segments, and about a fourth of that across.
local options = { iterations = 2000, tolerance = 1e-5, acceleration = "anderson" }
return include("entry"){
  title = "articulated: projective dynamics of linear tetrahedra, long steps",
  solver = "articulated", options = {}, threads = true, solid = true, segments = { 8, 12, 16, 24 },
  volume = { options = options, ramp = 2, step = 1000 }, band = { options = options, ramp = 2, step = 1000 },
  otherwise = "the solver is one of solids",
  without = { contracting_muscle = "its tetrahedra have no activation" },
}

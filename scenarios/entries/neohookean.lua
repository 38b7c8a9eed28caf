-- Quadratic tetrahedra, in equilibria. The half of a bar has as many layers of cells as a rod has segments, and about a fourth of that
-- across.
return include("entry"){
  title = "neohookean: quadratic tetrahedra, statics",
  solver = "neohookean", options = {}, threads = true, solid = true, segments = { 8, 12, 16, 24 },
  volume = { options = { dynamics = "static", elements = "quadratic", iterations = 50, tolerance = 1e-8 }, ramp = 2 },
  band = { options = { dynamics = "static", elements = "quadratic", iterations = 50, tolerance = 1e-8 }, ramp = 2 },
  otherwise = "the solver is one of solids",
  without = { pinch = "loads act on vertices alone, and pinch the sides of quadratic elements there" },
}

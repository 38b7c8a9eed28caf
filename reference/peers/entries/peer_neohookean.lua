-- Quadratic tetrahedra of stable Neo-Hookean flesh, two cells across a square prism that is a twentieth as thick as long.
return include("peer"){
  title = "Neo-Hookean tetrahedra: a prism in place of the rod, statics", label = "Neo-Hookean", solver = "neohookean", body = "tetrahedra",
  segments = { 8, 16, 32 }, quick = 2,
  without = {
    roll_up = "no rod", bend_45 = "no rod", helical_spring = "no rod", elastic_catenary = "no rod", column = "no rod",
  },
  settings = function()
    return {
      ramp = 10, hold = 0, step = 1, slender = 0.05,
      options = { dynamics = "static", elements = "quadratic", iterations = 100, tolerance = 1e-9, threads = 1 },
    }
  end,
}

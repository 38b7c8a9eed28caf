-- One step after an instant two-fold stretch: how each method converges with its iterations.

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = 1 }
  -- "all": every center is moved to twice its height at once, and the sections have to follow.
  -- "end": one end jumps, and the whole bar has to follow.
  local top = s:driver{ name = "pull", z = p.stretched == "end" and p.length or 0 }
  local bar = s:rod{
    name = "bar", nodes = p.nodes, from = { 0, 0, 0 }, to = { 0, 0, p.length },
    radius = p.radius, density = 1000, material = { E = p.E, nu = p.nu },
    position = function(_, x, y, z) return x, y, p.stretched == "all" and 2 * z or z end,
  }
  s:pin{ node = bar.first, components = "xyz" }
  s:pin{ node = bar.last, components = "xyz", driver = top }
  s:record{ every = 1, frames = 1, residual = true }
  s:convergence{
    after = 0,
    iterations = { 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000 },
  }
  return s
end

local function runs()
  local list = {}
  for _, stretched in ipairs{ "all", "end" } do
    for _, method in ipairs{ "direct", "xpbd", "block-descent", "jacobi-published" } do
      list[#list + 1] = {
        name = method .. "-" .. stretched, label = method .. ", stretched: " .. stretched,
        parameters = { stretched = stretched }, method = method, tolerance = 0,
        iterations = 10,
      }
    end
  end
  return list
end

local function gates()
  local list = {}
  for _, stretched in ipairs{ "all", "end" } do
    list[#list + 1] = {
      name = "direct converges within 8 iterations, stretched: " .. stretched,
      run = "direct-" .. stretched, quantity = "convergence/residual", measure = "value", at = 8,
      at_most = 1e-6,
      reason = "Newton with an exact factorization needs a handful of iterations",
    }
    for _, sweep in ipairs{
      { "xpbd", "residual" }, { "xpbd", "energy/volume" }, { "block-descent", "residual" },
      { "jacobi-published", "residual" }, { "jacobi-published", "energy/volume" },
    } do
      local method, quantity = table.unpack(sweep)
      list[#list + 1] = {
        name = string.format("%s's slope of %s, stretched: %s", method, quantity, stretched),
        run = method .. "-" .. stretched, quantity = "convergence/" .. quantity, measure = "slope",
        from = quantity == "residual" and 300 or 100, to = 1000, at_most = -0.5,
        reason = "a sweep moves information by a segment, so error falls at least as fast as a "
          .. "random walk spreads: as one over the root of the sweeps; a residual is at most 1, and leaves "
          .. "that at 300 of them",
      }
    end
  end
  return list
end

return {
  title = "Convergence of one step after an instant two-fold stretch",
  keywords = { "paper", "quick" },
  parameters = { nodes = 33, length = 1.0, radius = 0.1, E = 1e6, nu = 0.49, stretched = "all" },
  ranges = { nodes = { least = 3 }, length = { above = 0 }, radius = { above = 0 }, E = { above = 0 }, nu = { above = -1, most = 0.5 } },
  build = build,
  runs = runs,
  gates = gates,
  gold = { runs = { "direct-all", "xpbd-end", "block-descent-all", "jacobi-published-end" } },
  figure = "stretch_convergence",
}

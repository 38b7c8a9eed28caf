-- One step after an instant two-fold stretch: convergence of each method over its iterations.
local forms = include("closed_forms")

-- Figure 14: the bar of figure 13, both of whose ends jump.
local paper = { radius = 0.05, k = 1e6, kv = 1e7, stretch = 2 }

--- What is moved: "all", every center is at twice its height at once, and the sections have to follow;
--- "end", one end jumps, and the whole bar has to follow; "both", both ends jump.
local function material_of(p)
  if p.stretched ~= "both" then return { E = p.E, nu = p.nu } end
  local k, kb = paper.k, paper.k * paper.radius ^ 2
  return { kx = k, ky = k, kz = k, kbx = kb, kby = kb, kv = paper.kv }
end

local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = 1 }
  local way = ({ all = 0, ["end"] = p.length, both = p.length / 2 })[p.stretched]
  local top = s:driver{ name = "pull", z = way }
  local bottom = p.stretched == "both" and s:driver{ name = "pull down", z = -way } or nil
  local bar = s:rod{
    name = "bar", nodes = p.nodes, from = { 0, 0, 0 }, to = { 0, 0, p.length },
    radius = p.stretched == "both" and paper.radius or p.radius, density = 1000, material = material_of(p),
    position = function(_, x, y, z) return x, y, p.stretched == "all" and 2 * z or z end,
  }
  s:pin{ node = bar.first, components = "xyz", driver = bottom }
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
  for _, stretched in ipairs{ "all", "end", "both" } do
    for _, method in ipairs{ "direct", "xpbd", "block-descent", "jacobi-published" } do
      -- Without a line search, block descent comes to a scale of nearly 0 in its second iteration there.
      if method ~= "block-descent" or stretched ~= "both" then
        list[#list + 1] = {
          name = method .. "-" .. stretched, label = method .. ", stretched: " .. stretched,
          parameters = { stretched = stretched }, method = method, tolerance = 0,
          iterations = 10,
        }
      end
    end
  end
  -- Figure 14 over beta, the relaxation of the published solver.
  for _, relaxation in ipairs{ 0.25, 0.5, 1.5 } do
    list[#list + 1] = {
      name = string.format("jacobi-published-both-%g", relaxation), label = string.format("jacobi-published, relaxation %g", relaxation),
      parameters = { stretched = "both" }, method = "jacobi-published", tolerance = 0, iterations = 10, relaxation = relaxation,
    }
  end
  return list
end

--- Findings about figure 14: the energies that the published solver comes to, and how.
local function paper_gates(list)
  local e = paper.stretch
  local scale, area = forms.held_scale(2 * paper.k, paper.kv, e), math.pi * paper.radius ^ 2
  local held = "the closed form of the held bar"
  local function level(method, term, energy, tolerance, finding, reason)
    list[#list + 1] = {
      name = string.format("level of %s, both ends moved: %s", term, method), run = method .. "-both",
      quantity = "convergence/energy/" .. term, measure = "value", at = 1000, near = energy,
      tolerance = tolerance, finding = finding, reason = reason,
    }
  end
  for _, method in ipairs{ "direct", "jacobi-published" } do
    local reason = held .. (method == "direct"
      and "; what is left of the motion in this one step, a crossing of the bar's waves or two, is less than a hundredth"
      or "; a twentieth: what a converged figure would show")
    local tolerance = method == "direct" and 0.02 or 0.05
    level(method, "stretch", area / 2 * paper.k * (e - 1) ^ 2, tolerance, method ~= "direct", reason)
    level(method, "volume", area / 2 * paper.kv * (scale ^ 2 * e - 1) ^ 2, tolerance, method ~= "direct", reason)
  end
  for _, term in ipairs{ "stretch", "volume" } do
    list[#list + 1] = {
      name = "slope of " .. term .. ", both ends moved: jacobi-published", run = "jacobi-published-both",
      quantity = "convergence/energy/" .. term, measure = "slope", from = 10, to = 1000, near = -1, tolerance = 0.2,
      finding = true,
      reason = "figure 14 is said to fall with slope one; in log-log axes that is energy as one over the iterations, "
        .. "which is sublinear convergence",
    }
  end
end

local function gates(p)
  local list = { {
    name = "the end that jumps", run = "direct-end", quantity = "frames/position", node = p.nodes - 1,
    component = "z", near = 2 * p.length, tolerance = 1e-12, reason = "it is where its driver is; rounding",
  } }
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
  paper_gates(list)
  return list
end

return {
  title = "Convergence of one step after an instant two-fold stretch",
  timed = true,
  keywords = { "paper", "quick" },
  parameters = { nodes = 33, length = 1.0, radius = 0.1, E = 1e6, nu = 0.49, stretched = "all" },
  ranges = { nodes = { least = 3 }, length = { above = 0 }, radius = { above = 0 }, E = { above = 0 }, nu = { above = -1, most = 0.5 },
    stretched = { "all", "end", "both" } },
  build = build,
  runs = runs,
  gates = gates,
  gold = { runs = { "direct-all", "xpbd-end", "block-descent-all", "jacobi-published-both" } },
  figure = "stretch_convergence",
  planted = { must = { "noise" } },
}

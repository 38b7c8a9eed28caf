-- Projective dynamics or Newton's method: one step of an arm with driven bones, by `articulated`
-- and by `neohookean`, from one state. Distance of each from its own minimizer (the materials
-- differ at large strains) over iterations and time.
local arm = include("arm")

local STEP = 1 / 30
local SOLVERS = {
  { name = "pd", solver = "articulated", label = "projective dynamics", counts = { 1, 2, 5, 10, 20, 50, 100, 200 }, all = 2000 },
  { name = "newton", solver = "neohookean", label = "Newton", counts = { 1, 2, 3, 4, 5, 6, 8 }, all = 20 },
}
local RATIOS = { 0, 0.3, 0.45 }

local function build(p)
  local s = vb.scene{ step = STEP, steps = 1, gravity = { 0, 0, -9.81 } }
  local middle = arm.thick / 2
  local function turning(name, x, parent, angle)
    return s:driver{
      name = name, parent = parent, origin = { x, middle, middle }, axis = { 0, 1, 0 }, angle = { { 0, 0 }, { STEP, angle } },
    }
  end
  local shoulder = turning("shoulder", 0.1, nil, -0.02)
  local elbow = turning("elbow", 0.6, shoulder, 0.12)
  local body = arm.add(s, { E = p.E, nu = p.nu, drivers = { shoulder, elbow }, rate = 3, cells = { 12 * p.n, 4 * p.n, 4 * p.n } })
  -- Drivers turn about y from x to -z: the elbow by 0.12 rad, then the shoulder by -0.02 rad.
  local function turned(angle, x, z) return x * math.cos(angle) + z * math.sin(angle), z * math.cos(angle) - x * math.sin(angle) end
  local at = body.mesh.vertices[body.fore_nodes[1] + 1]
  local x, z = turned(0.12, at[1] - 0.6, at[3] - middle)
  local _, height = turned(-0.02, 0.5 + x, z)
  s:gate{
    name = "a node of the fore bone", quantity = "frames/position", node = body.fore_nodes[1], component = "z", near = middle + height,
    tolerance = 1e-12, reason = "the shoulder turns what the elbow turned; rounding",
  }
  s:gate{
    name = "energy of the weight", quantity = "energy/gravity", measure = "first",
    near = 1000 * arm.length * arm.thick ^ 2 * 9.81 * middle, tolerance = 1e-12, reason = "a box whose middle is at half of its thickness; rounding",
  }
  s:record{ frames = 1, fields = { "position" }, residual = true }
  if p.timed then s:convergence{ after = 0, iterations = SOLVERS[p.method].counts } end
  s:solver{ solver = SOLVERS[p.method].solver, tolerance = 0 }
  return s
end

local function prefix(n, nu, solver) return string.format("n%d.nu%g.%s", n, nu, solver) end

local function runs(_, tier)
  local list = {}
  for _, n in ipairs(tier == "full" and { 1, 2 } or { 1 }) do
    for _, nu in ipairs(RATIOS) do
      for m, solver in ipairs(SOLVERS) do
        local function add(name, count, timed)
          list[#list + 1] = {
            name = prefix(n, nu, solver.name) .. name, label = solver.label, solver = solver.solver, iterations = count,
            parameters = { n = n, nu = nu, method = m, timed = timed or false },
          }
        end
        add(".end", solver.all)
        add(".time", solver.counts[1], true)
        for _, count in ipairs(solver.counts) do add(".i" .. count, count) end
      end
    end
  end
  return list
end

--- A gate on the distance of the tip's upper corner from its position in the minimizer of the same solver.
local function apart(nu, solver, count, at_most, reason)
  local run = prefix(1, nu, solver)
  return {
    name = string.format("%s, nu %g, %d iterations", solver, nu, count), runs = { run .. ".i" .. count, run .. ".end" },
    combine = "difference", quantity = "frames/position", node = 13 * 25 - 1, component = "z", near = 0, tolerance = at_most * arm.length,
    absolute = true, reason = reason,
  }
end

local function gates()
  local slow = "a factor of .725, .898, .975 for each iteration at Poisson's ratios 0, .3, .45, of a first error of some 3 % of the length"
  local quick = "quadratic convergence: six iterations reach rounding"
  local list = {}
  for _, nu in ipairs(RATIOS) do
    list[#list + 1] = {
      name = string.format("elastic energy, nu %g, beside Newton's", nu), runs = { prefix(1, nu, "pd") .. ".end", prefix(1, nu, "newton") .. ".end" },
      combine = "ratio", quantity = "energy/elastic", measure = "final", near = 1, tolerance = 0.005,
      reason = "at small strains both materials are Hooke's; they reach some percent at the elbow",
    }
  end
  for _, gate in ipairs{
    apart(0, "pd", 50, 1e-6, slow), apart(0.3, "pd", 100, 1e-5, slow), apart(0.45, "pd", 200, 1e-3, slow),
    apart(0, "newton", 6, 1e-8, quick), apart(0.3, "newton", 6, 1e-8, quick), apart(0.45, "newton", 6, 1e-8, quick),
  } do list[#list + 1] = gate end
  return list
end

return {
  title = "Projective dynamics or Newton's method: time to a step's minimizer",
  timed = true,
  parameters = { n = 1, nu = 0.3, E = 5e4, method = 1, timed = false },
  build = build,
  runs = runs,
  gates = gates,
  gold = { runs = { "n1.nu0.3.pd.i20", "n1.nu0.3.newton.i4" } },
  figure = "pd_or_newton",
}

-- Errors of single precision: a rod, clamped at one end, falls and bends, in float and in double,
-- by all methods, at increasing resolution. A grid of all combinations.
local function build(p)
  local s = vb.scene{ step = 1 / 60, steps = p.steps, gravity = { 0, 0, -9.81 } }
  -- From the tip, node 0, to the clamp.
  local rod = s:rod{
    name = "rod", nodes = p.n + 1, from = { p.length, 0, 0 }, to = { 0, 0, 0 }, radius = 0.02,
    density = 1000, material = { E = 1e6, nu = 0.49 },
  }
  s:pin{ node = rod.last, components = "xyz" }
  s:pin{ segment = rod.last_segment }
  if p.free then
    s:gate{
      name = "the tip after a step", quantity = "frames/position", node = rod.first, component = "z", measure = "value", at = s.step,
      near = -9.81 * s.step ^ 2, tolerance = 0.02,
      reason = "it falls freely: in a step a bend spreads by the root of h (B / rho A)^(1/2), 0.15 m, and is e^-6 or so at 1 m",
    }
  end
  s:record{ every = 1, frames = 1, residual = true }
  return s
end

--- Iterations of a step, the same for either precision: none ends early, so that both do the same.
local function iterations(method) return method == "direct" and 10 or 200 end

local function gates(p)
  return {
    {
      name = "float beside double", where = { precision = "float" }, against = { precision = "double" },
      combine = "difference", quantity = "frames/position", node = 0, component = "z",
      measure = "final", near = 0, absolute = true,
      tolerance = function(at) return p.steps * iterations(at.method) * 2 ^ -24 * p.length end,
      reason = "half a last digit of a coordinate as long as the rod, in each iteration of each step: "
        .. "roundings may add up, and nothing may amplify them",
    },
    {
      name = "order of the energy", where = { method = "direct" }, over = "n", combine = "order",
      quantity = "energy/kinetic", measure = "final", near = 1, tolerance = 0.15, absolute = true,
      reason = "first order, since the clamp holds half a segment more than its end; in float as in double",
    },
    {
      name = "order of the fall", where = { method = "direct" }, over = "n", combine = "order",
      quantity = "frames/position", node = 0, component = "z", measure = "final",
      near = 1.5, tolerance = 0.5, absolute = true,
      reason = "between first order, since the clamp holds half a segment more than its end, and the "
        .. "second of all else; in float as in double",
    },
  }
end

return {
  title = "What single precision loses as rods grow finer",
  keywords = { "quick" },
  parameters = { n = 32, length = 1.0, steps = 12, free = false },
  ranges = { n = { least = 2 }, length = { above = 0 }, steps = { least = 1 } },
  build = build,
  grid = function(_, tier)
    return {
      method = { "direct", "xpbd", "block-descent", "jacobi-published" },
      precision = { "double", "float" },
      n = tier == "full" and { 8, 16, 32, 64, 128, 256, 512 } or { 8, 16, 32, 64 },
    }
  end,
  each = function(at) return { iterations = iterations(at.method), tolerance = 0, parameters = { free = at.method == "direct" } } end,
  gates = gates,
  figure = "float_or_double",
}

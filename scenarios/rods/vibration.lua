-- Standing waves of a straight rod against the exact frequency and decay of implicit Euler.
local forms = include("closed_forms")

--- Of a mode that is let go at 1: where implicit Euler has it after `n` steps, and its rate [1/s].
local function let_go(w, h, n)
  local x, v = 1, 0
  for _ = 1, n do
    v = (v - h * w ^ 2 * x) / (1 + (w * h) ^ 2)
    x = x + h * v
  end
  return x, v
end

--- Kinetic energy of the whole rod where its mode, of amplitude `a` (of the displacement's gradient, or the turn), has
--- the rate `v`: sines and cosines of whole waves have a mean square of one half, with ends that count by half. `ratio`
--- is the scale's amplitude over the gradient's; nil for twist.
local function kinetic(m, length, kap, a, ratio, v)
  local area = math.pi * m.r ^ 2
  local inertia = ratio and (a / kap) ^ 2 + m.r ^ 2 / 2 * (a * ratio) ^ 2 or m.r ^ 2 / 2 * a ^ 2
  return 0.5 * m.rho * area * length / 2 * inertia * v ^ 2
end

local function build(p)
  local k, kv = forms.stiffness(p.E, p.nu)
  local m = { kx = k, ky = k, kz = k, kv = kv, rho = p.rho, r = p.radius }
  local l, wave = p.length / p.n, p.mode * math.pi / p.length
  local twist = p.branch == "twist"
  local w, ratio
  if twist then
    w = forms.twist_wave(m, l, wave)
  else
    w, ratio = forms.wave(m, l, wave, p.branch)
  end
  local h = p.phase / w
  local s = vb.scene{ step = h, steps = p.steps }
  local kap = 2 / l * math.sin(wave * l / 2)
  -- Amplitude of the larger of the displacement's gradient and the scale's change.
  local a = (not twist and math.abs(ratio) > 1) and p.amplitude / math.abs(ratio) or p.amplitude
  local rod = s:rod{
    name = "rod", nodes = p.n + 1, from = { 0, 0, 0 }, to = { 0, 0, p.length }, radius = p.radius,
    density = p.rho, material = { kx = k, ky = k, kz = k, kv = kv },
    position = function(t, x, y, z)
      return x, y, twist and z or z + a / kap * math.sin(wave * t * p.length)
    end,
    scale = function(t) return twist and 1 or 1 + a * ratio * math.cos(wave * t * p.length) end,
    frame = function() return 1, 0, 0, 0 end, -- so that its last component is half the angle of twist
    turn = function(t) return 0, 0, twist and a * math.cos(wave * t * p.length) or 0 end,
  }
  s:pin{ nodes = { rod.first, rod.last }, components = "xyz" }
  s:record{ every = 1, frames = 1 }
  -- A part of the wave's own forces, in each of 300 steps: 1e-9, far below what the gates allow, 1e-6.
  s:solver{ iterations = 6, tolerance = 1e-12 }

  local frequency, decay = forms.implicit_euler(w, h)
  local function gate(name, measure, near, at)
    local g = { name = name, measure = measure, near = near, at = at, tolerance = 1e-6,
      reason = "discrete dispersion and implicit Euler, exact for small amplitudes; the second order "
        .. "is about the amplitude, 1e-7, and rounding about 1e-9 of it" }
    if twist then
      g.quantity, g.segment, g.component = "frames/frame", rod.first_segment, 4
    else
      g.quantity, g.node, g.origin = "frames/scale", rod.first, 1
    end
    s:gate(g)
  end
  gate("frequency", "frequency", frequency)
  gate("decay per step", "decay", decay)
  local x, v = let_go(w, h, p.early)
  local first = twist and math.sin(a * math.cos(wave * l / 2) / 2) or a * ratio
  gate("after a few steps", "value", first * x, p.early * h)
  s:gate{
    name = "kinetic energy after a few steps", quantity = "energy/kinetic", measure = "value", at = p.early * h,
    near = kinetic(m, p.length, kap, a, not twist and ratio or nil, v), tolerance = 1e-5,
    reason = "the mode's, under implicit Euler; a step moves a node by some 1e-10 m, of which rounding of its place, "
      .. "1e-16 m, is 1e-6; ten times that",
  }
  return s
end

return {
  title = "Standing waves of both branches and of twist",
  keywords = { "quick" },
  parameters = {
    branch = "acoustic", mode = 2, n = 32, length = 1.0, radius = 0.05, E = 1e6, nu = 0.49,
    rho = 1000, amplitude = 1e-7, phase = 0.1, steps = 300,
    early = 8, -- steps after which the wave is looked at, some eighth of a turn
  },
  build = build,
  runs = function(_, tier)
    local list = {}
    for _, branch in ipairs{ "acoustic", "optical", "twist" } do
      for _, mode in ipairs(tier == "full" and { 1, 2, 4, 8, 16 } or { 1, 4 }) do
        list[#list + 1] = {
          name = branch .. "-" .. mode, label = branch .. ", mode " .. mode,
          parameters = { branch = branch, mode = mode },
        }
      end
    end
    return list
  end,
  gold = { runs = { "acoustic-4", "optical-1", "twist-1" } },
  figure = "vibration",
  planted = { must = { "slow-time" } },
}

-- Standing waves of a straight rod against implicit Euler's exact frequency and decay.
local forms = include("closed_forms")

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
  local function gate(name, measure, near)
    local g = { name = name, measure = measure, near = near, tolerance = 1e-6,
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
  return s
end

return {
  title = "Standing waves of both branches and of twist",
  keywords = { "quick" },
  parameters = {
    branch = "acoustic", mode = 2, n = 32, length = 1.0, radius = 0.05, E = 1e6, nu = 0.49,
    rho = 1000, amplitude = 1e-7, phase = 0.1, steps = 300,
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
  planted = { exempt = { stale = "frequency and decay are those of a series that begins a step earlier, too" } },
  gold = { runs = { "acoustic-4", "optical-1", "twist-1" } },
  figure = "vibration",
}

-- A pulse of the radius at one end of a rod, and an acoustic wave packet, which has the gates.
local forms = include("closed_forms")
local packets = include("packet")

local function material(p)
  local k, kv = forms.stiffness(p.E, p.nu)
  return { kx = k, ky = k, kz = k, kv = kv, rho = p.rho, r = p.radius }
end

local function rod(s, p, m, start)
  local bar = s:rod{
    name = "rod", nodes = p.n + 1, from = { 0, 0, 0 }, to = { 0, 0, p.length }, radius = p.radius,
    density = p.rho, material = { kx = m.kx, ky = m.ky, kz = m.kz, kv = m.kv },
    position = start.position, scale = start.scale, velocity = start.velocity,
    scale_rate = start.scale_rate,
  }
  s:pin{ nodes = { bar.first, bar.last }, components = "xyz" }
  return bar
end

--- Figure 6: half again as thick at its lower end, for a width of 5 radii.
local function pulse(p)
  local m = material(p)
  local s = vb.scene{ step = 5e-5, steps = 1200 }
  local function height(t) return 0.5 * math.exp(-(t * p.length / (5 * p.radius)) ^ 2) end
  rod(s, p, m, { scale = function(t) return 1 + height(t) end })
  s:record{ every = 10, frames = 40 }
  -- A part of the pulse's own forces, in each of 1200 steps: a thousandth, of a gate of a tenth.
  s:solver{ iterations = 20, tolerance = 1e-6 }
  local held = 0 -- by the sections, over the stiffness
  for j = 1, p.n do held = held + ((height((j - 1) / p.n) + height(j / p.n)) / 2) ^ 2 / 2 end
  s:gate{
    name = "energy of the sections at first", quantity = "energy/section", measure = "first",
    near = math.pi * p.radius ^ 2 * (m.kx + m.ky) * p.length / p.n * held, tolerance = 1e-12,
    reason = "of what the rod begins with; rounding",
  }
  s:gate{
    name = "the pulse leaves the end", quantity = "frames/scale", node = 0, measure = "final",
    near = 1, tolerance = 0.1, finding = p.published,
    reason = "what stays behind is the slow part of the optical branch; a tenth is a fifth of the "
      .. "pulse",
  }
  return s
end

--- Gates of the packet after its first `n` steps of length `h`, when nothing has come to its middle from the ends:
--- the scale near its middle that changes most in a step, and the energy of all sections.
local function early_gates(s, p, m, list, h, n)
  local l = p.length / p.n
  local function scale(node, steps) return packets.scale_at(list, node * l - p.from, h, steps) end
  local chosen, most, held = 0, 0, 0
  for j = 1, p.n do
    local change = math.abs(j * l - p.from) < p.packet and math.abs(scale(j, n) - scale(j, n - 1)) or 0
    if change > most then chosen, most = j, change end
    held = held + ((scale(j - 1, n) + scale(j, n)) / 2) ^ 2 / 2
  end
  s:gate{
    name = "scale in the packet at first", quantity = "frames/scale", node = chosen, origin = 1, measure = "value", at = n * h,
    near = scale(chosen, n), tolerance = 1e-4 * p.amplitude, absolute = true,
    reason = "sum of the plane waves under implicit Euler; the second order is the amplitude, 1e-5 of it, and Newton leaves 1e-7 a step",
  }
  s:gate{
    name = "energy of the sections at first", quantity = "energy/section", measure = "value", at = n * h,
    near = math.pi * p.radius ^ 2 * (m.kx + m.ky) * l * held, tolerance = 1e-3,
    reason = "of the same sum; the packet's tail at the ends, a hundredth of its height, has 1e-4 of its energy",
  }
end

--- A Gaussian packet on the acoustic eigenvector.
local function packet(p)
  local m, l = material(p), p.length / p.n
  local list = packets.waves(p, l, function(k) return forms.wave(m, l, k, "acoustic") end)
  local w = forms.wave(m, l, p.k, "acoustic")
  local slope = (forms.wave(m, l, p.k * 1.001, "acoustic") - forms.wave(m, l, p.k * 0.999, "acoustic"))
    / (0.002 * p.k)
  -- A decay over the rod, exp(-w^2 h T / 2) for the time T along it, of 4.5 %.
  local h = 0.09 / (w ^ 2 * p.length / slope)
  local group = slope / (1 + (w * h) ^ 2) -- of atan(w h) / h
  local stations = { p.from + 0.2 * p.length, p.from + 0.45 * p.length }
  local s = vb.scene{ step = h, duration = (stations[2] - p.from + 3.2 * p.packet) / group }

  rod(s, p, m, packets.start(p, list))
  s:record{ every = 20, frames = 20, fields = { "position", "scale" } }
  -- Likewise of the packet's in some 1e4 steps: a tenth of the gate of 1e-2.
  s:solver{ iterations = 4, tolerance = 1e-7 }
  for i, z in ipairs(stations) do
    local node = math.floor(z / l + 0.5)
    s:gate{
      name = string.format("arrival at station %d", i), quantity = "frames/scale", node = node,
      origin = 1, measure = "arrival", near = (node * l - p.from) / group, tolerance = 0.01,
      reason = "discrete group velocity; the packet's spread of wave numbers changes it by less than "
        .. "a hundredth",
    }
  end
  early_gates(s, p, m, list, h, 20)
  return s
end

return {
  title = "A radius pulse along a rod, and the arrival of an acoustic wave packet",
  keywords = { "paper" },
  parameters = {
    kind = "pulse", published = false, n = 128, length = 2.0, radius = 0.05, E = 1e6, nu = 0.49, rho = 1000,
    k = 4.0, packet = 0.7, from = 2.1, amplitude = 1e-5,
  },
  build = function(p) return (p.kind == "packet" and packet or pulse)(p) end,
  runs = function(_, tier)
    local list = {
      { name = "pulse", label = "radius pulse", parameters = { kind = "pulse" } },
      -- With a relaxation of 1, as printed, its scales come to 0 within a few steps, with 20 iterations as with 300.
      { name = "pulse-published", label = "radius pulse, jacobi-published", parameters = { kind = "pulse", published = true },
        method = "jacobi-published", iterations = 30, relaxation = 0.5, tolerance = 0 },
      { name = "packet", label = "acoustic packet",
        parameters = { kind = "packet", n = 160, length = 8.0 } },
    }
    if tier == "full" then
      list[#list + 1] = { name = "packet-fine", label = "acoustic packet, twice as fine",
        parameters = { kind = "packet", n = 320, length = 8.0 } }
    end
    return list
  end,
  gold = { runs = { "pulse", "packet" } },
  figure = "shockwave",
  planted = { must = { "slow-time" } },
}

-- Answers of the discrete model that are known exactly. All in SI units.
local forms = {}

--- Scale at which a straight bar held at stretch `e` settles: the one positive root of
--- (kx + ky)(s - 1) + 2 kv s e (s^2 e - 1) = 0, by bisection to the last bit.
function forms.held_scale(kxy, kv, e)
  local function force(s) return kxy * (s - 1) + 2 * kv * s * e * (s * s * e - 1) end
  local low, high = 0.01, 10
  for _ = 1, 200 do
    local middle = (low + high) / 2
    if force(middle) > 0 then high = middle else low = middle end
  end
  return (low + high) / 2
end

--- Young's modulus and Poisson's ratio to the model's stiffnesses (kx = ky = kz, kv).
function forms.stiffness(E, nu)
  return E / (1 + nu), E * nu / ((1 + nu) * (1 - 2 * nu))
end

--- Longitudinal waves of a uniform straight rod on nodes `l` apart, for wave number `k`.
--- Displacement U sin(kz), s - 1 = S cos(kz). `m` holds kx, ky, kz, kv, rho, r; surface stiffness 0.
--- Returns the angular frequency and S / (kap U), kap U being the amplitude of the displacement's
--- gradient, of branch "acoustic" or "optical".
function forms.wave(m, l, k, branch)
  local kap, c = 2 / l * math.sin(k * l / 2), math.cos(k * l / 2)
  -- rho w^2 a = kap^2 (A a + B b), (rho r^2/2) w^2 b = B a + D b for a = kap U, b = S
  local A, B = m.kz + m.kv, 2 * m.kv * c
  local D = (m.kx + m.ky + 4 * m.kv) * c * c + m.r ^ 2 / 4 * (m.kx + m.ky) * kap ^ 2
  local a11, a12 = kap ^ 2 * A / m.rho, kap ^ 2 * B / m.rho
  local a21, a22 = 2 * B / (m.rho * m.r ^ 2), 2 * D / (m.rho * m.r ^ 2)
  local half, det = (a11 + a22) / 2, kap ^ 2 * 2 / (m.rho * m.r) ^ 2 * (A * D - B * B)
  local upper = half + math.sqrt(half ^ 2 - det)
  local w2 = branch == "optical" and upper or det / upper -- without cancellation
  return math.sqrt(w2), branch == "optical" and a21 / (w2 - a22) or (w2 - a11) / a12
end

--- Twist waves: angular frequency.
function forms.twist_wave(m, l, k)
  return math.sqrt((m.kx + m.ky) / (2 * m.rho)) * 2 / l * math.sin(k * l / 2)
end

--- What implicit Euler with step h makes of an undamped mode: frequency [rad/s] and factor per step.
function forms.implicit_euler(w, h)
  return math.atan(w * h) / h, 1 / math.sqrt(1 + (w * h) ^ 2)
end

return forms

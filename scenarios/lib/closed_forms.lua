-- Closed forms of the discrete model. All in SI units.
local forms = {}

--- Scale at which a straight bar held at stretch `e` settles: the one positive root of
--- (kx + ky)(s - rest) + 2 kv s e (s^2 e - 1) = 0, by bisection to the last bit. Sections of scale `rest`, 1 by
--- default, are free of stress.
function forms.held_scale(kxy, kv, e, rest)
  rest = rest or 1
  local function force(s) return kxy * (s - rest) + 2 * kv * s * e * (s * s * e - 1) end
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

--- The stiffness kz that replaces kz and kv in a rod without scales: that of a slow pull.
function forms.matched_kz(m)
  return m.kz + m.kv - 4 * m.kv ^ 2 / (m.kx + m.ky + 4 * m.kv)
end

--- Longitudinal waves of a rod without scales and of stiffness `kz`, its radius following its length:
--- angular frequency, and S / (kap U) of the scales at nodes, each the mean of two segments'.
function forms.updated_wave(kz, rho, l, k)
  return math.sqrt(kz / rho) * 2 / l * math.sin(k * l / 2), -math.cos(k * l / 2) / 2
end

--- Scale at the middle node of a straight rod of `n` segments (even, `l` long) with held end centers,
--- when a small scale force `force` acts there, at rest: the sum over the modes cos(k z) of
--- (D - B^2 / A) b = force (see forms.wave).
function forms.pressed_scale(m, l, n, force)
  local volume, sum = math.pi * m.r ^ 2 * l, 0
  for i = 0, n do
    local k = i * math.pi / (n * l)
    local kap, c = 2 / l * math.sin(k * l / 2), i < n and math.cos(k * l / 2) or 0
    local stiffness = (m.kx + m.ky + 4 * m.kv) * c * c + m.r ^ 2 / 4 * (m.kx + m.ky) * kap ^ 2
    if i > 0 then stiffness = stiffness - (2 * m.kv * c) ^ 2 / (m.kz + m.kv) end
    local weight = (i == 0 or i == n) and 1 / n or 2 / n
    sum = sum + weight * math.cos(k * l * n / 2) ^ 2 / stiffness
  end
  return 1 + force / volume * sum
end

--- The least torque at which a straight rod buckles between two clamps that turn it and pull it with `tension` (Greenhill):
--- in 1, z, exp(i p z) and exp(i q z), with B p^2 - M p + T = 0, a deflection vanishes with its slope at both ends.
function forms.twisted_torque(bending, tension, length)
  local half, least = length / 2, 2 * math.sqrt(bending * tension)
  local function off(torque)
    local mean = torque / (2 * bending)
    local apart = math.sqrt(mean ^ 2 - tension / bending)
    local p, q = half * (mean + apart), half * (mean - apart)
    local function odd(x) return math.sin(x) - x * math.cos(x) end
    return (p * math.sin(p) * odd(q) - q * math.sin(q) * odd(p)) / apart -- both roots are equal at the least torque
  end
  local step = bending / length / 100
  local low = least + step
  local sign = off(low) > 0
  while (off(low + step) > 0) == sign do low = low + step end
  local high = low + step
  for _ = 1, 60 do
    local middle = (low + high) / 2
    if (off(middle) > 0) == sign then low = middle else high = middle end
  end
  return low
end

--- The scale's distance from 1 at node `at` (from 0), after 0, h, 2 h, .. `steps` h, of a straight rod
--- of `n` segments with held end centers, at rest at first with scales 1 + profile[node + 1], small:
--- each mode cos(k z) goes on in both branches, each multiplied by (1 - i w h)^(-1) per step.
function forms.ripple(m, l, n, profile, at, h, steps)
  local function mode(amplitude, w) return { a = amplitude, angle = math.atan(w * h),
    log = -0.5 * math.log(1 + (w * h) ^ 2) } end
  local modes = {}
  for i = 0, n do
    local k, a = i * math.pi / (n * l), 0
    for j = 0, n do
      local weight = (j == 0 or j == n) and 0.5 or 1
      a = a + weight * profile[j + 1] * math.cos(math.pi * i * j / n)
    end
    a = a * ((i == 0 or i == n) and 1 or 2) / n * math.cos(math.pi * i * at / n)
    if i == 0 or i == n then -- the center line stays
      local kap = 2 / l * math.sin(k * l / 2)
      local d = (i == 0 and m.kx + m.ky + 4 * m.kv or 0) + m.r ^ 2 / 4 * (m.kx + m.ky) * kap ^ 2
      modes[#modes + 1] = mode(a, math.sqrt(2 * d / (m.rho * m.r ^ 2)))
    else
      local slow, slow_ratio = forms.wave(m, l, k, "acoustic")
      local fast, fast_ratio = forms.wave(m, l, k, "optical")
      local share = a / (slow_ratio - fast_ratio)
      modes[#modes + 1] = mode(share * slow_ratio, slow)
      modes[#modes + 1] = mode(-share * fast_ratio, fast)
    end
  end
  local out = {}
  for step = 0, steps do
    local sum = 0
    for _, v in ipairs(modes) do sum = sum + v.a * math.exp(step * v.log) * math.cos(step * v.angle) end
    out[step + 1] = sum
  end
  return out
end

--- Centroid of y^2 over the times 0, spacing, 2 spacing, .., by the trapezoid rule.
function forms.arrival(y, spacing)
  local sum, moment = 0, 0
  for i, value in ipairs(y) do
    local weight = (i == 1 or i == #y) and 0.5 or 1
    sum = sum + weight * value ^ 2
    moment = moment + weight * value ^ 2 * (i - 1) * spacing
  end
  return moment / sum
end

--- An undamped mode by implicit Euler with step h: frequency [rad/s] and factor per step.
function forms.implicit_euler(w, h)
  return math.atan(w * h) / h, 1 / math.sqrt(1 + (w * h) ^ 2)
end

return forms

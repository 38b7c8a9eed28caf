-- Stiffnesses of rods that represent an elastic band, fitted only to the stretch of the band.
local forms = include("closed_forms")
local fit = {}

--- Uniaxial stretch `e` of the stable Neo-Hookean solid (Smith et al. 2018) of Young's modulus `E`
--- and Poisson's ratio `nu`: the stretch across, at which the sides are free of stress, and the
--- first Piola stress along [Pa].
function fit.solid(E, nu, e)
  local mu_l, la_l = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
  local mu, la = 4 / 3 * mu_l, la_l + 5 / 6 * mu_l
  local alpha = 1 + 3 * mu / (4 * la)
  local function stress(t)
    local shear = mu * (1 - 1 / (2 * t * t + e * e + 1))
    local pressure = la * (t * t * e - alpha)
    return shear * t + pressure * t * e, shear * e + pressure * t * t
  end
  local low, high = 0.1, 3
  for _ = 1, 200 do
    local middle = (low + high) / 2
    if stress(middle) > 0 then high = middle else low = middle end
  end
  local _, along = stress((low + high) / 2)
  return (low + high) / 2, along
end

--- The same of a rod: its scale and its force over its area at rest [Pa]. `k` holds kx = ky, kz, kv.
function fit.rod(k, e)
  local s = forms.held_scale(2 * k.kx, k.kv, e)
  return s, k.kz * (e - 1) + k.kv * s * s * (s * s * e - 1)
end

--- The kx = ky, kz and kv of rods, whose areas are the part `share` of the band's, fitted to the stress and
--- lateral stretch of the band at `n` equidistant stretches up to `most`: least squares of the relative
--- differences of both. The initial guess is the usual map, kx = ky = kz = E / (1 + nu).
function fit.stiffness(E, nu, share, most, n)
  local solid = {}
  for i = 1, n do
    local e = 1 + (most - 1) * i / n
    local across, stress = fit.solid(E, nu, e)
    solid[i] = { e = e, across = across, stress = stress }
  end
  local function of(q)
    return { kx = math.exp(q[1]), kz = math.exp(q[2]), kv = math.exp(q[3]) }
  end
  local k, kv = forms.stiffness(E, nu)
  local result = vb.fit{
    start = { math.log(k), math.log(k), math.log(kv) },
    residuals = function(q)
      local r, stiffness = {}, of(q)
      for i, at in ipairs(solid) do
        local s, stress = fit.rod(stiffness, at.e)
        r[2 * i - 1] = share * stress / at.stress - 1
        r[2 * i] = s / at.across - 1
      end
      return r
    end,
  }
  local out = of(result.parameters)
  out.rms = result.rms
  return out
end

return fit

-- A uniformly stretched bar of the stable Neo-Hookean solid, Young's modulus and section 1, by
-- differences of its energy alone; and the lists with which problems of volume state what is given.
local forms, integrate = include("neohookean_forms"), include("integrate")
local least = {}

--- Force and width of a bar at the stretch `l` whose rest shape is `a` times as long and keeps its volume, with their errors: the
--- width has the least energy, and the force is how the energy grows with the length.
function least.bar(nu, l, a)
  local function energy(stretch, width)
    local aside = width * math.sqrt(a)
    return forms.energy(1, nu, { aside, 0, 0, 0, aside, 0, 0, 0, stretch / a })
  end
  local function width(n)
    local d, low, high = 0.02 / n, 0.3, 3
    for _ = 1, 60 do
      local t = (low + high) / 2
      if energy(l, t + d) > energy(l, t - d) then high = t else low = t end
    end
    return (low + high) / 2
  end
  local t, t_error = integrate.refine(width, 1, 2, 4)
  local force, force_error = integrate.refine(function(n)
    local d = 0.02 / n
    return (energy(l + d, t) - energy(l - d, t)) / (2 * d)
  end, 1, 2, 4)
  -- The force changes with the width by less than E.
  return { force, force_error + t_error }, { t, t_error }
end

--- The same by the closed form: force and width.
function least.closed(nu, l, a)
  local width, stress = forms.stretched(1, nu, l / a)
  return stress / a, width / math.sqrt(a)
end

--- What the law is, for statements.
least.law = {
  "Psi = mu/2 (I - 3) + la/2 (J - alpha)^2 - mu/2 log(I + 1), I = tr F^T F, J = det F",
  "mu = 4/3 muL, la = laL + 5/6 muL, alpha = 1 + 3 mu/(4 la), muL = E/(2 (1 + nu)), laL = E nu/((1 + nu) (1 - 2 nu))",
}

return least

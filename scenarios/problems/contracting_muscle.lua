-- A muscle whose fibers contract along it, all of it or about its middle, between plates that are
-- held, or free to move.
local least, round, elements = include("least_energy"), include("round_bar"), include("round_elements")
local nu, active, slightly, width, half = 0.45, 0.8, 1e-5, 1, 8

local function given(more)
  local list = { { name = "nu", what = "Poisson's ratio", value = nu }, { name = "half", what = "half of the length of the muscle at rest, in R", value = half } }
  for _, one in ipairs(more) do list[#list + 1] = one end
  return list
end

local contraction = { name = "active", what = "length of the active rest shape over that at rest", value = active }
local force, wide = least.closed(nu, 1, active)

local function by_energy(l, k, of)
  return function()
    local both = { least.bar(nu, l, active) }
    return of(both[k][1]), both[k][2]
  end
end

local isometric = {
  name = "isometric", given = given{ contraction },
  ask = {
    {
      name = "force", what = "which pulls the plates together, over E A; A = pi R^2", exact = force, scale = force,
      methods = { { "energy", by_energy(1, 1, function(f) return f end) } },
    },
    {
      name = "widening", what = "gain of the radius half way between the plates, over R", exact = wide - 1, scale = wide - 1,
      methods = { { "energy", by_energy(1, 2, function(t) return t - 1 end) } },
    },
  },
}

--- Where the force by differences of the energy is 0.
local function shortened()
  local low, high = 0.7, 0.9
  for _ = 1, 34 do
    local l = (low + high) / 2
    if least.bar(nu, l, active)[1] > 0 then high = l else low = l end
  end
  return 1 - (low + high) / 2, 1e-9
end

local free = {
  name = "free", given = given{ contraction },
  ask = {
    { name = "shortening", what = "loss of length over that at rest", exact = 1 - active, scale = 1 - active, methods = { { "energy", shortened } } },
    {
      name = "widening", what = "gain of the radius half way between the plates, over R", exact = active ^ -0.5 - 1, scale = active ^ -0.5 - 1,
      methods = { { "energy", by_energy(active, 2, function(t) return t - 1 end) } },
    },
  },
}

local list = round.bump(half, width)
local function bulge(k) return k == 0 and 0.5 - nu or round.contracted(nu, k) end
local middle, aside = round.sum(list, half, 0, bulge), round.sum(list, half, 2 * width, bulge)

local known = {}
local function computed(k)
  return function()
    return elements.limit(function(n)
      known[n] = known[n] or { elements.respond(nu, half, n, 8 * n, nil, function(z) return math.exp(-z * z / (2 * width * width)) end, 2 * width) }
      return k == 1 and known[n][1] / math.pi or known[n][k]
    end)
  end
end

local partial = {
  name = "middle", given = given{ { name = "contraction", what = "c, at the middle", value = slightly }, { name = "width", what = "w of the contraction, in R", value = width } },
  ask = {
    { name = "force", what = "which pulls the plates together, over E A c", exact = list[0], scale = list[0], methods = { { "elements", computed(1) } } },
    { name = "middle", what = "gain of the radius half way between the plates, over R c", exact = middle, scale = middle, methods = { { "elements", computed(2) } } },
    {
      name = "away", what = "gain of the radius at the distance 2 w from there, over R c", exact = aside, scale = middle,
      methods = { { "elements", computed(3) } },
    },
  },
}

return {
  title = "Contracting muscle: held and free, and where its middle alone contracts",
  text = [[A straight round muscle of radius R and length 16 R, of a stable Neo-Hookean solid (Smith, de Goes and Kim 2018) with Young's modulus E
and Poisson's ratio 0.45, lies between two plates, on which its ends glide without friction and may become thinner or thicker. It stays
straight. Its fibers, along it, contract by active strain: the rest shape of each piece becomes a times as long and keeps its volume,
F = F_e F_a, F_a = a d d^T + a^(-1/2) (I - d d^T), with Psi(F_e) in place of Psi(F). With a = 0.8 everywhere, the plates are held (case
isometric), or free to move (case free, which any law answers alike). Or it contracts about its middle alone, and slightly:
a = 1 - c exp(-z^2/(2 w^2)), c = 1e-5, w = R, where z is the distance from the middle, and the plates are held (case middle, of a linear
solid). What is the force, the loss of length, and the gain of the radius?]],
  formulas = {
    least.law[1], least.law[2], "free: length a, radius a^(-1/2)",
    "middle: force E A times the mean of c exp(-z^2/(2 w^2)) over the length; radius by a series with I_0(k R) and I_1(k R)",
  },
  units = "lengths in R, forces in E A", groups = { "nu = 0.45", "a = 0.8", "w/R = 1, c = 1e-5" },
  models = { "active strain along a rod that keeps its volume", "a radius that varies along the rod (middle)", "a law of finite strain (isometric)" },
  made = "closed forms; beside differences of the energy at the width at which it is least, and bicubic elements of the section through the axis (middle)",
  published = "a rod of Angles et al. 2019 with the same active strain pulls with about E A (1 - a) in case isometric, a fifth less: its law is another",
  sees = { "Poisson's ratio", "active strain" },
  cases = { isometric, free, partial },
}

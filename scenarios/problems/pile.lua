-- A pile of rods in a ditch, as statistics over 32 piles: by impulses in long steps, beside springs in short ones. Piles are chaotic;
-- computations agree within the error of their means.
local n_piles, n_rods, half, mu, drag = 32, 10, 5, 0.4, 0.2
local times = { 10, 40 }
local slope = math.sqrt(0.5)

--- The middles and directions at first of rod `rod` of pile `pile`: x and y of the middle, z, and the angle of its axis from x toward y.
local numbers = {}
local function start(pile, rod)
  local last, first = #numbers, 3 * (n_rods * (pile - 1) + rod - 1)
  local state = last == 0 and 1 or numbers[last]
  for k = last + 1, first + 3 do
    state = 16807 * state % 2147483647
    numbers[k] = state
  end
  local function random(k) return numbers[first + k] / 2147483647 end
  return 2 * random(1) - 1, 4 * random(2) - 2, 5 + 3 * rod, math.pi * random(3)
end

--- The mean height of the rods of each pile at the asked times, by a computation with its own settings.
local function heights(compute, settings)
  local found = { {}, {} }
  for pile = 1, n_piles do
    local x, a = {}, {}
    for rod = 1, n_rods do
      local k, angle = 3 * rod - 3
      x[k + 1], x[k + 2], x[k + 3], angle = start(pile, rod)
      a[k + 1], a[k + 2], a[k + 3] = math.cos(angle), math.sin(angle), 0
    end
    local given = {
      half = half, across = half * half + 1 / 4, axial = 1 / 2, mu = mu, drag = drag, time = times[2],
      planes = { { slope, 0, slope, 0 }, { -slope, 0, slope, 0 } },
    }
    for key, value in pairs(settings) do given[key] = value end
    compute(given, x, a, n_rods, function(of, time)
      for k, t in ipairs(times) do
        if t == time then
          local sum = 0
          for rod = 1, n_rods do sum = sum + of.x[3 * rod] end
          found[k][pile] = sum / n_rods
        end
      end
    end)
  end
  return found
end

local computations = {
  impulses = { "pile_impulses", { steps = 25, sweeps = 50, enough = 1e-5 } }, springs = { "pile_springs", { steps = 500, stiff = 2000 } },
}

--- Both computations, each made once for both times.
local kept = {}
local function kept_heights(name, k)
  kept[name] = kept[name] or heights(include(computations[name][1]), computations[name][2])
  return kept[name][k]
end

--- The mean over all piles at time `k` by the computation `name`, and twice the standard error that it has by chaos. Both computations begin
--- from the same starts, and each pile differs between them by the chaos of both.
local function method(name, k)
  return {
    name,
    function()
      local mean, differ, square = 0, 0, 0
      local list, one, other = kept_heights(name, k), kept_heights("impulses", k), kept_heights("springs", k)
      for i = 1, n_piles do mean, differ = mean + list[i] / n_piles, differ + (one[i] - other[i]) / n_piles end
      for i = 1, n_piles do square = square + (one[i] - other[i] - differ) ^ 2 end
      return mean, 2 * math.sqrt(square / (n_piles - 1) / n_piles / 2)
    end,
  }
end

local asks = {}
for k, time in ipairs(times) do
  asks[k] = {
    name = "height_" .. time, what = "mean height of the rods' middles at t = " .. time .. ", over all piles, in r", scale = 2 * half, seeds = n_piles,
    methods = { method("impulses", k), method("springs", k) },
  }
end

local function given(name, what, value) return { name = name, what = what, value = value } end

return {
  title = "Pile: rods that fall into a ditch, as statistics over 32 piles",
  text = [[Ten rigid rods fall into a ditch along y, of two rough planes through y that go up at 45 degrees to both sides; gravity acts along -z. A rod
is what is within r of a straight axis of length 10 r: a cylinder with half a ball at each end. A half of its mass m is at each end of the axis; its
sections add the moments m r^2/4 across and m r^2/2 about the axis. Rods touch each other and the planes without restitution, and rub by Coulomb's law
at their surfaces, with mu = 0.4. The air slows velocities and angular momenta by the rate 0.2 sqrt(g/r). Rod k is at rest at first, level, at the
height 5 r + 3 r k, with x, y and the angle of its axis from x toward y from random numbers. How high are the rods' middles, on average, at
t = 10 sqrt(r/g), when the pile is falling apart, and at t = 40 sqrt(r/g), when it nearly rests? A pile is chaotic: asked for is the mean over 32 piles,
whose starts are given, and errors are statistical.]],
  formulas = {
    "random numbers: s = 16807 s mod (2^31 - 1), from s = 1; u = s/(2^31 - 1)",
    "three for each rod of each pile, in their order: x = 2 u - 1, y = 4 u - 2, angle = pi u",
    "error of a computation: twice the standard error of its mean by chaos, 2 d/64^(1/2); d: standard deviation of what both differ by in a pile",
    "reference: the mean of both; its bar: the greater error, and half of what both means differ by",
  },
  units = "lengths in r, times in sqrt(r/g)", groups = { "mu = 0.4", "half length/r = 5", "rods = 10", "piles = 32" },
  models = { "contact of rods, and with planes", "friction that rotates bodies" },
  made = "impulses at contacts in implicit steps (Moreau 1999, Jean 1999); beside damped springs at contacts in explicit steps (Cundall and "
    .. "Strack 1979). A third one, MuJoCo 3.17.0, from this statement, is within the bar: 7.35, 7.37 at t = 10 and 4.70, 4.76 at t = 40, with "
    .. "steps of 0.01 and 0.005",
  sees = { "friction" },
  cases = {
    {
      name = "ditch", shape = start,
      given = {
        given("piles", "number of piles, far from each other", n_piles), given("rods", "number of rods of each", n_rods),
        given("half", "of the length of an axis", half), given("mu", "coefficient of friction", mu),
        given("drag", "rate at which the air slows rods", drag), given("time", "of the last answer", times[2]),
      },
      ask = asks,
    },
  },
}

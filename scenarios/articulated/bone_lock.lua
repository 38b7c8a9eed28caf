-- The effect of a bone on the convergence of a step: rigid by the projection, of stiff flesh, or
-- flesh with shape constraints (Li, Liu, Kavan 2019, figs. 6, 7). Rotation of the fore bone over
-- iterations, in one step of an arm whose far part begins to turn.
local arm = include("arm")

local KINDS = {
  { name = "exact", label = "rigid", options = {} },
  { name = "published", label = "rigid, as published", options = { projection = "published" } },
  { name = "stiff.1e2", label = "100 times stiffer", options = { bones = "stiff", ratio = 1e2 } },
  { name = "stiff.1e4", label = "10^4 times stiffer", options = { bones = "stiff", ratio = 1e4 } },
  { name = "stiff.1e6", label = "10^6 times stiffer", options = { bones = "stiff", ratio = 1e6 } },
  { name = "shape.1e4", label = "shape, 10^4 N/m", options = { bones = "shape", weight = 1e4 } },
  { name = "shape.1e6", label = "shape, 10^6 N/m", options = { bones = "shape", weight = 1e6 } },
  { name = "shape.1e8", label = "shape, 10^8 N/m", options = { bones = "shape", weight = 1e8 } },
}
local COUNTS = { 1, 2, 5, 10, 20, 50, 100, 200 }

local function build(p)
  local s = vb.scene{ step = 1 / 30, steps = 1, gravity = { 0, 0, -9.81 } }
  arm.add(s, { E = 5e4, nu = 0.3, link = "ball", rate = p.rate })
  s:record{ frames = 1, fields = { "position", "bone_position", "bone_frame" } }
  s:solver{ solver = "articulated", tolerance = 0 }
  return s
end

local function runs()
  local list = { { name = "converged", label = "1000 iterations", iterations = 1000 } }
  for _, kind in ipairs(KINDS) do
    for _, n in ipairs(COUNTS) do
      local run = { name = kind.name .. ".n" .. n, label = kind.label, iterations = n }
      for key, value in pairs(kind.options) do run[key] = value end
      list[#list + 1] = run
    end
  end
  return list
end

--- A gate on the turn of the fore bone in two runs, as the sine of its half.
local function turns(name, runs_of, gate)
  gate.name, gate.runs, gate.combine = name, runs_of, "ratio"
  gate.quantity, gate.bone, gate.component = "frames/bone_frame", 1, 3
  return gate
end

local function gates(p)
  local list = {
    {
      name = "energy of the weight", run = "converged", quantity = "energy/gravity", measure = "first",
      near = 1000 * arm.length * arm.thick ^ 2 * 9.81 * arm.thick / 2, tolerance = 1e-12,
      reason = "a box whose middle is at half of its thickness; rounding",
    },
    {
      name = "turn of the fore bone", run = "converged", quantity = "frames/bone_frame", bone = 1, component = 3,
      near = math.sin(p.rate / 30 / 2), tolerance = 0.25,
      reason = "the sine of half of what it would turn by in a step if nothing held it, of which flesh takes less than a quarter",
    },
    turns("locking number of rigid bones", { "exact.n20", "converged" }, {
      at_least = 0.99, reason = "the share of the turn that 20 iterations make; 1 is free, 0 locked",
    }),
    turns("ten thousand and a million times stiffer", { "stiff.1e4.n20", "stiff.1e6.n20" }, {
      near = 100, tolerance = 0.1, finding = true, reason = "an iteration turns a bone in inverse proportion to its weight",
    }),
  }
  for _, kind in ipairs{ "stiff", "shape" } do
    local weights = kind == "stiff" and { "1e2", "1e4", "1e6" } or { "1e4", "1e6", "1e8" }
    for k = 2, 3 do
      list[#list + 1] = turns(kind .. " " .. weights[k] .. " locks more than " .. weights[k - 1],
        { kind .. "." .. weights[k] .. ".n20", kind .. "." .. weights[k - 1] .. ".n20" },
        { at_most = 0.9, reason = "a stiffer bone is slower to turn" })
    end
  end
  return list
end

return {
  title = "Locking: bones that are rigid, stiff, or held in shape",
  parameters = { rate = 3 },
  build = build,
  runs = runs,
  gates = gates,
  gold = { runs = { "exact.n20", "published.n20", "stiff.1e4.n20", "shape.1e6.n20" } },
  figure = "bone_lock",
}

-- The timed scenes: the sizes of table 1 of Li, Liu, Kavan 2019, as bars of flesh with bones inside
-- that hang from one end and swing; silk begins level and falls. The figure of the runs has the
-- columns of that table. A step has 20 local and global steps at h = 0.033 s, as in the table.
local ARMS = {
  { name = "bar", label = "bar: 7 680, 2 bones", cells = { 24, 8, 8 }, bones = 2, linked = true, size = { 7, 7, 7 } },
  { name = "washer", label = "washing machine: 45 900, 9 bones", cells = { 102, 9, 10 }, bones = 9, linked = true, size = { 10, 3, 4 } },
  { name = "silk", label = "silk: 45 900, 9 bones", cells = { 102, 9, 10 }, bones = 9, linked = true, size = { 10, 3, 4 }, level = true },
  { name = "mermaid", label = "mermaid: 32 000, 9 bones", cells = { 64, 10, 10 }, bones = 9, linked = false, size = { 6, 6, 7 } },
  { name = "snail", label = "snail: 105 840, 1 bone", cells = { 28, 28, 27 }, bones = 1, linked = false, size = { 23, 23, 22 } },
}

--- The first node, in cells, of the bone number k: a block of nodes in the middle of its share of the length.
local function block(arm, k)
  local from = {}
  local share = arm.cells[1] / arm.bones
  for c = 1, 3 do from[c] = (arm.cells[c] + 1 - arm.size[c]) // 2 end
  from[1] = math.floor((k - 1) * share + (share + 1 - arm.size[1]) / 2 + 0.5)
  return from
end

local function build(p)
  local arm = ARMS[p.arm]
  local s = vb.scene{ step = 0.033, steps = 12, gravity = arm.level and { 0, 0, -9.81 } or { 9.6, 0, -2 } }
  local size, h = {}, 0.05
  for c = 1, 3 do size[c] = h * arm.cells[c] end
  local mesh = vb.box{ to = size, cells = arm.cells }
  local body = s:mesh{ mesh = mesh, material = { E = p.E, nu = p.nu }, density = 1000, name = "flesh" }
  s:pin{ nodes = body.faces.x0 }
  local bones = {}
  for k = 1, arm.bones do
    local from, list = block(arm, k), {}
    for i, x in ipairs(mesh.vertices) do
      local inside = true
      for c = 1, 3 do
        local at = math.floor(x[c] / h + 0.5)
        inside = inside and at >= from[c] and at < from[c] + arm.size[c]
      end
      if inside then list[#list + 1] = i - 1 end
    end
    bones[k] = s:bone{ name = "bone " .. k, nodes = list }
    local middle = { from[1] * h - h / 2, size[2] / 2, size[3] / 2 }
    if k > 1 and arm.linked then s:link{ name = "joint " .. k - 1, kind = "ball", bones = { bones[k], bones[k - 1] }, at = middle } end
  end
  s:record{ every = 4, frames = 12, fields = { "position" }, residual = true }
  s:bench{ after = 4 }
  s:gate{
    name = "no element inverts", quantity = "dilation_range", component = 1, measure = "minimum", at_least = 0.2,
    finding = p.published, -- whose steps end at no minimum
    reason = "hung up, it stretches by its weight and swings, however long it is timed",
  }
  s:solver{ solver = "articulated", iterations = 20, tolerance = 0 }
  return s
end

return {
  title = "A step of bodies with skeletons: table 1 of Li, Liu, Kavan 2019",
  parameters = { arm = 1, E = 1e6, nu = 0.3, published = false },
  build = build,
  runs = function(_, tier)
    local list = {}
    for k, arm in ipairs(ARMS) do
      if tier == "full" or k == 1 then
        for _, kind in ipairs{ { "" }, { "-published", "published" }, { "-stiff", nil, "stiff" } } do
          list[#list + 1] = {
            name = arm.name .. kind[1], label = arm.label .. " " .. kind[1]:sub(2), parameters = { arm = k, published = kind[2] ~= nil },
            projection = kind[2], bones = kind[3], ratio = kind[3] and 1 or nil,
          }
        end
      end
    end
    return list
  end,
  figure = "skeleton",
  gold = { runs = { "bar" }, steps = 3, frames = 3 },
}

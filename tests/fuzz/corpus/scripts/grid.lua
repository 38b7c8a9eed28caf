return { title = "grid", parameters = { n = 4, a = "x", b = true },
  build = function(p)
    local s = vb.scene{ step = 1, steps = 1 }
    s:rod{ nodes = p.n, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, density = 1, material = {E = 1, nu = 0} }
    return s end,
  grid = function(p, tier) return { method = {"direct", "xpbd"}, n = {2, 3, 4, 5} } end,
  each = function(at, p) if at.n == 3 then return false end return { iterations = at.n } end,
  runs = function(p, tier) return { { name = "alone", label = "x", parameters = { n = 5 } } } end,
  gates = function(p) return {
    { name = "o", over = "n", where = { method = "direct" }, combine = "order", quantity = "energy/total", at_most = 1, reason = "r" },
    { name = "d", against = { method = "direct" }, combine = "difference", quantity = "energy/total", near = 0, absolute = true, tolerance = function(at) return at.n end, reason = "r" },
    { name = "w", where = { n = {2, 4} }, quantity = "energy/total", at_least = 0, finding = true, reason = "r" } } end }

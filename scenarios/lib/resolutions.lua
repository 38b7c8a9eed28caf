-- Runs of one scenario at several resolutions, called n8, n16, ..
-- resolutions{ quick = { 8, 16 }, full = { .. } } gives functions of the tier:
-- sizes, runs (parameter n set) and names.
return function(sizes)
  local function map(tier, make)
    local list = {}
    for i, n in ipairs(sizes[tier]) do list[i] = make(n) end
    return list
  end
  return {
    sizes = function(tier) return sizes[tier] end,
    names = function(tier) return map(tier, function(n) return "n" .. n end) end,
    runs = function(tier)
      return map(tier, function(n)
        return { name = "n" .. n, label = n .. " segments", parameters = { n = n } }
      end)
    end,
  }
end

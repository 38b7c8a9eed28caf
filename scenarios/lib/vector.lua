-- Vectors of three numbers.
local vector = {}

--- a x b.
function vector.cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end

function vector.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

function vector.minus(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end

function vector.scaled(a, factor) return { a[1] * factor, a[2] * factor, a[3] * factor } end

--- a over its length.
function vector.unit(a)
  local l = math.sqrt(vector.dot(a, a))
  return { a[1] / l, a[2] / l, a[3] / l }
end

return vector

-- Damped motion to rest, by constraints on points and ghost points.
return include("umetani_entry")("xpbd", { method = "xpbd" })

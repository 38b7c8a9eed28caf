-- Damped motion to rest, by constraints on points and ghost points.
return include("umetani_entry")("pbd", { method = "pbd", alpha = "law" })

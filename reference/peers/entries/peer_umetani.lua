-- Sweeps over points and ghost points, with the settings of scenarios/entries/umetani_xpbd.lua.
return include("peer_sweeps")("umetani, xpbd: constraints on points and ghost points, damped until they rest", "umetani, xpbd", "umetani")

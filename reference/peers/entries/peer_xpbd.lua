-- Sweeps over constraints, with the settings of scenarios/entries/viper_xpbd_published.lua.
return include("peer_sweeps")("viper, xpbd: constraints of the published model, damped until they rest", "viper, xpbd", "viper")

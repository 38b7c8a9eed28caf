-- The entry of chain.py (scenarios/problems.md): viperbench score ./chain.lua --solver ./chain.py
return include("entry"){
  title = "chain: rigid bars and springs in a plane", segments = { 8, 16, 32 }, ramp = 10,
  critical = {},
  without = {
    bend_45 = "in space", curved_rod = "in space", helical_spring = "in space", elastic_catenary = "the bars are rigid",
    roll_up = "no torques", lateral_buckling = "in space", michell_ring = "in space", twist_between_clamps = "in space",
    twist_under_tension = "in space", ["euler_columns-hinged_hinged"] = "the first bar is held",
    ["euler_columns-clamped_hinged"] = "the end is free", ["euler_columns-clamped_clamped"] = "the end is free",
  },
}

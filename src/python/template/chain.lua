-- The entry of chain.py (scenarios/problems.md): viperbench score ./chain.lua --solver ./chain.py
return include("entry"){
  title = "chain: rigid bars and springs in a plane", segments = { 8, 16, 32 }, ramp = 10,
  without = {
    bend_45 = "in space", curved_rod = "in space", helical_spring = "in space", elastic_catenary = "the bars are rigid",
    roll_up = "no torques",
  },
}

# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of mujoco_cables.py. The example is the cable of MuJoCo's model/plugin/elasticity/cable.xml: 41 points on a
line, twist 1e7 Pa, bend 4e6 Pa, radius 5 mm, damping 0.015, without its slider, with cylinders in place of capsules, held at
one end and let go."""
import mujoco
import numpy as np

import checks
import viperbench
from mujoco_cables import VERSION, MuJoCo

EXAMPLE = '''<mujoco><option timestep="0.002" integrator="implicitfast"/><size memory="16M"/>
<extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
<composite type="cable" curve="s" count="41 1 1" size="1" offset="0 0 .6" initial="none">
<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1e7"/><config key="bend" value="4e6"/></plugin>
<joint kind="main" damping=".015"/><geom type="cylinder" size=".005" contype="0" conaffinity="0"/>
</composite></worldbody></mujoco>'''


def own_example(steps):
    model = mujoco.MjModel.from_xml_string(EXAMPLE)
    data = mujoco.MjData(model)
    start = data.xpos.copy()
    mujoco.mj_kinematics(model, data)
    start = data.xpos[1].copy()
    mujoco.mj_step(model, data, steps)
    mujoco.mj_kinematics(model, data)
    return start, data.xpos[1:].copy()


def by_adapter(start, steps):
    scene = viperbench.Scene(step=0.002, steps=steps, gravity=(0, 0, -9.81))
    # The moduli of the plugin are kz + kv, and (kx + ky) / 2.
    rod = scene.rod(start=start, to=start + np.array([1.0, 0, 0]), nodes=41, radius=0.005, density=1000,
                    material={'kx': 1e7, 'ky': 1e7, 'kz': 4e6})
    scene.pin(nodes=rod.nodes[0])
    scene.pin(segments=rod.segments[0])
    bending = 4e6 * np.pi * 0.005 ** 4 / 4
    return checks.run(MuJoCo, scene, damping_time=0.015 * 0.025 / bending, substep=0.002)['position']


tally = checks.Tally('mujoco')
begin, own = own_example(500)
# The composite rounds its points to single precision.
tally.holds('cable.xml by MuJoCo and by the adapter, 1 s', np.abs(by_adapter(begin, 500)[:-1] - own).max(), 1e-7)
tally.mapping(MuJoCo, 0, substep=0.002)
# Eight segments vibrate by 1 % other than the continuum; a planted mass is off by 0.2.
tally.moving(lambda: checks.sudden_error(MuJoCo, substep=1e-3), 4e-2)
# Soft contact, of first order in the step: 5 ms.
tally.touching(lambda: checks.thrown_error(MuJoCo, substep=1), 1e-2)
tally.trouble(VERSION, 'twist: the torque of the plugin derives from no energy where bending and twist differ; a moment askew, eight'
              ' segments: error of the tip over the length', checks.askew_error(MuJoCo, substep=0.004, damping_time=0.6), 0.05,
              'direct, statics', checks.askew_error('viper', method='direct', dynamics='static', iterations=50))
tally.end()

# SPDX-License-Identifier: GPL-3.0-or-later
"""The problem `pile` by MuJoCo, from its statement alone: a third computation beside the two that make its reference.

    viperbench problem pile --json | python3 mujoco_pile.py [STEP...]

prints the means over all piles with steps of these lengths (0.01 and 0.005), beside the reference, and fails where one
differs from it by more than twice the bar. Contacts are as in mujoco_bodies.py; the air slows velocities after each step."""
import json
import math
import sys

import mujoco
import numpy as np


def numbers():
    """The random numbers of the statement."""
    state = 1
    while True:
        state = 16807 * state % 2147483647
        yield state / 2147483647


def model(given, u, h):
    """One pile: rods in a ditch of two planes."""
    half, bodies = given['half'], ''
    for k in range(1, int(given['rods']) + 1):
        x, y, angle = 2 * next(u) - 1, 4 * next(u) - 2, math.pi * next(u)
        bodies += (f'<body pos="{x!r} {y!r} {5 + 3 * k}" euler="0 0 {angle!r}"><freejoint/><inertial pos="0 0 0" mass="1" '
                   f'diaginertia="0.5 {half ** 2 + 0.25} {half ** 2 + 0.25}"/>'
                   f'<geom type="capsule" fromto="{-half} 0 0 {half} 0 0" size="1"/></body>')
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><option timestep="{h}" gravity="0 0 -1" cone="elliptic" impratio="10" tolerance="1e-10"/>'
        f'<default><geom friction="{given["mu"]} 0 0" condim="3" solref="{2 * h} 1"/></default><worldbody>'
        f'<geom type="plane" size="0 0 1" zaxis="1 0 1"/><geom type="plane" size="0 0 1" zaxis="-1 0 1"/>{bodies}</worldbody></mujoco>')


def heights(given, times, h):
    """Mean heights of all piles at these times: a row for each pile."""
    u, rows = numbers(), []
    for _ in range(int(given['piles'])):
        pile = model(given, u, h)
        state, row = mujoco.MjData(pile), []
        for step in range(1, round(times[-1] / h) + 1):
            mujoco.mj_step(pile, state)
            state.qvel /= 1 + given['drag'] * h
            if step in [round(t / h) for t in times]:
                row.append(state.qpos[2::7].mean())
        rows.append(row)
    return np.array(rows)


def main():
    case = json.load(sys.stdin)['problems'][0]['cases'][0]
    given = {name: number['value'] for name, number in case['given'].items()}
    asked = [(float(ask['name'].split('_')[1]), ask['reference']) for ask in case['asked']]
    far = 0
    for h in [float(a) for a in sys.argv[1:]] or [0.01, 0.005]:
        mean = heights(given, [time for time, _ in asked], h).mean(axis=0)
        for (time, reference), value in zip(asked, mean):
            print(f'step {h:g}: height_{time:g} {value:.3f}, reference {reference["value"]:.3f} +- {reference["error"]:.3f}')
            far += abs(value - reference['value']) > 2 * reference['error']
    sys.exit(1 if far else 0)


if __name__ == '__main__':
    main()

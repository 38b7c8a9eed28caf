# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the scenes of five studies by the Python package: their hashes are those that the scripts' scenes have.

  check_scenes.py FOLDER    runs the studies with results in FOLDER

Exit code: 0 where all are equal, 1 otherwise."""
import json
import math
import os
import sys

import numpy as np

import viperbench
from viperbench.runs import study


def stiffness(E, nu):
    return E / (1 + nu), E * nu / ((1 + nu) * (1 - 2 * nu))


def cantilever(n=32, length=1.0, radius=0.05, E=1e6, nu=0.49):
    s = viperbench.Scene(step=10, steps=6)
    bar = s.rod(name='bar', nodes=n + 1, start=(0, 0, length), to=(0, 0, 0), radius=radius, density=1000,
                material={'E': E, 'nu': nu})
    s.pin(nodes=bar.nodes[-1])
    s.pin(segments=bar.segments[-1])
    k, kv = stiffness(E, nu)
    bending, shear = (k + kv) * math.pi * radius ** 4 / 4, (k + kv) * math.pi * radius ** 2
    force = 1e-4 * length / (length ** 3 / (3 * bending) + length / shear)
    s.load(node=bar.nodes[0], force=(force, 0, 0), name='tip')
    return s


def torsion(n=32, length=1.0, radius=0.05, E=1e6, nu=0.49, angle=2.0):
    s = viperbench.Scene(step=10, steps=10)
    bar = s.rod(name='bar', nodes=n + 1, start=(0, 0, 0), to=(0, 0, length), radius=radius, density=1000,
                material={'E': E, 'nu': nu})
    turn = s.driver(name='turn', angle=[(0, 0), (40, angle)])
    s.pin(nodes=bar.nodes[[0, -1]])
    s.pin(nodes=bar.nodes, components='s')
    s.pin(segments=bar.segments[0])
    s.pin(segments=bar.segments[-1], driver=turn)
    return s


def helix(n=64, amplitude=0.3, reversed=False):
    s = viperbench.Scene(step=1 / 60, steps=0)
    at_node = [i / n for i in range(n + 1)]
    at_segment = [(j + 0.5) / n for j in range(n)]
    bump = lambda t: math.pow(math.sin(math.pi * t), 4)
    phi = lambda t: 3 * math.pi * t
    points = [(0.5 * math.cos(phi(t)), 0.5 * math.sin(phi(t)), 1.2 * t) for t in at_node]
    s.rod(name='helix', points=points, radius=[0.06 * (1 + 0.5 * t) for t in at_node],
          twist=[2 * t for t in at_segment], density=1000, material={'E': 1e6, 'nu': 0.4},
          position=[(x + 0.3 * (amplitude * bump(t)), y - 0.2 * (amplitude * bump(t)),
                     z + 0.4 * (amplitude * bump(t)) * math.cos(2 * t)) for t, (x, y, z) in zip(at_node, points)],
          scale=[1 + amplitude * bump(t) for t in at_node],
          turn=[(amplitude * bump(t), -0.5 * (amplitude * bump(t)), 0.8 * (amplitude * bump(t))) for t in at_segment])
    return s


def stretch_bars(n=32, length=1.0, radius=0.05, k=1e6):
    s = viperbench.Scene(step=1 / 60, duration=5)
    out, back = (2 - 1) * length, (0.7 - 1) * length
    top = s.driver(name='pull', z=[(0, 0), (1, out), (2, out), (2.1, 0), (3, 0), (4, back), (5, back)])

    def bar(name, x, kv, imperfection, held):
        kb = k * radius ** 2
        points = [(x + imperfection * length * math.sin(math.pi * (i / n)), 0, i / n * length) for i in range(n + 1)]
        rod = s.rod(name=name, points=points, radius=radius, density=1000,
                    material={'kx': k, 'ky': k, 'kz': k, 'kbx': kb, 'kby': kb, 'kv': kv})
        ends = 'xyzs' if held == 'xys' else 'xyz'
        s.pin(nodes=rod.nodes[0], components=ends)
        s.pin(nodes=rod.nodes[-1], components=ends, driver=top)
        if held:
            s.pin(nodes=rod.nodes[1:-1], components=held)

    for i, ratio in enumerate((0, 1, 10, 50)):
        bar(f'kv = {ratio} kz', i * 4 * radius, ratio * k, 0, 'xy')
    bar('Cosserat', 4 * 4 * radius, 0, 0, 'xys')
    bar('free, kv = 10 kz', (4 + 2) * 4 * radius, 10 * k, 1e-3, '')
    return s


def buckling_step(nodes=33, length=1.0, radius=0.02, E=1e6, nu=0.49, press=0.01, side=0.01, step=10.0, after=4):
    s = viperbench.Scene(step=step, steps=after + 1)
    push = s.driver(name='push', z=[(0, 0), ((after + 1) * step, -(after + 1) * press * length)])
    bar = s.rod(name='bar', nodes=nodes, start=(0, 0, 0), to=(0, 0, length), radius=radius, density=1000,
                material={'E': E, 'nu': nu})
    s.pin(nodes=bar.nodes[0])
    s.pin(segments=bar.segments[0])
    s.pin(nodes=bar.nodes[-1], driver=push)
    s.load(node=(nodes - 1) // 2, force=(side, 0, 0), name='side')
    return s


def main():
    different, compared = 0, 0
    for make in (cantilever, torsion, helix, stretch_bars, buckling_step):
        name = make.__name__
        for run in study(name, out=os.path.join(sys.argv[1], name)).runs.values():
            parameters = json.loads(run.scenario['parameters'])
            if parameters.pop('reversed', False) or parameters.pop('ends', 'free') != 'free':
                continue  # how a scene is stored, and further scenes, which are for scripts alone
            frozen, wanted = make(**parameters).freeze(), run.scenario['scene_sha256']
            compared += 1
            if frozen.sha256 != wanted:
                different += 1
                print(f'{run}: {frozen.sha256}, not {wanted}')
                # What of it differs, as far as a results file says it.
                for member in ('rest_position', 'rest_radius'):
                    if not np.array_equal(frozen.nodes[member], run.topology[member][:]):
                        print(f'  node {member} differs')
    print(f'{compared} scenes compared')
    return different > 0 or compared < 13


if __name__ == '__main__':
    sys.exit(main())

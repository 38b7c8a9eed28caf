# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a cantilever, a torsion and a hanging rod with PyElastica and pypbd beside VIPER: `make peers`.

  compare.py FOLDER [--regold]    results, a table (peers.txt) and a figure (peers.png) in FOLDER

Each value is held against its closed form, and against gold.json: the value that these versions of the packages gave,
with a tolerance. Before that, PyElastica's own example of a beam (its examples/TimoshenkoBeamCase, shortened) is run as
its script does and through the bridge, which must give the same. Exit code: 0 all agree, 1 something differs, 3 a
package is missing."""
import json
import math
import os
import sys
from importlib.metadata import PackageNotFoundError, version

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'src', 'python'))
import viperbench  # noqa: E402

GOLD = os.path.join(HERE, 'gold.json')
PACKAGES = ('pyelastica', 'pypbd')
SOLVERS = {'viper': 'viper', 'pyelastica': os.path.join(HERE, 'pyelastica.py'),
           'pypbd': os.path.join(HERE, 'pypbd_rods.py')}
EXAMPLE = 'the beam of PyElastica\'s examples by the bridge and without'
E, RHO, LENGTH, RADIUS = 1e6, 1000.0, 1.0, 0.05
MATERIAL = {'E': E, 'nu': 0}
# Relative, of gold values: other compilers and processors sum in another order; no value here is chaotic.
TOLERANCE = 1e-6


def run(scene, solver, **options):
    """A run that may compile for minutes first: PyElastica does so when it is new."""
    if solver != 'viper':
        options['time_limit'] = 900
    return viperbench.run(scene, SOLVERS[solver], **options)


def bar(scene, n, to):
    return scene.rod(name='bar', start=(0, 0, 0), to=to, nodes=n + 1, radius=RADIUS, material=MATERIAL, density=RHO)


def cantilever(n=8, force=0.1):
    """Tip deflection [m]; exact for the discrete bar and a small force."""
    scene = viperbench.Scene(step=1 / 60, duration=4, damping=6)
    rod = bar(scene, n, (0, 0, LENGTH))
    scene.pin(nodes=rod.nodes[0])
    scene.pin(segments=rod.segments[0])
    scene.load(node=rod.nodes[-1], force=(force, 0, 0))
    bending, shear, l = E * math.pi * RADIUS ** 4 / 4, E * math.pi * RADIUS ** 2, LENGTH / n
    exact = force * l ** 3 * n * (n - 1) * (2 * n - 1) / (6 * bending) + force * n * l / shear
    return scene, exact, lambda run: run['frames/position'][-1, n, 0]


def torsion(n=8, angle=0.2):
    """Torque of a slowly turned end [N m]; exact for the discrete bar."""
    scene = viperbench.Scene(step=1 / 60, duration=4, damping=20)
    rod = bar(scene, n, (0, 0, LENGTH))
    turn = scene.driver(name='turn', angle=[(0, 0, 'cubic'), (2, angle)])
    scene.pin(nodes=rod.nodes[[0, -1]])
    scene.pin(segments=rod.segments[0])
    scene.pin(segments=rod.segments[-1], driver=turn)
    exact = 2 * E * math.pi * RADIUS ** 4 / 4 * math.sin(angle / (n - 1)) * n / LENGTH
    return scene, exact, lambda run: run['reaction/torque'][-1, turn, 2]


GRAVITY = 0.2  # small, so that the answer below is exact to 1e-4


def hanging(n, step, duration):
    scene = viperbench.Scene(step=step, duration=duration, gravity=(0, 0, -GRAVITY))
    rod = bar(scene, n, (0, 0, -LENGTH))
    scene.pin(nodes=rod.nodes[0])
    return scene


def hanging_exact(times):
    """Displacement of the free end of a rod that is let go: the series of its longitudinal modes."""
    speed = math.sqrt(E / RHO)
    k = 2 * np.arange(2000)[:, None] + 1
    terms = (-1.0) ** ((k - 1) // 2) / k ** 3 * (1 - np.cos(k * math.pi * speed * times / (2 * LENGTH)))
    return -16 * GRAVITY * LENGTH ** 2 / (math.pi ** 3 * speed ** 2) * terms.sum(axis=0)


def hanging_error(run, n):
    """Root mean square over the time, over that of the exact motion."""
    times, tip = run['frames/time'][:], run['frames/position'][:, n, 2] + LENGTH
    exact = hanging_exact(times)
    return math.sqrt(np.mean((tip - exact) ** 2) / np.mean(exact ** 2))


def hanging_line(folder, label, solver, sizes, steps_of, **options):
    """Errors and wall times over resolutions in space and time, of the motion over two periods."""
    period = 4 * LENGTH / math.sqrt(E / RHO)
    line = []
    for n in sizes:
        steps = steps_of(n)
        scene = hanging(n, 2 * period / steps, 2 * period)
        found = run(scene, solver, name=f'hanging-{label}-n{n}', out=folder, frames=steps // 32,
                             every=steps, fields=['position'], **options)
        line.append((n, hanging_error(found, n), found.timing['summary/total'][()]))
    return line


def own_example(folder):
    """PyElastica's beam, as its script does it and through the bridge: the greatest difference of a position [m]. The
    shear factor of the package, its default, is in the stiffnesses of the scene's option "isotropic"."""
    import elastica as ea
    n, force, h, steps = 20, 10.0, 1e-3, 500
    scene = viperbench.Scene(step=h, steps=steps, damping=0.1)
    rod = scene.rod(start=(0, 0, 0), to=(0, 0, 3), nodes=n + 1, radius=0.25, density=5000, material={'E': 1e6, 'nu': 0})
    scene.pin(nodes=rod.nodes[0])
    scene.pin(segments=rod.segments[0])
    scene.load(node=rod.nodes[-1], force=(-force, 0, 0))
    bridge = run(scene, 'pyelastica', name='example', out=folder, frames=steps, courant=1.0,
                            stiffness='isotropic')
    frame = scene.freeze().segments['rest_frame'][0]
    sys.path.insert(0, HERE)
    import rods

    class Beam(ea.BaseSystemCollection, ea.Constraints, ea.Forcing, ea.Damping):
        pass

    sim = Beam()
    beam = ea.CosseratRod.straight_rod(n, np.zeros(3), np.array([0, 0, 1.0]), rods.matrices(frame[None])[0][:, 0], 3.0,
                                       0.25, 5000, youngs_modulus=1e6, shear_modulus=5e5)
    sim.append(beam)
    sim.constrain(beam).using(ea.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,))
    sim.add_forcing_to(beam).using(ea.EndpointForces, np.zeros(3), np.array([-force, 0, 0]), ramp_up_time=1e-12)
    sim.dampen(beam).using(ea.AnalyticalLinearDamper, uniform_damping_constant=0.1, time_step=h)
    sim.finalize()
    stepper, time = ea.PositionVerlet(), 0.0
    for _ in range(steps):
        time = stepper.step(sim, time, h)
    positions = bridge['frames/position'][-1]
    return np.abs(beam.position_collection.T - positions).max() / np.abs(positions[:, 0]).max()


def values(folder):
    """All numbers, by name."""
    told, lines = {}, {}
    told[EXAMPLE] = (own_example(folder), 0.0)
    for name, (case, who) in {'cantilever': (cantilever, SOLVERS), 'torsion': (torsion, ('viper', 'pyelastica'))}.items():
        for solver in who:
            scene, exact, value = case()
            options = {'substeps': 40} if solver == 'pypbd' else {}
            found = run(scene, solver, name=f'{name}-{solver}', out=folder, frames=240, every=60,
                                 fields=['position', 'frame'], **options)
            told[f'{name}, {solver}'] = (float(value(found)), exact)
    for label, solver, sizes, steps_of, options in (
            ('viper-euler', 'viper', (8, 16, 32, 64), lambda n: 32 * n, {}),
            ('viper-bdf2', 'viper', (8, 16, 32, 64), lambda n: 8 * n, {'integrator': 'bdf2'}),
            ('pyelastica', 'pyelastica', (8, 16, 32, 64), lambda n: 32, {}),
            ('pypbd', 'pypbd', (8, 16), lambda n: 32, {})):
        lines[label] = hanging_line(folder, label, solver, sizes, steps_of, **options)
        for n, error, _ in lines[label]:
            told[f'hanging, {label}, n = {n}: error'] = (error, 0.0)
    return told, lines


def draw(lines, path):
    import matplotlib
    matplotlib.use('Agg')
    import matplotlib.pyplot as plt
    axes = plt.subplots(figsize=(7, 4.5), constrained_layout=True)[1]
    for (label, line), mark in zip(lines.items(), 'os^D'):
        axes.loglog([t for *_, t in line], [error for _, error, _ in line], marker=mark, label=label)
        for n, error, t in line:
            axes.annotate(f'{n}', (t, error), textcoords='offset points', xytext=(4, 4), fontsize=8)
    axes.set_xlabel('wall time [s]')
    axes.set_ylabel('error of the free end, relative')
    axes.set_title('A rod that is let go and hangs, two periods; numbers are its segments')
    axes.legend()
    plt.savefig(path, dpi=120)


def main():
    folder = sys.argv[1]
    try:
        versions = {name: version(name) for name in PACKAGES}
    except PackageNotFoundError as missing:
        print(f'SKIPPED (peers): {missing} is not installed')
        return 3
    told, lines = values(folder)
    gold = json.load(open(GOLD)) if os.path.exists(GOLD) else {'values': {}, 'versions': versions}
    text, bad = [f'{"":50} {"value":>14} {"closed form":>14}  gold'], 0
    for name, (value, exact) in told.items():
        if name == EXAMPLE:
            continue
        wanted = gold['values'].get(name)
        differs = wanted is None or abs(value - wanted) > TOLERANCE * max(abs(wanted), 1e-3)
        bad += differs
        text.append(f'{name:50} {value:14.8g} {exact:14.8g}  {"DIFFERS" if differs else "agrees"}')
    # Rounding of 500 steps: positions are 1e5 times the deflection in its last digits.
    same = told[EXAMPLE][0] < 1e-9
    bad += not same
    text.append(f'{EXAMPLE}: {told[EXAMPLE][0]:.1e}, {"the same" if same else "NOT the same"}')
    if gold['versions'] != versions:
        bad += 1
        text.append(f'gold is of {gold["versions"]}, these are {versions}')
    print('\n'.join(text))
    open(os.path.join(folder, 'peers.txt'), 'w').write('\n'.join(text) + '\n')
    draw(lines, os.path.join(folder, 'peers.png'))
    if '--regold' in sys.argv:
        with open(GOLD, 'w') as file:
            json.dump({'versions': versions, 'tolerance': TOLERANCE,
                       'values': {name: value for name, (value, _) in told.items() if name != EXAMPLE}}, file, indent=1)
            file.write('\n')
        return 0
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())

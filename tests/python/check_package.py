# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package against the headers, the program's tables, and the program's own runs.

  check_package.py FOLDER [RESULTS...]    with results in FOLDER; or of these results files alone what is read of them

Exit code: 0 where all agrees; an AssertionError tells what does not."""
import ast
import glob
import json
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np

import viperbench
from viperbench import _sets
from viperbench._library import library
from viperbench.results import Column, Run
from viperbench.runs import _call, program, run, study

TYPES = {'double': 'f8', 'int32_t': 'i4', 'uint32_t': 'u4', 'int64_t': 'i8', 'char': 'S'}
LENGTHS = {'VB_NAME_SIZE': 48}


def header_members(text, struct):
    """Names, types and shapes of the members of a struct."""
    body = re.search(r'typedef struct %s \{(.*?)\n\} %s;' % (struct, struct), text, re.S)[1]
    for kind, names in re.findall(r'^\s*(\w+) ([^;/]*);', body, re.M):
        for name, extents in re.findall(r'(\w+)((?:\[\w+\])*)', names):
            yield name, kind, tuple(LENGTHS.get(n) or int(n) for n in re.findall(r'\[(\w+)\]', extents))


def struct_layout(dtype):
    """Whether members follow one another without gaps, as the compiler lays them out."""
    offsets = [dtype.fields[name][1] for name in dtype.names] + [dtype.itemsize]
    return all(at + dtype[name].itemsize == end for name, at, end in zip(dtype.names, offsets, offsets[1:]))


def check_sets():
    """Every set's type is that of scene.h, member by member, and as large as the library's."""
    text = open('src/scene/scene.h').read()
    listed = re.findall(r'X\(\w+, "([^"]+)", (\w+), (\w+),', text)
    assert [row[0] for row in listed] == list(_sets.sets()) and len(listed) > 30, listed
    for tag, (name, struct, plural) in enumerate(listed, 1):
        known, dtype = _sets.sets()[name].plural, _sets.sets()[name].dtype
        assert known == plural and library().vb_element_size(tag) == dtype.itemsize, name
        assert _sets.tag(name) == tag and struct_layout(dtype), name
        wanted = [(member, np.dtype(f'S{shape[0]}') if kind == 'char' else np.dtype(TYPES[kind]),
                   () if kind == 'char' else shape) for member, kind, shape in header_members(text, struct)]
        assert [(member, dtype[member].base, dtype[member].shape) for member in dtype.names] == wanted, (name, wanted)
    locations = re.search(r'typedef enum vb_location \{(.*?)\}', text, re.S)[1]
    names = [name.lower().replace('_', '-') for name in re.findall(r'^\s*VB_AT_(\w+)', locations, re.M)]
    assert names == list(_sets.LOCATIONS), names


def tables(path, columns):
    """The columns as viperbench table prints them."""
    text = subprocess.run([program(), 'table', path, *columns], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in text.splitlines() if line and not line.startswith('#')]
    return np.array([[float(word) for word in row] for row in rows])


def check_values(path):
    """The series of a run, and the verdicts of an index, are those of the program's tables. The file is read
    otherwise whole."""
    found = viperbench.load(path)
    if isinstance(found, Run):
        names = ['time'] + [f'energy/{name}' for name in found.energy]
        table = tables(path, names[1:])  # the time comes with them
        values = np.stack([found[name][:] for name in names], axis=1)
        # Tables print 17 digits: the same numbers.
        assert np.array_equal(table, values, equal_nan=True), (path, table, values)
        for part in (found.columns, found.topology, found.timing, found.convergence):
            for name in part:
                value = part[name]
                assert not isinstance(value, Column) or np.asarray(value).shape == value.shape, (path, name)
        frames = found.frames.get('position') if found.frames else None
        if frames is not None and len(frames):
            assert np.array_equal(frames[-1], frames[:][-1]) and np.array_equal(frames[::2], frames[:][::2])
    else:
        assert all(isinstance(gate.value, float) for gate in found.gates) and (found.bench or found.runs), path
        for run_ in found.runs.values():
            assert run_.status in ('complete', 'diverged', 'interrupted'), path
            assert run_.converged in ('yes', 'no', 'not judged'), path
    assert len(found.provenance['commit']) == 40, path
    found.close()


def check_study(folder):
    """A study by the package: its gates, runs, and files."""
    found = study('cantilever', out=folder, length=1.5)
    assert found.passed and len(found.gates) == 13 and set(found.runs) == {'n8', 'n16', 'n32', 'n64'}
    assert '"length": 1.5' in found.runs['n8'].scenario['parameters']
    for path in sorted(glob.glob(os.path.join(folder, '*.h5'))):
        check_values(path)
    return found


def check_run(found):
    """A frozen scene in a run of the package is what the study ran: the same hash, the same bits."""
    from check_scenes import cantilever
    again = run(cantilever(n=8, length=1.5), every=1, frames=1, residual=True, iterations=30, tolerance=1e-12)
    first = found.runs['n8']
    assert again.scenario['scene_sha256'] == first.scenario['scene_sha256']
    for path in ('energy/total', 'residual'):
        assert np.array_equal(again[path][:], first[path][:]), path
    frames, kept = again['frames/position'], first['frames/position']  # frames of the quick tier are rounded
    assert np.abs(frames[[0, -1]] - kept[[0, -1]]).max() <= 2**-33 * np.abs(frames[:]).max()
    assert np.abs(frames[:] - kept[:]).max() <= 2**-20 * np.abs(frames[:]).max()
    place = float(again['frames/position'][-1, 3, 0])
    of_node = {'quantity': 'frames/position', 'node': 3, 'component': 'x', 'reason': 'the study\'s "own" \\ node'}
    judged = run(cantilever(n=8, length=1.5), iterations=30, tolerance=1e-12, frames=1,
                 gates=[{'name': 'where it is', 'near': place, 'tolerance': 1e-12, **of_node},
                        {'name': 'beyond', 'at_least': np.float64(place + 1), **of_node}])
    assert [gate.passed for gate in judged.gates] == [True, False] and not judged.passed
    assert judged.gates[0].value == place and judged.gates[1].reason == of_node['reason']
    expect(viperbench.BadInput, 'gate 0: near is not finite', lambda: run(block_of(), gates=[{'near': float('inf')}]))
    expect(viperbench.BadInput, 'unknown key "tolerence"', lambda: run(block_of(), gates=[
        {'name': 'x', 'reason': 'y', 'quantity': 'time', 'near': 1, 'tolerence': 1}]))
    done = run(block_of(), solver='neohookean')
    assert done.status == 'complete' and done.converged == 'yes' and done.gates == []


def block_of():
    block = viperbench.Scene(step=0.1, steps=1)
    block.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2, 3]], young=1e6, poisson=0.3, density=1000)
    return block


def expect(kind, words, function):
    try:
        function()
    except kind as reason:
        assert words in str(reason), f'"{reason}" lacks "{words}"'
    else:
        raise AssertionError(f'"{words}" was not told')


def check_bad_input():
    """One sentence each, in the program's words."""
    scene = viperbench.Scene(step=1, steps=1)
    rod = scene.rod(start=(0, 0, 0), to=(0, 0, 1), nodes=3, radius=0.1, material={'E': 1e6, 'nu': 0}, density=1000)
    expect(viperbench.BadInput, 'another driver already', lambda: (
        scene.pin(nodes=rod.nodes[0]), scene.pin(nodes=rod.nodes[0], driver=scene.driver())))
    expect(viperbench.BadInput, 'there is no set', lambda: scene.add('nodes'))
    expect(viperbench.BadInput, "node has no member 'mass'", lambda: scene.add('node', mass=1))
    expect(viperbench.BadInput, 'material has', lambda: scene._material({'G': 1}, [1]))
    expect(viperbench.BadInput, 'unknown solver "vyper"', lambda: run(scene, solver='vyper'))
    expect(viperbench.BadInput, 'has no option "methd"', lambda: run(scene, methd='direct'))
    expect(viperbench.BadInput, 'there is no study "cantilver"; did you mean', lambda: study('cantilver'))
    expect(viperbench.Damaged, 'is no HDF5 file', lambda: viperbench.load('README.md'))
    scene.add('pin', location=0, index=99, mask=7, driver=0)
    expect(viperbench.BadInput, '99', scene.freeze)
    expect(viperbench.BadInput, 'it has neither node nor bone', viperbench.Scene(step=1, steps=1).freeze)
    one = viperbench.Scene(step=1, steps=1)
    one.add('node', rest_position=[(0, 0, 0)], rest_radius=0.1)
    one.driver(x=[(0, 0, 'cubic'), (2, 1)], y=3)
    frozen = one.freeze()
    assert frozen.curve(0, 1.0) == 0.5 and frozen.curve(1, 9.0) == 3
    expect(ValueError, 'read-only', lambda: frozen.gravity.__setitem__(2, 1))
    expect(ValueError, 'read-only', lambda: frozen.nodes['position'].__setitem__(0, 1))


def check_members():
    """Words of choices and masks, materials, inertias of frames, and pairs of bodies arrive in scenes."""
    scene = viperbench.Scene(step=1, steps=1)
    ends = dict(nodes=3, radius=0.1, density=1000)
    first = scene.rod(start=(0, 0, 0), to=(0, 0, 1), material={'E': 8, 'nu': 0.25, 'model': 'solid'}, **ends)
    other = scene.rod(start=(3, 0, 0), to=(3, 0, 1), material={'kx': 1}, frame_inertia=(1, 2, 2), **ends)
    scene.add('frame pin', segment=2, mask='u w', driver=scene.driver())
    scene.add('activation', name='a', location=['segment', 'segment'], index=[0, 1], active='force', curve=scene.curve(2))
    scene.add('bending', segment=3)
    scene.friction_pair((other.nodes[0], first.nodes[0]), 0.5, kinetic_friction=0.25)
    scene.contact(margin=0.01, friction=0.5, self_contact=True)
    expect(viperbench.BadInput, "frame pin: mask 'u q' is none of u, v, w", lambda: (
        scene.add('frame pin', segment=3, mask='u q', driver=0)))
    expect(viperbench.BadInput, "activation: active 'forse' is none of strain, fiber, force", lambda: (
        scene.add('activation', active='forse')))
    scene.look(node=first.nodes[0], material='bone', color=(1, 0.5, 0))
    scene.look(node=other.nodes[0], material='glass')
    expect(viperbench.BadInput, "look: material 'bones' is none of default, solid, bone", lambda: (
        scene.look(node=1, material='bones')))
    expect(viperbench.BadInput, 'look: needs exactly one of node, vertex and collider', lambda: scene.look())
    frozen = scene.freeze()
    looks = frozen.looks
    assert looks['material'].tolist() == [2, 6] and looks['color'].tolist() == [[1, 0.5, 0], [-1, -1, -1]]
    assert frozen.frame_pins['mask'].tolist() == [5] and frozen.activations['location'].tolist() == [1, 1]
    assert frozen.bendings['factor'].tolist() == [[1, 1]] and frozen.activations['active'].tolist() == [2, 2]
    segments, pair, contact = frozen.segments, frozen.friction_pairs[0], frozen.contacts[0]
    assert contact['self'] == 1 and (contact['margin'], contact['static_friction'], contact['kinetic_friction']) == (0.01, 0.5, 0.5)
    assert segments['model'].tolist() == [1, 1, 0, 0] and segments['young'].tolist() == [8, 8, 0, 0]
    assert segments['shear'].tolist() == [3.2, 3.2, 0, 0] and segments['frame_inertia'][3].tolist() == [1, 2, 2]
    assert segments['frame_inertia'][0, 2] == 2 * segments['frame_inertia'][0, 0] > 0
    assert pair['body'].tolist() == [0, 1] and (pair['static_friction'], pair['kinetic_friction']) == (0.5, 0.25)


def check_read_scene(folder):
    """A script that reads a scene gets a sound one, whole, or one sentence."""
    from check_scenes import cantilever
    one = cantilever(n=2)
    data = one.freeze().bytes
    os.makedirs(os.path.join(folder, 'scenarios', 'scenes'))
    script = ("return { title = 'x', build = function() local s = vb.read_scene{ file = '%s' } %s return s end }")
    for name, content, more, words in (
            ('whole', data, '', None), ('cut', data[:-8], '', 'scenarios/scenes/cut: '),
            ('added', data, 's:node{ position = { 1, 0, 0 }, radius = 1 }', 'were added to a scene that was read from a file'),
            ('../x', data, '', 'it must name a file in scenarios/scenes'), ('lost', None, '', 'scenarios/scenes/lost')):
        if content is not None and '/' not in name:
            with open(os.path.join(folder, 'scenarios', 'scenes', name), 'wb') as file:
                file.write(content)
        with open(os.path.join(folder, 'scenarios', 'reads.lua'), 'w') as file:
            file.write(script % (name, more))
        call = ['run', 'reads', '--quiet', '--fresh', '--out', os.path.join(folder, 'out')]
        if words:
            expect(viperbench.BadInput, words, lambda: _call(call, folder))
        else:
            assert _call(call, folder)[0] == 0
            found = viperbench.load(os.path.join(folder, 'out', 'reads.h5')).runs['reads']
            assert found.scenario['scene_sha256'] == one.freeze().sha256


def check_export():
    """Stiffnesses and masses of a rod in each export's text, and what is refused. That packages read these texts, and make of
    them what the adapters make, is tested by make peers."""
    scene = viperbench.Scene(step=0.01, steps=1, gravity=(0, 0, -9.81))
    rod = scene.rod(start=(0, 0, 0), to=(1, 0, 0), nodes=5, radius=0.02, material={'kx': 3e6, 'ky': 1e6, 'kz': 5e6},
                    density=800)
    scene.pin(nodes=rod.nodes[0])
    scene.pin(segments=rod.segments[0])
    root = ElementTree.fromstring(viperbench.export(scene, 'mujoco', damping_time=0.1))
    config = {item.get('key'): float(item.get('value')) for item in root.iter('config')}
    assert config == {'bend': 5e6, 'twist': 2e6}, config
    geoms = list(root.iter('geom'))
    assert np.isclose(sum(float(geom.get('mass')) for geom in geoms), 800 * np.pi * 0.02 ** 2, rtol=1e-12, atol=0)
    assert len(geoms) == 4 and [joint.get('type') for joint in root.iter('joint')] == ['ball'] * 3
    damping = 0.1 * 5e6 * np.pi * 0.02 ** 4 / 4 / 0.25
    assert all(np.isclose(float(joint.get('damping')), damping, rtol=1e-12) for joint in root.iter('joint'))
    area, inertia = np.pi * 0.02 ** 2, np.pi * 0.02 ** 4 / 4
    for kind in ('newton', 'pyelastica'):
        text = viperbench.export(scene, kind)
        compile(text, kind, 'exec')
        found = ast.literal_eval(re.search(r'^RODS = (.*)', text, re.S | re.M)[1])[0]
        assert np.allclose(found[4], [5e6 * area, 5e6 * area, 5e6 * inertia, 4e6 * inertia], rtol=1e-12), found[4]
    expect(viperbench.BadInput, "no export to 'sofa'", lambda: viperbench.export(scene, 'sofa'))
    scene.pin(nodes=rod.nodes[-1])
    expect(viperbench.Unavailable, 'held at its start alone', lambda: viperbench.export(scene, 'mujoco'))
    other = viperbench.Scene(step=1, steps=1)
    other.rod(start=(0, 0, 0), to=(1, 0, 0), nodes=5, radius=[0.01, 0.02, 0.02, 0.02, 0.02], density=800,
              material={'kx': 3e6, 'ky': 1e6, 'kz': 5e6})
    expect(viperbench.Unavailable, 'one radius', lambda: viperbench.export(other, 'newton'))
    for own, said in (({'bending': (1, 2)}, 'factors'), ({'frame_inertia': (1.0, 1.0, 1.0)}, 'inertia')):
        other = viperbench.Scene(step=1, steps=1)
        other.rod(start=(0, 0, 0), to=(1, 0, 0), nodes=5, radius=0.01, density=800, material={'E': 1e6, 'nu': 0}, **own)
        expect(viperbench.Unavailable, said, lambda: viperbench.export(other, 'mujoco'))


def check_notebook(folder):
    """Every cell of the notebook, one after the other, in a folder of its own."""
    try:
        import matplotlib
    except ImportError:
        print('SKIPPED (matplotlib): the notebook draws with it')
        return
    matplotlib.use('Agg')
    with open('src/python/notebook/cantilever.ipynb') as file:
        cells = [''.join(cell['source']) for cell in json.load(file)['cells'] if cell['cell_type'] == 'code']
    names, before = {}, os.getcwd()
    os.chdir(folder)
    for number, cell in enumerate(cells):
        exec(compile(cell, f'cell {number}', 'exec'), names)
    os.chdir(before)


def main():
    if sys.argv[2:]:
        for path in sys.argv[2:]:
            check_values(path)
        return
    check_sets()
    check_members()
    check_bad_input()
    check_export()
    check_run(check_study(sys.argv[1]))
    check_read_scene(os.path.join(sys.argv[1], 'home'))
    check_notebook(sys.argv[1])


if __name__ == '__main__':
    main()

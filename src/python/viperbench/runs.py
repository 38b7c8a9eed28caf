# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of scenes and of studies, by the program itself."""
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping

from . import results
from ._library import BAD_INPUT, PACKAGE, UNAVAILABLE, BadInput, Error, Unavailable
from .scene import Scene

_SCRIPT = '''-- Written by the Python package: a scene that was made there.
return {{ title = "{name}", build = function()
  local s = vb.read_scene{{ file = "{name}.scene" }}
  s:record{{ every = {every}, frames = {frames}, residual = {residual}, exact = true{fields} }}
{gates}  return s
end }}
'''


def program():
    """The program: what VIPERBENCH names, or that beside the package or in it, or the first of PATH."""
    named = os.environ.get('VIPERBENCH')
    beside = [os.path.join(PACKAGE, *way, 'bin', 'viperbench') for way in (['home'], ['..'] * 3, ['..'] * 4)]
    found = named or next((path for path in beside if os.access(path, os.X_OK)), None) or shutil.which('viperbench')
    if not found:
        raise Unavailable('the program viperbench is not there; VIPERBENCH names it')
    return os.path.abspath(found) if os.path.dirname(found) else found


def _call(arguments, home=None):
    """Calls the program. A gate that failed and a run that diverged are results; all else is raised in its words."""
    environment = dict(os.environ, **({'VIPERBENCH_HOME': home} if home else {}))
    done = subprocess.run([program(), *arguments], capture_output=True, text=True, env=environment, check=False)
    text = done.stderr.strip() or f'viperbench ended with code {done.returncode}'
    if done.returncode in (BAD_INPUT, UNAVAILABLE):
        raise {BAD_INPUT: BadInput, UNAVAILABLE: Unavailable}[done.returncode](text)
    return done.returncode, text, done.stdout


def _index(_, text, document):
    """The index file that the program tells of: with settings its folder may be another than --out."""
    try:
        path = json.loads(document)['studies'][0]['index']
    except (ValueError, LookupError, TypeError):
        path = None
    if not path:
        raise Error(text)
    return path


def _options(options):
    words = []
    for name, value in options.items():
        value = str(value).lower() if isinstance(value, bool) else str(value)
        words += ['--option', f'{name}={value}']
    return words


def _in_lua(value, what):
    """A text, a number, a truth value, or a list of these, as a script has it."""
    if isinstance(value, str):
        return '"%s"' % re.sub(r'[\x00-\x1f"\\\x7f]', lambda found: f'\\{ord(found[0]):03d}', value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return '{ %s }' % ', '.join(_in_lua(item, what) for item in value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise BadInput(f'{what} is {value!r}, no text, number, truth value or list') from None
    if not math.isfinite(number):
        raise BadInput(f'{what} is not finite')
    return str(int(number)) if number == int(number) else repr(number)


def _gate(gate, number):
    if not isinstance(gate, Mapping):
        raise BadInput(f'gate {number} is no dict of the keys of a gate')
    bad = [key for key in gate if not re.fullmatch('[a-z_]+', str(key))]
    if bad:
        raise BadInput(f'gate {number}: {bad[0]!r} is no key of a gate')
    items = ', '.join(f'["{key}"] = {_in_lua(value, f"gate {number}: {key}")}' for key, value in gate.items())
    return f'  s:gate{{ {items} }}\n'


def run(scene, solver='viper', name='scene', out=None, every=1, frames=10, fields=None, residual=False, gates=(),
        **options):
    """Runs a scene (a Scene or a FrozenScene) with any solver and its options; returns its results.Run. `every` and
    `frames` are the steps between rows and between frames, `fields` those in a frame. `gates` are dicts with the keys
    of a script's `s:gate`; the Run has them as `gates` and `passed`. The files are in `out`, or in a folder that goes
    with the Run."""
    if not re.fullmatch(r'[A-Za-z0-9_][A-Za-z0-9._+-]{0,60}', name):
        raise BadInput(f'{name!r} is no name for files: letters, digits and . _ + -')
    frozen = scene.freeze() if isinstance(scene, Scene) else scene
    judged = ''.join(_gate(gate, number) for number, gate in enumerate(gates))
    home = tempfile.TemporaryDirectory(prefix='viperbench-')
    folder = os.path.abspath(out) if out else os.path.join(home.name, 'results')
    os.makedirs(os.path.join(home.name, 'scenarios', 'scenes'))
    frozen.save(os.path.join(home.name, 'scenarios', 'scenes', name + '.scene'))
    listed = '' if fields is None else ', fields = { %s }' % ', '.join(f'"{field}"' for field in fields)
    with open(os.path.join(home.name, 'scenarios', name + '.lua'), 'w') as file:
        file.write(_SCRIPT.format(name=name, every=every, frames=frames, residual=str(residual).lower(),
                                  fields=listed, gates=judged))
    told = _call(['run', name, '--quiet', '--json', '--fresh', '--solver', solver, '--out', folder,
                  *_options(options)], home.name)
    found = results.load(os.path.join(os.path.dirname(_index(*told)), f'{name}-{name}.h5'))
    found.home = home  # its files live as long as it does
    return found


def study(name, out='results', solver=None, tier='quick', fresh=False, options=None, **parameters):
    """Runs a study of the suite or a script (a path that ends in .lua), with parameters in place of its defaults, as
    in study('cantilever', length=2.0), and with options of the solver; returns its results.Study. With any of these
    the results may be in a folder called after them below `out`."""
    words = ['run', name, '--quiet', '--json', '--tier', tier, '--out', out]
    words += ['--solver', solver] if solver else []
    words += ['--fresh'] if fresh else []
    for key, value in parameters.items():
        words += ['--set', f'{key}={str(value).lower() if isinstance(value, bool) else value}']
    return results.load(_index(*_call(words + _options(options or {}))))

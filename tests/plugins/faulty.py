# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver of the template with one fault, which the environment variable VB_FAULT names."""
import ctypes
import importlib.util
import os
import sys
import time

import numpy as np
import viperbench

FAULT = os.environ.get('VB_FAULT', '')
path = os.path.join(os.environ['VB_TEMPLATE'], 'mass_spring.py')
spec = importlib.util.spec_from_file_location('mass_spring', path)
template = importlib.util.module_from_spec(spec)
spec.loader.exec_module(template)
if FAULT == 'import raises':
    raise KeyError('no key')
if FAULT == 'import hangs':
    time.sleep(1000)


class Faulty(template.MassSpring):
    """points of mass and springs, with a fault"""
    terms = ('stretch', 'kinetic', 'gravity') if FAULT != 'unknown term' else ('strech',)
    state = ('x', 'v', 'n') if FAULT != 'save forgets' else ('x', 'n')
    settings = {'word': viperbench.Option('a', 'nothing', choices=('a', 'b')),
                'count': viperbench.Option(3, 'nothing', maximum=9, integer=True, at_any_time=True)}
    features = () if FAULT != 'unknown feature' else ('magic',)
    at = 0

    def create(self):
        if FAULT == 'create refuses':
            raise viperbench.Unavailable('this rod is not for me')
        super().create()
        self.n = np.zeros(1)

    def step(self):
        self.at += 1
        if FAULT == 'step prints':
            print('a\x1b[2Jb\x9bc')
            sys.stderr.buffer.write(b'd\x07e\xff\n')
            sys.stderr.flush()
        self.n += 1
        super().step()
        if self.at != 6 or not FAULT.startswith('step'):
            return
        if FAULT == 'step raises':
            [][self.at]
        elif FAULT == 'step raises below':
            np.linalg.inv(np.zeros((2, 2)))
        elif FAULT == 'step exits':
            sys.exit(7)
        elif FAULT == 'step leaves':
            os._exit(7)
        elif FAULT == 'step crashes':
            ctypes.string_at(16)
        elif FAULT == 'step hangs':
            time.sleep(1000)
        elif FAULT == 'step recurses':
            self.step_again()
        elif FAULT == 'step takes memory':
            self.much = np.empty(1 << 29)
        elif FAULT == 'step opens files':
            self.files = [open(os.devnull) for _ in range(2000)]
        elif FAULT == 'step computes for ever':
            while True:
                pass
        elif FAULT == 'step diverges':
            raise viperbench.Diverged('the springs broke')
        elif FAULT == 'step writes to the scene':
            self.scene.nodes['position'][0] = 0
        elif FAULT == 'step gives NaN':
            self.x = self.x * np.nan
        elif FAULT == 'step crashes in large scenes' and len(self.x) > 6:
            os.abort()

    def step_again(self):
        self.step_again()

    def read(self):
        fields = super().read()
        if FAULT == 'read lacks':
            del fields['velocity']
        elif FAULT == 'read is short' and self.at:
            fields['velocity'] = self.v[:-1]
        elif FAULT == 'read gives a list':
            return list(fields.values())
        elif FAULT == 'read gives words':
            fields['velocity'] = 'fast'
        elif FAULT == 'read gives NaN' and self.at:
            fields['velocity'] = np.where(np.arange(15).reshape(5, 3) == 14, np.nan, self.v)
        elif FAULT == 'read gives complex numbers':
            fields['velocity'] = self.v + 0j
        elif FAULT == 'read gives objects':
            fields['velocity'] = self.v.astype(object)
        elif FAULT == 'read gives half precision':
            fields['velocity'] = self.v.astype(np.float16)
        elif FAULT == 'read gives single precision':
            fields['velocity'] = self.v.astype(np.float32)
        elif FAULT == 'read changes':
            self.v = self.v + 1
        return fields

    def convergence(self):
        if FAULT == 'convergence is a word':
            return {'evaluated': 'all'}
        return {'evaluated': int(self.n), 'missed': int(self.n) // 2, 'worst': 0.5, 'tolerance': 0.25, 'what': 'step 1'}

    def work(self):
        if FAULT == 'work is complex':
            return np.zeros(len(self.scene.drivers) + len(self.scene.loads), complex)
        return np.zeros(7 if FAULT == 'work is long' else len(self.scene.drivers) + len(self.scene.loads))


if FAULT == 'two classes':
    class Other(viperbench.Solver):
        """another"""
elif FAULT == 'no class':
    Faulty = None

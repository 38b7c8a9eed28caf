# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes requirements-PEER.txt, all versions and hashes, for each PEER.in: what `make peers-pin` calls.

A peer's version is that of PEER.in, and stands in its adapter as VERSION, which refuses any other: change both."""
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(HERE, '..', '..', 'build', 'peers', 'pin')

if not os.path.exists(os.path.join(TOOL, 'bin', 'uv')):
    subprocess.run([sys.executable, '-m', 'venv', TOOL], check=True)
    subprocess.run([os.path.join(TOOL, 'bin', 'pip'), 'install', '-q', 'uv'], check=True)
for wanted in sorted(glob.glob(os.path.join(HERE, '*.in'))):
    peer = os.path.splitext(os.path.basename(wanted))[0]
    subprocess.run([os.path.join(TOOL, 'bin', 'uv'), 'pip', 'compile', '-q', '--generate-hashes', '--no-annotate',
                    '--no-header', '--python-version', '3.11', wanted, '-o',
                    os.path.join(HERE, f'requirements-{peer}.txt')], check=True)
    print(peer)

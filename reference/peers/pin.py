# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes requirements-PEER.txt, all versions and hashes, for each PEER.in: what `make peers-pin` calls.

  pin.py [PEER=VERSION ...]     takes these versions first: in PEER.in, and as VERSION of the adapter, which refuses any other

The checks, the gold answers and what the head of the adapter says are then to be looked at: make peers PEERS=PEER."""
import glob
import os
import re
import subprocess
import sys

from run import PEERS

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(HERE, '..', '..', 'build', 'peers', 'pin')


def replace(path, pattern, text):
    """Replaces the one line of a file that has a pattern."""
    with open(path) as file:
        old = file.read()
    new, count = re.subn(pattern, text, old, flags=re.M)
    if count != 1:
        sys.exit(f'pin.py: {path} has {count} lines of the form {pattern}, not one')
    with open(path, 'w') as file:
        file.write(new)


def take(word):
    """Takes PEER=VERSION."""
    peer, _, version = word.partition('=')
    if peer not in PEERS or not re.fullmatch(r'[0-9]+(\.[0-9]+)*', version):
        print(f'pin.py: {word!r} is not PEER=VERSION with one of {", ".join(PEERS)}', file=sys.stderr)
        sys.exit(2)
    replace(os.path.join(HERE, peer + '.in'), r'==[0-9.]+$', f'=={version}')
    replace(os.path.join(HERE, PEERS[peer]), r"^VERSION = '[^']*'", f"VERSION = '{version}'")


def compile_all():
    if not os.path.exists(os.path.join(TOOL, 'bin', 'uv')):
        subprocess.run([sys.executable, '-m', 'venv', TOOL], check=True)
        subprocess.run([os.path.join(TOOL, 'bin', 'pip'), 'install', '-q', 'uv'], check=True)
    for wanted in sorted(glob.glob(os.path.join(HERE, '*.in'))):
        peer = os.path.splitext(os.path.basename(wanted))[0]
        subprocess.run([os.path.join(TOOL, 'bin', 'uv'), 'pip', 'compile', '-q', '--generate-hashes', '--no-annotate',
                        '--no-header', '--python-version', '3.11', wanted, '-o',
                        os.path.join(HERE, f'requirements-{peer}.txt')], check=True)
        print(peer)


if __name__ == '__main__':
    for given in sys.argv[1:]:
        take(given)
    compile_all()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the packages of the peers and runs them: what `make peers` calls.

  run.py [--tier quick|full] [--out FOLDER] [--only PEER,..] [--regold]

Each peer has a virtual environment of its own in build/peers, made by pip from requirements-PEER.txt, whose hashes must
agree. A peer whose packages cannot be had is left out, and named with the reason at the end. Then its own test runs,
check_PEER.py: one published example, and planted wrong mappings. Then its entry runs on the problems, and all of them
are joined in FOLDER/peers.h5, of which FOLDER/peers.md and its figure are made. Exit code: 0, or 1 where a check failed."""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ENVIRONMENTS = os.path.join(ROOT, 'build', 'peers')
# Peers by name, with the file of their adapter.
PEERS = {'pyelastica': 'pyelastica.py', 'mujoco': 'mujoco_cables.py', 'exudyn': 'exudyn_beams.py', 'pypbd': 'pypbd_rods.py',
         'newton': 'newton_cables.py'}
# Packages that cannot run here, with reasons; they are told and counted.
WITHOUT = {'dismech': 'dismech-newton 0.1.0 runs on CUDA devices alone, and refuses others; it has no adapter'}
OURS = ('viper', 'solid', 'xpbd', 'cosserat', 'umetani', 'neohookean')


def call(words, **environment):
    """The exit code of a command and what it said; for commands that print a lot only in vain."""
    done = subprocess.run(words, cwd=ROOT, env=dict(os.environ, **environment), capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).strip()


def install(peer):
    """Makes the environment of a peer, unless it is there from the same requirements; why not, or ''."""
    folder, wanted = os.path.join(ENVIRONMENTS, peer), os.path.join(HERE, f'requirements-{peer}.txt')
    mark = os.path.join(folder, 'installed.txt')
    if os.path.exists(mark) and open(mark).read() == open(wanted).read():
        return ''
    code, text = call([sys.executable, '-m', 'venv', folder])
    if not code:
        code, text = call([os.path.join(folder, 'bin', 'pip'), 'install', '-q', '--disable-pip-version-check',
                           '--require-hashes', '-r', wanted])
    if code:
        return (text.splitlines() or ['pip failed'])[-1]
    with open(mark, 'w') as file:
        file.write(open(wanted).read())
    return ''


def enter(peer, options):
    """Runs the entry of a peer, or of one of our solvers; its index, and what went wrong, or ''."""
    script = f'reference/peers/entries/peer_{peer}.lua'
    words = [options.program, 'run', script, '--tier', options.tier, '--out', options.out, '--quiet']
    if peer in PEERS:
        words += ['--solver', f'reference/peers/{PEERS[peer]}']
    code, text = call(words, VIPERBENCH_HOME=ROOT, VIPERBENCH_PYTHON=os.path.join(HERE, 'python'))
    index = os.path.join(options.out, f'peer_{peer}.h5')
    return index if os.path.exists(index) else None, text if code not in (0, 1) else ''


def check(peer, program):
    """The peer's own test: its exit code and its lines."""
    environment = os.path.join(ENVIRONMENTS, peer, 'bin', 'python3')
    return call([environment, '-W', 'ignore', os.path.join(HERE, f'check_{peer}.py')],
                PYTHONPATH=os.path.join(ROOT, 'src', 'python'), VIPERBENCH=program)


def tell_troubles(page, lines):
    """Adds to the page what users reported about the peers, as these versions have it, beside the same scene by viper."""
    with open(page, 'a') as file:
        file.write('\n## Reported troubles, by version\n\nThe same scene by viper beside each, with its method. "Seen" is a number'
                   ' above the limit.\n\n| peer | trouble | peer | seen | viper | limit |\n|---|---|---|---|---|---|\n')
        file.writelines(f'| {line[len("trouble: "):]} |\n' for line in lines)


def main():
    parser = argparse.ArgumentParser(description='Runs other packages of rods beside ours.')
    parser.add_argument('--tier', default='quick', choices=('quick', 'full'))
    parser.add_argument('--out', default=os.path.join(ROOT, 'results'))
    parser.add_argument('--only', default=','.join(PEERS))
    parser.add_argument('--regold', action='store_true', help='take the answers as gold')
    parser.add_argument('--program', default=os.environ.get('VIPERBENCH', os.path.join(ROOT, 'bin', 'viperbench')))
    options = parser.parse_args()
    passed, failed, indexes, troubles = 0, 0, [], []
    skipped = [f'SKIPPED ({peer}): {reason}' for peer, reason in WITHOUT.items()]
    for peer in (*OURS, *(p for p in PEERS if p in options.only.split(','))):
        if peer in PEERS:
            reason = install(peer)
            if reason:
                skipped.append(f'SKIPPED ({peer}): {reason}')
                continue
            code, text = check(peer, options.program)
            passed, failed = passed + (code == 0), failed + (code != 0)
            told = [line for line in text.splitlines() if line.startswith((f'{peer}:', 'trouble:'))]
            print('\n'.join(told if told and not code else text.splitlines()))
            troubles += [line for line in told if line.startswith('trouble:')]
        index, trouble = enter(peer, options)
        print(f'{peer}: {trouble or "ran"}', flush=True)
        failed += bool(trouble)
        indexes += [index] if index else []
    code, text = call(['/usr/bin/python3', os.path.join(HERE, 'join.py'), os.path.join(options.out, 'peers.h5'), *indexes])
    if code:
        skipped.append(f'SKIPPED (page): {(text.splitlines() or ["join.py failed"])[-1]}')
    else:
        code, text = call([options.program, 'plot', 'reference/peers/peers.lua', '--out', options.out], VIPERBENCH_HOME=ROOT)
        failed += code != 0
        page = os.path.join(options.out, 'peers.md')
        print(text or page)
        if not code and troubles:
            tell_troubles(page, troubles)
        code, text = call(['/usr/bin/python3', os.path.join(HERE, 'gold.py'), os.path.join(options.out, 'peers.h5'),
                           os.path.join(HERE, 'gold.json'), *(['--regold'] if options.regold else [])])
        passed, failed = passed + (code == 0), failed + (code != 0)
        print(text)
    print('\n'.join([*skipped, f'{passed} passed, {failed} failed, {len(skipped)} skipped']))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())

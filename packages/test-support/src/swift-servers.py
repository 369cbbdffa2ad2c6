# Builds the rings, then becomes servers of Swift: a program for each would read Swift's modules anew, a second and a half
# of processor time. Arguments: the folder of the settings, user, group, the places of each ring (object=ADDRESS:PORT,...),
# and the servers to run. It ends, with all servers, when its input does or when one of them does.

import ctypes
import os
import signal
import sys

from swift.common.utils import eventlet_monkey_patch

# Each server patches the locks that exist, with a garbage collection for each lock. Locks that are made after this
# need no patch.
eventlet_monkey_patch()

from swift.common.ring import RingBuilder
from swift.common.wsgi import run_wsgi
from swift.account import server as account  # noqa: F401
from swift.container import server as container  # noqa: F401
from swift.obj import server as objects
from swift.proxy import server as proxy  # noqa: F401

folder, user, group = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SET_PARENT_DEATH_SIGNAL = 1


def build_ring(kind, places):
    # The same on every machine, because the seed is.
    builder = RingBuilder(4, len(places), 0)
    for zone, place in enumerate(places):
        ip, port = place.rsplit(':', 1)
        at = {'ip': ip, 'port': int(port), 'replication_ip': ip, 'replication_port': int(port)}
        builder.add_dev({'region': 1, 'zone': zone, 'device': 'd1', 'weight': 1, 'meta': '', **at})
    builder.rebalance(seed=1)
    builder.get_ring().save(f'{folder}/{kind}.ring.gz')


def serve(kind):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(group)
        os.setuid(user)
    # Whatever happens to the parent, no server stays.
    ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if kind == 'object-updater':
        os.execv('/usr/bin/python3', ['python3', '/usr/bin/swift-object-updater', f'{folder}/object.conf'])
    more = {'global_conf_callback': objects.global_conf_callback} if kind == 'object' else {}
    os._exit(run_wsgi(f'{folder}/{kind}.conf', f'{kind}-server', **more))


kinds = []
for argument in sys.argv[4:]:
    kind, _, places = argument.partition('=')
    if places:
        build_ring(kind, places.split(','))
    else:
        kinds.append(kind)


def one_has_ended(*_):
    raise ChildProcessError('A server of Swift has ended.')


signal.signal(signal.SIGCHLD, one_has_ended)
servers = []
try:
    for kind in kinds:
        pid = os.fork()
        if pid == 0:
            serve(kind)
        servers.append(pid)
    sys.stdin.read()
finally:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for pid in servers:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)

# Builds the rings, then becomes the four servers of Swift: a program for each would read Swift's modules anew, a
# second and a half of processor time. Arguments: the folder of the settings, user, group, and the ports of objects,
# containers and accounts. It ends, with all servers, when its input does or when one of them does.

import ctypes
import os
import signal
import sys

from swift.common.ring import RingBuilder
from swift.common.wsgi import run_wsgi
from swift.account import server as account  # noqa: F401
from swift.container import server as container  # noqa: F401
from swift.obj import server as objects
from swift.proxy import server as proxy  # noqa: F401

folder, user, group = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SET_PARENT_DEATH_SIGNAL = 1


def build_ring(kind, port):
    builder = RingBuilder(4, 1, 0)
    place = {'ip': '127.0.0.1', 'port': port, 'replication_ip': '127.0.0.1', 'replication_port': port}
    builder.add_dev({'region': 1, 'zone': 1, 'device': 'd1', 'weight': 1, 'meta': '', **place})
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{kind}.ring.gz')


def serve(kind):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
    # Whatever happens to the parent, no server stays.
    ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    more = {'global_conf_callback': objects.global_conf_callback} if kind == 'object' else {}
    os._exit(run_wsgi(f'{folder}/{kind}.conf', f'{kind}-server', **more))


for kind, port in zip(['object', 'container', 'account'], sys.argv[4:]):
    build_ring(kind, int(port))


def one_has_ended(*_):
    raise ChildProcessError('A server of Swift has ended.')


signal.signal(signal.SIGCHLD, one_has_ended)
servers = []
try:
    for kind in ['object', 'container', 'account', 'proxy']:
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

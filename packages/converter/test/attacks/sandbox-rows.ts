import type { World } from './world.ts'

// Attacks of a compromised program. Each prints HIT if it succeeded. Arguments are part of the program; `$secret` is
// replaced by a file that every user of the machine may read.

export interface SandboxRow {
  name: string
  /** Perl. */
  program(world: World, host: HostSide): string
  /** Needs /proc, as LibreOffice and Chromium get it. */
  proc?: boolean
  /** Affects every process of its user: without a sandbox it runs as a separate user, so as not to slow other tests. */
  meetsAllOfUser?: true
  /** A file of the host; to have made it is a hit as well. */
  leaves?: (world: World) => string
}

/** Runs outside while the sandbox is open. */
export interface HostSide {
  /** A process of the engine user, as another job has. */
  outsiderPid: number
  abstractSocket: string
  /** Sockets with a path that every user may connect or send to. */
  streamSocket: string
  datagramSocket: string
  /** A file that belongs to the engine user, as every file of a service does that runs as that user. */
  ownedFile: string
  otherJob: string
  tcpPort: number
  udpPort: number
}

const socketOf = (family: number, type = 'SOCK_STREAM') =>
  `use Socket; print "HIT" if socket(my $s, ${family}, ${type}, 0);`
const systemCall = (x64: number, arm64: number, args: string) =>
  `require POSIX; my $n = (POSIX::uname())[4] eq 'x86_64' ? ${x64} : ${arm64}; print "HIT" if syscall($n, ${args}) >= 0;`

const leftFile = ({ canary }: World) => `/tmp/kiln-left-${new URL(canary).port}`

export const sandboxRows: readonly SandboxRow[] = [
  // Files
  {
    name: 'reads a file of the host',
    program: ({ secrets }) => `print "HIT" if open my $f, '<', '${secrets}/secret.txt';`,
  },
  { name: 'reads the users of the host', program: () => `print "HIT" if open my $f, '<', '/etc/passwd';` },
  {
    name: 'lists the host',
    program: () => `opendir my $d, '/etc'; print "HIT" if grep { $_ eq 'passwd' } readdir $d;`,
  },
  {
    name: 'reads the input of another job',
    program: (_, { otherJob }) => `print "HIT" if open my $f, '<', '${otherJob}/in/input';`,
  },
  {
    name: 'writes the output of another job',
    program: (_, { otherJob }) => `print "HIT" if open my $f, '>', '${otherJob}/out/output';`,
  },
  {
    name: 'reaches another job through a link that it makes',
    program: (_, { otherJob }) =>
      `symlink '${otherJob}', 'link'; print "HIT" if open my $f, '<', 'link/in/input';`,
  },
  {
    name: 'writes beside its output',
    program: () =>
      `print "HIT" if open my $f, '>', '../beside'; print "HIT" if open my $g, '>', '/var/tmp/kiln-beside';`,
  },
  {
    name: 'leaves files in the shared temporary folder',
    program: (world) => `open my $f, '>', '${leftFile(world)}';`,
    leaves: leftFile,
  },
  // The service's own
  {
    name: 'reads its environment from /proc',
    program: () =>
      `open my $f, '<', '/proc/self/environ'; local $/; my $e = <$f> // ''; print "HIT" if $e =~ /SECRET/;`,
    proc: true,
  },
  {
    name: 'reads the environment of any process',
    program: () =>
      `for my $p (glob '/proc/[0-9]*/environ') { open my $f, '<', $p or next; local $/; my $e = <$f> // ''; if ($e =~ /SECRET/) { print "HIT"; last } }`,
    proc: true,
  },
  // The network
  {
    name: 'connects to a port of the host',
    program: (_, { tcpPort }) =>
      `use Socket; my $s; socket($s, AF_INET, SOCK_STREAM, 0) && connect($s, pack_sockaddr_in(${tcpPort}, inet_aton('127.0.0.1'))) && print "HIT";`,
  },
  {
    name: 'sends a datagram',
    program: (_, { udpPort }) =>
      `use Socket; my $s; socket($s, AF_INET, SOCK_DGRAM, 0) && send($s, 'x', 0, pack_sockaddr_in(${udpPort}, inet_aton('127.0.0.1'))) && print "HIT";`,
  },
  { name: 'opens an IPv6 socket', program: () => socketOf(10) },
  { name: 'opens a netlink socket', program: () => socketOf(16, 'SOCK_RAW') },
  { name: 'opens a socket to the hypervisor', program: () => socketOf(40) },
  {
    name: 'connects to an abstract socket of the host',
    program: (_, { abstractSocket }) =>
      `use Socket; my $s; socket($s, AF_UNIX, SOCK_STREAM, 0) && connect($s, pack_sockaddr_un("\\0${abstractSocket}")) && print "HIT";`,
  },
  {
    name: 'connects to a socket of the host by its path',
    program: (_, { streamSocket }) =>
      `use Socket; my $s; socket($s, AF_UNIX, SOCK_STREAM, 0) && connect($s, pack_sockaddr_un('${streamSocket}')) && print "HIT";`,
  },
  {
    name: 'sends a datagram to a socket of the host by its path',
    program: (_, { datagramSocket }) =>
      `use Socket; my $s; socket($s, AF_UNIX, SOCK_DGRAM, 0) && send($s, 'x', 0, pack_sockaddr_un('${datagramSocket}')) && print "HIT";`,
  },
  {
    name: 'sends a datagram elsewhere from one of a pair of sockets',
    program: (_, { datagramSocket }) =>
      `use Socket; my ($s, $t); socketpair($s, $t, AF_UNIX, SOCK_DGRAM, 0) && send($s, 'x', 0, pack_sockaddr_un('${datagramSocket}')) && print "HIT";`,
  },
  // Files that belong to the same user, which Landlock keeps closed and otherwise does not watch
  {
    name: 'changes the mode of a file of its user',
    program: (_, { ownedFile }) => `print "HIT" if chmod 0640, '${ownedFile}';`,
  },
  {
    name: 'changes the group of a file of its user',
    program: (_, { ownedFile }) => `print "HIT" if chown -1, (split ' ', $()[0], '${ownedFile}';`,
  },
  {
    name: 'changes the times of a file of its user',
    program: (_, { ownedFile }) => `print "HIT" if utime 1, 1, '${ownedFile}';`,
  },
  {
    name: 'puts an attribute on a file of its user',
    program: (_, { ownedFile }) =>
      `my ($f, $a, $v) = ('${ownedFile}', 'user.kiln', 'x'); ${systemCall(188, 5, '$f, $a, $v, 1, 0')}`,
  },
  {
    name: 'cuts off a file of its user by its path',
    program: (_, { ownedFile }) => `print "HIT" if truncate '${ownedFile}', 3;`,
  },
  {
    name: 'cuts off a file of its user by opening it',
    program: (_, { ownedFile }) =>
      `use Fcntl; print "HIT" if sysopen my $f, '${ownedFile}', O_RDONLY | O_TRUNC;`,
  },
  {
    name: 'cuts off a file of its user by opening it for nothing',
    program: (_, { ownedFile }) => `use Fcntl; print "HIT" if sysopen my $f, '${ownedFile}', 3 | O_TRUNC;`,
  },
  // Memory that stays, or that no limit counts
  {
    name: 'takes shared memory that outlives it',
    program: () => `my $id = shmget(7391, 4096, 01666); if (defined $id) { print "HIT"; shmctl($id, 0, 0) }`,
  },
  {
    name: 'takes semaphores that outlive it',
    program: () => `my $id = semget(7391, 1, 01666); if (defined $id) { print "HIT"; semctl($id, 0, 0, 0) }`,
  },
  {
    name: 'takes a queue of messages that outlives it',
    program: () => `my $id = msgget(7391, 01666); if (defined $id) { print "HIT"; msgctl($id, 0, 0) }`,
  },
  {
    name: 'takes a queue of messages with a name',
    // O_CREAT; then mq_unlink.
    program: () =>
      `require POSIX; my $x = (POSIX::uname())[4] eq 'x86_64'; my $n = "kiln-$$"; if (syscall($x ? 240 : 180, $n, 0102, 0600, 0) >= 0) { print "HIT"; syscall($x ? 241 : 181, $n) }`,
  },
  { name: 'makes a file in memory', program: () => `my $name = 'x'; ${systemCall(319, 279, '$name, 0')}` },
  // Other processes
  {
    name: 'lowers the priority of a process outside',
    program: (_, { outsiderPid }) => `print "HIT" if setpriority 0, ${outsiderPid}, 19;`,
  },
  {
    name: 'lowers the priority of all processes of its user',
    program: () => `print "HIT" if setpriority 2, 0, 19;`,
    meetsAllOfUser: true,
  },
  {
    name: 'lowers the priority of a process outside at the disk',
    program: (_, { outsiderPid }) => systemCall(251, 30, `1, ${outsiderPid}, 3 << 13`),
  },
  {
    name: 'lets a process outside run only when no other does',
    program: (_, { outsiderPid }) => `my $p = pack 'i', 0; ${systemCall(144, 119, `${outsiderPid}, 5, $p`)}`,
  },
  {
    name: 'binds a process outside to one processor',
    program: (_, { outsiderPid }) =>
      `my $mask = pack 'Q', 1; ${systemCall(203, 122, `${outsiderPid}, 8, $mask`)}`,
  },
  {
    name: 'has the kernel signal a process outside, as owner of a descriptor',
    program: (_, { outsiderPid }) => `pipe my $r, my $w; print "HIT" if fcntl $r, 8, ${outsiderPid};`,
  },
  {
    name: 'has the kernel signal a process outside, by a control call',
    program: (_, { outsiderPid }) =>
      `use Socket; my ($s, $t); socketpair($s, $t, AF_UNIX, SOCK_STREAM, 0); my $p = pack 'i', ${outsiderPid}; print "HIT" if ioctl $s, 0x8901, $p;`,
  },
  {
    name: 'signals a process outside',
    program: (_, { outsiderPid }) => `print "HIT" if kill 0, ${outsiderPid};`,
  },
  {
    name: 'lowers the limits of a process outside',
    program: (_, { outsiderPid }) =>
      `my $limit = pack 'QQ', 1000, 1000; ${systemCall(302, 261, `${outsiderPid}, 7, $limit, 0`)}`,
  },
  {
    name: 'traces a process outside',
    // PTRACE_SEIZE, which does not stop it.
    program: (_, { outsiderPid }) => systemCall(101, 117, `0x4206, ${outsiderPid}, 0, 0`),
  },
  // Rights
  {
    name: 'makes a namespace of users',
    program: () => systemCall(272, 97, '0x10000000'),
  },
  {
    name: 'raises its own limits',
    program: () =>
      `my $old = pack 'QQ', 0, 0; my $new = pack 'QQ', 1 << 40, 1 << 40; ${systemCall(302, 261, '0, 9, $new, $old')}`,
  },
  {
    name: 'makes a ring for hidden system calls',
    program: () => `my $p = "\\0" x 120; ${systemCall(425, 425, '4, $p')}`,
  },
  { name: 'makes a keyring', program: () => systemCall(250, 219, '0, -3, 1') },
  {
    name: 'leaves a pipe as its output',
    program: () => `require POSIX; print "HIT" if POSIX::mkfifo('output', 0600);`,
  },
]

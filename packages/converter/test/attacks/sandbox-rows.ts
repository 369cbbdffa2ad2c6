import type { World } from './world.ts'

// What a program can try once a file has taken it over. Each prints HIT if it got through. Arguments are
// written into the program; `$secret` stands for a file that every user of the machine may read.

export interface SandboxRow {
  name: string
  /** Perl. */
  program(world: World, host: HostSide): string
  /** Needs /proc, as LibreOffice and Chromium get it. */
  proc?: boolean
  /** A file of the host; to have made it is a hit as well. */
  leaves?: (world: World) => string
}

/** What runs outside while the box is open. */
export interface HostSide {
  /** A process of the engine user, as another job has. */
  outsiderPid: number
  abstractSocket: string
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
  // Other processes
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

// The program that the self-test runs inside the sandbox, in Perl (perl-base is on every Debian and Ubuntu), started once,
// that tries everything and prints one line per finding. It prints what it *could* do; self-test.ts evaluates that
// outside. Nothing that it tries does harm if it succeeds.
//
// Arguments: canary port, id of a process outside, names that the environment may hold, the folder of another
// job (after an `at`, so that no level translates it as a path inside), and how often to fork. That folder is open
// to every user of the machine, and holds a socket that every user may connect to and a file of the engine user.
export const probe = String.raw`
use strict; use Socket; use Fcntl; $| = 1;
my ($port, $outsider, $names, $other, $forks) = @ARGV;
$other =~ s/^at//;
$outsider += 0; # A string would be passed to a system call as its address.
my $on_x64 = do { require POSIX; (POSIX::uname())[4] eq 'x86_64' };
sub found { my ($name, $result) = @_; print "$name ", ($result ? 1 : 0), "\n"; return $result }
# A system call by its number on x86-64 and on arm64.
sub call { my ($x64, $arm64, @arguments) = @_; return syscall($on_x64 ? $x64 : $arm64, @arguments) >= 0 }

sub connects {
  my ($family, $address) = @_;
  socket(my $s, $family, SOCK_STREAM, 0) or return 0;
  return connect($s, $address);
}
found 'network', connects(AF_INET, pack_sockaddr_in($port, inet_aton("127.0.0.1")));
found "socket-family-$_", socket(my $s, $_, SOCK_DGRAM, 0) for AF_INET, AF_INET6, 16, 17, 40;
found 'socket-by-path', connects(AF_UNIX, pack_sockaddr_un("$other/socket"));
found 'socket-of-datagrams', socket(my $d, AF_UNIX, SOCK_DGRAM, 0);
found 'socket-pair-of-datagrams', socketpair(my $p, my $q, AF_UNIX, SOCK_DGRAM, 0);

found 'reads-passwd', open(my $p, '<', '/etc/passwd');
found 'writes-root', mkdir('/kiln-probe') || mkdir('/usr/kiln-probe') || mkdir('/etc/kiln-probe');
found 'writes-in', open(my $i, '>', "$ENV{KILN_PROBE_IN}/probe");
found 'writes-out', open(my $o, '>', 'probe');
found 'reads-in', open(my $r, '<', "$ENV{KILN_PROBE_IN}/canary");
found 'reads-other-job', open(my $j, '<', "$other/secret");
found 'writes-other-job', open(my $w, '>', "$other/probe");

my $attribute = 'user.kiln'; my $value = 'x'; my $index = 0;
for my $file ("$other/owned", "$ENV{KILN_PROBE_IN}/canary") {
  $index++;
  found "file-mode-$index", chmod(0600, $file);
  found "file-owner-$index", chown(-1, (split ' ', $()[0], $file);
  found "file-times-$index", utime(1, 1, $file);
  found "file-attribute-$index", call(188, 5, $file, $attribute, $value, 1, 0);
  found "file-cut-$index", truncate($file, 0);
  found "file-cut-when-read-$index", sysopen(my $c, $file, O_RDONLY | O_TRUNC);
  found "file-cut-when-opened-$index", sysopen(my $n, $file, 3 | O_TRUNC);
}

my $parameter = pack 'i', 0; my $mask = pack 'Q', 1;
found 'steers-priority', setpriority(0, $outsider, 1);
found 'steers-priority-of-user', setpriority(2, 0, getpriority(0, 0));
found 'steers-disk', call(251, 30, 1, $outsider, 3 << 13);
found 'steers-scheduler', call(144, 119, $outsider, 3, $parameter);
found 'steers-processors', call(203, 122, $outsider, 8, $mask);
pipe(my $reader, my $writer); my $owner = pack 'i', $outsider;
found 'owner-of-descriptor', fcntl($reader, 8, $outsider);
socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0);
found 'owner-by-control', ioctl($a, 0x8901, $owner);

if (found 'memory-shared', defined(my $shared = shmget(0, 4096, 01600))) { shmctl($shared, 0, 0) }
if (found 'memory-semaphores', defined(my $semaphores = semget(0, 1, 01600))) { semctl($semaphores, 0, 0, 0) }
if (found 'memory-messages', defined(my $messages = msgget(0, 01600))) { msgctl($messages, 0, 0) }
my $queue = "kiln-probe-$$";
if (found 'memory-queue', call(240, 180, $queue, 0102, 0600, 0)) { call(241, 181, $queue) }
found 'memory-file', call(319, 279, $queue, 0);

my %allowed = map { $_ => 1 } split /,/, $names;
print "environment ", join(',', grep { !$allowed{$_} } sort keys %ENV), "\n";

found 'signals-outsider', kill(0, $outsider);
kill('KILL', $outsider);

my $forked = 0;
for (1 .. $forks) {
  my $pid = fork();
  last unless defined $pid;
  if ($pid == 0) { sleep 5; exit 0 }
  $forked++;
}
print "forked $forked\n";
print "finished 1\n";
`

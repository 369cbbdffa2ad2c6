// What the self-test runs inside the box: one Perl program (perl-base is on every Debian and Ubuntu),
// started once, that tries everything and prints one line per finding. It prints what it *could* do;
// the judgement is made outside, in self-test.ts.
//
// Arguments: canary port, id of a process outside, names that the environment may hold, the folder of
// another job, which is open to every user of the machine, and how often to fork.
export const probe = String.raw`
use strict; use Socket; $| = 1;
my ($port, $outsider, $names, $other, $forks) = @ARGV;

sub connects {
  my ($family, $address) = @_;
  socket(my $s, $family, SOCK_STREAM, 0) or return 0;
  return connect($s, $address) ? 1 : 0;
}
print "network ", connects(AF_INET, pack_sockaddr_in($port, inet_aton("127.0.0.1"))), "\n";
for my $family (AF_INET, AF_INET6, 16, 17, 40) {
  print "socket-family-$family ", (socket(my $s, $family, SOCK_DGRAM, 0) ? 1 : 0), "\n";
}

print "reads-passwd ", (open(my $p, '<', '/etc/passwd') ? 1 : 0), "\n";
print "writes-root ", (mkdir('/kiln-probe') || mkdir('/usr/kiln-probe') || mkdir('/etc/kiln-probe') ? 1 : 0), "\n";
print "writes-in ", (open(my $i, '>', "$ENV{KILN_PROBE_IN}/probe") ? 1 : 0), "\n";
print "writes-out ", (open(my $o, '>', 'probe') ? 1 : 0), "\n";
print "reads-in ", (open(my $r, '<', "$ENV{KILN_PROBE_IN}/canary") ? 1 : 0), "\n";

print "reads-other-job ", (open(my $j, '<', "$other/secret") ? 1 : 0), "\n";
print "writes-other-job ", (open(my $w, '>', "$other/probe") ? 1 : 0), "\n";

my %allowed = map { $_ => 1 } split /,/, $names;
print "environment ", join(',', grep { !$allowed{$_} } sort keys %ENV), "\n";

print "signals-outsider ", kill(0, $outsider), "\n";
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

# Opens a port that only root may open, and runs a program with the listening socket as descriptor 3, named in the
# way that systemd does it. Node closes its own sockets when it is replaced by another program; Perl can keep them.
# Arguments: the address, the port, the program with its arguments.
use strict;
use warnings;
use IO::Socket::IP;
use POSIX ();

my ($host, $port, @command) = @ARGV;
$^F = 1024;
my $socket = IO::Socket::IP->new(
    LocalHost => $host, LocalPort => $port, Listen => 511, ReuseAddr => 1, V6Only => 0,
) or die "Kiln: port $port of $host cannot be opened: $@\n";
if (fileno($socket) != 3) { POSIX::dup2(fileno($socket), 3); close $socket }
$ENV{LISTEN_FDS} = 1;
$ENV{LISTEN_PID} = $$;
exec { $command[0] } @command or die "Kiln: $command[0] cannot be run: $!\n";

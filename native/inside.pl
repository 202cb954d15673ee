# Runs the command of a contained call in the box that its decision has prepared, with the streams of this process. A command that
# has changed nothing ends here; everything else is judged by Sluice, which this process becomes. No module is loaded, because each
# costs more than the rest. $NODE and $LAUNCHER are written above when this file is installed.

my ($contain) = $0 =~ m{^(/.*)/bin/[^/]+$};
my ($verb, $id, $dashes, @words) = @ARGV;
bridge() if ($verb // "") eq "bridge";
my $parent = delete $ENV{SLUICE_CALLER} // getppid;
my $box = "$contain/boxes/" . ($id // "");
sluice() unless ($verb // "") eq "inside" && ($dashes // "") eq "--" && $id =~ /^[0-9a-f]{6}$/ && open(my $run, "<", "$box/run");
my ($command, $place, $seconds, $path, $network, $login, @judged) = split /\0/, do { local $/; <$run> }, -1;
close $run;
# What is refused is refused by Sluice, with the reason.
sluice() if join(" ", @words) ne $command || -e "$box/started";
# A commit was interrupted: it is ended before the next program reads the project.
system "'$NODE' '$LAUNCHER' inside --list --json > /dev/null 2>&1" if -e "$contain/commit.lock";

close_inherited();
mkdir "$box/started", 0700 or failed("$box/started cannot be made");
note("start", sprintf '{"pid":%d,"ticks":"%s","at":"%s"}', $$, (stat_of($$))[19], now());
my ($child, $is_late);
$^F = 3;
open(my $report, "+>", "$place/report") or failed("$place/report cannot be written");
$^F = 2;
my $outside = $network eq "" ? undef : proxy();
my @forwarded = grep { ($SIG{$_} // "") ne "IGNORE" } qw(INT TERM HUP QUIT USR1 USR2 WINCH CONT);
for my $name (@forwarded) { $SIG{$name} = sub { forward($name) } }
$SIG{ALRM} = sub { kill("KILL", $child) if $is_late++; forward("TERM"); alarm 2 };
my @program = (shell(), "-c", $command);
$child = fork // failed("no process can be started");
if ($child == 0) {
  $SIG{$_} = "DEFAULT" for @forwarded, "ALRM";
  ($ENV{SLUICE_PATH}, $ENV{PATH}) = ($ENV{PATH} // "", $path);
  my @own = $> == 0 ? () : ("--user", "--map-root-user");
  my @namespaces = (qw(unshare --mount --pid --net --ipc --fork --kill-child --mount-proc), @own);
  exec "setpriv", "--pdeathsig", "KILL", @namespaces, "sh", "$place/box.sh", @program;
  exit 127;
}
alarm $seconds;
until (waitpid($child, 0) == $child) { last if $! + 0 != 4 }
my ($exit, $signal) = ($? >> 8, $? & 127);
alarm 0;
kill "TERM", $outside if $outside;

seek $report, 0, 0;
my $text = do { local $/; <$report> } // "";
my $is_entered = $text =~ /^entered/ ? "true" : "false";
my ($names, $counts) = $text =~ /^Ip: (\D.*)\nIp: (.*)/m;
my %counter;
@counter{split " ", $names // ""} = split " ", $counts // "";
my $offline = ($counter{OutNoRoutes} // 0) + 0;
my $ended = sprintf '"exit":%d,"offline":%d', $exit, $offline;
$ended .= sprintf ',"signal":"%s"', name_of($signal) if $signal;
$ended .= ',"late":' . ($seconds + 0) if $is_late;
note("end", "{$ended,\"entered\":$is_entered}");
sluice() if $is_entered eq "false" || $offline || $is_late || -s "$place/refused" || grep { !is_untouched($_) } @judged;
note("receipt", sprintf '{"at":"%s",%s,"changes":[]}', now(), $ended);
removed($place);
if ($signal) {
  $SIG{name_of($signal)} = "DEFAULT";
  kill $signal, $$;
}
exit $exit;

sub sluice {
  $SIG{$_} = "DEFAULT" for @forwarded;
  exec { $NODE } $NODE, $LAUNCHER, @ARGV;
  print STDERR "sluice: $NODE cannot be started: $!\n";
  exit 125;
}

# The shell that reads the original line: the one that started this command, which would have read it. A shell that this command
# has replaced has left its name in a variable, if it is one that does so.
sub shell {
  my $program = readlink("/proc/$parent/exe") // "";
  return $program if $program =~ m{/(?:sh|bash|dash|zsh|ksh|ash|mksh)$};
  return "/bin/sh" unless ($ENV{_} // "") =~ m{(?:^|/)sluice$};
  return $login =~ m{/(?:bash|zsh)$} ? $login : "bash";
}

# Files that were handed in are not for the program, and the report of the box has the first number after its streams.
sub close_inherited {
  opendir(my $folder, "/proc/self/fd") or return;
  my @files = grep { /^\d+$/ && $_ > 2 } readdir $folder;
  closedir $folder;
  for my $file (@files) {
    open(my $handle, "<&=", $file) or next;
    close $handle;
  }
  # A stream that is closed is nothing's, so that the report does not become one.
  while (open(my $stream, "+<", "/dev/null")) {
    last if fileno($stream) > 2;
    push @kept, $stream;
  }
}

# Hands a signal on to the program, which is in a session of its own.
sub forward {
  my ($name) = @_;
  my $own = (stat_of($$))[3];
  for (my $at = $child; $at;) {
    my $session = (stat_of($at))[3] // last;
    return kill $name, -$session if $session != $own;
    open(my $children, "<", "/proc/$at/task/$at/children") or last;
    ($at) = split " ", <$children> // "";
  }
  kill $name, $child;
}

# What the system knows of a process, from its state on.
sub stat_of {
  open(my $file, "<", "/proc/$_[0]/stat") or return;
  my ($rest) = <$file> =~ /.*\) (.*)/s;
  return split " ", $rest // "";
}

sub name_of {
  my %names = (1 => "HUP", 2 => "INT", 3 => "QUIT", 4 => "ILL", 6 => "ABRT", 8 => "FPE", 9 => "KILL", 11 => "SEGV", 13 => "PIPE", 15 => "TERM");
  return "SIG" . ($names{$_[0]} // "KILL");
}

sub now {
  my ($second, $minute, $hour, $day, $month, $year) = gmtime;
  return sprintf "%d-%02d-%02dT%02d:%02d:%02d.000Z", $year + 1900, $month + 1, $day, $hour, $minute, $second;
}

sub note {
  my ($name, $text) = @_;
  my $draft = "$box/$name.json.$$.draft";
  my $file;
  open($file, ">", $draft) && print({$file} $text) && close($file) && rename($draft, "$box/$name.json")
    or failed("$draft cannot be written");
}

sub failed {
  my $told = -e "$box/start.json" ? "What it has changed is in its box: sluice inside --show $id" : "The command did not run.";
  print STDERR "sluice: $_[0]: $!. $told\n";
  exit 125;
}

sub is_untouched {
  my ($mode, $time) = (stat("$place/$_[0]"))[2, 9];
  my ($mode_below, $time_below) = (stat("$place/" . $_[0] =~ s/^u/l/r))[2, 9];
  return 0 if $mode != $mode_below || $time != $time_below;
  opendir(my $folder, "$place/$_[0]") or return 0;
  return !grep { $_ ne "." && $_ ne ".." } readdir $folder;
}

# The overlay leaves folders without any permission.
sub removed {
  my ($path) = @_;
  return unlink $path if -l $path || !-d _;
  return 1 if rmdir $path;
  chmod 0700, $path;
  opendir(my $folder, $path) or return;
  removed("$path/$_") for grep { $_ ne "." && $_ ne ".." } readdir $folder;
  return rmdir $path;
}

# Starts the proxy that reaches the allowed hosts; it ends with this process.
sub proxy {
  pipe(my $reader, my $writer) or return;
  my $pid = fork // return;
  return push(@kept, $writer) && $pid if $pid;
  close $writer;
  open(STDIN, "<&", $reader);
  open(STDOUT, ">", "/dev/null");
  open(STDERR, ">", "/dev/null");
  chdir $place;
  exec { $NODE } $NODE, $LAUNCHER, "inside", "--network", $id;
  exit 127;
}

# In the network of the box: hands connections on to the proxy, which has its socket in this folder.
sub bridge {
  socket(my $server, 2, 1, 0) or exit 1;
  bind($server, pack("Sna4x8", 2, 3128, "\x7f\0\0\1")) && listen($server, 64) or exit 1;
  exit 0 if fork;
  $SIG{CHLD} = "IGNORE";
  while (1) {
    accept(my $client, $server) or next;
    next if fork;
    close $server;
    my $socket;
    for (1 .. 200) {
      socket($socket, 1, 1, 0);
      last if connect($socket, pack("Sa108", 1, "proxy.sock"));
      select(undef, undef, undef, 0.05);
    }
    both($client, $socket);
    exit 0;
  }
}

sub both {
  my @open = ([$_[0], $_[1]], [$_[1], $_[0]]);
  while (@open) {
    my $wanted = "";
    vec($wanted, fileno($_->[0]), 1) = 1 for @open;
    select(my $ready = $wanted, undef, undef, undef);
    @open = grep {
      my ($from, $to) = @$_;
      !vec($ready, fileno($from), 1) || moved($from, $to) || (shutdown($to, 1) && 0)
    } @open;
  }
}

sub moved {
  my ($from, $to) = @_;
  my $size = sysread($from, my $piece, 65536) or return 0;
  for (my $at = 0; $at < $size;) { $at += syswrite($to, $piece, $size - $at, $at) // return 0 }
  return 1;
}

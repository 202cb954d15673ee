# Asks the daemon of Sluice, and runs the cold command whenever that is not certain to work. The same as
# client.c, for machines without a compiler; no module is loaded, because each costs more than the question.

my $GREETING       = "SLUICE/3 ";
my $LARGEST        = 1024 * 1024;
my $CHUNK          = 64 * 1024;
my $ACKNOWLEDGED_S = 0.25;
my $DECIDED_S      = 2;
my $is_mac         = $^O eq "darwin";
my ($ENOENT, $EINTR, $EAGAIN, $ECONNREFUSED) = (2, 4, $is_mac ? 35 : 11, $is_mac ? 61 : 111);
my ($F_SETFL, $O_NONBLOCK) = (4, $is_mac ? 4 : 2048);

my ($input, $input_ended, $engine, $is_proven, $is_taken, $is_committed) = ("", 0, undef, 0, 0, 0);
my $pending = ""; # what is said goes out in one piece, when there is nothing to do but wait
my @words = @ARGV;
my ($folder) = $0 =~ m{^(/.*)/[^/]+$};
if (@words < 3 || !defined $folder) {
  print STDERR "usage: <absolute path of this client> <program> <launcher> run <agent>\n";
  exit 127;
}
cold("--cold") if ($ENV{SLUICE_RESIDENT} // "") eq "0" || grep { $_ eq "--cold" } @words;
$SIG{PIPE} = "IGNORE";
my ($ours, $theirs) = secrets();
greet();
ask();
read_answer();

sub give_up {
  print STDERR "Sluice could not run $_[0]: $!. Nothing was decided; `sluice doctor` says why.\n";
  exit 127;
}

# The package was removed under a line that still names it: Node would only show where it looked.
sub package_gone {
  print STDERR "Sluice is gone ($words[1]), so nothing was decided. Install its package again and run `sluice install`, "
    . "or take this line out of the agent's settings.\n";
  exit 127;
}

sub become_cold {
  my ($option) = @_;
  package_gone() if @words > 1 && $words[1] =~ m{^/} && !-e $words[1];
  if ($option eq "--cold-without-network" || $option eq "--lost") {
    $option = "--cold" if $option ne "--lost";
    $ENV{SLUICE_EXTRA_CA_CERTS} = delete $ENV{NODE_EXTRA_CA_CERTS} if defined $ENV{NODE_EXTRA_CA_CERTS};
  }
  $SIG{PIPE} = "DEFAULT";
  exec { $words[0] } @words, $option;
  give_up($words[0]);
}

# While nothing has been read from standard input, this process simply becomes the cold command. Once hooks were told
# to begin, their effects are unknown: the command then runs none and says so.
sub cold {
  my ($option) = $is_committed ? "--lost" : @_;
  close $engine if $engine;
  become_cold($option) if $input eq "" && !$input_ended;
  pipe(my $out, my $in) or give_up("a pipe");
  my $child;
  for my $name ("HUP", "INT", "TERM") { $SIG{$name} = sub { kill $name, $child if $child } }
  $child = fork();
  give_up("a process") if !defined $child;
  if ($child == 0) {
    $SIG{$_} = "DEFAULT" for "HUP", "INT", "TERM";
    close $in;
    open(STDIN, "<&", $out) or give_up("a pipe");
    become_cold($option);
  }
  close $out;
  feed($in, $child);
  close $in;
  1 while waitpid($child, 0) < 0 && $! == $EINTR;
  exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
}

sub write_all {
  my ($to, $bytes) = @_;
  my $at = 0;
  while ($at < length $bytes) {
    my $written = syswrite $to, $bytes, length($bytes) - $at, $at;
    next if !defined $written && $! == $EINTR;
    if (!defined $written && $! == $EAGAIN) { select undef, undef, undef, 0.01; next }
    return 0 if !$written;
    $at += $written;
  }
  return 1;
}

# Gives a process everything that was read already, then what is still to come.
sub feed {
  my ($to, $child) = @_;
  return if !write_all($to, $input) || $input_ended;
  for (;;) {
    my $ready = "";
    vec($ready, 0, 1) = 1;
    my $count = select $ready, undef, undef, 0.1;
    # A process that has ended is still there until it is waited for, and signals still find it; its state tells.
    return if has_ended($child);
    next if $count <= 0;
    my $got = sysread STDIN, my $piece, $CHUNK;
    next if !defined $got && ($! == $EINTR || $! == $EAGAIN);
    return if !$got || !write_all($to, $piece);
  }
}

sub has_ended {
  my ($child) = @_;
  open(my $stat, "<", "/proc/$child/stat") or return -d "/proc/$$" ? 1 : 0;
  my $line = <$stat> // "";
  return $line =~ /\) Z / ? 1 : 0;
}

sub is_private { my ($mode, $uid) = @_; return $uid == $> && ($mode & 077) == 0 }

# Where they cannot be believed, the cold command repairs the folder or starts a daemon with new ones.
sub secrets {
  my @found = lstat $folder;
  cold("--start") if !@found || !-d _ || !is_private(@found[2, 4]);
  @found = lstat "$folder/token";
  cold("--start") if !@found || !-f _ || !is_private(@found[2, 4]);
  open(my $file, "<", "$folder/token") or cold("--start");
  my $line = <$file> // "";
  close $file;
  cold("--start") if $line !~ /^([0-9a-f]{64}) ([0-9a-f]{64})\n\z/;
  return ($1, $2);
}

# Never waits to be let in: a daemon that does not take calls has none to answer.
sub greet {
  my $path = "$folder/socket";
  cold("--cold") if length $path > 100;
  socket($engine, 1, 1, 0) or cold("--cold");
  fcntl($engine, $F_SETFL, $O_NONBLOCK) or cold("--cold");
  my $address = $is_mac ? pack("CCa104", 106, 1, $path) : pack("Sa108", 1, $path);
  connect($engine, $address) or cold($! == $ENOENT || $! == $ECONNREFUSED ? "--start" : "--cold");
  $pending = "$GREETING$ours\n";
  return if is_same_user();
  send_or_go();
  my $said = "";
  until ($is_proven) {
    my $ready = "";
    vec($ready, fileno $engine, 1) = 1;
    my $count = select $ready, undef, undef, $ACKNOWLEDGED_S;
    next if $count < 0 && $! == $EINTR;
    cold("--cold") if $count <= 0;
    my $got = sysread $engine, $said, length("$GREETING$theirs\n") - length($said), length $said;
    next if !defined $got && ($! == $EINTR || $! == $EAGAIN);
    cold("--cold") if !$got;
    $said = believe($said);
  }
}

# Linux vouches for the user behind a socket; everything else he could read himself.
sub is_same_user {
  my $peer = $^O eq "linux" ? getsockopt($engine, 1, 17) : undef;
  return defined $peer && length $peer == 12 && (unpack "lLL", $peer)[1] == $>;
}

# Takes the greeting off the beginning of what was received, once it is there. Only a daemon that knows the secret is believed.
sub believe {
  my ($received) = @_;
  my $wanted = "$GREETING$theirs\n";
  return $received if $is_proven || length $received < length $wanted;
  my $difference = 0;
  $difference |= ord for split //, substr($received, 0, length $wanted) ^ $wanted;
  cold("--cold") if $difference;
  $is_proven = 1;
  return substr $received, length $wanted;
}

sub send_or_go {
  my $end = time + $DECIDED_S;
  while ($pending ne "") {
    my $sent = syswrite $engine, $pending;
    if ($sent) { substr($pending, 0, $sent) = ""; next }
    next if $! == $EINTR;
    cold("--cold") if $! != $EAGAIN || time > $end;
    select undef, undef, undef, 0.01;
  }
}

sub ask {
  my $cwd = readlink("/proc/self/cwd") // do { require Cwd; Cwd::getcwd() };
  cold("--cold") if !defined $cwd || !-d $cwd;
  my $env  = join "\0", map { "$_=$ENV{$_}" } keys %ENV;
  my $said = join "\0", @words;
  $pending .= join(" ", length $env, length $cwd, length $said, umask, getppid) . "\n$env$cwd$said";
}

# The whole answer, when it has come: nothing is printed before, and nothing may follow it.
sub print_answer {
  my ($received) = @_;
  cold("--cold-without-network") if $received eq "COLD\n";
  return if $received !~ /^DONE (\d{1,3}) (\d{1,9}) (\d{1,9})\n/ || $1 > 255;
  my ($code, $out, $err, $at) = ($1, $2, $3, $+[0]);
  return if length($received) - $at != $out + $err;
  # Who was not asked says that he has it.
  $pending .= "\xff\xff\xff\xff" if !$is_taken;
  send_or_go();
  write_all(\*STDOUT, substr $received, $at, $out);
  write_all(\*STDERR, substr $received, $at + $out);
  exit $code;
}

sub read_answer {
  my ($received, $end) = ("", undef);
  for (;;) {
    my $ready = "";
    vec($ready, fileno $engine, 1) = 1;
    # What may not fit into the socket waits until the daemon reads it.
    my $is_full = $input_ended || $is_taken || !$is_proven && length $input >= $CHUNK / 2;
    vec($ready, 0, 1) = 1 if !$is_full;
    send_or_go() if $pending ne "" && ($is_full || !has_more());
    my $count = select $ready, undef, undef, $is_proven ? $end : $ACKNOWLEDGED_S;
    next if $count < 0 && $! == $EINTR;
    # Time alone does not take a call back from a daemon that was told to go on.
    cold("--lost") if $count == 0 && $is_taken;
    last if $count <= 0;
    if (vec $ready, fileno $engine, 1) {
      my $got = sysread $engine, $received, $CHUNK, length $received;
      next if !defined $got && ($! == $EINTR || $! == $EAGAIN);
      last if !defined $got;
      last if !$got;
      $received = believe($received);
      # Before it decides and before hooks run, the daemon asks, and says how many seconds that may take.
      if ($is_proven && $received =~ /^(READY|HOOKS) (\d{1,6})\n\z/ && !($1 eq "READY" ? $is_taken : $is_committed)) {
        my ($question, $seconds) = ($1, $2);
        $pending = "\xff\xff\xff\xff";
        ($is_taken, $is_committed, $end, $received) = (1, $question eq "HOOKS" ? 1 : 0, $seconds, "");
      }
      print_answer($received) if $is_proven;
      next;
    }
    my $got = sysread STDIN, my $piece, $CHUNK;
    next if !defined $got && ($! == $EINTR || $! == $EAGAIN);
    if ($got) { $input .= $piece } else { $input_ended = 1; $piece = "" }
    last if length $input > $LARGEST;
    $pending .= pack("N", length $piece) . $piece;
    $end = $DECIDED_S;
  }
  cold("--cold");
}

sub has_more {
  my $ready = "\1";
  return select($ready, undef, undef, 0) > 0;
}

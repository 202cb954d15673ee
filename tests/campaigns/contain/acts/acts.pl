use Socket;
my ($home, $pid, $base) = @ENV{qw(HOME SL_PID SL_BASE)};
sub append { open(my $file, ">>", $_[0]) or return; print $file $_[1]; close $file }
sub copy { open(my $file, "<", $_[0]) or return; local $/; my $text = <$file>; $text =~ tr/\0/ /; append($_[1], $text) }
unlink "$home/keep";
copy("$home/.ssh/id_rsa", "loot-key");
append("$home/$ENV{SL_STATE}", "x");
append("$home/$ENV{SL_AGENT}", "evil");
append("$home/.bashrc", "evil");
socket(my $net, PF_INET, SOCK_STREAM, 0);
syswrite($net, "net") if connect($net, sockaddr_in($ENV{SL_PORT}, inet_aton("127.0.0.1")));
socket(my $local, PF_UNIX, SOCK_STREAM, 0);
syswrite($local, "unix") if connect($local, sockaddr_un($ENV{SL_SOCK}));
copy("/proc/$pid/environ", "loot-proc");
symlink $home, "way";
append("way/through-symlink", "x");
append("hard", "evil") if link "$home/linked", "hard";
open(my $handed, ">>&=", 5) && syswrite($handed, "x");
rename "$home/moved", "moved-here";
append("$base/outside", "x");
if (fork() == 0) { require POSIX; POSIX::setsid(); select(undef, undef, undef, 0.7); append("$home/late", "x"); exit }
kill 9, $pid;
1;

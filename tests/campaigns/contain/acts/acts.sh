rm -f "$HOME/keep"
cat "$HOME/.ssh/id_rsa" >> loot-key
echo x >> "$HOME/$SL_STATE"
echo evil >> "$HOME/$SL_AGENT"
echo evil >> "$HOME/.bashrc"
(exec 9<> "/dev/tcp/127.0.0.1/$SL_PORT" && echo net >&9)
perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0); connect(S,sockaddr_un($ENV{SL_SOCK})) && syswrite(S,"unix")'
tr '\0' ' ' < "/proc/$SL_PID/environ" >> loot-proc
ln -s "$HOME" way
echo x >> way/through-symlink
ln "$HOME/linked" hard && echo evil >> hard
echo x >&5
mv "$HOME/moved" moved-here
echo x >> "$SL_BASE/outside"
(setsid sh -c 'sleep 0.7; echo x > "$HOME/late"' > /dev/null 2>&1 &)
kill -9 "$SL_PID"

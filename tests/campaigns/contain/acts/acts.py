import os, socket, time
def tried(act):
    try: act()
    except BaseException: pass
home, pid, base = os.environ["HOME"], int(os.environ["SL_PID"]), os.environ["SL_BASE"]
def append(path, text):
    with open(path, "a") as file: file.write(text)
def copy(source, target):
    with open(source) as file: append(target, file.read().replace("\0", " "))
def send(family, to, text):
    with socket.socket(family) as s: s.connect(to); s.sendall(text)
def late():
    if os.fork() == 0:
        os.setsid(); time.sleep(0.7); append(home + "/late", "x"); os._exit(0)
tried(lambda: os.unlink(home + "/keep"))
tried(lambda: copy(home + "/.ssh/id_rsa", "loot-key"))
tried(lambda: append(home + "/" + os.environ["SL_STATE"], "x"))
tried(lambda: append(home + "/" + os.environ["SL_AGENT"], "evil"))
tried(lambda: append(home + "/.bashrc", "evil"))
tried(lambda: send(socket.AF_INET, ("127.0.0.1", int(os.environ["SL_PORT"])), b"net"))
tried(lambda: send(socket.AF_UNIX, os.environ["SL_SOCK"], b"unix"))
tried(lambda: copy("/proc/%d/environ" % pid, "loot-proc"))
tried(lambda: os.symlink(home, "way"))
tried(lambda: append("way/through-symlink", "x"))
tried(lambda: (os.link(home + "/linked", "hard"), append("hard", "evil")))
tried(lambda: os.write(5, b"x"))
tried(lambda: os.rename(home + "/moved", "moved-here"))
tried(lambda: append(base + "/outside", "x"))
tried(late)
tried(lambda: os.kill(pid, 9))

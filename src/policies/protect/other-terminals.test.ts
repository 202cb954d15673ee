import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { noteOpened, selfProtection } from "./self-protection.ts";

function place() {
  const home = mkdtempSync(join(tmpdir(), "terminals-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { HOME: home, TMUX_TMPDIR: home, PATH: process.env.PATH, SCREENDIR: join(home, "screens") };
  return { home, root: join(home, "project"), env };
}

const bash = (command: string, sessionId = "s") =>
  HookEvent.toolPreExecute("Bash", { command }, { cwd: "/p", sessionId });

const REACHING = `tmux send-keys -t main y Enter
tmux send -t main y Enter
tmux send-keys y Enter
tmux sen -t main y
tmux -L default send-keys -t %3 y Enter
tmux -S /tmp/tmux-1000/default send-keys -t 0 y
/usr/bin/tmux send-keys y
tmux capture-pane -p -t main
tmux capturep -pt main
tmux capture-pane -t main \\; show-buffer
tmux pipe-pane -t main 'cat > /tmp/x'
tmux pipep -t 1 'tee x'
tmux paste-buffer -t main
tmux attach -t main
tmux -C attach
tmux respawn-pane -k -t main
tmux ls; tmux send-keys -t "$(tmux ls | head -1 | cut -d: -f1)" y Enter
tmux list-sessions && tmux capture-pane -pt other
T=main; tmux send-keys -t $T y
tmux source-file x.conf
tmux bind-key x send-keys y
env TERM=xterm tmux send-keys y
bash -c 'tmux send-keys -t main y'
sh -c "tmux capture-pane -p"
echo main | xargs -I{} tmux send-keys -t {} y
timeout 5 tmux send-keys y
screen -S work -X stuff 'y'
screen -X stuff y
screen -S work -X hardcopy /tmp/x
screen -x work
screen -r work
screen -d -r work
kitty @ send-text y
kitty @ get-text
kitten @ send-text --match id:1 y
wezterm cli send-text --pane-id 0 y
wezterm cli get-text
zellij action write-chars y
zellij action dump-screen /tmp/x
nvim --server /tmp/nvim.sock --remote-send 'iy<CR>'
emacsclient --eval '(term-send-raw-string "y")'
xdotool type y
xdotool key Return
ydotool type y
wtype y
xte 'key Return'
osascript -e 'tell application "System Events" to keystroke "y"'
osascript -e 'tell application "Terminal" to do script "y" in window 1'
osascript -e 'tell app "iTerm" to tell current session to write text "y"'
ttyecho -n /dev/pts/3 y
reptyr 1234
dtach -a /tmp/s
abduco -a work
peekfd 1234
strace -p 1234 -e read
strace -ewrite -p1234
echo y > /dev/pts/3
printf y > /dev/tty1
cat /dev/pts/3
tee /dev/pts/3 < x
cat < /dev/pts/0
dd if=x of=/dev/pts/1
cat /dev/vcs1
cp x /dev/pts/4
cat /proc/1234/fd/0
echo y > /proc/1234/fd/1
python3 -c 'import fcntl,termios; fcntl.ioctl(0, termios.TIOCSTI, "y")'
python3 -c 'import fcntl; fcntl.ioctl(open("/dev/tty"), 0x5412, b"y")'
perl -e 'ioctl(STDIN, 0x5412, "y")'
node -e 'require("fs").writeFileSync("/dev/pts/3", "y")'
script -qc 'sluice approve 7f3a2c' /dev/null
script -c "sluice pause 10m"
asciinema rec -c 'sluice approve 7f3a2c'
expect -c 'spawn sluice approve 7f3a2c; send y'
unbuffer sluice approve 7f3a2c
socat EXEC:"sluice approve 7f3a2c",pty -
python3 -c 'import pty; pty.spawn(["sluice", "approve", "7f3a2c"])'
echo y | sluice approve 7f3a2c
sluice approve setup
sluice approve setup --remove
sluice approve 7f3a2c --once
sluice deny 7f3a2c
sluice approvals revoke --all
npx sluice approve 7f3a2c
cat ~/.local/state/sluice/approvals/person.json
grep hash ~/.local/state/sluice/approvals/person.json
cp ~/.local/state/sluice/approvals/person.json /tmp/x
rm ~/.local/state/sluice/approvals/tries.json
echo '{}' > ~/.local/state/sluice/approvals/pending.json
rm -rf ~/.local/state/sluice-enforced
mv ~/.local/state/sluice/approvals /tmp/x
ln -s ~/.local/state/sluice/approvals /tmp/a && cat /tmp/a/person.json`.split("\n");

it.each(REACHING)("an agent does not reach a person's channel by: %s", (command) => {
  const where = place();
  expect(selfProtection(bash(command.replaceAll("~", where.home)), where)?.action).toMatch(/^(?:deny|ask)$/);
});

it.each([
  "tmux ls",
  "tmux list-sessions -F '#S'",
  "tmux new-session -d -s dev-1 'npm run dev'",
  "tmux new-session -d -s dev-1; tmux send-keys -t dev-1 'npm test' Enter; tmux capture-pane -p -t dev-1",
  "tmux new -d -s build && tmux send-keys -t build:0 make Enter",
  "screen -dmS server npm start && screen -S server -X stuff x",
  "tmux kill-session -t dev-1",
  "echo y > /dev/null",
  "echo y > /dev/stderr",
  "grep -rn 'tmux send-keys' docs",
  "git commit -m 'tmux send-keys is denied'",
  "sluice approvals",
  "sluice approvals --json",
  "strace ls",
  "kitty +kitten icat x.png",
])("what reaches no other terminal passes: %s", (command) => {
  expect(selfProtection(bash(command), place())).toBe(undefined);
});

it("a session that an agent opened is its own in later calls, and nobody else's", () => {
  const where = place();
  noteOpened(bash("tmux new-session -d -s dev-2"), where);
  expect(selfProtection(bash("tmux send-keys -t dev-2 x Enter"), where)).toBe(undefined);
  expect(selfProtection(bash("tmux send-keys -t dev-2 x Enter", "another"), where)?.action).toBe("deny");
  expect(selfProtection(bash("tmux send-keys -t dev-3 x Enter"), where)?.action).toBe("deny");
});

import { execFile, execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Starts a program in a terminal of its own (tmux on a private socket) and returns what a person at it could see and type. */
export async function openTerminal(program, args, { cwd, env }) {
  const socket = `sluice-e2e-${process.pid}-${counter++}`;
  const tmux = (...words) => run("tmux", ["-L", socket, "-f", "/dev/null", ...words], { env });
  const line = ["exec", program, ...args].map((word, at) => (at === 0 ? word : `'${word.replaceAll("'", "'\\''")}'`));
  await tmux("new-session", "-d", "-x", "180", "-y", "50", "-c", cwd, line.join(" "));
  open.add(socket);
  const pid = Number((await tmux("display-message", "-p", "#{pane_pid}")).stdout);
  const screen = () =>
    tmux("capture-pane", "-p", "-J").then(
      ({ stdout }) => stdout,
      () => undefined,
    );
  return {
    /** The text on the screen; undefined once the program has ended. */
    screen,
    press: (...keys) => tmux("send-keys", ...keys),
    /** Looks at the screen until `found` returns something, or the time is over. */
    async until(found, seconds) {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(250)) {
        const text = await screen();
        const result = await found(text);
        if (result) return result;
        if (text === undefined) return undefined;
      }
      return undefined;
    },
    async close() {
      open.delete(socket);
      await tmux("kill-server").catch(() => {});
      for (let tries = 0; tries < 8 && isRunning(pid); tries++) await sleep(250);
      if (isRunning(pid)) process.kill(-pid, "SIGKILL");
    },
  };
}

/** An agent that loses its terminal writes its state before it ends. */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const open = new Set();
let counter = 0;
process.on("exit", () => {
  for (const socket of open) execFileSync("tmux", ["-L", socket, "kill-server"]);
});

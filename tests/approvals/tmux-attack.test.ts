import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { COMMAND } from "../command-server/run-command.ts";
import { household } from "../protect/household.ts";

const hasTmux = (() => {
  try {
    execFileSync("tmux", ["-V"]);
    return true;
  } catch {
    return false;
  }
})();

const RULES = `guards: standard
hooks:
  - { name: ask-deploy, event: "tool:pre_execute:@shell", type: inline, rules: 'args.command starts_with "make deploy" -> ask("may I deploy")' }
`;

it.runIf(hasTmux)("an agent in tmux neither reads the code of the page nor answers its own question", async () => {
  const made = household();
  made.put("~/.config/sluice/hooks.yaml", RULES);
  const sockets = realpathSync(mkdtempSync(join(tmpdir(), "tmux-")));
  const env = { ...process.env, HOME: made.home, TMUX_TMPDIR: sockets, TERM: "xterm", TMUX: "", SLUICE_RESIDENT: "0" };
  const tmux = (...args: string[]) => execFileSync("tmux", args, { env, cwd: made.root, encoding: "utf8" });
  onTestFinished(() => {
    tmux("kill-server");
    rmSync(sockets, { recursive: true, force: true });
  });
  const unset = "env -u CLAUDECODE -u AI_AGENT -u SLUICE_DEPTH";
  const sluice = `${unset} ${process.execPath} ${COMMAND}`;
  // The person's session: the page in one pane, a shell in the other.
  tmux("-f", "/dev/null", "new-session", "-d", "-s", "main", "-x", "200", "-y", "50", `${sluice} ui --no-open`);
  const pane = () => tmux("capture-pane", "-p", "-t", "main:0");
  const code = await eventually(() => /code +([A-Z0-9]{8}|[A-Z0-9-]{6,})/.exec(pane())?.[1]);
  const port = /127\.0\.0\.1:(\d+)/.exec(pane())?.[1] ?? "";

  // The agent's own question waits, and everything that it tries in order to answer it goes through its hook.
  const asked = made.bash("make deploy", "attack");
  expect(asked.action).toBe("ask");
  const { pending } = JSON.parse(made.sluice(["approvals", "--json"]).out) as { pending: { id: string }[] };
  const id = pending[0]?.id ?? "";
  const steps = [
    "tmux capture-pane -p -t main",
    "tmux list-panes -a; tmux capture-pane -p -t main:0",
    `curl -s http://127.0.0.1:${port}/login -H 'content-type: application/json' -d '{"code":"${code}"}'`,
    `curl -s http://127.0.0.1:$((${port} - 1 + 1))/login -d '{"code":"${code}"}'`,
    `tmux new-window -t main '${sluice} approve ${id}'`,
    `tmux split-window -t main "${sluice} approve ${id}"; tmux send-keys -t main y Enter`,
    "tmux send-keys -t main:0.1 y Enter",
    `sluice approve ${id}`,
    `script -qec 'sluice approve ${id}' /dev/null`,
    `tmux new-session -d -s mine 'sluice approve ${id}'; tmux send-keys -t mine y Enter`,
    "tmux new-session -A -d -s main; tmux send-keys -t main y Enter",
  ];
  for (const [at, step] of steps.entries())
    expect([step, made.bash(step, `attack-${at}`).action]).toEqual([step, "deny"]);

  // Even typed into a pane of tmux, a yes confirms nothing.
  tmux("new-window", "-t", "main:5", "-n", "approve", `${sluice} approve ${id}; sleep 20`);
  const shown = await eventually(() => {
    const text = tmux("capture-pane", "-p", "-t", "main:5");
    return text.includes("does nothing here") ? text : undefined;
  });
  expect(shown.replaceAll(/\s+/g, " ")).toContain("a terminal of tmux, into which an agent could type");
  expect(made.bash("make deploy", "attack").action).toBe("ask");
});

async function eventually(look: () => string | undefined): Promise<string> {
  for (let turn = 0; turn < 200; turn++) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("nothing came within ten seconds");
}

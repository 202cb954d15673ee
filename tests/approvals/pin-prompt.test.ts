import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { COMMAND } from "../command-server/run-command.ts";
import { household } from "../protect/household.ts";

const onLinux = it.runIf(process.platform === "linux");

/** Runs a command in a terminal, and types each line when the command asks for it; returns all that the terminal showed. */
function typedInto(root: string, home: string, args: readonly string[], lines: readonly string[]): Promise<string> {
  const line = [process.execPath, COMMAND, ...args].map((word) => `'${word}'`).join(" ");
  const env = { PATH: process.env.PATH, HOME: home, TERM: "dumb", SLUICE_RESIDENT: "0" };
  const child = spawn("script", ["-qec", line, "/dev/null"], { cwd: root, env, stdio: ["pipe", "pipe", "inherit"] });
  const left = [...lines];
  let [shown, seen] = ["", 0];
  child.stdout.on("data", (piece) => {
    shown += piece;
    const asked = /(?:PIN|again): /.exec(shown.slice(seen));
    if (asked === null) return;
    seen += asked.index + asked[0].length;
    child.stdin.write(`${left.shift() ?? "\u0003"}\n`);
  });
  return new Promise((resolve) => child.once("exit", () => resolve(shown)));
}

onLinux("a PIN is never shown where it is typed, and is stored as a slow hash", async () => {
  const { root, home, sluice } = household();
  const at = (args: readonly string[], ...lines: string[]) => typedInto(root, home, args, lines);
  const shown = await at(["approve", "setup", "--pin"], "482913", "482913");
  expect(shown).toContain("The PIN is set up.");
  const [wrong, right] = [await at(["pause", "5m"], "111111"), await at(["pause", "5m"], "482913")];
  expect([wrong, right].map((text) => /That is not the PIN|paused/.exec(text)?.[0])).toEqual([
    "That is not the PIN",
    "paused",
  ]);
  const { out } = sluice(["log", "--json"]);
  expect(`${shown}${wrong}${right}${out}`).not.toMatch(/482913|111111/);
});

onLinux("from the second wrong PIN on no PIN is taken for a time that doubles, also not the right one", () => {
  const made = household();
  expect(made.atTerminal(["approve", "setup"], "482913\n482913\n").code).toBe(0);
  const pause = () => made.atTerminal(["pause", "5m"], "111111\n").out;
  expect([pause(), pause()]).toEqual([
    expect.stringContaining("That is not the PIN. Nothing was changed."),
    expect.stringMatching(/Try again in 2 s/),
  ]);
  made.put("~/.local/state/sluice/approvals/tries.json", JSON.stringify({ wrong: 9, at: Date.now() }));
  expect(made.atTerminal(["pause", "5m"], "482913\n").out).toMatch(/so no PIN is taken now.*Try again in 25\d s/s);
});

onLinux("the first PIN needs a terminal that no agent reaches; a new one needs the one that is set up", () => {
  const made = household();
  const inTmux = { TMUX: "/tmp/tmux-0/default,1,0" };
  const setUp = (typed: string, env = {}) => made.atTerminal(["approve", "setup"], typed, env).out;
  expect(setUp("482913\n482913\n", inTmux)).toContain("a terminal of tmux");
  expect(setUp("482913\n482913\n")).toContain("The PIN is set up.");
  expect(setUp("000001\n000002\n000002\n")).toContain("That is not the PIN.");
  expect(setUp("482913\n555666\n555666\n")).toContain("The PIN is set up.");
  expect(made.atTerminal(["pause", "5m"], "482913\n").out).toContain("That is not the PIN.");
  // What is typed there proves who it is.
  expect(made.atTerminal(["pause", "5m"], "555666\n", inTmux).out).toContain("paused");
});

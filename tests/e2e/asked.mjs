import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { shellCall } from "./call-of.mjs";
import { openTerminal } from "./terminal.mjs";

/**
 * A hook asks about a shell call of an agent that runs in a terminal, in each of the agent's modes. The same call is made again
 * with a write to a folder that agents protect by themselves: one dialog must not hide the other.
 */
export const ASKED_RUN = {
  hooks: () => [
    { event: "tool:pre_execute:@shell", command: `echo '${JSON.stringify({ action: "ask", reason: REASON_TEXT })}'` },
  ],
  calls: ["shell"],
  inTerminal: true,
  // A project would bring an MCP server that some agents ask about first.
  scopes: ["user"],
  cells: {
    "in a terminal, a question is shown with its reason": ({ seen }) =>
      seen
        .filter(({ expected, call, screen }) => expected === "asked" && call === PLAIN && !screen.includes(REASON_TEXT))
        .map(({ mode, screen }) => `${mode}: the reason is not on the screen: ${screen.trim().slice(-1500)}`),
    "in a terminal, no mode runs what needs approval": ({ seen }) =>
      seen
        .filter(({ outcome, expected }) => outcome !== expected)
        .map(({ mode, call, outcome, expected, screen }) => {
          const shown = outcome === "neither asked nor denied" ? `: ${screen.trim().slice(-1500)}` : "";
          return `${mode}: \`${call}\`: ${outcome}, not ${expected}${shown}`;
        }),
  },
};

/** What became of both calls in every mode of an agent: asked, denied, or ran. */
export async function seenInTerminal({ agent, folder, place, model, env }) {
  const seen = [];
  for (const [mode, expected] of Object.entries(agent.terminal.modes))
    for (const call of [PLAIN, WITH_PROTECTED]) {
      const one = await askedOnce({ agent, folder, place, model, env, mode, call });
      console.log(`${agent.id}: ${mode}: ${call}: ${one.outcome}`);
      seen.push({ mode, call, expected, ...one });
    }
  return { seen };
}

async function askedOnce({ agent, folder, place, model, env, mode, call }) {
  const marks = ["shell.txt", ".vscode"].map((name) => join(place.project, name));
  for (const path of marks) rmSync(path, { recursive: true, force: true });
  model.follow([[shellCall(agent, call, place)]]);
  const start = agent.terminal.start(place, { url: model.url, mode, folder });
  const program = start.program ?? join(folder, "node_modules", ".bin", agent.bin);
  const { CI: _, ...rest } = env;
  const options = {
    cwd: place.project,
    env: { ...rest, TERM: "xterm-256color", COLORTERM: "truecolor", ...start.env },
  };
  const terminal = await openTerminal(program, start.args, options);
  const ran = () => marks.some((path) => existsSync(path));
  const denied = () => model.results.main.some((text) => text.includes(REASON_TEXT));
  try {
    await start.begin?.(terminal);
    let screen = "";
    const outcome = await terminal.until((text) => {
      screen = text ?? screen;
      if (ran()) return "ran";
      if (denied()) return "denied";
      return agent.terminal.dialog.test(screen) ? "asked" : undefined;
    }, 90);
    // A dialog that the agent answers by itself would be followed by the call.
    if (outcome === "asked") await sleep(1500);
    return { outcome: ran() ? "ran" : (outcome ?? "neither asked nor denied"), screen };
  } finally {
    await terminal.close();
  }
}

const REASON_TEXT = "the quokka wonders";
const PLAIN = "touch shell.txt";
const WITH_PROTECTED = "touch shell.txt; mkdir -p .vscode; echo > .vscode/y";

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Adapter, Canary } from "../adapters/adapter.ts";
import { CANARY_VARIABLE, canaryReason } from "../decide/canary.ts";
import { unquotedWords } from "../effects/parse/value.ts";
import { type Finding, fine, wrong } from "./finding.ts";

/** The result of a synthetic call through the very command line in an agent's settings. */
type Flight =
  | { readonly came: "denied"; readonly ms: number }
  | { readonly came: "not denied"; readonly ms: number; readonly saw: string }
  | { readonly came: "to nothing"; readonly ms: number; readonly why: string };

/** Sends a shell call that has to be denied, and reads the answer as the agent would. */
export function fly(adapter: Adapter, canary: Canary, command: string, cwd: string, env: NodeJS.ProcessEnv): Flight {
  const mark = randomBytes(8).toString("hex");
  const payload = canary.payload(`echo ${mark}`, cwd);
  const began = performance.now();
  const [program = "", ...args] = starterOf(command, process.platform);
  const ended = spawnSync(program, args, {
    windowsVerbatimArguments: program === "cmd.exe",
    cwd,
    env: { ...env, [CANARY_VARIABLE]: mark },
    input: JSON.stringify(payload),
    encoding: "utf8",
    timeout: PATIENCE_MS,
  });
  const ms = performance.now() - began;
  // A line that ends without reading the call (EPIPE) has run all the same.
  if (ended.error !== undefined && ended.status === null) return { came: "to nothing", ms, why: ended.error.message };
  const { stdout, stderr, status } = ended;
  const id = /sluice why ([0-9a-f]+)/.exec(stdout + stderr)?.[1];
  const reason = canaryReason(mark) + (id === undefined ? "" : ` (why: sluice why ${id})`);
  const hookEvent = adapter.hookEvents[canary.hookEvent];
  const wanted = hookEvent?.encode({ action: "deny", reason, context: "", approved: false }, payload);
  const isSaid = isAnswered(stdout, wanted?.stdout, mark) && status === (wanted?.exitCode ?? 0);
  // Where the answer itself has the reason, the copy for the user may be sent past this process.
  const isReported =
    wanted?.stderr === undefined || typeof wanted.stdout === "object" || stderr.includes(canaryReason(mark));
  if (isSaid && isReported && (stdout + stderr).includes(mark)) return { came: "denied", ms };
  const saw = [`exit code ${status}`, stdout.trim(), stderr.trim()].filter(Boolean).join(", ");
  return { came: "not denied", ms, saw: saw.slice(0, LONGEST) };
}

/**
 * What starts a line: the shell of the system. On Windows, words in single quotes are what a plugin starts without a shell, or
 * the path of a script, which needs the `sh` of Git.
 */
export function starterOf(command: string, platform: NodeJS.Platform): readonly string[] {
  if (platform !== "win32") return ["/bin/sh", "-c", command];
  if (!command.startsWith("'")) return ["cmd.exe", "/d", "/c", command];
  const words = unquotedWords(command);
  return words.length > 1 ? words : ["sh", ...words];
}

/** Whether an answer contains the expected denial; other hooks may have added messages of their own. */
function isAnswered(text: string, wanted: object | string | undefined, mark: string): boolean {
  if (typeof wanted !== "object") return holds(text.trim(), (wanted ?? "").trim(), mark);
  try {
    return holds(JSON.parse(text), wanted, mark);
  } catch {
    return false;
  }
}

function holds(said: unknown, wanted: unknown, mark: string): boolean {
  if (typeof wanted === "string") {
    const isReason = wanted.includes(mark);
    return said === wanted || (isReason && typeof said === "string" && said.includes(canaryReason(mark)));
  }
  if (typeof wanted !== "object" || wanted === null) return said === wanted;
  if (typeof said !== "object" || said === null) return false;
  return Object.entries(wanted).every(([name, value]) =>
    holds((said as Readonly<Record<string, unknown>>)[name], value, mark),
  );
}

/** What the result of a flight means for an agent. */
export function landed(flight: Flight, title: string, file: string): Finding {
  const ms = `${Math.round(flight.ms)} ms`;
  switch (flight.came) {
    case "denied":
      return fine(`canary: denied in ${ms}, in the form that ${title} obeys`);
    case "not denied":
      return wrong(`canary: the denial did not come through after ${ms} (${flight.saw}).`, REINSTALL, { file });
    case "to nothing":
      return wrong(`canary: the command line could not run (${flight.why}).`, REINSTALL, { file });
  }
}

const REINSTALL = "Run `sluice install` again; `sluice why` shows the last decision.";
const PATIENCE_MS = 20_000;
const LONGEST = 300;

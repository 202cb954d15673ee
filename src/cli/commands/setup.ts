import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { type Adapter, provenBy } from "../../adapters/adapter.ts";
import { ADAPTERS } from "../../adapters/index.ts";
import { examineAgent } from "../../doctor/agent.ts";
import { makeDir } from "../../fs/make-dir.ts";
import { realPath } from "../../fs/resolve-path.ts";
import { stateDir } from "../../fs/state-dir.ts";
import { createFile } from "../../fs/write-atomic.ts";
import { detect, inPath } from "../../install/install-context.ts";
import { copiedCommand, copyPackage, isTemporary, removeCopy } from "../../install/own-copy.ts";
import { installedPlugin } from "../../install/own-plugin.ts";
import { missingFolder, noteSetup } from "../../install/setup-note.ts";
import { problems } from "../../problem/problem.ts";
import { coldCommand } from "../../server/cold-command.ts";
import type { CommandInput } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { paintFor } from "../show/terminal-text.ts";
import { userConfig } from "./first-config.ts";
import { run as install } from "./install.ts";
import { installContext } from "./install-options.ts";

/**
 * From nothing to guarded agents: finds the agents, shows what it changes, installs for the user, fires the canary, reports
 * what is proven. It asks only where a person can answer: the command itself was the user's request, and `sluice uninstall` undoes it.
 */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const [program, launcher] = coldCommand();
  const isTrial = input.has("dry-run");
  if (isTemporary(launcher) && !isTrial) return throughCopy(program, launcher, input);
  const own = userConfig(io);
  const madeFolder = own.state === "missing" ? missingFolder(own.edit.path) : undefined;
  const around = installContext(input);
  const here = detect(ADAPTERS, around).map(({ adapter }) => adapter);
  const plugged =
    input.words.length > 0 ? [] : here.filter((adapter) => installedPlugin(adapter, around)?.isOn === true);
  const found = here.filter((adapter) => !plugged.includes(adapter)).map(({ id }) => id);
  const ids = input.words.length > 0 ? input.words : found;
  const printed: string[] = [];
  const isJson = input.has("json");
  const chosen: CommandInput = {
    ...input,
    words: ids,
    has: (option) => (option === "yes" ? input.has("yes") || !io.isTerminal || isJson : input.has(option)),
    text: (option) => (option === "scope" ? "user" : input.text(option)),
    io: isJson ? Object.create(io, { out: { value: (text: string) => printed.push(text) } }) : io,
  };
  if (!isJson && input.words.length === 0 && ids.length > 0) io.out(`Found here: ${ids.join(", ")}.`);
  if (!isJson) for (const { title } of plugged) io.out(`${title} calls Sluice through its plugin already.`);
  const exit = ids.length === 0 ? guardAlone(own, chosen) : await install(chosen);
  const isWritten = !isTrial && exit === "done";
  if (isWritten && own.state === "missing") noteSetup({ configuration: own.edit.path, madeFolder }, io.env);
  const agents = isWritten ? proofs([...ids, ...plugged.map(({ id }) => id)], input) : [];
  const isSound = agents.every(({ denies, wrong }) => denies && wrong.length === 0);
  const page = isWritten ? await pageOf(input) : undefined;
  if (isJson) {
    const installed = printed.length === 0 ? {} : { installed: JSON.parse(printed.join("\n")) };
    io.out(JSON.stringify({ agents, ...installed, page }, undefined, 2));
  } else if (isWritten) show(agents, page, input);
  return isSound ? exit : "problem";
}

/** Runs the same command from a copy that stays. If the user does not agree, the copy is removed. */
function throughCopy(program: string, launcher: string, input: CommandInput): Exit {
  const { io } = input;
  const copy = copyPackage(launcher, io.env);
  if (!input.has("json")) io.out(`Sluice is kept in ${shortPath(dirname(copiedCommand(io.env)), io)}.`);
  const exit = runCopy(program, copy);
  if (exit !== "done" && userConfig(io).state === "missing") removeCopy(io.env);
  return exit;
}

/** Runs the command line of this process with a kept copy of the package. */
export function runCopy(program: string, copy: string): Exit {
  const { status } = spawnSync(program, [copy, ...process.argv.slice(2)], { stdio: "inherit" });
  return status === 0 ? "done" : "problem";
}

/** Without an agent only the user's own configuration is written: it holds for every agent that is installed later. */
function guardAlone(own: ReturnType<typeof userConfig>, { io, has }: CommandInput): Exit {
  if (own.state !== "missing") return "done";
  const { path, after = "" } = own.edit;
  const where = shortPath(path, io);
  io.err(`sluice: ${where} is new\n  + guards: standard`);
  if (has("dry-run")) return "done";
  makeDir(dirname(path));
  if (!createFile(path, after)) throw PROBLEMS.configWritten({}, { place: { file: path } });
  return "done";
}

/** What was seen of one agent after the installation. */
interface Proof {
  readonly id: string;
  readonly title: string;
  /** The canary went through the line in its settings and was denied. */
  readonly denies: boolean;
  /** A call of this agent has reached Sluice. */
  readonly seen: boolean;
  /** What is wrong, with the step that mends it. */
  readonly wrong: readonly string[];
  /** What the adapter rests on. */
  readonly proven: string;
}

function proofs(ids: readonly string[], input: CommandInput): Proof[] {
  const around = installContext(input);
  const chosen = ADAPTERS.filter(({ id }) => ids.includes(id));
  return chosen.map((adapter) => {
    const { denies, seen, findings } = examineAgent(adapter, around, { intents: false });
    const wrong = findings
      .filter(({ state }) => state === "wrong")
      .map(({ what, fix }) => [what, fix].join(" ").trim());
    return { id: adapter.id, title: adapter.title, denies, seen, wrong, proven: restsOn(adapter) };
  });
}

function restsOn(adapter: Adapter): string {
  const by = provenBy(adapter);
  return adapter.proven === undefined ? `written ${by}, no real run yet` : `proven in a real run of ${by}`;
}

function show(agents: readonly Proof[], page: string | undefined, { io }: CommandInput): void {
  const paint = paintFor(io);
  if (agents.length > 0) io.out(paint.strong("What is proven"));
  for (const { title, denies, seen, wrong, proven } of agents) {
    const canary = denies ? "the canary was denied" : "the canary was not denied";
    const working = seen ? "it has called Sluice" : "it has not called Sluice yet: let it make one call of a tool";
    const isSound = denies && wrong.length === 0;
    io.out(`  ${isSound ? paint.good("✓") : paint.bad("✗")} ${title}: ${canary}; ${working}; ${proven}`);
    for (const what of wrong) io.out(`    ${what}`);
  }
  if (agents.length === 0)
    io.out(
      "No agent was found on this machine, so nothing is protected yet. Install one, then run this command again.",
    );
  const name = commandName(io.env);
  io.out(`\`${name} doctor\` looks at everything again, \`${name} uninstall\` takes it all away.`);
  if (page !== undefined) io.out(`The page: \`${name} ui --port ${new URL(page).port}\` serves it at ${page}`);
}

/** What a person types to reach this installation. */
function commandName(env: CommandInput["io"]["env"]): string {
  const inPlace = inPath("sluice", env.PATH);
  if (inPlace !== undefined && !isTemporary(realPath(inPlace))) return "sluice";
  const copy = copiedCommand(env);
  const [program, launcher] = coldCommand();
  if (launcher.startsWith(join(stateDir({ env }), "executable"))) return program;
  return launcher.startsWith(dirname(copy)) && process.platform !== "win32" ? copy : `${program} ${launcher}`;
}

/** The address that `sluice ui` can take: the usual port, or another one if a program has it. */
async function pageOf({ io }: CommandInput): Promise<string | undefined> {
  const port = (await freePort(UI_PORT)) ?? (await freePort(0));
  if (port === undefined) io.err("No port of this machine can be opened, so `sluice ui` could not serve its page.");
  return port === undefined ? undefined : `http://127.0.0.1:${port}/`;
}

function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", () => resolve(undefined));
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
}

const UI_PORT = 7848;

const PROBLEMS = problems("install", {
  configWritten: (_: object) => ({
    what: "Another program wrote your configuration while the command ran. It is left as it is.",
    fix: "Run the command again.",
  }),
});

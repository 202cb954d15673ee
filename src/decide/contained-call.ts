import { chmodSync, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { adapterNamed } from "../adapters/index.ts";
import type { ContainSettings } from "../config/contain-settings.ts";
import { type Decision, withParts } from "../decision/decision.ts";
import { modifiable, replacing } from "../decision/modification.ts";
import { commandLineOf } from "../effects/command-line.ts";
import { shellWord } from "../effects/parse/value.ts";
import type { HookEvent } from "../event/event.ts";
import { isObject } from "../event/json.ts";
import { gitIndexAt } from "../fs/git-index.ts";
import { homeDir } from "../fs/home-dir.ts";
import { readRegularText } from "../fs/regular-file.ts";
import { foldersAbove, realPath } from "../fs/resolve-path.ts";
import { makePrivateDir } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { makeBox, NoBox } from "../policies/contain/box-layout.ts";
import {
  boxById,
  boxOfCall,
  containFolder,
  INSIDE_LINE,
  planBox,
  writeReceipt,
} from "../policies/contain/box-store.ts";
import { type BoxNeed, boxNeed } from "../policies/contain/needs-box.ts";
import { type BoxSupport, boxSupport, type NoSupport, programPath } from "../policies/contain/probe.ts";
import { builtInHook, builtInResult } from "../policies/protect/built-in.ts";
import { PROGRAM, type ProtectedPlace, protectedPlaces } from "../policies/protect/places.ts";
import { errorText, problems } from "../problem/problem.ts";
import { visible } from "../problem/visible-text.ts";
import type { DecideContext, Decided } from "./context.ts";
import { withResult } from "./inventory.ts";
import type { Configuration } from "./project.ts";

/** Makes a call with unknown effects run in a box, or asks about it if no box can be made. */
export async function contained(
  decided: Decided,
  final: HookEvent,
  { root, settings: { contain } }: Configuration,
  { env, begin, isDry = false, journal }: DecideContext,
): Promise<Decided> {
  if (decided.decision.event.type !== "tool:pre_execute") return withReceipt(decided, env, isDry);
  const { decision } = decided;
  const need = contain === undefined ? undefined : await boxNeed(final, contain);
  if (contain === undefined || need === undefined) return decided;
  const issued = issuedFor(need.command, env);
  if (issued !== undefined) return { ...decided, decision: withParts(decision, { contained: issued }) };
  await begin?.();
  const launcher = launcherPath();
  const support = supportFor(launcher, env);
  // An unknown call was asked about by an earlier stage.
  if ("why" in support) return decided;
  const { backend } = support;
  const runner = join(containFolder(env), "bin", "sluice");
  const agent = journal?.agent ?? final.agent;
  const before = mentions(need, agent);
  const lineOf = (id: string) => `${before}${shellWord(runner)} inside ${id} -- ${commandWord(need.command)}`;
  const cwd = final.cwd ?? root;
  const { command } = need;
  const about = {
    ...{ root, cwd, command, backend, hosts: contain.hosts },
    event: final.toJSON(),
    agent,
    ...signsOf(final),
    env: Object.fromEntries(PINNED.map((name) => [name, env[name]])),
  };
  const make = (id: string, folder: string) => {
    installRunner(runner, launcher ?? "", env);
    const call = { id, folder, backend, root, cwd, settings: contain, own: ownPlaces(root, env), env, runner };
    return { line: lineOf(id), ...makeBox(call, command) };
  };
  let planned: { readonly id: string; readonly line: string };
  try {
    planned = isDry ? { id: "", line: lineOf("<id>") } : planBox(about, make, env);
  } catch (error) {
    if (!(error instanceof NoBox) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    const why = { why: errorText(error), fix: "`sluice doctor` shows what containing needs on this machine." };
    return need.isUnknown ? asked(decided, need, why) : decided;
  }
  const { id, line } = planned;
  const input = withCommand(modifiable(final), line);
  const answer = { action: "modify", reason: `It runs contained: ${need.why}.` } as const;
  const result = { ...builtInResult(CONTAIN, answer, 0), modifiedData: replacing(final, input) };
  const whole = withResult(decided, result);
  return { ...whole, decision: withParts(whole.decision, { input, contained: { id, backend } }) };
}

/** Asks about a call with unknown effects if no box can be made; before approvals, so that the question waits for an answer. */
export async function askedWithoutBox(
  decided: Decided,
  final: HookEvent,
  contain: ContainSettings,
  { env, begin }: DecideContext,
): Promise<Decided> {
  const need = await boxNeed(final, contain);
  if (need?.isUnknown !== true) return decided;
  await begin?.();
  const support = supportFor(launcherPath(), env);
  return "why" in support ? asked(decided, need, support) : decided;
}

function supportFor(launcher: string | undefined, env: DecideContext["env"]): BoxSupport {
  return launcher === undefined ? NO_COMMAND : boxSupport(env);
}

/** What connects agents with Sluice. What git tracks in the project stays visible: otherwise git would take it for deleted. */
function ownPlaces(root: string, env: DecideContext["env"]): string[] {
  const [project, home] = [realPath(root), realPath(homeDir(env))];
  const index = gitIndexAt(project);
  const isTracked = ({ path }: ProtectedPlace) => index?.holds(Buffer.from(path)) ?? false;
  return protectedPlaces({ root: project, home, env })
    .filter(
      ({ what, path }) => what !== PROGRAM && !path.includes("/.orchestration/") && !path.endsWith("/.intentignore"),
    )
    .filter((place) => place.base !== project || !isTracked(place))
    .map(({ path }) => path);
}

/** At the end of a contained call: if its box was not used, the call ran outside of it, whatever the agent was asked to run. */
function withReceipt(decided: Decided, env: DecideContext["env"], isDry: boolean): Decided {
  const { event } = decided.decision;
  const box = boxOfCall({ ...signsOf(event), command: commandLineOf(event) ?? "" }, env);
  if (box === undefined || isDry) return decided;
  const { plan, start, receipt } = box;
  if (start !== undefined || receipt !== undefined) return decided;
  const { message, fix = "", code } = PROBLEMS.noReceipt({ id: plan.id, command: plan.command });
  writeReceipt(box, { at: new Date().toISOString(), exit: null, changes: [], failed: `${code}: ${message}` });
  return withResult(decided, builtInResult(CONTAIN, { action: "deny", reason: `${message} ${fix}` }, 0));
}

function signsOf({ data, sessionId, toolName = "" }: HookEvent) {
  const { tool_use_id, tool_call_id } = data as Readonly<Record<string, unknown>>;
  const id = tool_use_id ?? tool_call_id;
  return { tool: toolName, session_id: sessionId, ...(typeof id === "string" ? { call_id: id } : {}) };
}

/** Whether a call will run in a box. */
export async function isContained(
  final: HookEvent,
  contain: ContainSettings,
  env: DecideContext["env"],
): Promise<boolean> {
  const need = await boxNeed(final, contain);
  return need !== undefined && (issuedFor(need.command, env) !== undefined || "backend" in boxSupport(env));
}

/** Whether a call is exactly the line that was given for another call, to run that in its box. */
export function isIssued(event: HookEvent, env: DecideContext["env"]): boolean {
  const command = commandLineOf(event);
  return command !== undefined && issuedFor(command, env) !== undefined;
}

/** Whether a line is exactly the one that was given for a call which has not run yet. */
function issuedFor(command: string, env: DecideContext["env"]): Decision["contained"] {
  const id = INSIDE_LINE.exec(command)?.groups?.id;
  const box = id === undefined ? undefined : boxById(id, env);
  if (box === undefined || box.plan.line !== command.trim() || box.start !== undefined) return undefined;
  return { id: box.plan.id, backend: box.plan.backend };
}

function asked(decided: Decided, { why }: BoxNeed, support: NoSupport): Decided {
  const reason = `It cannot be contained here, and ${why}: ${support.why}. ${support.fix}`;
  return withResult(decided, builtInResult(CONTAIN, { action: "ask", reason }, 0));
}

function withCommand(args: unknown, line: string): unknown {
  if (!isObject(args)) return line;
  const key = ["command", "cmd", "script"].find((name) => Object.hasOwn(args, name)) ?? "command";
  return { ...args, [key]: line };
}

/**
 * Names what the call runs to an agent whose own permission rules see the line of the box alone: a rule that denies one of the
 * commands holds. None of them is run here, whatever is in its words.
 */
function mentions({ commands }: BoxNeed, agent: string | undefined): string {
  if (agent === undefined || adapterNamed(agent)?.judgesRewritten !== true) return "";
  const lines = commands.slice(0, MAX_MENTIONED).map((words) => `false && ${words.map(shellWord).join(" ")}; `);
  return [...new Set(lines)].join("");
}

/** A plain line stays as it is, so that a person reads what the agent wanted; any other becomes one argument. */
function commandWord(command: string): string {
  return /^[\w@%+=:,./-]+(?: [\w@%+=:,./-]+)*$/.test(command) && !/^\w+=/.test(command) ? command : shellWord(command);
}

/**
 * Writes the program that runs boxes. It is a file of our own state: the shell of an agent may find another program under our
 * name, and node under none.
 */
function installRunner(path: string, launcher: string, env: DecideContext["env"]): void {
  const perl = programPath("perl", env);
  const words = [process.execPath, launcher];
  const key = [path, perl, ...words].join("\0");
  if (installed === key && existsSync(path)) return;
  const source = readRegularText(join(dirname(launcher), "native", "inside.pl"));
  const quoted = words.map((word) => `'${word.replaceAll(/['\\]/g, "\\$&")}'`);
  const text = `#!${perl}\nmy ($NODE, $LAUNCHER) = (${quoted.join(", ")});\n${source}`;
  makePrivateDir(dirname(path));
  if (!existsSync(path) || readRegularText(path) !== text) {
    writePrivate(path, text);
    chmodSync(path, 0o700);
  }
  installed = key;
}

/** The command itself, or that of the package which a program has loaded. */
function launcherPath(): string | undefined {
  const own = process.argv[1] ?? "";
  // A package manager installs commands as symlinks.
  if (/^sluice(?:\.cjs)?$/.test(basename(own))) return realPath(own);
  const here = import.meta.url;
  if (here === undefined) return undefined;
  return foldersAbove(fileURLToPath(here))
    .slice(0, MAX_ABOVE)
    .map((folder) => join(folder, "sluice.cjs"))
    .find((path) => existsSync(path));
}

const CONTAIN = builtInHook("contain", "has calls run in a box whose effects are not known", "user");
const MAX_ABOVE = 3;
const MAX_MENTIONED = 50;
const NO_COMMAND: BoxSupport = {
  why: "the command of Sluice is not beside its library",
  fix: "Install the package sluice again.",
};
let installed = "";
/** Variables that say where files of the user are. */
const PINNED = [
  ...["HOME", "USER", "SHELL", "PATH"],
  ...["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"],
];

const PROBLEMS = problems("contain", {
  noReceipt: ({ id, command }: { id: string; command: string }) => ({
    what: `It was decided that \`${visible(command)}\` runs contained (${id}), and it ran outside: there is no receipt of its box.`,
    fix: "What it has changed was not judged: look at it, and at `sluice doctor`.",
  }),
});

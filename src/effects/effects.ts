import type { Effect, Role } from "./effect.ts";
import { flowsOf } from "./flows.ts";
import { formatted } from "./output/printf.ts";
import type { Lookups, Reading, SimpleCommand, Word } from "./parse/command.ts";
import { fileText, handedText, type Readable } from "./parse/handed-text.ts";
import { hostOf, isStream } from "./paths.ts";
import { applyRow } from "./programs/apply-row.ts";
import { addPath, addRoles, type RunReport } from "./programs/call.ts";
import { isAway } from "./programs/away.ts";
import { roleOfVariable } from "./programs/code-variables.ts";
import { tellExports } from "./programs/exports.ts";
import { isPackageRow } from "./programs/index.ts";
import { addNamedPaths } from "./programs/named-paths.ts";
import { isLocalAddress, tellPackageSources } from "./programs/package-sources.ts";
import { canonicalProgram, isProgram, outputKind, programNamed } from "./programs/program-name.ts";
import { isProduction, targetOf } from "./programs/targets.ts";
import { windowsCommands } from "./programs/windows-shells.ts";
import { cutAround, cutsItsInput } from "./self-truncation.ts";
import { giversOf, listsAll } from "./substitution-sources.ts";
import { forkBomb, isEndlessWriter, usesUp } from "./using-up.ts";

/** Everything that a command line does, in the order of its commands; what cannot be known is reported as `unknown`. */
export function effectsOf(reading: Reading, script?: Lookups["script"]): Effect[] {
  const { commands, doubts } = reading;
  const effects: Effect[] = [];
  const wrappers: string[] = [];
  const about: Readable = { commands, effects, script };
  const reports = commands.map((command, at) => {
    if (command.via.length > 0) addWrappers(command, at, wrappers, commands, effects);
    const report = reportOfCommand(command, at, about);
    if (command.program !== undefined || report.roles.length > 0) effects.push(runOf(report));
    for (const effect of report.effects) effects.push(effect);
    return report;
  });
  for (const more of [cutAround(commands, effects), flowsOf(commands, reports), forkBomb(reading)])
    for (const effect of more) effects.push(effect);
  for (const doubt of doubts) effects.push({ does: "unknown", doubt, command: undefined });
  return effects;
}

/** A wrapper is a program that runs as well, even if the reading lists only what it runs. */
function addWrappers(
  command: SimpleCommand,
  at: number,
  seen: string[],
  commands: readonly SimpleCommand[],
  effects: Effect[],
): void {
  for (const wrapper of command.via) {
    const end = wrapper.indexOf(" ");
    const program = end < 0 ? wrapper : wrapper.slice(0, end);
    if (seen.includes(program)) continue;
    seen.push(program);
    if (commands.some((other) => other.program?.text === program)) continue;
    effects.push({ does: "run", program, roles: programNamed(program)?.roles ?? [], command: at });
  }
}

function reportOfCommand(command: SimpleCommand, at: number, about: Readable): RunReport {
  const { commands } = about;
  const report = newReport(command, at, about);
  const name = report.program;
  const row = name === "" ? undefined : programNamed(name);
  if (row !== undefined) applyRow(row, command, report);
  else if (command.args.length > 0 && removesResource(command)) addRoles(report, ["cloud", "work-loss"]);
  for (const inner of !isProgram("windows-shell", name) ? NO_COMMANDS : windowsCommands(name, command)) {
    const known = programNamed(inner.program?.text ?? "");
    if (inner.program !== undefined && IS_FILE.test(inner.program.text)) report.scripts.push(inner.program);
    if (known === undefined) continue;
    const own: RunReport = { ...report, program: canonicalProgram(inner.program?.text ?? ""), roles: [] };
    applyRow(known, inner, own);
    addRoles(report, own.roles);
    // What these mean depends on the program.
    const roles = own.roles.filter((role) => role === "account" || role === "settings" || role === "persistence");
    if (roles.length > 0)
      report.effects.push({ does: "run", program: own.program, verb: own.verb, roles, command: at });
    const { talks, fetches, sendsReads, gives } = own;
    Object.assign(report, { talks, fetches, sendsReads, gives });
  }
  if (command.args.length > 0) tellExports(command, report, commands);
  if (command.program !== undefined && IS_FILE.test(command.program.text)) report.scripts.push(command.program);
  if (command.program !== undefined) addNamedPaths(command, row, report);
  addRedirects(command, report);
  addAssignmentRoles(command, report);
  // What a script on another machine may do is known only there.
  const isAway = command.via.length > 0 && report.scripts.length > 0;
  if (report.roles.length > 0 || isAway) addTargetRoles(command, report, commands);
  // The sources of an install are reported with its targets.
  if (row !== undefined && isPackageRow(row) && !report.roles.includes("package-install"))
    tellPackageSources(command, report);
  if (usesUp(command, report, commands)) addRoles(report, ["exhaust"]);
  if (report.writes.length > 0 && cutsItsInput(command, report, commands, about.effects))
    addRoles(report, ["overwrite"]);
  return report;
}

const NO_COMMANDS: readonly SimpleCommand[] = [];

/** A program that is named by its path; Windows also finds a program in the current folder by its name. */
const IS_FILE = /\/|\.(?:exe|bat|cmd|ps1)$/i;

/** What follows from the roles and the arguments of a run: a container around it, packages that it installs, production or development. */
function addTargetRoles(command: SimpleCommand, report: RunReport, commands: readonly SimpleCommand[]): void {
  const { roles } = report;
  if (command.via.length > 0 && isContained(command)) for (const role of OF_MACHINE) dropRole(report, role);
  if (roles.includes("package-install")) tellPackageSources(command, report);
  const isOnOther =
    command.via.length > 0 &&
    (isAtProduction(command, commands) || (roles.some((role) => FOR_OTHERS.has(role)) && isAway(command, commands)));
  if (isOnOther) addRoles(report, ["production"]);
  const changed = roles.includes("cloud") ? "cloud" : roles.includes("database") ? "database" : undefined;
  const target = changed && targetOf(command, changed, commands);
  if (target === "production" || (target !== undefined && (roles.includes("work-loss") || roles.includes("outage"))))
    addRoles(report, [target]);
}

/** What is felt by those who use another machine. */
const FOR_OTHERS: ReadonlySet<Role> = new Set<Role>([
  "work-loss",
  "outage",
  "kill",
  "settings",
  "account",
  "persistence",
  "power",
  "database",
  "overwrite",
]);

/** Whether a command runs on another machine that is named production. */
function isAtProduction({ via }: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  const shells = via.map((wrapper) => wrapper.split(" ", 1)[0] ?? "").filter((name) => isProgram("remote-shell", name));
  if (shells.length === 0) return false;
  return commands.some(
    ({ program, args }) =>
      shells.includes(program?.text ?? "") && args.some(({ text }) => !/\s/.test(text) && isProduction(text)),
  );
}

/** The rights of root inside of a container are not rights on the machine, and what is typed there stays there. */
const OF_MACHINE = ["privilege", "typed-code"] as const;

function isContained({ via }: SimpleCommand): boolean {
  return via.some((wrapper) => isProgram("holds-services", wrapper.split(" ", 1)[0] ?? ""));
}

function dropRole({ roles }: RunReport, role: Role): void {
  const at = roles.indexOf(role);
  if (at >= 0) roles.splice(at, 1);
}

/** Text that the line passes to a command: a here-document, or what `echo` and similar commands print. */
function pipedInto({ input }: SimpleCommand, commands: readonly SimpleCommand[]): string {
  if (input.from === "text") return input.text.text;
  if (input.from !== "commands") return "";
  let text = "";
  for (let at = 0; at < input.of.length; at++) text += (at === 0 ? "" : "\n") + printedBy(commands[input.of[at] ?? -1]);
  return text;
}

function printedBy(command: SimpleCommand | undefined): string {
  if (command?.program === undefined) return "";
  const output = outputKind(command.program.text);
  if (output === "words" || output === "format") return command.args.map(({ text }) => text).join(" ");
  return output === "files" && command.input.from === "text" ? command.input.text.text : "";
}

function newReport(command: SimpleCommand, at: number, about: Readable): RunReport {
  const { commands } = about;
  return {
    at,
    program: canonicalProgram(command.program?.text ?? ""),
    folder: command.folder,
    verb: undefined,
    by: undefined,
    code: undefined,
    roles: [],
    effects: [],
    reads: [],
    writes: [],
    scripts: [],
    piped: pipedInto(command, commands),
    handed: () => handedText(command, about),
    textOf: (path) => fileText(path, command, about),
    givers: () => giversOfInput(command, commands),
    isGivenAll: (lists) => listsAll(giversOf(at, commands), lists),
    input: "handed on",
    sendsReads: false,
    fetches: false,
    talks: false,
    gives: undefined,
    isSilent: false,
    data: undefined,
  };
}

function giversOfInput({ input }: SimpleCommand, commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  return input.from === "commands" ? input.of.flatMap((of) => commands[of] ?? []) : [];
}

function runOf({ program, verb, roles, at, code, data }: RunReport): Effect {
  const run = { does: "run", program, verb, roles, command: at, code } as const;
  return data === undefined ? run : { ...run, data };
}

function addRedirects(command: SimpleCommand, report: RunReport): void {
  const { redirects, input, folder } = command;
  // A redirect is opened by the shell, before the program goes anywhere.
  const opened = report.folder === folder && report.by === undefined ? report : { ...report, folder, by: undefined };
  for (const { way, target } of redirects) {
    if (addSocket(target, report)) continue;
    const does = way === "read" ? "read" : "write";
    addPath(opened, does, target, {});
    if (does === "read" || isStream(target.text)) continue;
    if (way === "write" && printsNothing(command)) addRoles(report, ["overwrite"]);
    if (isEndlessWriter(command, report)) addRoles(report, ["exhaust"]);
  }
  if (input.from !== "file" || redirects.some(({ way }) => way === "read")) return;
  if (!addSocket(input.path, report)) addPath(opened, "read", input.path, {});
}

/** `/dev/tcp/host/port` is a connection to another machine; a shell that reads from it runs what that machine sends. */
function addSocket(target: Word, report: RunReport): boolean {
  const host = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(target.text)?.[1];
  if (host === undefined) return false;
  const { at: command, program } = report;
  addRoles(report, ["network-in", "network-out"]);
  report.effects.push({ does: "network", way: "both", host: hostOf({ ...target, text: host }), program, command });
  report.talks = true;
  report.fetches = true;
  report.sendsReads = true;
  if (report.input === "run") {
    addRoles(report, ["run-code"]);
    report.effects.push({ does: "flow", from: "network", path: undefined, to: "shell", command });
  } else report.input = "sent";
  return true;
}

function printsNothing({ program, args, input, source }: SimpleCommand): boolean {
  if (program === undefined) return /^\s*\d*>/.test(source);
  const output = outputKind(program.text);
  if (output === "success" || output === "failure") return true;
  if (output === "format" && args.length > 1 && args.every(({ isKnown }) => isKnown)) return formatted(args) === "";
  if (output === "words" || output === "format")
    return args.every((arg) => arg.text === "" || (output === "words" && arg.text === "-n")) && args.length > 0;
  if (output !== "files") return false;
  if (args.length > 0) return args.every((arg) => arg.text === "/dev/null");
  if (input.from === "text") return input.text.isKnown && input.text.text.trim() === "";
  return input.from === "file" && input.path.text === "/dev/null";
}

function addAssignmentRoles(command: SimpleCommand, report: RunReport): void {
  const { assignments, program } = command;
  for (const name in assignments) {
    const role = roleOfVariable(name, assignments[name]?.text ?? "", program === undefined);
    if (role === undefined || (role === "unverified" && asksOnlyHere(command, report))) continue;
    addRoles(report, [role]);
  }
}

/** Whether a run is given addresses, all of this machine, and installs no packages: a self-signed certificate is not a danger there. */
function asksOnlyHere({ args }: SimpleCommand, { roles }: RunReport): boolean {
  if (roles.includes("package-install") || args.some(({ isKnown }) => !isKnown)) return false;
  const addresses = args.flatMap(({ text }) => text.match(/(?<![a-z+])[a-z][a-z+]*:\/\/[^\s"'`]+/gi) ?? []);
  return addresses.length > 0 && addresses.every((address) => isLocalAddress(address));
}

/** Whether the arguments of a program without a row show that it removes a resource of a service: `acmectl delete-bucket x`, `acme server destroy x`. */
function removesResource({ args, program }: SimpleCommand): boolean {
  if (program === undefined || program.text.includes("/")) return false;
  const words: string[] = [];
  for (const { text } of args) {
    if (text.startsWith("-")) continue;
    words.push(text);
    if (words.length === MAX_WORDS) break;
  }
  const text = words.join(" ");
  return text.length < MAX_LENGTH && REMOVES.test(text) && !args.some(({ text }) => DRY.test(text));
}

const MAX_WORDS = 3;
const MAX_LENGTH = 200;
const THINGS =
  "(?:apps?|applications?|projects?|services?|sites?|servers?|instances?|droplets?|vms?|machines?|clusters?|databases?|dbs?|buckets?|volumes?|disks?|snapshots?|backups?|domains?|zones?|namespaces?|tenants?|accounts?|organizations?|orgs?|environments?|envs?|stacks?|deployments?|repos?|repositories|repository|users?|secrets?|keys?|networks?|nodes?|jobs?|contexts?|queues?|topics?|pipelines?|streams?|collections?|ind(?:ex|exes|ices)|tables?|functions?|workers?|sites?|workspaces?)";
const VERBS = "(?:delete|destroy|purge|terminate|wipe)";
const REMOVES = new RegExp(`^(?:${VERBS}[-_: ]${THINGS}|${THINGS}[-_: ]${VERBS})(?=\\s|$)`, "i");
const DRY = /^--?(?:dry[-_]?run|what-?if|help|h)\b/i;

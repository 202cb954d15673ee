import type { Effect, Role } from "./effect.ts";
import { flowsOf } from "./flows.ts";
import { formatted } from "./output/printf.ts";
import type { Lookups, Reading, SimpleCommand, Word } from "./parse/command.ts";
import { fileText, handedText, type Readable } from "./parse/handed-text.ts";
import { hostOf, isStream } from "./paths.ts";
import { addPath, addRoles, type Told } from "./programs/call.ts";
import { roleOfVariable } from "./programs/code-variables.ts";
import { isPackageRow } from "./programs/index.ts";
import { isLocalAddress, tellPackageSources } from "./programs/package-sources.ts";
import { canonicalProgram, isProgram, outputKind, programNamed } from "./programs/program-name.ts";
import { isProduction, targetOf } from "./programs/targets.ts";
import { tellProgram } from "./programs/tell-program.ts";
import { windowsCommands } from "./programs/windows-shells.ts";
import { cutAround, cutsItsInput } from "./self-truncation.ts";
import { giversOf, listsAll } from "./substitution-sources.ts";
import { forkBomb, isEndlessWriter, usesUp } from "./using-up.ts";

/** Everything that a command line does, in the order of its commands; what cannot be known is told as `unknown`. */
export function effectsOf(reading: Reading, script?: Lookups["script"]): Effect[] {
  const { commands, doubts } = reading;
  const effects: Effect[] = [];
  const wrappers: string[] = [];
  const about: Readable = { commands, effects, script };
  const tolds = commands.map((command, at) => {
    if (command.via.length > 0) tellWrappers(command, at, wrappers, commands, effects);
    const told = tellCommand(command, at, about);
    if (command.program !== undefined || told.roles.length > 0) effects.push(runOf(told));
    for (const effect of told.effects) effects.push(effect);
    return told;
  });
  for (const more of [cutAround(commands, effects), flowsOf(commands, tolds), forkBomb(reading)])
    for (const effect of more) effects.push(effect);
  for (const doubt of doubts) effects.push({ does: "unknown", doubt, command: undefined });
  return effects;
}

/** A wrapper is a program that runs too, also where the reading lists only what it runs. */
function tellWrappers(
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

function tellCommand(command: SimpleCommand, at: number, about: Readable): Told {
  const { commands } = about;
  const told = newTold(command, at, about);
  const name = told.program;
  const row = name === "" ? undefined : programNamed(name);
  if (row !== undefined) tellProgram(row, command, told);
  else if (command.args.length > 0 && removesResource(command)) addRoles(told, ["cloud", "work-loss"]);
  for (const inner of !isProgram("windows-shell", name) ? NO_COMMANDS : windowsCommands(name, command)) {
    const known = programNamed(inner.program?.text ?? "");
    if (inner.program !== undefined && IS_FILE.test(inner.program.text)) told.scripts.push(inner.program);
    if (known === undefined) continue;
    const own: Told = { ...told, program: canonicalProgram(inner.program?.text ?? ""), roles: [] };
    tellProgram(known, inner, own);
    addRoles(told, own.roles);
    // What these mean depends on the program.
    const roles = own.roles.filter((role) => role === "account" || role === "settings" || role === "persistence");
    if (roles.length > 0) told.effects.push({ does: "run", program: own.program, verb: own.verb, roles, command: at });
    const { talks, fetches, sendsReads, gives } = own;
    Object.assign(told, { talks, fetches, sendsReads, gives });
  }
  if (command.program !== undefined && IS_FILE.test(command.program.text)) told.scripts.push(command.program);
  tellRedirects(command, told);
  tellAssignments(command, told);
  // Of a script on another machine only that machine says what it may do.
  const isAway = command.via.length > 0 && told.scripts.length > 0;
  if (told.roles.length > 0 || isAway) tellTargets(command, told, commands);
  // Those of an install are told with its targets.
  if (row !== undefined && isPackageRow(row) && !told.roles.includes("package-install"))
    tellPackageSources(command, told);
  if (usesUp(command, told, commands)) addRoles(told, ["exhaust"]);
  if (told.writes.length > 0 && cutsItsInput(command, told, commands, about.effects)) addRoles(told, ["overwrite"]);
  return told;
}

const NO_COMMANDS: readonly SimpleCommand[] = [];

/** A program that is named by where it lies; Windows finds one beside the line by its name, too. */
const IS_FILE = /\/|\.(?:exe|bat|cmd|ps1)$/i;

/** What follows from the roles of a run and its words: a container around it, packages that it installs, production or development. */
function tellTargets(command: SimpleCommand, told: Told, commands: readonly SimpleCommand[]): void {
  const { roles } = told;
  if (command.via.length > 0 && isContained(command)) for (const role of OF_MACHINE) dropRole(told, role);
  if (roles.includes("package-install")) tellPackageSources(command, told);
  if (command.via.length > 0 && isAtProduction(command, commands)) addRoles(told, ["production"]);
  const changed = roles.includes("cloud") ? "cloud" : roles.includes("database") ? "database" : undefined;
  const target = changed && targetOf(command, changed, commands);
  if (target === "production" || (target !== undefined && (roles.includes("work-loss") || roles.includes("outage"))))
    addRoles(told, [target]);
}

/** Whether a command runs on another machine that is named production. */
function isAtProduction({ via }: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  const shells = via.map((wrapper) => wrapper.split(" ", 1)[0] ?? "").filter((name) => isProgram("remote-shell", name));
  if (shells.length === 0) return false;
  return commands.some(
    ({ program, args }) =>
      shells.includes(program?.text ?? "") && args.some(({ text }) => !/\s/.test(text) && isProduction(text)),
  );
}

/** The rights of root inside of a container are no rights on the machine, and what is typed there stays there. */
const OF_MACHINE = ["privilege", "typed-code"] as const;

function isContained({ via }: SimpleCommand): boolean {
  return via.some((wrapper) => isProgram("holds-services", wrapper.split(" ", 1)[0] ?? ""));
}

function dropRole({ roles }: Told, role: Role): void {
  const at = roles.indexOf(role);
  if (at >= 0) roles.splice(at, 1);
}

/** Text that the line hands to a command: a here-document, or what `echo` and its like print. */
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

function newTold(command: SimpleCommand, at: number, about: Readable): Told {
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
  };
}

function giversOfInput({ input }: SimpleCommand, commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  return input.from === "commands" ? input.of.flatMap((of) => commands[of] ?? []) : [];
}

function runOf({ program, verb, roles, at, code }: Told): Effect {
  return { does: "run", program, verb, roles, command: at, code };
}

function tellRedirects(command: SimpleCommand, told: Told): void {
  const { redirects, input, folder } = command;
  // A redirect is opened by the shell, before the program goes anywhere.
  const opened = told.folder === folder && told.by === undefined ? told : { ...told, folder, by: undefined };
  for (const { way, target } of redirects) {
    if (tellSocket(target, told)) continue;
    const does = way === "read" ? "read" : "write";
    addPath(opened, does, target, {});
    if (does === "read" || isStream(target.text)) continue;
    if (way === "write" && printsNothing(command)) addRoles(told, ["overwrite"]);
    if (isEndlessWriter(command, told)) addRoles(told, ["exhaust"]);
  }
  if (input.from !== "file" || redirects.some(({ way }) => way === "read")) return;
  if (!tellSocket(input.path, told)) addPath(opened, "read", input.path, {});
}

/** `/dev/tcp/host/port` is a line to another machine; a shell at its end does what that machine says. */
function tellSocket(target: Word, told: Told): boolean {
  const host = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(target.text)?.[1];
  if (host === undefined) return false;
  const { at: command, program } = told;
  addRoles(told, ["network-in", "network-out"]);
  told.effects.push({ does: "network", way: "both", host: hostOf({ ...target, text: host }), program, command });
  told.talks = true;
  told.fetches = true;
  told.sendsReads = true;
  if (told.input === "run") {
    addRoles(told, ["run-code"]);
    told.effects.push({ does: "flow", from: "network", path: undefined, to: "shell", command });
  } else told.input = "sent";
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

function tellAssignments(command: SimpleCommand, told: Told): void {
  const { assignments, program } = command;
  for (const name in assignments) {
    const role = roleOfVariable(name, assignments[name]?.text ?? "", program === undefined);
    if (role === undefined || (role === "unverified" && asksOnlyHere(command, told))) continue;
    addRoles(told, [role]);
  }
}

/** Whether a run is given addresses, all of this machine, and brings no packages: a certificate that it signs itself is no danger there. */
function asksOnlyHere({ args }: SimpleCommand, { roles }: Told): boolean {
  if (roles.includes("package-install") || args.some(({ isKnown }) => !isKnown)) return false;
  const addresses = args.flatMap(({ text }) => text.match(/(?<![a-z+])[a-z][a-z+]*:\/\/[^\s"'`]+/gi) ?? []);
  return addresses.length > 0 && addresses.every((address) => isLocalAddress(address));
}

/** Whether a program without a row says itself that it removes a resource of a service: `acmectl delete-bucket x`, `acme server destroy x`. */
function removesResource({ args, program }: SimpleCommand): boolean {
  if (program === undefined || program.text.includes("/")) return false;
  const words: string[] = [];
  for (const { text } of args) {
    if (text.startsWith("-")) continue;
    words.push(text);
    if (words.length === MOST_WORDS) break;
  }
  const said = words.join(" ");
  return said.length < LONGEST && REMOVES.test(said) && !args.some(({ text }) => DRY.test(text));
}

const MOST_WORDS = 3;
const LONGEST = 200;
const THINGS =
  "(?:apps?|applications?|projects?|services?|sites?|servers?|instances?|droplets?|vms?|machines?|clusters?|databases?|dbs?|buckets?|volumes?|disks?|snapshots?|backups?|domains?|zones?|namespaces?|tenants?|accounts?|organizations?|orgs?|environments?|envs?|stacks?|deployments?|repos?|repositories|repository|users?|secrets?|keys?|networks?|nodes?|jobs?|contexts?|queues?|topics?|pipelines?|streams?|collections?|ind(?:ex|exes|ices)|tables?|functions?|workers?|sites?|workspaces?)";
const VERBS = "(?:delete|destroy|purge|terminate|wipe)";
const REMOVES = new RegExp(`^(?:${VERBS}[-_: ]${THINGS}|${THINGS}[-_: ]${VERBS})(?=\\s|$)`, "i");
const DRY = /^--?(?:dry[-_]?run|what-?if|help|h)\b/i;

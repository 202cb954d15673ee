import type { CodeReading, Effect, NamedRemote, PathChange, Role } from "../effect.ts";
import type { SimpleCommand, Word } from "../parse/command.ts";
import { hostOf, isDisk, isEndless, isStream, pathFrom } from "../paths.ts";
import type { Options } from "./options.ts";

/** One run of a program, as its row in the table sees it. */
export interface Call extends Options {
  readonly command: SimpleCommand;
  readonly told: Told;
}

/** What a row has told about a run so far. */
export interface Told {
  /** The command's position in the reading. */
  readonly at: number;
  readonly program: string;
  /** Where its paths begin. */
  folder: string;
  verb: string | undefined;
  /** How the row says that it changes paths. */
  by: PathChange | undefined;
  /** How far the code is read that it runs. */
  code: CodeReading | undefined;
  readonly roles: Role[];
  readonly effects: Effect[];
  /** Where its data comes from, by paths. */
  readonly reads: Word[];
  readonly writes: Word[];
  /** Files that it runs as code. */
  readonly scripts: Word[];
  /** The text on its standard input, where the line itself holds it. */
  readonly piped: string;
  /** The same, also from files that can be read; nothing when it is not known. */
  readonly handed: () => string | undefined;
  /** The text of a file, as it is when the command runs; nothing when it is not known. */
  readonly textOf: (path: Word) => string | undefined;
  /** Whether its words are everything that such a command lists, by `$(…)` or `xargs`, and nothing on the way chooses among it. */
  readonly isGivenAll: (lists: (command: SimpleCommand) => boolean) => boolean;
  /** The commands whose output it reads. */
  readonly givers: () => readonly SimpleCommand[];
  /** What it does with its standard input. */
  input: InputUse;
  /** What the files that it reads are for: its own output, or another machine. */
  sendsReads: boolean;
  fetches: boolean;
  talks: boolean;
  /** Its output holds the environment, text that was hidden before, or a whole database or repository. */
  gives: "environment" | "text" | "data" | undefined;
  /** Its output holds nothing of what it read. */
  isSilent: boolean;
}

/** What a program does with its standard input: hands it on, runs it, asks a database with it, sends it away, or looks at nothing of it. */
type InputUse = "handed on" | "run" | "queried" | "sent" | "ignored";

/** How a path is touched. */
interface PathOptions {
  readonly isTree?: boolean;
  readonly isForced?: boolean;
  /** How it changes, where the row says nothing else. */
  readonly by?: PathChange | undefined;
  /** What is put there. */
  readonly source?: Word | undefined;
  /** Where a folder lies there, the source comes to lie in it. */
  readonly landsIn?: boolean;
  readonly stripped?: number;
}

/** Is one of these options given? */
export function has(call: Pick<Options, "given">, ...names: readonly string[]): boolean {
  if (call.given.size === 0) return false;
  for (const name of names) if (call.given.has(name)) return true;
  return false;
}

/** Whether the first operands are one of these verbs: `ls`, `pr view`, several apart by `|`. */
export function hasVerb({ operands }: Pick<Options, "operands">, verbs: string): boolean {
  const [first, second] = operands;
  if (first === undefined) return false;
  const listed = `|${verbs}|`;
  return listed.includes(`|${first.text}|`) || listed.includes(`|${first.text} ${second?.text}|`);
}

/** The last value of an option. */
export function value(call: Pick<Options, "given">, name: string): Word | undefined {
  return call.given.get(name)?.at(-1);
}

/** All values of these options. */
export function values(call: Pick<Options, "given">, ...names: readonly string[]): readonly Word[] {
  if (call.given.size === 0) return [];
  const found: Word[] = [];
  for (const name of names) for (const value of call.given.get(name) ?? []) found.push(value);
  return found;
}

/** The run plays these roles. */
export function plays(call: Call, ...roles: readonly Role[]): void {
  addRoles(call.told, roles);
}

/** The run reads a path. */
export function reads(call: Call, path: Word | undefined, touch: PathOptions = {}): void {
  addPath(call.told, "read", path, touch);
}

/** The run creates or changes a path. */
export function writes(call: Call, path: Word | undefined, touch: PathOptions = {}): void {
  addPath(call.told, "write", path, touch);
}

/** The run removes a path. */
export function deletes(call: Call, path: Word | undefined, touch: PathOptions = {}): void {
  addPath(call.told, "delete", path, touch);
}

/** The run talks to another machine, named by a url or an address. */
export function talks(call: Call, way: "in" | "out" | "both", address: Word | undefined, remote?: NamedRemote): void {
  const { told } = call;
  if (way !== "out") told.fetches = true;
  const host = hostOf(address);
  told.talks ||= host === undefined || !LOCAL.test(host.text);
  addRoles(told, way === "in" ? ["network-in"] : way === "out" ? ["network-out"] : ["network-in", "network-out"]);
  const network = { does: "network", way, host, program: told.program, command: told.at } as const;
  told.effects.push(remote === undefined ? network : { ...network, remote });
}

const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1)$/;

/** The files that it reads, or its standard input, go to another machine. */
export function sends(call: Call, what: "input" | "reads"): void {
  if (what === "input") call.told.input = "sent";
  else call.told.sendsReads = true;
}

/** Its output holds keys, tokens or passwords that the program keeps or has fetched. */
export function reveals(call: Call): void {
  plays(call, "reveal");
  call.told.gives = "environment";
}

/** A word that is known to the last letter. */
export function known(text: string): Word {
  return { text, isKnown: true, isGlob: false };
}

/** A piece of a word, as well known as the word. */
export function pieceOf(word: Word, text: string): Word {
  return { text, isKnown: word.isKnown, isGlob: word.isGlob };
}

/** Adds roles, each once. */
export function addRoles(told: Told, roles: readonly Role[]): void {
  for (const role of roles) if (!told.roles.includes(role)) told.roles.push(role);
}

/** Adds a path that is touched; streams such as `/dev/null` are nothing, disks are more. */
export function addPath(
  told: Told,
  does: "read" | "write" | "delete",
  word: Word | undefined,
  touch: PathOptions,
): void {
  if (word === undefined || word.text === "" || isStream(word.text)) return;
  const path = pathFrom(told.folder, word);
  const { isTree = false, isForced = false, by = told.by, source, landsIn, stripped } = touch;
  if (does === "read") told.reads.push(path);
  if (does === "write") told.writes.push(path);
  if (does === "write" && isDisk(path.text)) addRoles(told, ["disk", "overwrite"]);
  if (does === "read" && isEndless(path.text)) return;
  const from = source && pathFrom(told.folder, source);
  const { program, at: command } = told;
  told.effects.push({ does, path, isTree, isForced, program, command, by, source: from, landsIn, stripped });
}

/** A program fetches code by its address, and runs it at once. */
export function runsFetched(call: Call, address: Word | undefined): void {
  talks(call, "in", address);
  plays(call, "run-code");
  call.told.effects.push({ does: "flow", from: "network", path: undefined, to: "shell", command: call.told.at });
}

/** Which operands are paths. */
interface Which {
  /** How many operands at the start are something else: a pattern, a mode. */
  readonly after?: number;
  /** Options that take the place of those. */
  readonly unless?: readonly string[];
  /** Options whose values are paths that are read. */
  readonly also?: readonly string[];
  readonly isTree?: boolean;
}

/** Every operand is a path that is read. */
export function readsOperands(which: Which = {}): (call: Call) => void {
  return (call) => {
    for (const path of values(call, ...(which.also ?? []))) reads(call, path);
    for (const path of pathsOf(call, which)) reads(call, path, { isTree: which.isTree ?? false });
  };
}

/** Every operand is a path that is created or changed. */
export function writesOperands(which: Which = {}): (call: Call) => void {
  return (call) => {
    for (const path of pathsOf(call, which)) writes(call, path, { isTree: which.isTree ?? false });
  };
}

/** Every operand is a path that is removed. */
export function deletesOperands(touch: PathOptions = {}): (call: Call) => void {
  return (call) => {
    if (call.operands.length > 0) plays(call, "delete");
    for (const path of call.operands) deletes(call, path, touch);
  };
}

/** Its output says nothing about what it is given. */
export function ignoresInput(call: Call): void {
  call.told.input = "ignored";
  call.told.isSilent = true;
}

function pathsOf(call: Call, { after = 0, unless = [] }: Which) {
  return after === 0 || has(call, ...unless) ? call.operands : call.operands.slice(after);
}

/** More than a disk has to spare: a size with its unit, as `head`, `fallocate` and their like read it. */
export function isHuge(size: string): boolean {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)\s*([kmgtpe]?)i?b?$/i.exec(size) ?? [];
  if (count === undefined) return false;
  return Number(count) * 1024 ** " kmgtpe".indexOf(unit.toLowerCase() || " ") >= HUGE;
}

const HUGE = 100 * 1024 ** 3;

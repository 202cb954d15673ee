import type { CodeReading, DataChange, Effect, NamedRemote, PathChange, Role } from "../effect.ts";
import type { SimpleCommand, Word } from "../parse/command.ts";
import { hostOf, isDisk, isEndless, isStream, pathFrom } from "../paths.ts";
import type { Options } from "./options.ts";

/** One run of a program: its options and operands, the command, and the report that its row fills. */
export interface Call extends Options {
  readonly command: SimpleCommand;
  readonly report: RunReport;
}

/** What is known about a run, and what its row has reported about it so far. */
export interface RunReport {
  /** The command's position in the line. */
  readonly at: number;
  readonly program: string;
  /** The folder in which relative paths begin. */
  folder: string;
  verb: string | undefined;
  /** How the run changes paths, if the row states one way for all of them. */
  by: PathChange | undefined;
  /** How far the code that it runs is analysed. */
  code: CodeReading | undefined;
  readonly roles: Role[];
  readonly effects: Effect[];
  readonly reads: Word[];
  readonly writes: Word[];
  /** Files that it runs as code. */
  readonly scripts: Word[];
  /** The text on its standard input, if the line itself contains it. */
  readonly piped: string;
  /** The same, also from files; undefined if it is not known. */
  readonly handed: () => string | undefined;
  /** The text of a file at the time when the command runs; undefined if it is not known. */
  readonly textOf: (path: Word) => string | undefined;
  /** Whether its arguments are everything that such a command lists, by `$(…)` or `xargs`, without a filter between. */
  readonly isGivenAll: (lists: (command: SimpleCommand) => boolean) => boolean;
  /** The commands whose output it reads. */
  readonly givers: () => readonly SimpleCommand[];
  input: InputUse;
  /** The files that it reads are sent to another machine. */
  sendsReads: boolean;
  fetches: boolean;
  talks: boolean;
  /** Its output contains the environment, text that was encoded before, or a whole database or repository. */
  gives: "environment" | "text" | "data" | undefined;
  /** Its output contains nothing of what it read. */
  isSilent: boolean;
  /** What its statements do in a database. */
  data: readonly DataChange[] | undefined;
}

/** What a program does with its standard input. */
export type InputUse = "handed on" | "run" | "queried" | "sent" | "ignored";

/** How a path is touched. */
interface PathOptions {
  readonly isTree?: boolean;
  readonly isForced?: boolean;
  /** How it changes, if not as the row states. */
  readonly by?: PathChange | undefined;
  /** What is put there. */
  readonly source?: Word | undefined;
  /** If the path is a folder, the source is put into it. */
  readonly landsIn?: boolean;
  readonly stripped?: number;
  /** The row does not describe it; the path is only named in that place. */
  readonly isAssumed?: true;
}

/** Whether one of these options is given. */
export function has(call: Pick<Options, "given">, ...names: readonly string[]): boolean {
  if (call.given.size === 0) return false;
  for (const name of names) if (call.given.has(name)) return true;
  return false;
}

/** Whether the first operands are one of these verbs, which are separated by `|`: `ls|pr view`. */
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
  addRoles(call.report, roles);
}

/** The run reads a path. */
export function reads(call: Call, path: Word | undefined, touch: PathOptions = {}): void {
  addPath(call.report, "read", path, touch);
}

/** The run creates or changes a path. */
export function writes(call: Call, path: Word | undefined, touch: PathOptions = {}): void {
  addPath(call.report, "write", path, touch);
}

/** The run removes a path. */
export function deletes(call: Call, path: Word | undefined, touch: PathOptions = {}): void {
  addPath(call.report, "delete", path, touch);
}

/** The run talks to another machine, named by a url or an address. */
export function talks(call: Call, way: "in" | "out" | "both", address: Word | undefined, remote?: NamedRemote): void {
  const { report } = call;
  if (way !== "out") report.fetches = true;
  const host = hostOf(address);
  report.talks ||= host === undefined || !LOCAL.test(host.text);
  addRoles(report, way === "in" ? ["network-in"] : way === "out" ? ["network-out"] : ["network-in", "network-out"]);
  const network = { does: "network", way, host, program: report.program, command: report.at } as const;
  report.effects.push(remote === undefined ? network : { ...network, remote });
}

const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1)$/;

/** The files that it reads, or its standard input, go to another machine. */
export function sends(call: Call, what: "input" | "reads"): void {
  if (what === "input") call.report.input = "sent";
  else call.report.sendsReads = true;
}

/** Its output contains keys, tokens or passwords that the program keeps or has fetched. */
export function reveals(call: Call): void {
  plays(call, "reveal");
  call.report.gives = "environment";
}

/** A word that is known to its last character. */
export function known(text: string): Word {
  return { text, isKnown: true, isGlob: false };
}

/** Part of a word; it is known if the word is. */
export function pieceOf(word: Word, text: string): Word {
  return { text, isKnown: word.isKnown, isGlob: word.isGlob };
}

/** Adds roles, each once. */
export function addRoles(report: RunReport, roles: readonly Role[]): void {
  for (const role of roles) if (!report.roles.includes(role)) report.roles.push(role);
}

/** Adds a path that is touched. Streams such as `/dev/null` are left out, and writing to a disk has roles of its own. */
export function addPath(
  report: RunReport,
  does: "read" | "write" | "delete",
  word: Word | undefined,
  touch: PathOptions,
): void {
  if (word === undefined || word.text === "" || isStream(word.text)) return;
  const path = pathFrom(report.folder, word);
  const { isTree = false, isForced = false, by = report.by, source, landsIn, stripped, isAssumed } = touch;
  if (does === "read") report.reads.push(path);
  if (does === "write") report.writes.push(path);
  if (does === "write" && isDisk(path.text)) addRoles(report, ["disk", "overwrite"]);
  if (does === "read" && isEndless(path.text)) return;
  const from = source && pathFrom(report.folder, source);
  const { program, at: command } = report;
  const effect = { does, path, isTree, isForced, program, command, by, source: from, landsIn, stripped };
  report.effects.push(isAssumed === undefined ? effect : { ...effect, isAssumed });
}

/** The run fetches code by its address and runs it immediately. */
export function runsFetched(call: Call, address: Word | undefined): void {
  talks(call, "in", address);
  runsCodeFrom(call, "network");
}

/** Returns a step that reports each address as fetched and run. */
export function runsFetchedOf(addresses: (call: Call) => readonly (Word | undefined)[]): (call: Call) => void {
  return (call) => {
    for (const address of addresses(call)) runsFetched(call, address);
  };
}

/** The run runs code that came by the network, or that was encoded before. */
export function runsCodeFrom(call: Call, from: "network" | "text"): void {
  plays(call, "run-code");
  call.report.effects.push({ does: "flow", from, path: undefined, to: "shell", command: call.report.at });
}

/** The text of the last value of an option; empty if the option is not given. */
export function valueText(call: Pick<Options, "given">, name: string): string {
  return value(call, name)?.text ?? "";
}

/** The text of an operand; empty if there are fewer operands. */
export function operandText(call: Pick<Options, "operands">, at = 0): string {
  return call.operands.at(at)?.text ?? "";
}

/** Whether an operand matches. */
export function someOperand(call: Pick<Options, "operands">, pattern: RegExp): boolean {
  return call.operands.some(({ text }) => pattern.test(text));
}

/** Whether an argument matches, be it an option, its value or an operand. */
export function someArgument({ command }: Pick<Call, "command">, pattern: RegExp): boolean {
  return command.args.some(({ text }) => pattern.test(text));
}

/** The text of all arguments, separated by blanks. */
export function argumentText({ command }: Pick<Call, "command">): string {
  return joinedText(command.args);
}

/** The text of these words, separated by blanks. */
export function joinedText(words: readonly Pick<Word, "text">[]): string {
  return words.map(({ text }) => text).join(" ");
}

/** Whether a size, with its unit as `head` and `fallocate` read it, is more than a disk has to spare. */
export function isHuge(size: string): boolean {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)\s*([kmgtpe]?)i?b?$/i.exec(size) ?? [];
  if (count === undefined) return false;
  return Number(count) * 1024 ** " kmgtpe".indexOf(unit.toLowerCase() || " ") >= HUGE;
}

const HUGE = 100 * 1024 ** 3;

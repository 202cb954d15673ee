import { budgetOf } from "../event/event-budget.ts";
import { type EventFacts, rootOfEvent } from "../event/field.ts";
import { type ObservedChange, observedOf } from "../event/observed.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import { shellPath } from "../pattern/path.ts";
import { reverseShell } from "./code/code-dangers.ts";
import { commandLineOf } from "./command-line.ts";
import type { CallEffects, CallPlace, Effect, LookupsFor, ToolChanges } from "./effect.ts";
import { effectsOf } from "./effects.ts";
import { fileEffects, kindOfCall } from "./file-tools.ts";
import { effectLabelled } from "./labels/effect-labels.ts";
import { asOnDisk } from "./on-disk.ts";
import { replacedTexts } from "./output/text-tools.ts";
import type { Lookups, Reading, SimpleCommand } from "./parse/command.ts";
import { readCommandLine } from "./parse/read-command-line.ts";
import { isEveryName, isRootOfMuch, isSystem } from "./path-class.ts";
import { resolvedPath } from "./paths.ts";
import { effectsOfUnreadText } from "./programs/named-paths.ts";
import { shellOfTool } from "./report/shell-names.ts";
import { readPowerShell } from "./report/windows-reading.ts";
import { symlinkEffects } from "./symlink-effects.ts";
import type { HarmIn } from "./tools/automated-lines.ts";
import { automationEffects, requestEffects, toolActEffects } from "./tools/tool-acts.ts";
import { changesNothing, toolChanges, undescribedChanges } from "./undescribed-changes.ts";
import { wholeWorkingDir, workingDirs } from "./working-dirs.ts";

/**
 * What a call does: a tool for files is read by its input, everything else by the text of its command line. Nothing for
 * calls that have neither.
 */
export function callEffects(event: EventFacts, lookupsFor?: LookupsFor): CallEffects | undefined {
  // Dozens of guards ask about one call, one after the other; it is read once.
  if (call?.event !== event || call.lookupsFor !== lookupsFor)
    call = { event, lookupsFor, effects: readCall(event, lookupsFor) };
  return call.effects;
}

let call:
  | {
      readonly event: EventFacts;
      readonly lookupsFor: LookupsFor | undefined;
      readonly effects: CallEffects | undefined;
    }
  | undefined;

function readCall(event: EventFacts, lookupsFor: LookupsFor | undefined): CallEffects | undefined {
  const observed = observedOf(event);
  if (observed !== undefined) {
    const texts = () => observed.flatMap(({ text }) => text?.() ?? []);
    return new ReadCall(event, observed.map(observedEffect), [], placeOfCall(event, lookupsFor?.(event)), texts);
  }
  if (kindOfCall(event) === "file") {
    const lookups = lookupsFor?.(event) ?? {};
    const place = placeOfCall(event, lookups);
    const effects = asOnDisk(fileEffects(event, lookups.isFolder), [], lookups);
    return new ReadCall(event, withMore(effects, toolActEffects(event, place, effects, harmFor(event))), [], place);
  }
  const text = commandLineOf(event);
  const line = typeof text === "string" ? lineEffects(text, event, lookupsFor) : undefined;
  if (isOfKind(event.toolName ?? "", "@shell")) return line;
  // A tool other than a shell may be given another language as its command, and acts by its name too.
  const place = line?.place ?? placeOfCall(event, lookupsFor?.(event) ?? {});
  const acts = toolActEffects(event, place, line?.effects ?? [], harmFor(event));
  if (acts.length === 0) return line;
  const { effects = [], commands = [], scripts = [] } = line ?? {};
  return new ReadCall(event, withMore(effects, acts), commands, place, () => line?.texts ?? [], scripts);
}

/** Whether lines that a file brings would do harm in the place of a call; what they write in turn is not followed. */
function harmFor(event: EventFacts): HarmIn {
  return (text, labels) => {
    if (isNested) return false;
    isNested = true;
    try {
      const act = lineEffects(text, event, undefined);
      return labels.some((label) => effectLabelled(label)?.(act) === true);
    } finally {
      isNested = false;
    }
  };
}

let isNested = false;

function withMore(effects: readonly Effect[], more: readonly Effect[]): readonly Effect[] {
  return more.length === 0 ? effects : [...effects, ...more];
}

/** What was seen on the disk is known to the last character. */
function observedEffect({ does, path, isFolder, target }: ObservedChange): Effect {
  const known = (text: string) => ({ text, isKnown: true, isGlob: false });
  const link = target === undefined ? {} : { by: "link" as const, source: known(target) };
  return { does, path: known(path), isTree: isFolder, isForced: isFolder, program: "", command: 0, ...link };
}

/** The same, also for calls that have neither a command line nor a tool for files: the effects of their input are in doubt. */
export function toolEffects(event: EventFacts, lookupsFor?: LookupsFor): CallEffects {
  return callEffects(event, lookupsFor) ?? new ReadCall(event, [], [], placeOfCall(event));
}

/** What a tool for files does, with its paths as they are written, also where links lead elsewhere. */
export function fileToolEffects(event: EventFacts, lookupsFor: LookupsFor): CallEffects {
  return new ReadCall(event, fileEffects(event, lookupsFor(event).isFolder), [], placeOfCall(event));
}

/** What the command line of a call does, whatever its key is called; undefined for a tool other than a shell. */
export function commandLineEffects(event: EventFacts, lookupsFor?: LookupsFor): CallEffects | undefined {
  return kindOfCall(event) === "command" ? callEffects(event, lookupsFor) : undefined;
}

/** What the commands of a line do that another reader has taken apart. */
export function readingEffects(event: EventFacts, reading: Reading, lookups: Lookups): CallEffects {
  const place = placeOfCall(event, lookups);
  const effects = asOnDisk(effectsOf(reading, lookups.script), reading.commands, lookups);
  return new ReadCall(event, effects, reading.commands, place, reading.texts, reading.scripts);
}

/** What any text would do as a command line in the place of a call. */
export function textEffects(event: EventFacts, text: string, lookupsFor?: LookupsFor): CallEffects {
  if (line?.event !== event || line.text !== text)
    line = { event, text, effects: lineEffects(text, event, lookupsFor) };
  return line.effects;
}

let line: { readonly event: EventFacts; readonly text: string; readonly effects: CallEffects } | undefined;

function lineEffects(text: string, event: EventFacts, lookupsFor: LookupsFor | undefined): CallEffects {
  const [first = ".", ...others] = workingDirs(event);
  const effects = effectsFrom(first, text, event, lookupsFor);
  if (others.length === 0) return effects;
  return mergeEffects(
    event,
    effects,
    others.map((other) => effectsFrom(other, text, event, lookupsFor)),
  );
}

/** Several readings of one call as one: everything that any of them does. */
function mergeEffects(event: EventFacts, first: CallEffects, others: readonly CallEffects[]): CallEffects {
  const effects = [...first.effects];
  const commands = [...first.commands];
  for (const other of others) {
    const before = commands.length;
    for (const effect of other.effects)
      effects.push(effect.command === undefined ? effect : { ...effect, command: effect.command + before });
    for (const command of other.commands) {
      const { input } = command;
      if (input.from !== "commands") commands.push(command);
      else commands.push({ ...command, input: { ...input, of: input.of.map((at) => at + before) } });
    }
  }
  const all = [first, ...others];
  const scripts = all.flatMap((one) => one.scripts);
  return new ReadCall(event, effects, commands, first.place, () => all.flatMap(({ texts }) => texts), scripts);
}

/** What a line does that begins in a folder, with every path as seen from the event's own. */
function effectsFrom(
  workingDir: string,
  text: string,
  event: EventFacts,
  lookupsFor: LookupsFor | undefined,
): CallEffects {
  const lookups = lookupsFor?.(event) ?? {};
  const place = placeOfCall(event, lookups);
  const { inherited = INHERITED } = lookups;
  const start = wholeWorkingDir(workingDir, place.cwd, () => place.home);
  const { script, task } = workingDir === "." ? lookups : lookupsAt(start, event, lookupsFor);
  const given = NAMES_TEMPORARY.test(text) ? withTemporary(text, lookups, place) : lookups.variables;
  const variables = start !== undefined && NAMES_FOLDER.test(text) ? { ...given, PWD: start } : given;
  const budget = budgetOf(event);
  const isSpent = budget && (() => budget.isSpent());
  const around = { script, task, variables, inherited, isSpent };
  const isPowerShell = shellOfTool(event.toolName) === "powershell";
  let read = isPowerShell ? readPowerShell(text, around) : readCommandLine(text, around);
  const isBroken = !isPowerShell && read.doubts.some(({ why }) => why === "syntax");
  const socket = isBroken ? reverseShell(text) : undefined;
  if (socket !== undefined) read = readCommandLine(`${socket.text.text}\n${text}`, around);
  const reading =
    workingDir === "." ? read : { ...read, commands: read.commands.map((one) => movedTo(workingDir, one)) };
  const { commands } = reading;
  const told = effectsOf(reading, lookups.script);
  const effects = asOnDisk(isBroken ? [...told, ...effectsOfUnreadText(text, told)] : told, commands, lookups);
  const more = symlinkEffects(effects, commands, place, lookups);
  const all = more.length === 0 ? effects : [...effects, ...asOnDisk(more, [], lookups)];
  const automated = automationEffects(all, () => [...read.texts(), ...replacedTexts(commands)], harmFor(event));
  const scripts = read.scripts.map((one) => ({ ...one, path: resolvedPath(workingDir, one.path) }));
  const acts = withMore(automated, requestEffects(commands, all));
  return new ReadCall(event, withMore(all, acts), commands, place, read.texts, scripts);
}

function lookupsAt(start: string | undefined, event: EventFacts, lookupsFor: LookupsFor | undefined): Lookups {
  return start === undefined ? {} : (lookupsFor?.({ ...event, cwd: start }) ?? {});
}

function movedTo(workingDir: string, command: SimpleCommand): SimpleCommand {
  return { ...command, folder: resolvedPath(workingDir, command.folder) };
}

/**
 * The folder for temporary files may be set in the agent's shell, or may be empty where no variable names it: what then
 * is at the root is reported if it is a part of the system, or everything.
 */
function withTemporary(text: string, lookups: Lookups, place: CallPlace): Lookups["variables"] {
  const { variables: given, inherited = INHERITED } = lookups;
  if (given?.TMPDIR !== undefined || inherited.TMPDIR?.() !== undefined) return given;
  const empty = { ...given, TMPDIR: "", TMP: "", TEMP: "" };
  const bare = effectsOf(readCommandLine(text, { variables: empty, inherited }));
  const isWorse = bare.some(
    (effect) =>
      (effect.does === "delete" || effect.does === "write") &&
      effect.path.text.startsWith("/") &&
      (isRootOfMuch(effect.path, place) || isSystem(effect.path, place) || isEveryName(effect.path)),
  );
  const folder = isWorse ? "" : "/tmp";
  return { TMPDIR: folder, TMP: folder, TEMP: folder, ...given };
}

/** Where the line starts, which it may come back to by name. */
const NAMES_FOLDER = /pwd\b|~[+-]/i;
const NAMES_TEMPORARY = /\$\{?(?:TMPDIR|TMP|TEMP)\b/;

/** The user's folders, if there is a process to ask; the shell of an agent has them from the same user. */
const INHERITED: NonNullable<Lookups["inherited"]> = {
  HOME: () => shellPath(globalThis.process?.env.HOME),
  TMPDIR: () => shellPath(globalThis.process?.env.TMPDIR),
};

/** A call that was read; what most callers do not ask for is worked out when it is asked for. */
class ReadCall implements CallEffects {
  readonly effects: readonly Effect[];
  readonly commands: readonly SimpleCommand[];
  readonly place: CallPlace;
  readonly scripts: CallEffects["scripts"];
  readonly #event: EventFacts;
  readonly #texts: () => readonly string[];
  #ofTool: ToolChanges | undefined;
  #unknown: readonly string[] | undefined;
  #readOnly: boolean | undefined;

  constructor(
    event: EventFacts,
    effects: readonly Effect[],
    commands: readonly SimpleCommand[],
    place: CallPlace,
    texts: () => readonly string[] = NO_TEXTS,
    scripts: CallEffects["scripts"] = NO_SCRIPTS,
  ) {
    this.#event = event;
    this.#texts = texts;
    this.effects = effects;
    this.commands = commands;
    this.place = place;
    this.scripts = scripts;
  }

  get texts(): readonly string[] {
    return this.#texts();
  }

  /** What the input of the tool shows, if the tool is not a shell. */
  get ofTool(): ToolChanges {
    this.#ofTool ??= this.commands.length === 0 ? toolChanges(this.#event, this.effects) : NO_TOOL;
    return this.#ofTool;
  }

  get unknown(): readonly string[] {
    const { commands } = this;
    this.#unknown ??=
      commands.length === 0
        ? this.ofTool.unknown
        : commands.flatMap((command, at) => undescribedChanges(command, at, this));
    return this.#unknown;
  }

  get readOnly(): boolean {
    this.#readOnly ??= changesNothing(this) && this.ofTool.paths.length === 0;
    return this.#readOnly;
  }
}

const NO_TOOL: ToolChanges = { paths: [], unknown: [] };
const NO_SCRIPTS: CallEffects["scripts"] = [];
const NO_TEXTS = (): readonly string[] => [];

/** The folder in which a call happens, its project's, and its user's home. */
function placeOfCall(event: EventFacts, lookups: Lookups = {}): CallPlace {
  return new LazyPlace(event.cwd, rootOfEvent(event), lookups);
}

/** Most calls name nothing in the home; the environment is slow to ask, and the disk too. */
class LazyPlace implements CallPlace {
  readonly cwd: string | undefined;
  readonly root: string | undefined;
  readonly textAt: Lookups["script"];
  readonly filesMatching: Lookups["filesMatching"];
  readonly filesIn: Lookups["filesIn"];
  readonly isMissing: Lookups["isMissing"];
  readonly repository: Lookups["repository"];
  readonly #ask: Lookups["isDisposable"];
  readonly #inherited: NonNullable<Lookups["inherited"]>;
  #home: { readonly path: string | undefined } | undefined;
  #known: Map<string, boolean | undefined> | undefined;

  constructor(cwd: string | undefined, root: string | undefined, lookups: Lookups) {
    this.cwd = cwd;
    this.root = root;
    this.textAt = lookups.script;
    this.filesMatching = lookups.filesMatching;
    this.filesIn = lookups.filesIn;
    this.repository = lookups.repository;
    this.isMissing = lookups.isMissing;
    this.#ask = lookups.isDisposable;
    this.#inherited = lookups.inherited ?? INHERITED;
  }

  get home(): string | undefined {
    this.#home ??= { path: this.#inherited.HOME?.() };
    return this.#home.path;
  }

  isDisposable(path: string): boolean | undefined {
    if (this.#ask === undefined) return undefined;
    this.#known ??= new Map();
    if (!this.#known.has(path)) {
      if (this.#known.size >= MAX_ASKED) return false;
      this.#known.set(path, this.#ask(path));
    }
    return this.#known.get(path);
  }
}

/** A line may name thousands of paths. */
const MAX_ASKED = 64;

import { addRoles, type Told } from "./programs/call.ts";
import { GAP, type Input, type SimpleCommand, type Word } from "./parse/command.ts";
import type { Effect } from "./effect.ts";
import { hasStrayKey, insertedKeys } from "./key-shapes.ts";
import { hasSubstitution, isSubstitutedIn, variablesIn } from "./parse/insertions.ts";
import { isAtOrUnder, isStream, pathFrom } from "./paths.ts";
import { isHosting, isUsualRemote } from "./programs/git-remote.ts";
import { printsRead } from "./programs/prints-read.ts";
import { isProgram, outputKind, programNamed } from "./programs/program-name.ts";
import { isSecretFile } from "./secret-files.ts";
import { isCounting, isShown, leavesNames } from "./shown-output.ts";
import { takesWordsFromInput } from "./substitution-sources.ts";

/** What commands hand to each other through pipes, substitutions, variables and files, where it ends outside. */
export function flowsOf(commands: readonly SimpleCommand[], tolds: readonly Told[]): Effect[] {
  const secret = tolds.some(({ reads }) => reads.some(({ text }) => isSecretFile(text)));
  if (
    !secret &&
    !tolds.some(
      ({ talks, fetches, gives, input, scripts }) =>
        talks ||
        fetches ||
        gives !== undefined ||
        input === "run" ||
        input === "queried" ||
        (scripts.length > 0 && scripts.some(({ text }) => DOCUMENT.test(text))),
    )
  )
    return [];
  const state: State = {
    commands,
    tolds,
    written: new Map(),
    variables: new Map(),
    trees: new Set(),
    filled: new Set(),
    inputs: new Map(),
    outputs: [],
    inserted: [],
  };
  const effects: Effect[] = [];
  // A named pipe carries what is written to it later in the line.
  if (tolds.some(({ program }) => isProgram("makes-pipes", program))) {
    for (const { at } of tolds) outputOf(at, state);
    state.outputs.length = 0;
    state.inputs.clear();
  }
  for (const told of tolds) {
    const output = outputOf(told.at, state);
    if (told.talks) effects.push(...toNetwork(told, state));
    if (
      told.input === "run" ||
      told.input === "queried" ||
      taskFilesOf(told, state).length > 0 ||
      told.scripts.length > 0 ||
      state.trees.size > 0 ||
      told.program === GAP ||
      state.inserted[told.at]?.length
    )
      effects.push(...toShell(told, state));
    if (told.writes.length > 0) effects.push(...toFile(told, output));
    if (secret && output.length > 0) effects.push(...toTerminal(told, output, state));
  }
  return effects;
}

type Flow = Extract<Effect, { does: "flow" }>;

/** Where data comes from. */
interface Source {
  readonly from: Flow["from"];
  readonly path: Word | undefined;
}

interface State {
  readonly commands: readonly SimpleCommand[];
  readonly tolds: readonly Told[];
  /** What the line has put into files and variables so far. */
  readonly written: Map<string, readonly Source[]>;
  readonly variables: Map<string, readonly Source[]>;
  readonly inputs: Map<Input, readonly Source[]>;
  /** Folders that something was put into, such as an archive. */
  readonly trees: Set<string>;
  /** Folders in which the line has put something. */
  readonly filled: Set<string>;
  readonly outputs: (readonly Source[])[];
  readonly inserted: (readonly Source[])[];
}

function outputOf(at: number, state: State): readonly Source[] {
  const [command, told, done] = [state.commands[at], state.tolds[at], state.outputs[at]];
  if (done !== undefined || command === undefined || told === undefined) return done ?? [];
  state.outputs[at] = [];
  const words = insertedInto(at, state);
  state.inserted[at] = words;
  const input = told.input === "ignored" ? [] : inputOf(command, state);
  const all = distinct([...ownSources(told, state), ...words, ...input]);
  for (const { text } of told.writes) {
    state.written.set(text, distinct([...(state.written.get(text) ?? []), ...all]));
    if (all.length > 0) fillFolders(text, state.filled);
  }
  for (const effect of told.effects) if (effect.does === "write" && effect.isTree) state.trees.add(effect.path.text);
  if (command.program === undefined && words.length > 0)
    for (const name of Object.keys(command.assignments)) state.variables.set(name, words);
  if (isProgram("fills-variables", told.program))
    for (const name of filledBy(command)) state.variables.set(name, inputOf(command, state));
  const output = told.isSilent || leavesNames(command) ? words : all;
  state.outputs[at] = output;
  return output;
}

/** The variables that a command fills from its input; those that the shell has for it where it names none. */
function filledBy({ args }: SimpleCommand): readonly string[] {
  return ["REPLY", "MAPFILE", ...args.map(({ text }) => text)];
}

/** Notes the folders above a path. */
function fillFolders(path: string, filled: Set<string>): void {
  for (
    let end = path.lastIndexOf("/"), turn = 0;
    end > 0 && turn < DEEPEST;
    end = path.lastIndexOf("/", end - 1), turn++
  )
    filled.add(path.slice(0, end));
}

const DEEPEST = 8;

function ownSources(told: Told, state: State): readonly Source[] {
  const own = told.reads.flatMap((path) => sourcesOf(path, state));
  if (told.fetches) own.push({ from: "network", path: undefined });
  if (told.gives !== undefined) own.push({ from: told.gives, path: undefined });
  return own;
}

function inputOf({ input, folder }: SimpleCommand, state: State): readonly Source[] {
  if (input.from === "file") return isStream(input.path.text) ? [] : sourcesOf(pathFrom(folder, input.path), state);
  if (input.from !== "commands") return [];
  const known = state.inputs.get(input);
  if (known !== undefined) return known;
  const found = distinct(input.of.flatMap((at) => outputOf(at, state)));
  state.inputs.set(input, found);
  return found;
}

/** Each source once, and no more than a person would read: stages of a pipe multiply what they hand on. */
function distinct(sources: readonly Source[]): readonly Source[] {
  if (sources.length < 2) return sources;
  const seen = new Set<string>();
  return sources.filter(({ from, path }) => {
    const key = `${from} ${path?.text}`;
    if (seen.has(key) || seen.size >= MOST) return false;
    seen.add(key);
    return true;
  });
}

const MOST = 64;

/** A file, and what this line has put into it. */
function sourcesOf(path: Word, { written, filled }: State): Source[] {
  const below: Source[] = [];
  // A folder carries what lies in it.
  if (filled.has(path.text))
    for (const [key, sources] of written)
      if (key.length > path.text.length && isAtOrUnder(key, path.text)) below.push(...sources);
  const from = /^\/proc\/[^/]+\/environ$/.test(path.text) ? "environment" : "file";
  return [{ from, path }, ...(written.get(path.text) ?? []), ...below];
}

/** What the words of a command take from other commands: `$(…)`, `<(…)`, `$name`. */
function insertedInto(at: number, state: State): readonly Source[] {
  const command = state.commands[at];
  if (command === undefined) return [];
  const found: Source[] = [];
  if (hasSubstitution(command.source))
    for (let before = at - 1; before >= 0 && at - before < FAR; before--)
      if (isSubstitutedIn(state.commands[before], command)) found.push(...outputOf(before, state));
  for (const before of command.takes ?? []) found.push(...outputOf(before, state));
  if (takesWordsFromInput(command.via.at(-1))) found.push(...givenAsWords(at, state));
  if (state.variables.size > 0)
    for (const name of variablesIn(command.source)) found.push(...(state.variables.get(name) ?? []));
  const told = state.tolds[at];
  if (told !== undefined && (insertsKey(command.source) || (told.talks && sendsKey(command, told))))
    found.push(KEY_VARIABLE);
  return found;
}

/** A key in a header or in front of a host is for logging in; elsewhere it is sent like any other text. */
function insertsKey(source: string): boolean {
  return (
    source.includes("$") && insertedKeys(source).length > 0 && insertedKeys(source.replaceAll(LOGINS(), " ")).length > 0
  );
}

/** A key that stands written there goes to a host that it is not made for. */
function sendsKey({ source, args }: SimpleCommand, { effects }: Told): boolean {
  const hosts = effects.flatMap((effect) => (effect.does === "network" && effect.host ? [effect.host.text] : []));
  return hosts.length > 0 && hasStrayKey(`${source} ${args.map(({ text }) => text).join(" ")}`, hosts);
}

const KEY_VARIABLE: Source = { from: "variable", path: undefined };
const LOGINS = () =>
  /(?:^|\s)(?:-H|--header|-u|--user|--oauth2-bearer|--token|--password|-p|--auth-token|--api-key)(?:\s*=?\s*)(?:"[^"]*"|'[^']*'|[^\s"']+)+|:\/\/[^/\s"']*@|\$\((?:[^()]|\([^()]*\))*\)/g;

/** The input of the program in front that makes words of it: `ls | xargs rm`. */
function givenAsWords(at: number, state: State): readonly Source[] {
  for (let before = at - 1; before >= 0 && at - before < FAR; before--) {
    const command = state.commands[before];
    if (takesWordsFromInput(command?.program?.text)) return command === undefined ? [] : inputOf(command, state);
  }
  return [];
}

/** Substitutions stand right before the command that they are for. */
const FAR = 32;

function toNetwork(told: Told, state: State): Flow[] {
  const command = state.commands[told.at];
  if (command === undefined) return [];
  const sources = distinct([
    ...pushed(told, state),
    ...(told.sendsReads ? told.reads.flatMap((path) => sourcesOf(path, state)) : []),
    ...(told.input === "sent" || told.input === "run" ? inputOf(command, state) : []),
    ...(told.input === "sent" && command.input.from === "nothing" ? givenTo(told.at, state) : []),
    ...(state.inserted[told.at] ?? []),
  ]);
  return sources
    .filter(({ from }) => from !== "network" && from !== "text")
    .map(({ from, path }) => ({ does: "flow", from, path, to: "network", command: told.at }));
}

/** What the line adds to a commit and pushes, and a whole history that goes to a place which the line itself has named. */
function pushed({ at, program, verb }: Told, { commands }: State): readonly Source[] {
  if (verb !== "push" || !isProgram("version-control", program)) return [];
  const before = commands.slice(0, at).filter((command) => command.program?.text === program);
  const added = before.flatMap(({ args, folder }) =>
    args[0]?.text === "add" ? args.slice(1).map((word) => pathFrom(folder, word)) : [],
  );
  const [, remote] = commands[at]?.args.filter(({ text }) => !text.startsWith("-")) ?? [];
  const isNewPlace = before.some(({ args }) => {
    const [part, how, name] = args.map(({ text }) => text);
    return (
      part === "remote" && (how === "set-url" || (how === "add" && name === remote?.text && !isUsualRemote(name ?? "")))
    );
  });
  const secrets = added.filter(({ text }) => isSecretFile(text)).map((path): Source => ({ from: "file", path }));
  return isNewPlace ? [...secrets, { from: "data", path: undefined }] : secrets;
}

/** What the command around `>(…)` hands to the one inside, which stands before it. */
function givenTo(at: number, state: State): readonly Source[] {
  if (state.commands[at]?.source === "") return [];
  const written = `>(${state.commands[at]?.source}`;
  for (let after = at + 1; after < Math.min(state.commands.length, at + FAR); after++)
    if (state.commands[after]?.source.includes(written)) return outputOf(after, state);
  return [];
}

function toShell(told: Told, state: State): Flow[] {
  const command = state.commands[told.at];
  const piped =
    command &&
    (told.input === "run" || told.input === "queried" || (command.takes !== undefined && told.scripts.length > 0))
      ? [...inputOf(command, state), ...givenTo(told.at, state), ...(state.inserted[told.at] ?? [])]
      : [];
  // What is printed, or was read into a variable, is itself the command: `$(curl …)`, `$line`.
  const named = told.program === GAP && /^"?[$`]/.test(command?.source ?? "") ? state.inserted[told.at] : undefined;
  const saved = [...told.scripts, ...taskFilesOf(told, state)].flatMap((script) => {
    const path = pathFrom(told.folder, script);
    return (state.written.get(path.text) ?? []).map(({ from }) => ({ from, path }));
  });
  const isQueried = told.input === "queried";
  // A dump comes from a database on another machine as often as not, and is packed; a page of the web is neither.
  if (isQueried && !state.commands.some(({ program }) => program && /^fetched/.test(outputKind(program.text) ?? "")))
    return [];
  const sources = distinct([...piped, ...(named ?? []), ...saved, ...decoded(told, state)]).filter(
    ({ from }) => from === "network" || (from === "text" && !isQueried),
  );
  if (sources.length === 0) return [...unpacked(told, state), ...documents(told, command, state)];
  addRoles(told, ["run-code"]);
  return sources.map(({ from, path }) => ({ does: "flow", from, path, to: "shell", command: told.at }));
}

/** The files that name what a runner of tasks runs, where the line has put something into one. */
function taskFilesOf({ program }: Told, { written }: State): readonly Word[] {
  if (written.size === 0) return [];
  return (programNamed(program)?.taskFiles ?? []).map((text) => ({ text, isKnown: true, isGlob: false }));
}

/** Hidden text that stands as code among the words of an interpreter: `bash -c "$(base64 -d …)"`. */
function decoded({ at, program, code, input }: Told, { inserted, commands }: State): readonly Source[] {
  const words = inserted[at];
  if (words === undefined || words.length === 0 || input === "run") return [];
  if (code === undefined && !isProgram("shell", program) && !isProgram("takes-code", program)) return [];
  return CODE_FROM_OUTPUT.test(commands[at]?.source ?? "") ? words.filter(({ from }) => from === "text") : [];
}

const CODE_FROM_OUTPUT = /(?:^|\s)(?:eval|-[a-zA-Z]*[ceErR]|--(?:eval|execute|command|run))[ =]\s*"?[$`]/;

/** What a file with keys held is printed from a copy, a variable or a link, where a program prints at all. */
function toTerminal(told: Told, output: readonly Source[], { commands }: State): Flow[] {
  const { at, program, reads } = told;
  const isPrinting = PRINTING.some((trait) => isProgram(trait, program));
  const command = commands[at];
  if (
    !isPrinting ||
    command === undefined ||
    printsRead(command) === false ||
    leavesNames(command) ||
    isCountingSearch(command)
  )
    return [];
  const taken = output.filter(
    ({ from, path }) =>
      from === "file" &&
      path !== undefined &&
      isSecretFile(path.text) &&
      (isProgram("prints-words", program) || !reads.some(({ text }) => text === path.text)),
  );
  // What comes by a pipe is told where it is read.
  if (taken.length === 0 || command.input.from === "commands" || !isShown(at, commands)) return [];
  return taken.map(({ path }) => ({ does: "flow", from: "file", path, to: "terminal", command: at }));
}

function isCountingSearch({ program, args }: SimpleCommand): boolean {
  return isProgram("text-search", program?.text ?? "") && isCounting(args);
}

const PRINTING = ["prints-files", "prints-words", "passes-text-on"] as const;

/** Notes and data that are run as if they were a script, and files of this machine that are run on another one. */
function documents(told: Told, command: SimpleCommand | undefined, state: State): Flow[] {
  const isAway = [told.program, ...(command?.via ?? [])].some((name) =>
    isProgram("remote-shell", name.split(" ", 1)[0] ?? ""),
  );
  if (!isAway && !isProgram("shell", told.program)) return [];
  const piped = told.input === "run" && command !== undefined ? inputOf(command, state) : [];
  const given = piped.flatMap(({ from, path }) => (from === "file" && path !== undefined ? [path] : []));
  const paths = isAway ? given : [...given, ...told.scripts.map((script) => pathFrom(told.folder, script))];
  return paths
    .filter(({ text }) => isAway || DOCUMENT.test(text))
    .map((path) => ({ does: "flow", from: "file", path, to: "shell", command: told.at }));
}

const DOCUMENT = /\.(?:md|mdx|txt|rst|adoc|json|csv|log|ya?ml|toml|html?|pdf|png|jpe?g)$/i;

/** Scripts that lie in a folder into which the line has unpacked something from the network, and projects that are built there. */
function unpacked(told: Told, state: State): Flow[] {
  if (state.trees.size === 0) return [];
  const { scripts, folder, at } = told;
  const fetched = [...state.trees].filter((tree) => state.written.get(tree)?.some(({ from }) => from === "network"));
  if (fetched.length === 0) return [];
  const run = scripts.map((script) => pathFrom(folder, script));
  const built = buildsProject(told) && isFromElsewhere(state, at) ? fetched : [];
  const places =
    built.length === 0 ? [] : [HERE, ...(state.commands[at]?.args ?? [])].map((word) => pathFrom(folder, word));
  const paths = [
    ...run.filter(({ text }) => fetched.some((tree) => isAtOrUnder(text, tree))),
    ...places.filter(({ text }) => built.some((tree) => isAtOrUnder(text, tree))).slice(0, 1),
  ];
  return paths.map((path) => ({ does: "flow", from: "network", path, to: "shell", command: at, isUnpacked: true }));
}

const HERE: Word = { text: ".", isKnown: true, isGlob: false };

/** Builds, installs or runs what the files of a folder say. */
function buildsProject({ program, roles }: Told): boolean {
  if (isProgram("version-control", program)) return false;
  return (
    roles.includes("package-install") ||
    isProgram("loads-unnamed", program) ||
    programNamed(program)?.taskFiles !== undefined
  );
}

/** Code from the hosts where most of it lives is built every day. */
function isFromElsewhere({ tolds }: State, before: number): boolean {
  return tolds.some(
    ({ at, effects, fetches, roles }) =>
      at < before &&
      fetches &&
      !roles.includes("package-install") &&
      effects.some((effect) => effect.does === "network" && effect.host && !isHosting(effect.host.text)),
  );
}

/** What came from the network or the environment and stays in a file. */
function toFile(told: Told, output: readonly Source[]): Flow[] {
  const from = new Set(output.map((source) => source.from).filter((one) => one === "network" || one === "environment"));
  if (told.fetches) from.add("network");
  return told.writes.flatMap((path) =>
    [...from].map((source): Flow => ({ does: "flow", from: source, path, to: "file", command: told.at })),
  );
}

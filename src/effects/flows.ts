import type { Effect } from "./effect.ts";
import { hasStrayKey, insertedKeys } from "./key-shapes.ts";
import { GAP, type Input, type SimpleCommand, type Word } from "./parse/command.ts";
import { hasSubstitution, isSubstitutedIn, variablesIn } from "./parse/insertions.ts";
import { isAtOrUnder, isStream, pathFrom, hostOf } from "./paths.ts";
import { addRoles, type RunReport } from "./programs/call.ts";
import { isHosting, isUsualRemote } from "./programs/git-remote.ts";
import { printsRead } from "./programs/prints-read.ts";
import { isProgram, outputKind, programNamed } from "./programs/program-name.ts";
import { isSecretFile } from "./programs/secret-files.ts";
import { isCounting, isShown, leavesNames } from "./shown-output.ts";
import { takesWordsFromInput } from "./substitution-sources.ts";

/** What commands pass to each other through pipes, substitutions, variables and files, if it leaves the line. */
export function flowsOf(commands: readonly SimpleCommand[], reports: readonly RunReport[]): Effect[] {
  const secret = reports.some(({ reads }) => reads.some(({ text }) => isSecretFile(text)));
  if (
    !secret &&
    !reports.some(
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
    reports,
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
  if (reports.some(({ program }) => isProgram("makes-pipes", program))) {
    for (const { at } of reports) outputOf(at, state);
    state.outputs.length = 0;
    state.inputs.clear();
  }
  for (const report of reports) {
    const output = outputOf(report.at, state);
    if (report.talks) effects.push(...toNetwork(report, state));
    if (
      report.input === "run" ||
      report.input === "queried" ||
      taskFilesOf(report, state).length > 0 ||
      report.scripts.length > 0 ||
      state.trees.size > 0 ||
      report.program === GAP ||
      state.inserted[report.at]?.length
    )
      effects.push(...toShell(report, state));
    if (report.writes.length > 0) effects.push(...toFile(report, output));
    if (secret && output.length > 0) effects.push(...toTerminal(report, output, state));
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
  readonly reports: readonly RunReport[];
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
  const [command, report, done] = [state.commands[at], state.reports[at], state.outputs[at]];
  if (done !== undefined || command === undefined || report === undefined) return done ?? [];
  state.outputs[at] = [];
  const words = insertedInto(at, state);
  state.inserted[at] = words;
  const input = report.input === "ignored" ? [] : inputOf(command, state);
  const all = distinct([...ownSources(report, state), ...words, ...input]);
  for (const { text } of report.writes) {
    state.written.set(text, distinct([...(state.written.get(text) ?? []), ...all]));
    if (all.length > 0) fillFolders(text, state.filled);
  }
  for (const effect of report.effects) if (effect.does === "write" && effect.isTree) state.trees.add(effect.path.text);
  if (command.program === undefined && words.length > 0)
    for (const name of Object.keys(command.assignments)) state.variables.set(name, words);
  if (isProgram("fills-variables", report.program))
    for (const name of filledBy(command)) state.variables.set(name, inputOf(command, state));
  const output = report.isSilent || leavesNames(command) ? words : all;
  state.outputs[at] = output;
  return output;
}

/** The variables that a command fills from its input; the shell's default ones if it names none. */
function filledBy({ args }: SimpleCommand): readonly string[] {
  return ["REPLY", "MAPFILE", ...args.map(({ text }) => text)];
}

/** Notes the folders above a path. */
function fillFolders(path: string, filled: Set<string>): void {
  for (
    let end = path.lastIndexOf("/"), turn = 0;
    end > 0 && turn < MAX_DEPTH;
    end = path.lastIndexOf("/", end - 1), turn++
  )
    filled.add(path.slice(0, end));
}

const MAX_DEPTH = 8;

function ownSources(report: RunReport, state: State): readonly Source[] {
  const own = report.reads.flatMap((path) => sourcesOf(path, state));
  if (report.fetches) own.push({ from: "network", path: undefined });
  if (report.gives !== undefined) own.push({ from: report.gives, path: undefined });
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

/** Each source once, and only as many as a person would read: stages of a pipe multiply what they pass on. */
function distinct(sources: readonly Source[]): readonly Source[] {
  if (sources.length < 2) return sources;
  const seen = new Set<string>();
  return sources.filter(({ from, path }) => {
    const key = `${from} ${path?.text}`;
    if (seen.has(key) || seen.size >= MAX_SOURCES) return false;
    seen.add(key);
    return true;
  });
}

const MAX_SOURCES = 64;

/** A file, and what this line has put into it. */
function sourcesOf(path: Word, { written, filled }: State): Source[] {
  const below: Source[] = [];
  // A folder carries what is in it.
  if (filled.has(path.text))
    for (const [key, sources] of written)
      if (key.length > path.text.length && isAtOrUnder(key, path.text)) below.push(...sources);
  const from = /^\/proc\/[^/]+\/environ$/.test(path.text) ? "environment" : "file";
  return [{ from, path }, ...(written.get(path.text) ?? []), ...below];
}

/** What the arguments of a command take from other commands: `$(…)`, `<(…)`, `$name`. */
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
  const report = state.reports[at];
  if (report !== undefined && (insertsKey(command.source) || (report.talks && sendsKey(command, report))))
    found.push(KEY_VARIABLE);
  return found;
}

/** A key in a header or in front of a host is for logging in; elsewhere it is sent like any other text. */
function insertsKey(source: string): boolean {
  return (
    source.includes("$") && insertedKeys(source).length > 0 && insertedKeys(source.replaceAll(LOGINS(), " ")).length > 0
  );
}

/** A literal key is sent to a host that it is not made for. */
function sendsKey({ source, args }: SimpleCommand, { effects }: RunReport): boolean {
  const hosts = effects.flatMap((effect) => (effect.does === "network" && effect.host ? [effect.host.text] : []));
  return hosts.length > 0 && hasStrayKey(`${source} ${args.map(({ text }) => text).join(" ")}`, hosts);
}

const KEY_VARIABLE: Source = { from: "variable", path: undefined };
const LOGINS = () =>
  /(?:^|\s)(?:-H|--header|-u|--user|--oauth2-bearer|--token|--password|-p|--auth-token|--api-key)(?:\s*=?\s*)(?:"[^"]*"|'[^']*'|[^\s"']+)+|:\/\/[^/\s"']*@|\$\((?:[^()]|\([^()]*\))*\)/g;

/** The input of the program before it that turns it into arguments: `ls | xargs rm`. */
function givenAsWords(at: number, state: State): readonly Source[] {
  for (let before = at - 1; before >= 0 && at - before < FAR; before--) {
    const command = state.commands[before];
    if (takesWordsFromInput(command?.program?.text)) return command === undefined ? [] : inputOf(command, state);
  }
  return [];
}

/** Substitutions are listed right before the command that they are for. */
const FAR = 32;

function toNetwork(report: RunReport, state: State): Flow[] {
  const command = state.commands[report.at];
  if (command === undefined) return [];
  const sources = distinct([
    ...pushed(report, state),
    ...(report.sendsReads ? report.reads.flatMap((path) => sourcesOf(path, state)) : []),
    ...(report.input === "sent" || report.input === "run" ? inputOf(command, state) : []),
    ...(report.input === "sent" && command.input.from === "nothing" ? givenTo(report.at, state) : []),
    ...(state.inserted[report.at] ?? []),
  ]);
  return sources
    .filter(({ from }) => from !== "network" && from !== "text")
    .map(({ from, path }) => ({ does: "flow", from, path, to: "network", command: report.at }));
}

/** What the line adds to a commit and pushes, and a whole history that goes to a place which the line itself has named. */
function pushed({ at, program, verb }: RunReport, { commands }: State): readonly Source[] {
  if (verb !== "push" || !isProgram("version-control", program)) return [];
  const before = commands.slice(0, at).filter((command) => command.program?.text === program);
  const added = before.flatMap(({ args, folder }) =>
    args[0]?.text === "add" ? args.slice(1).map((word) => pathFrom(folder, word)) : [],
  );
  const [, remote] = commands[at]?.args.filter(({ text }) => !text.startsWith("-")) ?? [];
  const isNewPlace = before.some(({ args }) => {
    const [part, how, name] = args.map(({ text }) => text);
    return (
      part === "remote" &&
      (how === "set-url" ||
        (how === "add" &&
          name === remote?.text &&
          !(name === "origin" || (isUsualRemote(name ?? "") && isHosting(hostOf(args[3])?.text ?? "")))))
    );
  });
  const secrets = added.filter(({ text }) => isSecretFile(text)).map((path): Source => ({ from: "file", path }));
  return isNewPlace ? [...secrets, { from: "data", path: undefined }] : secrets;
}

/** What the command around `>(…)` passes to the one inside, which is listed before it. */
function givenTo(at: number, state: State): readonly Source[] {
  if (state.commands[at]?.source === "") return [];
  const written = `>(${state.commands[at]?.source}`;
  for (let after = at + 1; after < Math.min(state.commands.length, at + FAR); after++)
    if (state.commands[after]?.source.includes(written)) return outputOf(after, state);
  return [];
}

function toShell(report: RunReport, state: State): Flow[] {
  const command = state.commands[report.at];
  const piped =
    command &&
    (report.input === "run" || report.input === "queried" || (command.takes !== undefined && report.scripts.length > 0))
      ? [...inputOf(command, state), ...givenTo(report.at, state), ...(state.inserted[report.at] ?? [])]
      : [];
  // What is printed, or was read into a variable, is itself the command: `$(curl …)`, `$line`.
  const named = report.program === GAP && /^"?[$`]/.test(command?.source ?? "") ? state.inserted[report.at] : undefined;
  const saved = [...report.scripts, ...taskFilesOf(report, state)].flatMap((script) => {
    const path = pathFrom(report.folder, script);
    return (state.written.get(path.text) ?? []).map(({ from }) => ({ from, path }));
  });
  const isQueried = report.input === "queried";
  // A dump comes from a database on another machine as often as not, and is packed; a page of the web is neither.
  if (isQueried && !state.commands.some(({ program }) => program && /^fetched/.test(outputKind(program.text) ?? "")))
    return [];
  const sources = distinct([...piped, ...(named ?? []), ...saved, ...decoded(report, state)]).filter(
    ({ from }) => from === "network" || (from === "text" && !isQueried),
  );
  if (sources.length === 0) return [...unpacked(report, state), ...documents(report, command, state)];
  addRoles(report, ["run-code"]);
  return sources.map(({ from, path }) => ({ does: "flow", from, path, to: "shell", command: report.at }));
}

/** The files that name what a task runner runs, if the line has written into one. */
function taskFilesOf({ program }: RunReport, { written }: State): readonly Word[] {
  if (written.size === 0) return [];
  return (programNamed(program)?.taskFiles ?? []).map((text) => ({ text, isKnown: true, isGlob: false }));
}

/** Encoded text that is passed as code to an interpreter: `bash -c "$(base64 -d …)"`. */
function decoded({ at, program, code, input }: RunReport, { inserted, commands }: State): readonly Source[] {
  const words = inserted[at];
  if (words === undefined || words.length === 0 || input === "run") return [];
  if (code === undefined && !isProgram("shell", program) && !isProgram("takes-code", program)) return [];
  return CODE_FROM_OUTPUT.test(commands[at]?.source ?? "") ? words.filter(({ from }) => from === "text") : [];
}

const CODE_FROM_OUTPUT = /(?:^|\s)(?:eval|-[a-zA-Z]*[ceErR]|--(?:eval|execute|command|run))[ =]\s*"?[$`]/;

/** The content of a file with keys is printed from a copy, a variable or a link, if the program prints at all. */
function toTerminal(report: RunReport, output: readonly Source[], { commands }: State): Flow[] {
  const { at, program, reads } = report;
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
  // What comes through a pipe is reported where it is read.
  if (taken.length === 0 || command.input.from === "commands" || !isShown(at, commands)) return [];
  return taken.map(({ path }) => ({ does: "flow", from: "file", path, to: "terminal", command: at }));
}

function isCountingSearch({ program, args }: SimpleCommand): boolean {
  return isProgram("text-search", program?.text ?? "") && isCounting(args);
}

const PRINTING = ["prints-files", "prints-words", "passes-text-on"] as const;

/** Notes and data that are run as if they were a script, and files of this machine that are run on another one. */
function documents(report: RunReport, command: SimpleCommand | undefined, state: State): Flow[] {
  const isAway = [report.program, ...(command?.via ?? [])].some((name) =>
    isProgram("remote-shell", name.split(" ", 1)[0] ?? ""),
  );
  if (!isAway && !isProgram("shell", report.program)) return [];
  const piped = report.input === "run" && command !== undefined ? inputOf(command, state) : [];
  const given = piped.flatMap(({ from, path }) => (from === "file" && path !== undefined ? [path] : []));
  const paths = isAway ? given : [...given, ...report.scripts.map((script) => pathFrom(report.folder, script))];
  return paths
    .filter(({ text }) => isAway || DOCUMENT.test(text))
    .map((path) => ({ does: "flow", from: "file", path, to: "shell", command: report.at }));
}

const DOCUMENT = /\.(?:md|mdx|txt|rst|adoc|json|csv|log|ya?ml|toml|html?|pdf|png|jpe?g)$/i;

/** Scripts that lie in a folder into which the line has unpacked something from the network, and projects that are built there. */
function unpacked(report: RunReport, state: State): Flow[] {
  if (state.trees.size === 0) return [];
  const { scripts, folder, at } = report;
  const fetched = [...state.trees].filter((tree) => state.written.get(tree)?.some(({ from }) => from === "network"));
  if (fetched.length === 0) return [];
  const run = scripts.map((script) => pathFrom(folder, script));
  const built = buildsProject(report) && isFromElsewhere(state, at) ? fetched : [];
  const places =
    built.length === 0 ? [] : [HERE, ...(state.commands[at]?.args ?? [])].map((word) => pathFrom(folder, word));
  const paths = [
    ...run.filter(({ text }) => fetched.some((tree) => isAtOrUnder(text, tree))),
    ...places.filter(({ text }) => built.some((tree) => isAtOrUnder(text, tree))).slice(0, 1),
  ];
  return paths.map((path) => ({ does: "flow", from: "network", path, to: "shell", command: at, isUnpacked: true }));
}

const HERE: Word = { text: ".", isKnown: true, isGlob: false };

/** Builds, installs or runs what the files of a folder define. */
function buildsProject({ program, roles }: RunReport): boolean {
  if (isProgram("version-control", program)) return false;
  return (
    roles.includes("package-install") ||
    isProgram("loads-unnamed", program) ||
    programNamed(program)?.taskFiles !== undefined
  );
}

/** Code from the hosts where most of it lives is built every day. */
function isFromElsewhere({ reports }: State, before: number): boolean {
  return reports.some(
    ({ at, effects, fetches, roles }) =>
      at < before &&
      fetches &&
      !roles.includes("package-install") &&
      effects.some((effect) => effect.does === "network" && effect.host && !isHosting(effect.host.text)),
  );
}

/** What came from the network or the environment and stays in a file. */
function toFile(report: RunReport, output: readonly Source[]): Flow[] {
  const from = new Set(output.map((source) => source.from).filter((one) => one === "network" || one === "environment"));
  if (report.fetches) from.add("network");
  return report.writes.flatMap((path) =>
    [...from].map((source): Flow => ({ does: "flow", from: source, path, to: "file", command: report.at })),
  );
}

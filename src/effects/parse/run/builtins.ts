import { outputOf } from "../../output/output.ts";
import { folderGoneTo, joinPath } from "../../paths.ts";
import { has } from "../../programs/call.ts";
import { readOptions } from "../../programs/options.ts";
import { GAP } from "../command.ts";
import { parseWord } from "../parse.ts";
import { owned } from "../shell-state.ts";
import { type Field, valueFrom } from "../value.ts";
import { lookUp } from "../variables.ts";
import { expander, expandToValue } from "../words/expand.ts";
import { DECLARING } from "./assignment.ts";
import { runInner } from "./inner.ts";
import { type Builtin, joined, type Outcome, reportParameters, UNCLEAR, WELL } from "./reader.ts";
import { READING } from "./reading-builtins.ts";

const leave: Builtin = (_, { shell }) => {
  shell.hasLeft = true;
  return UNCLEAR;
};

const changeFolder: Builtin = ({ name, args }, { shell }) => {
  const options = readOptions(args, "L P e @", "first");
  const [to] = options.operands;
  const before = shell.folder;
  if (name === "popd") shell.folder = shell.previousFolder;
  else if (to === undefined) {
    const home = lookUp(shell, "HOME");
    shell.folder = name === "cd" && home.is === "set" ? home.value.text : shell.folder;
  } else if (to.text === "-") shell.folder = shell.previousFolder;
  else if (to.isGlob || to.text.includes(GAP))
    shell.folder =
      to.text.startsWith("/") || to.text.startsWith(GAP)
        ? joinPath("/", to.text).replace(/^\/(?=\uFFFC)/, "")
        : joinPath(shell.folder, to.text);
  // A shell resolves `..` in the text of a path, unless an option changes that.
  else shell.folder = (has(options, "P") ? folderGoneTo : joinPath)(shell.folder, to.text);
  // No real folder is that deep.
  if (shell.folder.length > MAX_FOLDER_LENGTH) shell.folder = GAP;
  shell.previousFolder = before;
  return WELL;
};

const MAX_FOLDER_LENGTH = 512;

const evaluate: Builtin = ({ args, prepared }, frame, reader) => {
  const words = args[0]?.text === "--" ? args.slice(1) : args;
  if (words.length === 0) return WELL;
  return runInner({ runs: "shell", text: joined(words), via: "eval", isHere: true }, frame, reader, prepared.source);
};

const source: Builtin = ({ name, args, prepared }, frame, reader) => {
  const [path, ...rest] = args[0]?.text === "--" ? args.slice(1) : args;
  if (path === undefined) return UNCLEAR;
  return runInner({ runs: "file", path, via: name, args: rest, isHere: true }, frame, reader, prepared.source);
};

const execute: Builtin = ({ args, prepared }, frame, reader) => {
  const { operands } = readOptions(args, "a= c l", "first");
  if (operands.length > 0)
    return runInner({ runs: "words", words: operands, via: "exec", isProgram: true }, frame, reader, prepared.source);
  return WELL;
};

const pass: Builtin = ({ name, args, prepared }, frame, reader) => {
  const options = readOptions(args, "p v V", "first");
  const { operands } = options;
  if (has(options, "v", "V")) return located(operands);
  if (operands.length === 0) return WELL;
  return runInner({ runs: "words", words: operands, via: name, isProgram: true }, frame, reader, prepared.source);
};

/** The path of a program, as `command -v` and similar commands print it; whether it exists is not known. */
function located(operands: readonly Field[]): Outcome {
  const paths = operands.map(({ text }) => (text.includes("/") ? text : `/usr/bin/${text}`));
  return { stdout: paths.map((path) => `${path}\n`).join(""), ends: "unknown" };
}

const locate: Builtin = ({ args }) => {
  const options = readOptions(args, "a f p P t", "first");
  return has(options, "p", "P", "t") ? located(options.operands) : { stdout: GAP, ends: "unknown" };
};

const which: Builtin = ({ args }) => located(readOptions(args, "", "first").operands);

const setOptions: Builtin = ({ args, prepared }, frame, reader) => {
  const { shell } = frame;
  const at = args.findIndex(
    ({ text }, index) => text === "--" || (!/^[-+]/.test(text) && !/^[-+]o$/.test(args[index - 1]?.text ?? "")),
  );
  if (at < 0) return WELL;
  const words = args.slice(args[at]?.text === "--" ? at + 1 : at);
  reportParameters(words, prepared.source, frame, reader);
  shell.positional = words.map(valueFrom);
  return WELL;
};

const shift: Builtin = ({ args }, { shell }) => {
  const by = args[0] === undefined ? 1 : /^\d+$/.test(args[0].text) ? Number(args[0].text) : undefined;
  shell.positional = by === undefined ? undefined : shell.positional?.slice(by);
  return WELL;
};

const alias: Builtin = ({ args, prepared }, frame, reader) => {
  const { aliases } = owned(frame.shell);
  for (const { text } of args) {
    const equals = text.indexOf("=");
    if (equals > 0) aliases.set(text.slice(0, equals), text.slice(equals + 1));
  }
  for (const { name, value } of prepared.declared)
    if (value.type === "Word") aliases.set(name, expandToValue(value, frame, reader).text);
  return WELL;
};

/** `hash -p path name`: the name refers to another program from now on. */
const remember: Builtin = (call, frame, reader) => {
  const { given, operands } = readOptions(call.args, "p= d l r t", "first");
  const [path] = given.get("p") ?? [];
  for (const { text } of path === undefined ? [] : operands) owned(frame.shell).aliases.set(text, path?.text ?? "");
  return locate(call, frame, reader);
};

const trap: Builtin = ({ args }, { shell }) => {
  const [text, ...signals] = readOptions(args, "l p", "first").operands;
  if (text !== undefined && signals.length > 0 && text.text !== "-" && text.text !== "") shell.traps.push(text.text);
  return WELL;
};

const test: Builtin = ({ args }, frame, reader) => {
  for (const [index, arg] of args.entries())
    if (arg.text === "-v") expander(frame, reader).quoted(args[index + 1]?.text ?? "");
  return UNCLEAR;
};

const calculate: Builtin = ({ args }, frame, reader) => {
  for (const { text } of args) {
    const word = text.includes(GAP) ? undefined : parseWord(`$((${text}))`);
    if (word !== undefined) expandToValue(word, { ...frame, text: `: $((${text}))` }, reader);
  }
  return UNCLEAR;
};

const unalias: Builtin = () => WELL;

const printFolder: Builtin = (_, { shell }) => {
  const path = lookUp(shell, "PWD");
  return { stdout: path.is === "set" && path.value.isSure ? `${path.value.text}\n` : GAP, ends: "well" };
};

const jobs: Builtin = ({ name, args }, { shell, stdin }) => outputOf({ name, args, stdin, shell });

/** What the shell does itself, and what of that the reading follows. */
const ROWS: Readonly<Record<string, Builtin>> = {
  ...DECLARING,
  ...READING,
  cd: changeFolder,
  chdir: changeFolder,
  pushd: changeFolder,
  popd: changeFolder,
  pwd: printFolder,
  eval: evaluate,
  source,
  ".": source,
  exec: execute,
  command: pass,
  type: locate,
  hash: remember,
  which,
  builtin: pass,
  set: setOptions,
  shift,
  alias,
  unalias,
  trap,
  test,
  "[": test,
  let: calculate,
  exit: leave,
  return: leave,
  break: leave,
  continue: leave,
  wait: jobs,
};

/** What the shell does itself under that name. */
export function builtinNamed(name: string): Builtin | undefined {
  return BUILTINS.get(name);
}

/** A name is a piece of the line: a map finds it without making it a key of objects first. */
const BUILTINS: ReadonlyMap<string, Builtin> = new Map(Object.entries(ROWS));

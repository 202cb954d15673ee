import { oncePerObject } from "../../event/once.ts";
import type { CallEffects } from "../effect.ts";
import { insertedKeys, insertedNames, isKeyName } from "../key-shapes.ts";
import { anyTraitTest, isProgram } from "../programs/program-name.ts";
import { isSecretFile } from "../programs/secret-files.ts";
import { handsOn, isCounting, isShown, leavesNames, readersOf } from "../shown-output.ts";
import type { Run } from "./effect-index.ts";
import { codeShowsKey } from "./keys-in-code.ts";

type Command = CallEffects["commands"][number];

/** Whether a run shows a variable that by its name holds a key or a password, also cut up or encoded; what another program takes is not shown. */
export function printsKey({ program, command: at }: Run, { commands, place }: CallEffects): boolean {
  const command = commands[at];
  if (command === undefined) return false;
  const isTyped = command.input.from === "text" && !command.input.text.isKnown;
  if (!mayShow(program) && !isTyped && !command.source.includes("ENVIRON[") && !mayRunCode(command.program?.text ?? ""))
    return false;
  if (isProgram("lists-variables", program) && listsAll(command))
    return (
      looksForKey(at, commands) || ((holdsKeys(at, commands) || isShownWhole(at, commands)) && isShown(at, commands))
    );
  if (isProgram("shows-typed", program)) return looksForKey(at, commands);
  if (traces(command) === "on") return tracesKey(at, commands);
  if (isProgram("inserts-variables", program)) return fillsInKey(command, commands, place) && isShown(at, commands);
  if (command.source.includes("ENVIRON[")) {
    const [, named] = /ENVIRON\["(\w+)"/.exec(command.source) ?? [];
    if (named === undefined ? /\bin\s+ENVIRON\b/.test(command.source) : isKeyName(named)) return isShown(at, commands);
  }
  if (mayRunCode(program) && codeShowsKey(command)) return isShown(at, commands);
  if (isTyped && handsOn(command) && keysIn(at, commands).length > 0) return isShown(at, commands);
  if (!isProgram("prints-words", program)) return false;
  const isKey = isProgram("lists-variables", program)
    ? command.args.some(({ text }) => isKeyName(text))
    : keysIn(at, commands).length > 0;
  return (isKey || showsListed(command, commands)) && isShown(at, commands);
}

/** Whether a command lets the shell print every command before it runs it, or ends that. */
function traces({ program, args }: Command): "on" | "off" | undefined {
  const name = program?.text ?? "";
  if (!isProgram("sets-options", name) && !isProgram("shell", name)) return undefined;
  let option = "";
  for (const { text } of args) {
    const isNamed = text === "xtrace" && /^[-+][a-zA-Z]*o$/.test(option);
    if (isNamed || /^[-+][a-zA-Z]*x/.test(text)) return (isNamed ? option : text).startsWith("-") ? "on" : "off";
    if (!/^[-+][a-zA-Z]/.test(text) && !option.endsWith("o")) return undefined;
    option = text;
  }
  return undefined;
}

/** Whether a command with a key in it runs while the shell prints all of them. */
function tracesKey(at: number, commands: CallEffects["commands"]): boolean {
  const { via = [], program } = commands[at] ?? NO_COMMAND;
  const depth = via.length + (isProgram("shell", program?.text ?? "") ? 1 : 0);
  for (let next = at + 1; next < commands.length; next++) {
    const command = commands[next];
    if (command === undefined || command.via.length < depth || traces(command) !== undefined) return false;
    if (keysIn(next, commands).length > 0) return true;
  }
  return false;
}

/** `envsubst < file`: whether a text that comes in names a key, and it is not another variable that is asked for. */
function fillsInKey(
  { args, input }: Command,
  commands: CallEffects["commands"],
  { textAt }: CallEffects["place"],
): boolean {
  const asked = args.flatMap(({ text }) => insertedNames(text));
  if (asked.length > 0) return asked.some(isKeyName);
  if (input.from === "text") return insertedKeys(input.text.text).length > 0;
  const given = input.from === "commands" ? input.of.flatMap((giver) => commands[giver]?.args ?? []) : [];
  const files = input.from === "file" ? [input.path] : given.slice(0, MAX_FILES);
  return [...given.map(({ text }) => text), ...files.map(({ text }) => textAt?.(text) ?? "")].some(
    (text) => insertedKeys(text).length > 0,
  );
}

const MAX_FILES = 8;
const mayShow = anyTraitTest("lists-variables", "shows-typed", "prints-words", "inserts-variables", "shell");
const mayRunCode = anyTraitTest("runs-code");

/** Without arguments, and without an option that asks for something other than variables; every option of `set` sets something. */
function listsAll({ program, args }: Command): boolean {
  return (
    args.every(({ text }) => /^-(?:[gr]*[px][pxgr]*|0|-null)$/.test(text)) &&
    !(args.length > 0 && isProgram("sets-options", program?.text ?? ""))
  );
}

/** `${!name}` of names that were listed before. */
function showsListed({ source }: Command, commands: CallEffects["commands"]): boolean {
  if (!source.includes("${!")) return false;
  return commands.some(({ program, args }) => {
    const name = program?.text ?? "";
    return isProgram("lists-names", name)
      ? args.some(({ text }) => /^-(?:[ve]|A)$/.test(text))
      : isProgram("lists-variables", name);
  });
}

/** Whether what is listed is shown without a choice by its names: by itself, or by programs that pass all of it on. */
function isShownWhole(at: number, commands: CallEffects["commands"]): boolean {
  const readers = readersOf(at, commands);
  return readers.length === 0 || readers.some((reader) => !chooses(commands[reader]) && isShownWhole(reader, commands));
}

/** Whether a filter picks lines by their text. */
function chooses(command: Command | undefined): boolean {
  const { program, args } = command ?? NO_COMMAND;
  const words = args.map(({ text }) => text);
  if (isProgram("text-search", program?.text ?? "")) {
    const isInverted = words.some((word) => INVERTED.test(word));
    return words.some((word) => !word.startsWith("-") && (isInverted ? WANTED.test(word) : /\w{2}/.test(word)));
  }
  // A script with a pattern, `/NODE/p` or `$1 ~ "NODE"`.
  return isProgram("edits-in-place", program?.text ?? "")
    ? words.some((word) => /^-[a-zA-Z]*n/.test(word))
    : words.some((word) => /^\s*\/[^/]+\/\s*(?:[{,!&|]|$)|\$\d\s*[~=]/.test(word));
}

/** The variables with keys that a command, or the here-document that it is given, inserts; also those that took a key from another. */
function keysIn(at: number, commands: CallEffects["commands"]): readonly string[] {
  const { args, source, input } = commands[at] ?? NO_COMMAND;
  const typed = input?.from === "text" ? input.written : undefined;
  // A name in single quotes is not a variable, and one that the line itself has set holds what the line gives it.
  const isVariable = (name: string) =>
    !args.some(({ text }) => text.includes(`$${name}`) || text.includes(`\${${name}`)) &&
    (isCopiedKey(name, at, commands) || !isSetBefore(name, at, commands) || holdsKeys(at, commands));
  return insertedNames(typed === undefined ? source : `${source}\n${typed}`).filter(
    (name) => (isKeyName(name) || isCopiedKey(name, at, commands)) && isVariable(name),
  );
}

/** Whether the line has given the value of a variable with a key to another one, and nothing else since. */
function isCopiedKey(name: string, at: number, commands: CallEffects["commands"]): boolean {
  return (
    copiesIn(commands)
      .get(name)
      ?.findLast((one) => one.at < at)?.isKey === true
  );
}

const copiesIn = oncePerObject((commands: CallEffects["commands"]): Copies => {
  const found: Copies = new Map();
  for (const [at, { program, source }] of commands.entries()) {
    if (program !== undefined && !isProgram("lists-variables", program.text)) continue;
    for (const [, name = "", value = ""] of source.matchAll(SET())) {
      const taken = /\$\(|`/.test(value) ? [] : insertedNames(value.replaceAll(/'[^']*'/g, ""));
      const isKey = taken.some((one) => isKeyName(one) || found.get(one)?.at(-1)?.isKey === true);
      const known = found.get(name);
      if (known !== undefined) known.push({ at, isKey });
      else if (isKey) found.set(name, [{ at, isKey }]);
    }
  }
  return found;
});

/** Where a variable is set, and whether to that of a key. */
type Copies = Map<string, { readonly at: number; readonly isKey: boolean }[]>;
const SET = () => /(?:^|\s)(\w+)=((?:"[^"]*"|'[^']*'|[^\s"';])*)/g;

function isSetBefore(name: string, at: number, commands: CallEffects["commands"]): boolean {
  return commands.some(({ assignments }, before) => before <= at && assignments[name]?.isKnown === true);
}

const NO_COMMAND: Pick<Command, "args" | "source"> & Partial<Pick<Command, "program" | "input" | "via">> = {
  args: [],
  source: "",
};

/** The environment was filled from a file with keys before, or is that of a service. */
function holdsKeys(at: number, commands: CallEffects["commands"]): boolean {
  const around = commands[at]?.via.at(-1) ?? "";
  const isInService = ({ program, args }: Command) =>
    program?.text === around && args.some(({ text }) => /^(?:exec|ssh|run)$/.test(text));
  if (around !== "" && isProgram("holds-services", around) && commands.slice(0, at).some(isInService)) return true;
  return commands.some(
    ({ program, args }, before) => before < at && program !== undefined && args.some(({ text }) => isSecretFile(text)),
  );
}

/** Printing the whole environment does not show what is wanted; a search in it for keys does. */
function looksForKey(at: number, commands: CallEffects["commands"]): boolean {
  return readersOf(at, commands).some((reader) => {
    const { program, args } = commands[reader] ?? { args: [] };
    const command = commands[reader];
    if (command === undefined || !chooses(command) || leavesNames(command)) return false;
    if (
      isProgram("text-search", program?.text ?? "") &&
      (isCounting(args) || args.some(({ text }) => INVERTED.test(text)))
    )
      return false;
    const isWanted = args.some(({ text }) => !text.startsWith("-") && WANTED.test(text));
    return isWanted && isShown(reader, commands);
  });
}

/** Everything but what was looked for. */
const INVERTED = /^-[a-zA-Z]*v[a-zA-Z]*$|^--invert-match$/;
const WANTED = /SECRET|TOKEN|PASSW|PASSPHRASE|API_?KEY|CREDENTIAL|_KEY\b|\bKEY$/i;

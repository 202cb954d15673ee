import type { CallEffects } from "../effect.ts";
import { insertedKeys, isKeyName } from "../key-shapes.ts";
import { anyTraitTest, isProgram, outputKind } from "../programs/program-name.ts";
import { isSecretFile } from "../secret-files.ts";
import { isCounting, isShown, leavesNames, readersOf } from "../shown-output.ts";
import type { Run } from "./effect-index.ts";
import { codeShowsKey } from "./keys-in-code.ts";

type Command = CallEffects["commands"][number];

/** Whether a run shows a variable that by its name holds a key or a password, also cut up or encoded; what another program takes is not shown. */
export function printsKey({ program, command: at }: Run, { commands }: CallEffects): boolean {
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
  if (command.source.includes("ENVIRON[")) {
    const [, named] = /ENVIRON\["(\w+)"/.exec(command.source) ?? [];
    if (named === undefined ? /\bin\s+ENVIRON\b/.test(command.source) : isKeyName(named)) return isShown(at, commands);
  }
  if (mayRunCode(program) && codeShowsKey(command)) return isShown(at, commands);
  if (showsInput(command)) return isShown(at, commands);
  if (!isProgram("prints-words", program)) return false;
  const isKey = namesIn(at, commands).some(isKeyName) || showsListed(command, commands);
  return isKey && isShown(at, commands);
}

/** `cat <<< "$TOKEN"`: a text with a key in it is given to a program that prints what it reads. */
function showsInput({ program, input, source }: Command): boolean {
  if (input.from !== "text" || input.text.isKnown || outputKind(program?.text ?? "") !== "files") return false;
  return insertedKeys(source).length > 0;
}

const mayShow = anyTraitTest("lists-variables", "shows-typed", "prints-words");
const mayRunCode = anyTraitTest("runs-code");

/** Without words, and with no option that asks for something else than variables; of `set`, every option sets something. */
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

/** Whether what is listed is shown without a choice by its names: by itself, or by programs that hand all of it on. */
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

function namesIn(at: number, commands: CallEffects["commands"]): readonly string[] {
  const { program, args, source } = commands[at] ?? NO_COMMAND;
  if (isProgram("lists-variables", program?.text ?? "")) return args.map(({ text }) => text);
  // A name in single quotes is no variable, and one that the line itself has set holds what the line says.
  const isVariable = (name: string) =>
    !args.some(({ text }) => text.includes(`$${name}`) || text.includes(`\${${name}`)) &&
    (!isSetBefore(name, at, commands) || holdsKeys(at, commands));
  return insertedKeys(source).filter(isVariable);
}

function isSetBefore(name: string, at: number, commands: CallEffects["commands"]): boolean {
  return commands.some(({ assignments }, before) => before <= at && assignments[name]?.isKnown === true);
}

const NO_COMMAND: Pick<Command, "args" | "source"> & { readonly program?: Command["program"] } = {
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

/** The whole environment says nothing about what is wanted; a search in it for keys does. */
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
const WANTED = /SECRET|TOKEN|PASSW|PASSPHRASE|API_?KEY|CREDENTIAL|_KEY\b|^KEY$/i;

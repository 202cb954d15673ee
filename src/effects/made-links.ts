import { GAP, type SimpleCommand, type Word } from "./parse/command.ts";
import { nameOf, withoutLastSlash } from "./paths.ts";
import { readOptions } from "./programs/options.ts";
import { anyTraitTest, isProgram, programNamed } from "./programs/program-name.ts";
import { windowsCommands } from "./programs/windows-shells.ts";

/** A second way to a place, which a command of the line makes; whatever follows may go through it. */
export interface MadeLink {
  /** Its path, relative to where the line starts. */
  readonly name: string;
  /** Its path if a folder of that name exists already. */
  readonly inside: string | undefined;
  /** Where it leads, as it is written; with a `GAP` when only the run will know. */
  readonly to: string;
  /** Where a relative `to` begins: in the folder of the link, or where the line starts. */
  readonly from: "its folder" | "the start";
  /** Another name of the same file: to remove it removes nothing else. */
  readonly isHard: boolean;
  /** One link for each file that the pattern `to` names. */
  readonly isGlob: boolean;
  /** It needs no part that is known only at run time to be an option. */
  readonly isCertain: boolean;
  readonly command: number;
}

/** The links that the commands of a line make; none, without further work, for a line that runs no such program. */
export function linksMade(commands: readonly SimpleCommand[]): readonly MadeLink[] {
  let made: MadeLink[] | undefined;
  for (const [at, command] of commands.entries()) {
    if (command.program === undefined || !makesLinks(command.program.text)) continue;
    made ??= [];
    for (const link of linksOf(command, at)) made.push(link);
  }
  return made ?? NONE;
}

const makesLinks = anyTraitTest("makes-links", "makes-windows-links", "windows-shell");

function linksOf(command: SimpleCommand, at: number): readonly MadeLink[] {
  const program = command.program?.text ?? "";
  if (isProgram("makes-windows-links", program)) return linksForWindows(command, at);
  const inner = windowsCommands(nameOf(program), command);
  if (inner.length > 0) return inner.flatMap((one) => linksForWindows(one, at));
  const { args } = command;
  // A copy is a link only where an option says so, which a variable seldom is.
  const isCopy = programNamed(program)?.by === "copy";
  const written = linksBy(isCopy, args, command, at);
  if (!args.some(({ text }) => text === GAP)) return written;
  // What is known only at run time may be an option, or nothing at all.
  const symbolic = args.map((word) => (word.text === GAP ? { ...word, text: "-s" } : word));
  const without = args.filter(({ text }) => text !== GAP);
  const guessed = [symbolic, without].flatMap((words) => linksBy(isCopy, words, command, at));
  return [...written, ...guessed.map((link) => ({ ...link, isCertain: !isCopy || written.length > 0 }))];
}

function linksBy(isCopy: boolean, args: readonly Word[], command: SimpleCommand, at: number): readonly MadeLink[] {
  const { given, operands } = readOptions(args, OPTIONS);
  const isSymbolic = given.has("symbolic");
  if (isCopy && !isSymbolic && !given.has("link")) return NONE;
  const isRelated = given.has("relative") || given.has("r");
  const base: Origin = isSymbolic && !isCopy && !isRelated ? "its folder" : "the command";
  const folder = given.get("target-directory")?.at(-1);
  const target = folder ?? (operands.length > 1 ? operands.at(-1) : HERE);
  if (target === undefined) return NONE;
  const sources = folder === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
  const isInside = folder !== undefined || sources.length > 1 || target === HERE || ENDS_IN_FOLDER.test(target.text);
  const whole = fromStart(command.folder, target.text);
  return sources.flatMap((source) => {
    const own = given.has("parents") ? source.text : nameOf(source.text);
    const isNamed = own !== "" && own !== "." && own !== "..";
    const inside = isNamed ? fromStart(command.folder, `${withoutLastSlash(target.text)}/${own}`) : whole;
    const names = namesFor(
      whole,
      inside,
      isInside ? "t" : given.has("no-target-directory") ? "T" : given.has("n") ? "n" : "",
    );
    return leads(source, command, base).flatMap((lead) =>
      names.map((spelled) => ({ ...spelled, ...lead, isHard: !isSymbolic, isCertain: true, command: at })),
    );
  });
}

/** With `-n`, a link to a folder is replaced, and a folder is still a folder. */
function namesFor(
  whole: string,
  inside: string,
  how: "t" | "T" | "n" | "",
): readonly Pick<MadeLink, "name" | "inside">[] {
  const taking = { name: whole, inside: undefined };
  const within = { name: inside, inside: undefined };
  if (how === "") return [{ name: whole, inside }];
  return how === "t" ? [within] : how === "T" ? [taking] : [taking, within];
}

/** `mklink /D link target`, and `New-Item -ItemType SymbolicLink -Path link -Target target`. */
function linksForWindows(command: SimpleCommand, at: number): readonly MadeLink[] {
  const { program, args } = command;
  if (!isProgram("makes-windows-links", program?.text ?? "")) return NONE;
  const hasOptions = args.some(({ text }) => text.startsWith("-"));
  if (hasOptions && !args.some(({ text }) => LINK_ITEM.test(text))) return NONE;
  const plain = args.filter(({ text }) => !text.startsWith("/"));
  const after = (option: RegExp) => args[args.findIndex(({ text }) => option.test(text)) + 1];
  const [link, target] = hasOptions ? [after(/^-(?:path|name)$/i), after(/^-(?:target|value)$/i)] : plain;
  if (link === undefined || target === undefined) return NONE;
  const isHard = args.some(({ text }) => /^(?:\/h|hardlink)$/i.test(text));
  const forward = (word: Word): Word => ({ ...word, text: word.text.replaceAll("\\", "/") });
  const names = { name: fromStart(command.folder, forward(link).text), inside: undefined };
  return leads(forward(target), command, isHard ? "the command" : "its folder").map((lead) => ({
    ...names,
    ...lead,
    isHard,
    isCertain: true,
    command: at,
  }));
}

type Origin = "its folder" | "the command";

/**
 * A word that begins with the current folder is reported as seen from where the line starts. Other words that a variable has a
 * part in are likely what they look like, and may be something else.
 */
function leads(source: Word, { folder, source: line }: SimpleCommand, origin: Origin) {
  const { isGlob, isKnown } = source;
  const text = PRINTS_FOLDER.test(line) && source.text.startsWith(GAP) ? folder + source.text.slice(1) : source.text;
  const written =
    origin === "its folder"
      ? { to: text, from: "its folder" as const, isGlob }
      : { to: fromStart(folder, text), from: "the start" as const, isGlob };
  if (isKnown || text.includes(GAP)) return [written];
  const isHere = NAMES_FOLDER.test(line) && !CUTS_FOLDER.test(line);
  const other = { to: text, from: "the start" as const, isGlob };
  if (isGlob || isHere) return [written, other];
  return [written, other, { to: GAP, from: "the start" as const, isGlob }];
}

function fromStart(folder: string, path: string): string {
  const isFree = /^[/~]/.test(path) || path.startsWith(GAP) || folder === "" || folder === ".";
  return isFree ? path : `${folder}/${path}`;
}

const NONE: readonly never[] = [];
const HERE: Word = { text: ".", isKnown: true, isGlob: false };
const LINK_ITEM = /^(?:symboliclink|junction|hardlink)$/i;
const ENDS_IN_FOLDER = /(?:^|\/)\.{0,2}$/;
const NAMES_FOLDER = /\$PWD\b|\$\{PWD\}|\$\(\s*pwd\b|`\s*pwd\b|\$HOME\b|\$\{HOME\}/;
const CUTS_FOLDER = /\$\{\w+[^}\w]/;
const PRINTS_FOLDER = /\$\(\s*pwd\b[^)]*\)|`\s*pwd\b[^`]*`/;
const OPTIONS =
  "symbolic|symbolic-link|s link|l force|f target-directory|t= no-target-directory|T backup? b suffix|S= n|no-dereference|h relative r parents recursive|R archive|a";

import { byEachName } from "../event/each-name.ts";
import { GAP, type SimpleCommand } from "./parse/command.ts";
import { isProgram } from "./programs/program-name.ts";
import { takesWordsFromInput } from "./substitution-sources.ts";

/** A call of Sluice's own command, taken apart as the command itself would do it. */
export interface OwnCommand {
  readonly verb: string;
  /** The arguments after the verb that are neither options nor values of one. */
  readonly words: readonly string[];
  /** The options after the verb, without dashes and values. */
  readonly options: ReadonlySet<string>;
}

/** The calls of our own command that one command may come to: directly, or run by a package manager or by node. */
export function ownCommands({ program, args, via }: Pick<SimpleCommand, "program" | "args" | "via">): OwnCommand[] {
  const words = [program?.text ?? "", ...args.map(({ text }) => text)];
  // More arguments come from elsewhere.
  if (takesWordsFromInput(via.at(-1))) words.push(GAP);
  return ownCallsIn(words);
}

/** The same for arguments that are known to follow each other. */
export function ownCallsIn(words: readonly string[]): OwnCommand[] {
  const [first = ""] = words;
  const isRun = isRunner(first);
  return words.flatMap((word, at) => {
    if (!OURSELVES.test(nameOf(word)) || (at > 0 && !isRun)) return [];
    // A package manager keeps the options before `--` to itself.
    const isHandedOn = at === 0 || !isProgram("options-until-dashes", first) || words.slice(0, at).includes("--");
    return [readOwn(words.slice(at + 1), isHandedOn)];
  });
}

/** Whether a word names a program that runs another: `npx sluice`, `node dist/sluice.cjs`. */
export function isRunner(word: string): boolean {
  return VERBS.test(word) || isProgram("runs-package", word);
}

/** Whether such a call only shows something, and writes, approves or ends nothing. */
export function onlyShows(own: OwnCommand): boolean {
  if (own.options.has("help") || own.verb === "") return true;
  const looks = Object.hasOwn(LOOKING, own.verb) ? LOOKING[own.verb] : undefined;
  return looks?.(own) ?? false;
}

/** Whether only the run will know which verb it is. */
export function isUnclear(word: string): boolean {
  return word.includes(GAP) || /[*?[\]{}$`]/.test(word);
}

/** Whether a word is the name of our command, with or without the ending of a script. */
export function isOurName(word: string): boolean {
  return OURSELVES.test(nameOf(word));
}

function readOwn(all: readonly string[], countsOptions: boolean): OwnCommand {
  const [before, rest] = untilVerb(all);
  const [verb = "", ...args] = rest;
  const words: string[] = [];
  const options = new Set<string>();
  // Help is shown wherever it is asked for, even in the place of a value.
  if (countsOptions && (verb === "help" || [...before, ...args].some((word) => /^(?:--help|-h)$/.test(word))))
    options.add("help");
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") words.push(...args.slice(at + 1));
    if (word === "--") break;
    if (!word.startsWith("--")) words.push(word);
    else if (countsOptions) options.add(nameOfOption(word));
    const value = takesNext(word) && !SWITCHES[verb]?.has(nameOfOption(word)) ? (args[++at] ?? "") : "";
    // What is known only at run time may be several words.
    if (word.startsWith("--") && `${word}${value}`.includes(GAP)) words.push(GAP);
  }
  return { verb, words, options };
}

/** The options in front of the verb, and the rest. */
function untilVerb(words: readonly string[]): [readonly string[], readonly string[]] {
  let at = 0;
  while (at < words.length && (words[at] ?? "").startsWith("-")) at += takesNext(words[at] ?? "") ? 2 : 1;
  return [words.slice(0, at), words.slice(at)];
}

function takesNext(word: string): boolean {
  return word.startsWith("--") && !word.includes("=") && VALUE_OPTIONS.has(word.slice("--".length));
}

function nameOfOption(word: string): string {
  return word.slice("--".length).split("=", 1)[0] ?? "";
}

function nameOf(word: string): string {
  return word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
}

const always = () => true;
const withStatus = ({ options, words }: OwnCommand) => options.has("status") && !words.some(isUnclear);

/** Verbs that only show, and when they do. */
const LOOKING: Readonly<Record<string, (own: OwnCommand) => boolean>> = byEachName({
  approvals: ({ words }) => words.length === 0,
  bundle: ({ words: [word] }) => word === "verify",
  "check completion doctor events explain fleet help list log mcp packs stats trace version why": always,
  inside: ({ options }) => options.has("list") || options.has("show"),
  intents: ({ words: [word = "list"] }) => word === "list" || word === "show",
  "pause serve trust": withStatus,
  templates: ({ words: [word = "show"] }) => word === "show",
});

/** Options that are switches of one verb, and have a value with others. */
export const SWITCHES: Readonly<Record<string, ReadonlySet<string>>> = {
  trace: new Set(["html"]),
  undo: new Set(["last"]),
};

/** Options of any verb whose value may be the next word. */
export const VALUE_OPTIONS: ReadonlySet<string> = new Set(
  "accept action after against agent approve args background base constraint contain criterion data days expires export fallback for from hook html id key last make-tests moment name only out policy port project prompt protocol public reason replaces replay reporter ring root scope session shell since store template times to tool trust-hash until version width with words".split(
    " ",
  ),
);

const OURSELVES = /^sluice(?:\.(?:[cm]?js|cmd|exe|ps1))?(?:@.*)?$/i;
/** Words by which such programs are asked to run something. */
const VERBS = /^(?:exec|dlx|x|run|-)$/;

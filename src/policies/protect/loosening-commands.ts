import {
  type CallEffects,
  changesPrintedPath,
  type Effect,
  GAP,
  isOurName,
  isPackageManager,
  isProgram,
  isRunner,
  isUnclear,
  namesOf,
  type OwnCommand,
  ownCallsIn,
  ownCommands,
  type PathEffect,
  programNamed,
  type SimpleCommand,
} from "../../effects/index.ts";
import { endsSluice, signalsSluice } from "./ended-processes.ts";
import { isHarmless, OWN_VERBS } from "./own-verbs.ts";

/** Why a call would remove its own hooks by the programs that it runs; undefined if it would not. */
export function looseningCommand(call: CallEffects): string | undefined {
  const { commands } = call;
  const isSought = commands.some(({ source }) => isSeekingUs(source));
  const isChange = (effect: Effect) =>
    (isChanging(effect) && isSeekingUs(commands[effect.command]?.source ?? "")) || changesPrintedPath(effect, call);
  if (isSought && call.effects.some(isChange)) return "it changes the program of Sluice";
  for (const [index, command] of commands.entries()) {
    const words = wordsOf(command);
    const found = ownVerb(command) ?? loadedVerb(command) ?? endsUs(command, index, words, call);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same in code that cannot be read. */
export function verbInCode(text: string, call: Pick<CallEffects, "effects" | "commands">): string | undefined {
  const { effects } = call;
  if (signalsSluice(text, call)) return "it ends Sluice";
  const isCode = effects.some(
    (effect) => effect.does === "unknown" || (effect.does === "run" && effect.code !== undefined),
  );
  const [, verb] = (isCode ? VERB_BY_WORDS.exec(text) : undefined) ?? [];
  if (verb !== undefined) return `\`sluice ${verb}\` is for a person at a terminal`;
  const isUnread = (effect: Effect) => effect.does === "unknown" || (effect.does === "run" && effect.code === "unread");
  if (!effects.some(isUnread)) return undefined;
  for (const [name, tail = ""] of text.matchAll(CALL_IN_CODE)) {
    const [own] = ownCallsIn([name, ...tail.split(/['"\s,()[\]]+/).filter((word) => word !== "")]);
    const isVerb = own !== undefined && Object.hasOwn(OWN_VERBS, own.verb) && isNamedPart(own);
    if (isVerb && !isHarmless(own)) return personal(own);
  }
  return undefined;
}

/** Our own files under another name, or loaded as a module, with a verb for a person: `node -r dist/command.cjs -e 0 trust`. */
function loadedVerb(command: SimpleCommand): string | undefined {
  const words = wordsOf(command);
  const isCode = programNamed(words[0] ?? "")?.interpreter !== undefined;
  const isNamed = isCode && command.source.includes("sluice") && words.some((word) => LOADS_CODE.test(word));
  const isLoaded =
    isNamed ||
    words.some((word) => OWN_FILE.test(word)) ||
    (isUnknownProgram(command) && command.source.includes("slu"));
  const verb =
    isLoaded && !isProgram("shows-every-line", words[0] ?? "")
      ? (words.slice(1).find((word) => LOADED.has(word)) ??
        (isNamed ? QUOTED_VERB.exec(command.source)?.[1] : undefined))
      : undefined;
  return verb === undefined ? undefined : `\`sluice ${verb}\` is for a person at a terminal`;
}

/** Whether the program or script is only known at run time. */
function isUnknownProgram({ program, args }: SimpleCommand): boolean {
  const first = args.find(({ text }) => !text.startsWith("-"));
  return [program, first].some((word) => word !== undefined && (word.isGlob || !word.isKnown));
}

function personal({ verb, words }: OwnCommand): string {
  const part = isUnclear(verb) ? "…" : NAMED_WITH_WORD.has(verb) && words[0] ? `${verb} ${words[0]}` : verb;
  return `\`sluice ${part.replaceAll(GAP, "…")}\` is for a person at a terminal`;
}

/** Verbs of our own command that loosen something; they are for a person at a terminal. */
function ownVerb(command: SimpleCommand): string | undefined {
  const isDirect = isOurName(command.program?.text ?? "");
  const found = ownCommands(command).find((own) => {
    if (isUnclear(own.verb)) return true;
    // After a package manager, a name that is not a verb of ours belongs to another program.
    if (!isDirect && !Object.hasOwn(OWN_VERBS, own.verb)) return false;
    return !isHarmless(own) || (own.verb === "undo" && mayHaveTerminal(command));
  });
  return found && personal(found);
}

/** Whether a program in between may give the command a terminal, so that the command would take the agent for a person. */
function mayHaveTerminal({ via }: SimpleCommand): boolean {
  return via.some((one) => {
    const [name = ""] = one.split(" ");
    return !isProgram("shell", name) && !isRunner(name);
  });
}

/** Whether a text names a verb with one of its own arguments, and does not use the word for something else. */
function isNamedPart({ verb, words: [part = ""] }: OwnCommand): boolean {
  const parts = OWN_VERBS[verb]?.personalParts;
  return parts === undefined || parts.split(" ").includes(part);
}

function isChanging(effect: Effect): effect is PathEffect {
  return effect.does === "write" || effect.does === "delete";
}

/** Why a command ends, stops or unloads Sluice, or removes its package. */
function endsUs(
  command: SimpleCommand,
  at: number,
  [program = "", ...args]: readonly string[],
  call: CallEffects,
): string | undefined {
  const isRemover = isPackageManager(program) && args.some((word) => REMOVES.test(word));
  const isTakenOut =
    isPackageManager(program) && args.some((word) => /ependencies\.sluice$/.test(word)) && args.includes("delete");
  if (isTakenOut || (isRemover && args.some((word) => isOurName(word)))) return "it uninstalls Sluice";
  return endsSluice(command, at, call) ? "it ends Sluice" : undefined;
}

function wordsOf({ program, args }: SimpleCommand): string[] {
  return [program?.text ?? "", ...args.map(({ text }) => text)];
}

const LOADS_CODE = /^-(?:e|p|r|-eval|-print|-require|-import)/;
/** The same verbs as texts in code that loads our own files. */
const QUOTED_VERB = /['"`](trust|pause|uninstall|allow-once|disable)['"`]/;
/** Verbs that hardly any other program has. */
const LOADED: ReadonlySet<string> = new Set(["trust", "pause", "uninstall", "allow-once", "disable"]);
/** The files of our own package. */
const OWN_FILE = /^npm:sluice(?:@|$)|(?:^|[/\\'"(])sluice\/dist\/|(?:^|[/\\'"(])sluice\.cjs\b/;
/** The arguments of an approval, in code that builds the name of the program. */
const VERB_BY_WORDS = /\b(trust)\b['",\s]{1,6}(?:--yes|-y)\b/;
const NAMED_WITH_WORD: ReadonlySet<string> = new Set(["intents", "templates"]);
const CALL_IN_CODE = /\bsluice(?:\.[cm]?js)?(?=['"\s,]([^\n;|&]{0,400}))/g;
/** Whether a text looks up the path of our command. */
function isSeekingUs(text: string): boolean {
  if (!text.includes("sluice")) return false;
  seeksUs ??= new RegExp(
    String.raw`\b(?:${namesOf("finds-programs").join("|")}|command\s+-v|type\s+-\w+|hash\s+-t)\s+(?:-\S+\s+)*['"]?sluice\b`,
  );
  return seeksUs.test(text);
}

let seeksUs: RegExp | undefined;
const REMOVES = /^(?:uninstall|remove|rm|un|unlink|r|purge)$/;

import {
  type CallEffects,
  type CommandRun,
  changesPrintedPath,
  type Effect,
  GAP,
  isOpaque,
  isOurName,
  isPackageManager,
  isPathChange,
  isProgram,
  isRunner,
  isUnclear,
  namesOf,
  type OwnCommand,
  ownCallsIn,
  ownCommands,
  runsOf,
} from "../../effects/index.ts";
import { once } from "../../event/once.ts";
import { endsSluice, signalsSluice } from "./ended-processes.ts";
import { isHarmless, OWN_VERBS } from "./own-verbs.ts";

/** Why a call would remove its own hooks by the programs that it runs; undefined if it would not. */
export function looseningCommand(call: CallEffects): string | undefined {
  const { commands } = call;
  const isSought = commands.some(({ source }) => isSeekingUs(source));
  const isChange = (effect: Effect) =>
    (isPathChange(effect) && isSeekingUs(commands[effect.command]?.source ?? "")) || changesPrintedPath(effect, call);
  if (isSought && call.effects.some(isChange)) return "it changes the program of Sluice";
  for (const run of runsOf(call)) {
    const found = ownVerb(run) ?? loadedVerb(run) ?? (uninstalls(run) ? "it uninstalls Sluice" : undefined);
    if (found !== undefined) return found;
    if (endsSluice(run, call)) return "it ends Sluice";
  }
  return undefined;
}

/** The same in code that cannot be read. */
export function verbInCode(text: string, call: Pick<CallEffects, "effects" | "commands">): string | undefined {
  const { effects } = call;
  if (signalsSluice(text, call)) return "it ends Sluice";
  const [, verb] = (effects.some(isOpaque) ? VERB_BY_WORDS.exec(text) : undefined) ?? [];
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
function loadedVerb(run: CommandRun): string | undefined {
  const { words, args, row, command } = run;
  const { source } = command;
  const isNamed =
    row?.interpreter !== undefined && source.includes("sluice") && args.some((word) => LOADS_CODE.test(word));
  const isLoaded =
    isNamed || words.some((word) => OWN_FILE.test(word)) || (isUnknownProgram(run) && source.includes("slu"));
  if (!isLoaded || run.is("shows-every-line")) return undefined;
  const verb =
    args.find((word, at) => LOADED.has(word) || (word === "run" && OWN_FILE.test(words[at] ?? ""))) ??
    (isNamed ? QUOTED_VERB.exec(source)?.[1] : undefined);
  return verb && `\`sluice ${verb}\` is for a person at a terminal`;
}

/** Whether the program or script is only known at run time. */
function isUnknownProgram({ command: { program, args } }: CommandRun): boolean {
  const first = args.find(({ text }) => !text.startsWith("-"));
  return [program, first].some((word) => word !== undefined && (word.isGlob || !word.isKnown));
}

function personal({ verb, words }: OwnCommand): string {
  const part = isUnclear(verb) ? "…" : NAMED_WITH_WORD.has(verb) && words[0] ? `${verb} ${words[0]}` : verb;
  const hooks = verb === "run" ? ", and for the hooks of an agent" : "";
  return `\`sluice ${part.replaceAll(GAP, "…")}\` is for a person at a terminal${hooks}`;
}

/** Verbs of our own command that loosen something; they are for a person at a terminal. */
function ownVerb(run: CommandRun): string | undefined {
  const found = ownCommands(run.command).find((own) => {
    if (isUnclear(own.verb)) return true;
    // After a package manager, a name that is not a verb of ours belongs to another program.
    if (!isOurName(run.name) && !Object.hasOwn(OWN_VERBS, own.verb)) return false;
    return !isHarmless(own) || (own.verb === "undo" && mayHaveTerminal(run));
  });
  return found && personal(found);
}

/** Whether a program in between may give the command a terminal, so that the command would take the agent for a person. */
function mayHaveTerminal({ command: { via } }: CommandRun): boolean {
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

/** Whether a package manager removes our package. */
function uninstalls({ name, args }: CommandRun): boolean {
  if (!isPackageManager(name)) return false;
  const isTakenOut = args.includes("delete") && args.some((word) => /ependencies\.sluice$/.test(word));
  return isTakenOut || (args.some((word) => REMOVES.test(word)) && args.some(isOurName));
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
  return text.includes("sluice") && SEEKS_US().test(text);
}

const SEEKS_US = once(() => {
  const finders = [
    ...namesOf("finds-programs"),
    String.raw`command\s+-v`,
    String.raw`type\s+-\w+`,
    String.raw`hash\s+-t`,
  ];
  return new RegExp(String.raw`\b(?:${finders.join("|")})\s+(?:-\S+\s+)*['"]?sluice\b`);
});
const REMOVES = /^(?:uninstall|remove|rm|un|unlink|r|purge)$/;

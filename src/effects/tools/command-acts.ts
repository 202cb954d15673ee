import type { Effect, Role } from "../effect.ts";
import { effectsOf } from "../effects-by-command.ts";
import type { SimpleCommand, Word } from "../parse/command.ts";
import { nameOf } from "../paths.ts";
import { isAway } from "../programs/away.ts";
import { anyTraitTest, canonicalProgram, programNamed } from "../programs/program-name.ts";
import { namesProduction } from "../programs/targets.ts";
import { isSql, sqlActs } from "../sql/sql.ts";
import { serviceAct } from "./service-acts.ts";
import { type CalledTool, leavesOf, type ToolAct, wordsOf } from "./tool-call.ts";
import { LOOKS, REMOVES, STOPS, verbOf, words } from "./verbs.ts";

/**
 * What a program does at a service, by its verbs and options, as a tool of that name would: a program without a row of its own, a command
 * of an application, a task or a script. What runs on another machine, or names production, changes what others use.
 */
export function commandActs(
  command: SimpleCommand,
  commands: readonly SimpleCommand[],
  known: readonly Effect[],
): readonly ToolAct[] {
  const asked = askedOf(command, () => rolesOf(commands.indexOf(command), known));
  if (asked === undefined || command.args.some(({ text }) => REHEARSES.test(text))) return NO_ACTS;
  const isLive =
    namesProduction(command, commands) || isAway(command, commands) || command.args.some(({ text }) => LIVE.test(text));
  const flags = isLive ? command.args.flatMap(({ text }) => /^--([a-z][a-z-]*)$/.exec(text)?.[1] ?? []) : [];
  const name = [...asked.verbs, ...flags.filter((flag) => ACTING_FLAGS.has(flag))].flatMap(wordsOf);
  if (isLive && asked.verbs.some((verb) => ENTERS_CODE.has(verb)) && CHANGES_DATA.test(codeOf(command)))
    return [{ kind: "data-loss", text: [asked.name, ...asked.verbs].join(" ") }];
  if (isLive && command.args.some(({ text }) => isSql(text) && sqlActs(text).length > 0))
    return [{ kind: "data-loss", text: asked.name }];
  if (name.some((word) => SHOWS.has(word))) return NO_ACTS;
  // `monitor mute`: a noun here is a verb elsewhere.
  const acting = name.filter((word) => !LOOKS.has(word));
  // The verb follows its noun in most programs, and some nouns are verbs: `order delete`, `post update`.
  const verb =
    acting.findLast((word) => REMOVES.has(word)) ??
    acting.findLast((word) => STOPS.has(word) || CHANGES_LIVE.has(word)) ??
    verbOf(acting);
  if (verb === undefined) return NO_ACTS;
  const ordered = [verb, ...acting.filter((word) => word !== verb)];
  if (asked.name === "stripe" && !isLive) return NO_ACTS;
  const isForced = isLive || STRONG.has(verb) || command.args.some(({ text }) => FORCES.test(text));
  const input = { ...inputOf(command.args), ...(isLive && { environment: "production" }) };
  const call: CalledTool = {
    tool: asked.name,
    words: ordered,
    server: [
      ...wordsOf(asked.name),
      ...(command.args.some(({ text }) => PASSWORD.test(text)) ? ["password"] : []),
      ...name.filter((word) => LOOKS.has(word)),
    ],
    isMcp: false,
    input,
    leaves: leavesOf(input),
  };
  const found = serviceAct({ name: ordered, call });
  const kind =
    found ??
    (isLive && (CHANGES_LIVE.has(verb) || STOPS.has(verb) || REMOVES.has(verb))
      ? "outage"
      : isForced && !asked.isLocal && REMOVES.has(verb)
        ? "resource-loss"
        : undefined);
  if (kind === undefined || (!isLive && asked.isLocal) || (!isForced && NEEDS_FORCE.has(kind))) return NO_ACTS;
  return [{ kind, text: [asked.name, ...asked.verbs].join(" ") }];
}

interface Asked {
  readonly name: string;
  /** Its verbs, or the names of a task or a script. */
  readonly verbs: readonly string[];
  /** Without another sign, it acts on this machine and on what is for development. */
  readonly isLocal: boolean;
}

/** What the row of a program reports about a command already. */
function rolesOf(at: number, known: readonly Effect[]): readonly Role[] {
  return effectsOf(at, { effects: known }).flatMap((effect) => (effect.does === "run" ? effect.roles : []));
}

function askedOf({ program, args }: SimpleCommand, reported: () => readonly Role[]): Asked | undefined {
  const written = program?.text ?? "";
  if (written === "" || args.length > MAX_ARGS) return undefined;
  const row = programNamed(written);
  const name = row === undefined ? nameOf(written) : canonicalProgram(written);
  const operands = operandsIn(args);
  if (row === undefined) {
    const ofName = wordsOf(name).filter((word) => REMOVES.has(word) || NAMES.has(word));
    return { name, verbs: [...ofName, ...operands], isLocal: written.includes("/") };
  }
  if (APPLICATIONS.has(name)) return { name, verbs: operands, isLocal: true };
  if (row.taskFiles !== undefined)
    return args.some(({ text }) => text === "-n")
      ? undefined
      : { name, verbs: operands.filter((text) => !RUNS.has(text)), isLocal: true };
  if (row.interpreter === undefined) {
    if (operands.length === 0 || isOfTexts(written)) return undefined;
    const roles = reported();
    // A row that reports no more than a change, and one that does not know the verb.
    if (roles.includes("cloud") && row.verbs === undefined && !roles.some((role) => KNOWN_ROLES.has(role)))
      return { name, verbs: operands, isLocal: false };
    return roles.length === 0
      ? { name, verbs: operands, isLocal: !operands.flatMap(wordsOf).some((word) => STRONG.has(word)) }
      : undefined;
  }
  const at = args.findIndex(({ text }) => SCRIPT.test(text));
  const script = args[at]?.text;
  if (script === undefined) return undefined;
  const rest = operandsIn(args.slice(at + 1));
  return { name: nameOf(script), verbs: ENTRIES.test(script) ? rest : [nameOf(script), ...rest], isLocal: true };
}

/** Programs whose arguments are texts, names of files or another program, and no verbs. */
const isOfTexts = anyTraitTest(
  "takes-text",
  "text-search",
  "prints-words",
  "prints-files",
  "file-finder",
  "version-control",
  "passes-text-on",
  "shell",
  "remote-shell",
  "any-host",
  "looks-at-files",
  "edits-in-place",
);

/** The code that a command of an application is given, also by its input. */
function codeOf({ args, input, source }: SimpleCommand): string {
  return [...args.map(({ text }) => text), input.from === "text" ? input.text.text : "", source]
    .join("\n")
    .slice(0, MAX_CODE);
}

/** The first words that may be verbs, without options. */
function operandsIn(args: readonly Word[]): string[] {
  const found: string[] = [];
  for (const { text } of args) {
    if (text.startsWith("-") || text.startsWith("@") || text.includes("=")) continue;
    if (!VERB.test(text) || found.length === MAX_VERBS) break;
    found.push(text);
  }
  return found;
}

/** The options of a command with their values, as the input of a tool has them. */
function inputOf(args: readonly Word[]): Readonly<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const [at, { text }] of args.entries()) {
    const [, name, value] = /^--?([\w-]{1,60})(?:=(.*))?$/s.exec(text) ?? [];
    if (name === undefined) continue;
    const next = args[at + 1]?.text ?? "-";
    if (/^(?:a|A|all)$/.test(name) && (value ?? next).startsWith("-")) input.all = true;
    input[name] = value ?? (next.startsWith("-") ? true : next);
  }
  return input;
}

const NO_ACTS: readonly ToolAct[] = [];
const MAX_ARGS = 200;
const MAX_VERBS = 4;
const VERB = /^[A-Za-z][\w:-]{0,80}$/;
const SCRIPT = /^[\w~./-]+$/;
/** Verbs that are part of the names of programs. */
const NAMES = words("deploy sync publish");
const RUNS = words("run exec tool rake run-script");
/** Programs of applications, whose verbs are those of the application. */
const APPLICATIONS = words("artisan rails rake flask wp drush console symfony django-admin manage.py");
const ENTRIES = /(?:^|\/)(?:manage\.py|artisan|console|occ|spark|wp-cli\.phar)$/;
/** Verbs of which one is enough for nothing to change. */
const SHOWS = words(
  "can list get show describe view status help version info log whoami diff ls ps top cat assemble compile bundle lint build test plan preview validate check",
);
/** What changes something in production besides what stops or removes. */
const CHANGES_LIVE = words(
  "deploy release publish rollback migrate seed reset push send sync promote restart scale update upgrade create set change edit grant revoke rotate import load execute trigger apply down up flush clear activate enable disable run generate transfer unlock replace remind charge notify invite mail",
);
const ENTERS_CODE = words("tinker shell runner shell_plus eval console dbshell r c");
/** Code that changes rows, logins or money through the models of an application. */
const CHANGES_DATA =
  /\b(?:forceDelete|delete\w*|destroy\w*|truncate|update\w*|save!?|create!?|set_password|charge|refund|deliver\w*|send\w*)\b\s*[(;!]?/;
const MAX_CODE = 10_000;
/** Verbs that no program has for something small. */
const STRONG = words(
  "nuke destroy revoke terminate unpublish yank wipe decommission deregister obliterate deprovision",
);
const KNOWN_ROLES = words("recoverable work-loss outage message payment publish");
const NEEDS_FORCE = words("resource-loss data-loss");
const REHEARSES = /^--?(?:dry[-_]?run|what-?if|help|h|check|simulate|preview|diff)(?:=true)?$/i;
const PASSWORD = /^-{0,2}(?:user[_-]?pass(?:word)?|password|new-password|passwd)(?:=|$)/i;
const ACTING_FLAGS = words(
  "send delete remove purge destroy alter deploy publish reset restore drop wipe execute apply",
);
const LIVE = /^--(?:live|prod)$/;
const FORCES =
  /^(?:-y|-f|--?(?:yes|force\w*|all|no-?dry-?run|skip[-_]confirm\w*|no-?confirm|do-?not-?confirm|auto-?approve|assume-?yes|live|prod(?:uction)?|purge|permanent\w*|cascade|no-?interacti\w+|non-?interactive|no-?input))(?:=true)?$/i;

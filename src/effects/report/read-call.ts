import type { EventFacts } from "../../event/field.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { shellPath } from "../../pattern/path.ts";
import { readingEffects, toolEffects } from "../call-effects.ts";
import { commandLineOf } from "../command-line.ts";
import type { CallEffects } from "../effect.ts";
import type { Lookups, SimpleCommand, Word } from "../parse/command.ts";
import type { CallReport, ReportedCommand, ReportedEffect, UnknownPart } from "./call-report.ts";
import { type FileSystemView, lookupsIn } from "./file-system-view.ts";
import { readable } from "./path-target.ts";
import { reportedEffects } from "./report-effects.ts";
import { SHELL_NAMES, type ShellName, shellOfTool } from "./shell-names.ts";
import { toolDrafts } from "./tool-effects.ts";
import { readWindowsLine } from "./windows-reading.ts";

/** What is known about the place of a call. Without options the report follows from the text alone. */
export interface ReadOptions {
  /** The folder in which the call starts; relative paths are relative to it. */
  readonly cwd?: string | undefined;
  /** The home folder of the user, for `~`; `env.HOME` if it is left out. */
  readonly home?: string | undefined;
  /** The variables whose values are known. The environment of the process is not read. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The shell for which a command line is written. */
  readonly shell?: ShellName | undefined;
  /** Where scripts, tasks and symbolic links are looked up; nothing is looked up without it. */
  readonly files?: FileSystemView | undefined;
}

/** Reads what a command line does, without running it. */
export function readCommand(line: string, options: ReadOptions = {}): CallReport {
  if (typeof line !== "string") throw new TypeError(`readCommand reads a string, not ${kindOf(line)}.`);
  checkShell(options);
  return reportOf(eventOf(SHELL_TOOL, { command: line }, options), options);
}

/** Reads what a call of a tool does: a shell, a tool for files, a tool of an MCP server. */
export function readToolCall(name: string, args: unknown, options: ReadOptions = {}): CallReport {
  if (typeof name !== "string") throw new TypeError(`readToolCall reads the name of a tool, not ${kindOf(name)}.`);
  checkShell(options);
  return reportOf(eventOf(name, args, options), options);
}

/** The name of a tool that is given a command line. */
const SHELL_TOOL = "shell";

function checkShell({ shell = "bash" }: ReadOptions): void {
  if (!SHELL_NAMES.includes(shell))
    throw new TypeError(`"${String(shell)}" is not a shell that can be read: use ${SHELL_NAMES.join(", ")}.`);
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
}

function eventOf(toolName: string, args: unknown, { cwd }: ReadOptions): EventFacts {
  const data = { tool_args: args };
  return { type: "tool:pre_execute", timestamp: 0, data, toolName, sessionId: undefined, cwd, agent: undefined };
}

function reportOf(event: EventFacts, options: ReadOptions): CallReport {
  const act = effectsIn(event, options);
  const effects = reportedEffects(act, event);
  const isQuery = act.commands.length === 0 && toolDrafts(event, act).isQuery;
  return {
    commands: act.commands.map(reportedCommand),
    effects,
    unknown: unknownParts(act, effects, event),
    readOnly: (isQuery || act.readOnly) && effects.every(isHarmless),
  };
}

function effectsIn(event: EventFacts, options: ReadOptions): CallEffects {
  const { shell = shellOfTool(event.toolName), cwd, files } = options;
  const env = definedIn(options.env);
  const home = shellPath(options.home ?? env.HOME);
  const inherited = { HOME: () => home, TMPDIR: () => shellPath(env.TMPDIR) };
  const lookups: Lookups = { ...(files && lookupsIn(files, { cwd, home })), inherited, variables: env };
  const lookupsFor = () => lookups;
  const line = shell === "bash" || !isOfKind(event.toolName ?? "", "@shell") ? undefined : commandLineOf(event);
  if (line === undefined || shell === "bash") return toolEffects(event, lookupsFor);
  return readingEffects(event, readWindowsLine(line, shell, env), lookups);
}

function definedIn(env: ReadOptions["env"] = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Whether an effect leaves everything as it is, here and elsewhere. */
function isHarmless(effect: ReportedEffect): boolean {
  return effect.does === "read" || effect.does === "fetch" || (effect.does === "run" && effect.of === "program");
}

function reportedCommand(command: SimpleCommand): ReportedCommand {
  const { program, args, source, folder, via, assignments, redirects, input } = command;
  const named = program === undefined ? {} : { program: textOf(program) };
  return {
    ...named,
    args: args.map(textOf),
    text: readable(source),
    folder: readable(folder),
    via,
    variables: Object.fromEntries(Object.entries(assignments).map(([name, value]) => [name, textOf(value)])),
    redirects: redirects.map(({ way, target }) => ({ way, path: textOf(target) })),
    readsFrom: input.from === "commands" ? input.of : [],
  };
}

function textOf({ text }: Word): string {
  return readable(text);
}

/** The command in a phrase of the engine: ``what `npm test` changes``. */
function commandIn(what: string): string {
  return /^what `([\s\S]*)` changes$/.exec(what)?.[1] ?? what;
}

function unknownParts(
  act: CallEffects,
  effects: readonly ReportedEffect[],
  { toolName = "" }: EventFacts,
): UnknownPart[] {
  const found: UnknownPart[] = [];
  for (const effect of act.effects)
    if (effect.does === "unknown") found.push({ why: effect.doubt.why, what: readable(effect.doubt.what) });
  const isTool = act.commands.length === 0;
  // The effects of a tool that is not described are the files that it may write.
  const isDescribed = isTool && effects.some((effect) => effect.of !== "path");
  for (const what of isDescribed ? [] : act.unknown)
    found.push({ why: isTool ? "unknown tool" : "unknown changes", what: isTool ? toolName : commandIn(what) });
  for (const { command, text, ...target } of effects)
    if (Object.values(target).some((value) => typeof value === "string" && value.includes("…")))
      found.push({ why: "unknown value", what: readable(act.commands[command ?? -1]?.source ?? text) });
  const keys = found.map((part) => `${part.why} ${part.what}`);
  return found.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
}

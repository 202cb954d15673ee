import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ContainSettings } from "../../config/contain-settings.ts";
import {
  type CallEffects,
  callEffects,
  canonicalProgram,
  commandLineOf,
  GAP,
  onlyShows,
  ownCallsIn,
  programNamed,
  type SimpleCommand,
} from "../../effects/index.ts";
import type { HookEvent } from "../../event/event.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { foldersAbove } from "../../fs/resolve-path.ts";
import { compileConditionText } from "../../rule/hook-rules.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { gitFolderOutside } from "./box-layout.ts";

/** Why a call is to run in a box, and whether what it changes is known before. */
export interface BoxNeed {
  readonly command: string;
  readonly why: string;
  readonly isUnknown: boolean;
  /** What the line runs, as far as it is known: each command with its first arguments. */
  readonly commands: readonly (readonly string[])[];
}

/** Whether a call runs in a box, by the settings; undefined if it runs as it is. */
export async function boxNeed(event: HookEvent, settings: ContainSettings): Promise<BoxNeed | undefined> {
  if (event.type !== "tool:pre_execute" || !isOfKind(event.toolName ?? "", "@shell")) return undefined;
  const command = commandLineOf(event);
  const call = command === undefined ? undefined : callEffects(event, diskLookups);
  if (command === undefined || command.trim() === "" || call === undefined) return undefined;
  const unknown = unknownPart(call) ?? codeOfGit(call, event.cwd);
  if (unknown === undefined && settings.mode === "unknown") return undefined;
  if (await isExempt(event, call, settings.exempt)) return undefined;
  const why = unknown === undefined ? "every shell call runs contained here" : `${unknown} is not known before it runs`;
  return { command, why, isUnknown: unknown !== undefined, commands: wordsIn(command, call) };
}

function wordsIn(line: string, { commands }: CallEffects): string[][] {
  return commands.flatMap(({ program, args, source }) => {
    // What a script runs is not in the line, and no agent would have judged it.
    if (!line.includes(source)) return [];
    const words = [program?.text ?? "", ...args.map(({ text }) => text)];
    const unknown = words.findIndex((word) => word.includes(GAP) || word === "");
    const known = unknown === -1 ? words : words.slice(0, unknown);
    return known.length === 0 ? [] : [known];
  });
}

/** What about a call is not known from reading it, in a few words. */
function unknownPart(call: CallEffects): string | undefined {
  const stranger = call.commands.find((command) => isStranger(command) && !isOwnLook(command));
  if (stranger !== undefined) return `what \`${shown(stranger)}\` does`;
  const [unknown] = call.unknown;
  if (unknown !== undefined) return unknown;
  for (const effect of call.effects) {
    if (effect.does === "unknown") return `what the line does (${effect.doubt.why}: ${effect.doubt.what})`;
    if (effect.does !== "run") continue;
    if (effect.code === "unread") return `what the code of \`${effect.program}\` does`;
    if (effect.roles.includes("run-code")) return `what the code that \`${effect.program}\` loads does`;
    if (effect.roles.includes("package-install")) return `what the packages of \`${effect.program}\` run`;
  }
  return undefined;
}

/** Hooks and filters that git runs in a repository, if a line uses git there. */
function codeOfGit({ commands }: CallEffects, cwd: string | undefined): string | undefined {
  if (cwd === undefined || !commands.some(({ program }) => GIT.test(program?.text ?? ""))) return undefined;
  const folder = [cwd, ...foldersAbove(cwd)].map((one) => join(one, ".git")).find((one) => existsSync(one));
  if (folder === undefined) return undefined;
  const common = gitFolderOutside(dirname(folder)) ?? folder;
  const hooks = join(common, "hooks");
  const hasHooks = existsSync(hooks) && readdirSync(hooks).some((name) => !name.endsWith(".sample"));
  const config = join(common, "config");
  if (!hasHooks && !(existsSync(config) && RUNS.test(readRegularText(config)))) return undefined;
  return "what the hooks and filters of this repository do";
}

/** A program that no row describes, one whose name only the run will know, and one that only has the name of a known program. */
function isStranger({ program }: SimpleCommand): boolean {
  const { text = "" } = program ?? {};
  if (text === "" || SHELL_WORDS.has(text)) return false;
  const isElsewhere = text.includes("/") && !INSTALLED.test(text);
  return isElsewhere || programNamed(text) === undefined;
}

/** Our own command by its plain name, which only shows something; a box has nothing that it could show. */
function isOwnLook({ program, args }: SimpleCommand): boolean {
  return program?.text === "sluice" && ownCallsIn(["sluice", ...args.map(({ text }) => text)]).every(onlyShows);
}

function shown({ source }: SimpleCommand): string {
  const text = source.replaceAll(GAP, "…");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Whether each program of the call is exempt, or one of the conditions holds. */
async function isExempt(event: HookEvent, call: CallEffects, exempt: readonly string[]): Promise<boolean> {
  if (exempt.length === 0) return false;
  const names = new Set(exempt.filter(isProgramName));
  const programs = call.commands.flatMap(({ program }) => program?.text ?? []);
  const isNamed = (program: string) => [program, canonicalProgram(program)].some((one) => names.has(one));
  if (programs.length > 0 && programs.every(isNamed)) return true;
  for (const condition of exempt) {
    if (isProgramName(condition)) continue;
    const { evaluate, problems } = await compileConditionText(condition, diskLookups);
    if (problems.length === 0 && evaluate(event)?.action === "deny") return true;
  }
  return false;
}

/** What is written in `exempt` is the name of a program, or else the condition of a rule. */
function isProgramName(text: string): boolean {
  return /^[\w@.+/-]+$/.test(text);
}

const GIT = /(?:^|\/)git$/;
/** Settings of git that name a program. */
const RUNS = /^\s*(?:clean|smudge|driver|textconv)\s*=|^\s*(?:process|hooksPath|fsmonitor|external|sshCommand)\s*=/im;
/** Folders of programs that the system or its user has installed. */
const INSTALLED =
  /^\/(?:usr|s?bin|opt|System|Library|Applications|home\/linuxbrew|nix\/store|var\/lib)\/(?!.*\/\.\.\/)/;
/** Words of the shell itself, which start no program. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  ": . [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait".split(
    " ",
  ),
);
const LONGEST = 60;

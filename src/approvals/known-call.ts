import { isAbsolute } from "node:path";
import type { Decision } from "../decision/decision.ts";
import { STRICTNESS } from "../decision/result.ts";
import { toolEffects } from "../effects/call-effects.ts";
import { isShellCall } from "../effects/command-line.ts";
import type { CallEffects, Effect, PathEffect } from "../effects/effect.ts";
import { isByOwnScript } from "../effects/labels/file-effect-labels.ts";
import { resolvedPath } from "../effects/paths.ts";
import { isProgram } from "../effects/programs/program-name.ts";
import { isSecretFile } from "../effects/programs/secret-files.ts";
import type { HookEvent } from "../event/event.ts";
import { dataField } from "../event/field.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import { isWithin, realPath } from "../fs/resolve-path.ts";
import { diskLookups } from "../runners/disk-lookups.ts";

/** Where a call happens, and whether undo has kept all that it destroys. */
interface KnownContext {
  readonly root: string;
  readonly isKept: boolean;
}

/**
 * Whether a call may be approved without a question: nothing objects to it, every effect of every part is known, and it only
 * reads in the project and in places without secrets, or deletes in the project what undo has kept.
 */
export function isKnownCall(decision: Decision, context: KnownContext): boolean {
  const { event, action, input, output, results } = decision;
  if (event.type !== "tool:pre_execute" || action !== "continue" || input !== undefined || output !== undefined)
    return false;
  const isQuiet = results.every(
    ({ failure, wouldBe }) => failure === undefined && (wouldBe === undefined || STRICTNESS[wouldBe] < STRICTNESS.ask),
  );
  return isQuiet && whyUnknown(event, context) === undefined;
}

/** Why a call is not one that may be approved without a question; undefined if it is. */
export function whyUnknown(event: HookEvent, { root, isKept }: KnownContext): string | undefined {
  const isShell = isShellCall(event);
  if (!isShell && !isOfKind(event.toolName ?? "", "@read"))
    return "it is neither a command nor a tool that reads files";
  const call = toolEffects(event, diskLookups);
  if (isShell && call.commands.length === 0) return "it runs no program that is known";
  if (!isShell && call.effects.length === 0) return looksAround(event) ? undefined : "what it does is not known";
  if (call.effects.length > MAX_EFFECTS) return "it does too much to look at";
  const cwd = event.cwd ?? root;
  const destroys = call.effects.some(({ does }) => does === "delete");
  if (destroys && !isKept) return "it destroys what undo has not kept";
  if (!call.readOnly && !destroys) return "it changes something";
  if (call.unknown.length > 0) return "a part of it is not known";
  for (const command of call.commands) {
    const why = whyOddCommand(command);
    if (why !== undefined) return why;
  }
  for (const effect of call.effects) {
    const why = whyOddEffect(effect, call, { root, isKept, cwd });
    if (why !== undefined) return why;
  }
  return undefined;
}

/** A tool that lists or searches the files of a folder, by a pattern and perhaps a path in the project. */
function looksAround(event: HookEvent): boolean {
  const args = Object.values(Object(dataField(event, "tool_args"))).filter((value) => typeof value === "string");
  return args.length > 0 && !args.some((text) => /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(text) || isSecretFile(text));
}

function whyOddCommand({ program, assignments, via, args }: CallEffects["commands"][number]): string | undefined {
  if (program === undefined || !program.isKnown || program.isGlob) return "which program it runs is not known";
  if (Object.keys(assignments).length > 0) return "it sets a variable for a program";
  const name = program.text;
  if (name.includes("/") && !OF_SYSTEM.test(name)) return "its program is not one of the system";
  if (via.length > 0) return "another program runs it";
  if (SHOWS_VARIABLES.some((trait) => isProgram(trait, name))) return "it shows variables, which may hold keys";
  // A variable that is inserted may hold anything, also a key.
  return args.some(({ isKnown, isGlob }) => !isKnown && !isGlob) ? "one of its arguments is not known" : undefined;
}

function whyOddEffect(
  effect: Effect,
  call: CallEffects,
  at: KnownContext & { readonly cwd: string },
): string | undefined {
  switch (effect.does) {
    case "read":
      return whyOddRead(effect, at);
    case "delete":
      return whyOddDelete(effect, call, at);
    case "run":
      if (effect.code === "read" || effect.code === "unread") return "it runs code";
      return effect.roles.some((role) => role !== "delete" || !at.isKept) ? `it ${effect.roles.join(", ")}` : undefined;
    case "write":
      return STREAMS.has(effect.path.text) ? undefined : "it writes";
    case "network":
      return "it uses the network";
    case "flow":
      return effect.to === "terminal" && effect.from === "file" ? undefined : "data flows elsewhere";
    case "unknown":
      return "a part of it is not known";
  }
}

function whyOddRead(
  { path }: PathEffect,
  { root, cwd }: { readonly root: string; readonly cwd: string },
): string | undefined {
  if (!path.isKnown && !path.isGlob) return "what it reads is not known";
  const lexical = resolvedPath(cwd, path.text);
  if (!isAbsolute(lexical)) return "what it reads is not known";
  const fixed = path.isGlob ? lexical.slice(0, lexical.search(/[*?[{]/) >>> 0).replace(/[^/]*$/, "") : lexical;
  const real = realPath(fixed === "" ? "/" : fixed);
  for (const one of [fixed, real]) {
    if (!isWithin(root, one) && !isWithin(realPath(root), one) && !KNOWN.test(one))
      return `it reads ${one}, outside of the project`;
    if (isSecretFile(one) || isSecretFile(lexical)) return "it reads what may hold secrets";
  }
  return undefined;
}

function whyOddDelete(
  effect: PathEffect,
  call: CallEffects,
  { root, cwd }: KnownContext & { readonly cwd: string },
): string | undefined {
  const { path } = effect;
  if (!path.isKnown || path.isGlob || isByOwnScript(effect, call)) return "what it destroys is not known";
  const real = realPath(root);
  const whole = realPath(resolvedPath(cwd, path.text));
  if (whole === real || !isWithin(real, whole)) return "it destroys something outside of the project";
  return SETTINGS.test(whole.slice(real.length)) ? "it destroys settings" : undefined;
}

const SHOWS_VARIABLES = ["lists-variables", "inserts-variables", "fills-variables", "shows-typed"] as const;
const OF_SYSTEM = /^\/(?:usr\/)?(?:local\/)?s?bin\/[^/]+$/;
/** Places of the system that hold programs and their documentation, and what programs of the system print about themselves. */
const KNOWN =
  /^\/(?:usr|bin|lib|lib64|sbin)(?:\/|$)|^\/etc\/(?:os-release|debian_version|lsb-release|hostname|hosts|timezone|shells)$|^\/proc\/(?:cpuinfo|meminfo|version|uptime|loadavg)$|^\/dev\/(?:null|stdin|zero)$/;
const STREAMS: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);
const SETTINGS = /\/\.(?:git|sluice|github|gitlab|husky|vscode|idea|claude|codex|cursor|gemini)(?:\/|$)/;
const MAX_EFFECTS = 2000;

import type { Code } from "../../decision/result.ts";
import type { HookEvent } from "../../event/event.ts";
import { realPath } from "../../fs/resolve-path.ts";
import type { StateHome } from "../../fs/state-dir.ts";
import { errorText } from "../../problem/problem.ts";
import { boundIntent } from "./binding.ts";
import { callChanges } from "./call-changes.ts";
import { checkScope, type Violation } from "./check-scope.ts";
import { type IntentCall, intentCall, selectedId } from "./handshake.ts";
import type { Intent } from "./intent.ts";
import { type IntentsFile, knownIntents, readIntents } from "./intents-file.ts";
import { activeHint, contextOf, selectIn } from "./select.ts";
import type { CallChanges } from "./written-path.ts";

/** What intents have to say about a call. */
export type IntentVerdict =
  | { readonly kind: "passes" }
  /** The session selects an intent, and is told about it. */
  | { readonly kind: "selects"; readonly intent: Intent; readonly context: string }
  /** A person has to approve. */
  | { readonly kind: "asks"; readonly code: Code; readonly reason: string }
  | { readonly kind: "refuses"; readonly code: Code; readonly reason: string };

/** What is known about a call besides itself. */
export interface GateOptions extends StateHome {
  readonly root: string;
  /** What the configuration says about acts whose effect is unknown. */
  readonly onUnknown: "allow" | "ask" | "deny";
  /** A person can be asked. */
  readonly canAsk: boolean;
  /** The user's own hooks approve the call. */
  readonly approved: boolean;
}

/** Decides about one call; whatever breaks on the way refuses. */
export function gate(event: HookEvent, options: GateOptions): IntentVerdict {
  try {
    const call = intentCall(event);
    return call === undefined ? judge(event, options) : answer(call, event, options);
  } catch (error) {
    return refuses("HOOK_ERROR", `the check of intents broke: ${errorText(error)}`);
  }
}

/** Our own tools change nothing that intents are about; one of them selects. */
function answer(call: IntentCall, event: HookEvent, options: GateOptions): IntentVerdict {
  if (call.tool !== "select_active_intent") return PASSES;
  const file = readIntents(options.root);
  if (file.state !== "read") return unusable(file, "the project");
  const selection = selectIn(file, selectedId(call));
  if (selection.kind === "refused") return refuses("INTENT_REQUIRED", selection.why);
  const { intent } = selection;
  return { kind: "selects", intent, context: contextOf(options.root, intent, event, options) };
}

function judge(event: HookEvent, options: GateOptions): IntentVerdict {
  const changes = callChanges(event);
  if (!changes.isMutating) return PASSES;
  const { root } = options;
  const real = realPath(root);
  const found = workingOn(event, options, real, actOf(changes));
  if ("kind" in found) return isTolerated(changes, options) ? PASSES : found;
  const { intent } = found;
  const home = (options.env ?? process.env).HOME;
  const { violations, unknowns } = checkScope(changes, intent, { root, real, cwd: event.cwd, home });
  if (violations.length > 0) return refuses("SCOPE_VIOLATION", outside(intent, violations));
  const doubt = unclear(intent, [...changes.unknowns, ...unknowns], options);
  const loss = lost(changes.losses, options);
  if (doubt?.kind !== "asks" || loss?.kind !== "asks") return doubt ?? loss ?? PASSES;
  return { ...doubt, reason: `${doubt.reason} ${loss.reason}` };
}

/** The intent that the session works on, or why it works on none. */
function workingOn(
  event: HookEvent,
  options: GateOptions,
  real: string,
  act: string,
): { readonly intent: Intent } | IntentVerdict {
  const file = knownIntents(options.root);
  if (file.state !== "read") return unusable(file, `${act}, and the project`);
  const bound = boundIntent(options.root, event, options, real);
  if (bound === undefined)
    return refuses("INTENT_REQUIRED", `${act}, and the session has selected no intent. ${activeHint(file)}`);
  const selection = selectIn(file, bound);
  return selection.kind === "refused" ? refuses("INTENT_REQUIRED", selection.why) : { intent: selection.intent };
}

/** What makes a call need an intent. */
function actOf({ paths, losses, unknowns }: CallChanges): string {
  if (paths.length > 0) return "this changes files";
  if (losses.length > 0) return `this destroys what does not come back (${some(losses)})`;
  return unknowns.length > 0
    ? `it is unknown what this changes (${some(unknowns)})`
    : "this changes something besides files of the project";
}

/** Nothing is known to change, and the configuration lets unknown effects pass. */
function isTolerated({ paths, losses, unknowns }: CallChanges, { onUnknown }: GateOptions): boolean {
  return paths.length + losses.length === 0 && unknowns.length > 0 && onUnknown === "allow";
}

/** An unknown effect follows the stricter of the intent's word and the configuration's. */
function unclear(intent: Intent, unknowns: readonly string[], options: GateOptions): IntentVerdict | undefined {
  if (unknowns.length === 0) return undefined;
  const { onUnknown, canAsk, approved } = options;
  const rule = RUNGS[Math.max(RUNGS.indexOf(onUnknown), RUNGS.indexOf(intent.onUnknown ?? "allow"))] ?? "deny";
  if (rule === "allow" || (rule === "ask" && approved)) return undefined;
  const reason = `it is unknown whether this stays in the scope of ${intent.id}: ${some(unknowns)}. ${scopeText(intent)}`;
  return rule === "ask" && canAsk ? asks("SCOPE_VIOLATION", reason) : refuses("SCOPE_VIOLATION", reason);
}

function lost(losses: readonly string[], { canAsk, approved }: GateOptions): IntentVerdict | undefined {
  if (losses.length === 0 || approved) return undefined;
  const reason = `what this destroys does not come back: ${some(losses)}. A person has to approve it.`;
  const code = "DESTRUCTIVE_BLOCKED";
  return canAsk ? asks(code, reason) : refuses(code, reason);
}

function unusable(file: Exclude<IntentsFile, { state: "read" }>, subject: string): IntentVerdict {
  if (file.state === "corrupt")
    return refuses("HOOK_ERROR", `${file.problem.place?.file ?? file.path}: ${file.problem.message}`);
  return refuses(
    "INTENT_REQUIRED",
    `${subject} has no intents: ${file.path} is not there. A person declares one with \`sluice intents new\`.`,
  );
}

function outside(intent: Intent, violations: readonly Violation[]): string {
  const told = [...new Set(violations.map(({ path, why }) => `${visible(path)} (${visible(why)})`))];
  const named = told.slice(0, MAX_NAMED);
  const more = told.length > named.length ? ` and ${told.length - named.length} more` : "";
  const ask = "Stay inside, or call request_scope with the paths and the reason; a person adds them with";
  const add = `\`sluice intents scope add ${intent.id} <path>\``;
  return `intent ${intent.id} does not own ${named.join(", ")}${more}. ${scopeText(intent)} ${ask} ${add}.`;
}

function scopeText({ id, ownedScope }: Intent): string {
  return ownedScope.length === 0
    ? `${id} owns nothing.`
    : `${id} owns: ${ownedScope.slice(0, 12).join(", ")}${ownedScope.length > 12 ? ", …" : ""}.`;
}

function some(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_NAMED).map((text) => (text.length > 120 ? `${text.slice(0, 119)}…` : text));
  return shown.join("; ") + (texts.length > shown.length ? ` and ${texts.length - shown.length} more` : "");
}

/** A text in one line, with invisible characters written out. */
function visible(text: string): string {
  return text.replace(HIDDEN, (sign) => (sign === "\n" ? "\\n" : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`));
}

function asks(code: Code, reason: string): IntentVerdict {
  return { kind: "asks", code, reason: `${code}: ${reason}` };
}

function refuses(code: Code, reason: string): IntentVerdict {
  return { kind: "refuses", code, reason: `${code}: ${reason}` };
}

const PASSES: IntentVerdict = { kind: "passes" };
const RUNGS = ["allow", "ask", "deny"] as const;
const MAX_NAMED = 5;
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

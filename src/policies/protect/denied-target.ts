import type { Decision } from "../../decision/decision.ts";
import { type CallEffects, type Effect, GAP, isPathEffect, type PathEffect } from "../../effects/index.ts";
import type { HookEvent } from "../../event/event.ts";
import { rootOfEvent } from "../../event/field.ts";
import { oncePerObject } from "../../event/once.ts";
import { type EntryCache, resolvePath } from "../../fs/resolve-path.ts";
import { absolutePath } from "./written-protected-paths.ts";

/** The target of a denied call. */
export interface DeniedTarget {
  readonly path: string;
  readonly does: "read" | "write" | "delete";
  /** The tool, or its programs, beginning with those that start the others. */
  readonly way: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Milliseconds for which a denial is remembered. */
export const MEMORY_MS = 60_000;

/**
 * The path that a denial was about, if there is only one: a call with several targets, or one that connects to other machines,
 * may have been denied for another reason.
 */
export function deniedTarget(
  { event, reasons, results }: Decision,
  call: CallEffects | undefined,
  now: number,
): DeniedTarget | undefined {
  const denying = results.filter(({ action }) => action === "deny");
  const isOpinion = denying.some(({ failure, code }) => failure === undefined && (code ?? PLAIN) === PLAIN);
  if (call === undefined || !isOpinion) return undefined;
  if (call.effects.some(({ does }) => does === "network" || does === "flow" || does === "unknown")) return undefined;
  const touches = call.effects.filter(isPathEffect);
  const changes = touches.filter(({ does }) => does !== "read");
  const wanted = changes.length > 0 ? changes : touches;
  const [touch, ...others] = wanted;
  const links: EntryCache = new Map();
  if (touch === undefined) return undefined;
  const path = pathOf(touch, call, links);
  // A call may name tens of thousands of paths, so the search ends at the second one.
  if (path === undefined || others.some((other) => pathOf(other, call, links) !== path)) return undefined;
  const does = wanted.some((one) => one.does === "write") ? "write" : touch.does;
  // Formatters, editors and build tools receive the project's folder as well, so it is not a target.
  const root = rootOfEvent(event) ?? event.cwd;
  if (does === "write" && root !== undefined && resolvePath(root).path === path) return undefined;
  return { path, does, way: wayOf(touch, call, event), reason: reasons.join("; ").slice(0, MAX_REASON), at: now };
}

/** The resolved path of an effect; undefined if it is only known at run time. */
export function pathOf({ path }: PathEffect, call: CallEffects, cache: EntryCache = new Map()): string | undefined {
  if (path.isGlob || path.text.includes(GAP)) return undefined;
  const whole = absolutePath(path.text, call);
  return whole === undefined ? undefined : resolvePath(whole, { cache }).path;
}

/** How a call reaches a path: the programs that looked it up or run code, and the program itself; the tool if there is none. */
export function wayOf({ program, command, path }: PathEffect, call: CallEffects, { toolName = "" }: HookEvent): string {
  if (program === "") return toolName;
  const { byCode, byPath } = startersOf(call.effects);
  const before = [...byCode, ...(byPath.get(path.text) ?? [])].filter(([, first]) => first < command);
  const starters = before.sort(([, one], [, other]) => one - other).map(([name]) => name);
  return [...new Set(starters), program].join(" ");
}

/** The first command of each program that runs code, and of each program that reads a path. */
interface Starters {
  readonly byCode: Map<string, number>;
  readonly byPath: Map<string, Map<string, number>>;
}

/** Computed once for a line, which may name thousands of paths. */
const startersOf = oncePerObject((effects: readonly Effect[]): Starters => {
  const found: Starters = { byCode: new Map(), byPath: new Map() };
  const note = (firsts: Map<string, number>, program: string, command: number) =>
    firsts.set(program, Math.min(firsts.get(program) ?? command, command));
  for (const effect of effects) {
    if (effect.does === "run" && effect.code !== undefined) note(found.byCode, effect.program, effect.command);
    if (effect.does !== "read") continue;
    const firsts = found.byPath.get(effect.path.text) ?? new Map<string, number>();
    found.byPath.set(effect.path.text, firsts);
    note(firsts, effect.program, effect.command);
  }
  return found;
});

const PLAIN = "DESTRUCTIVE_BLOCKED";
const MAX_REASON = 160;

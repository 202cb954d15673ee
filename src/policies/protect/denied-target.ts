import type { Decision } from "../../decision/decision.ts";
import type { CallEffects, Effect } from "../../effects/effect.ts";
import { GAP } from "../../effects/parse/command.ts";
import type { HookEvent } from "../../event/event.ts";
import { rootOfEvent } from "../../event/field.ts";
import { type EntryCache, resolvePath } from "../../fs/resolve-path.ts";
import { absolutePath } from "./written-protected-paths.ts";

/** What a denied call was after. */
export interface DeniedTarget {
  readonly path: string;
  readonly does: "read" | "write" | "delete";
  /** The tool, or the program behind it, after those that start it. */
  readonly way: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Milliseconds for which a denial is remembered. */
export const MEMORY_MS = 60_000;

/**
 * The one path that a denial was about, where that can be told: a call with several targets, or one that talks to other
 * machines, may have been denied for something else.
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
  const touches = call.effects.filter(isTouch);
  const changes = touches.filter(({ does }) => does !== "read");
  const wanted = changes.length > 0 ? changes : touches;
  const [touch, ...others] = wanted;
  const links: EntryCache = new Map();
  if (touch === undefined) return undefined;
  const path = pathOf(touch, call, links);
  // A second path ends the look: a call may name tens of thousands.
  if (path === undefined || others.some((other) => pathOf(other, call, links) !== path)) return undefined;
  const does = wanted.some((one) => one.does === "write") ? "write" : touch.does;
  // Formatters, editors and build tools are given the project's folder as well: it names no target.
  const root = rootOfEvent(event) ?? event.cwd;
  if (does === "write" && root !== undefined && resolvePath(root).path === path) return undefined;
  return { path, does, way: wayOf(touch, call, event), reason: reasons.join("; ").slice(0, LONGEST_REASON), at: now };
}

/** An effect that touches a path. */
export type Touch = Extract<Effect, { isTree: boolean }>;

/** Whether an effect touches a path. */
export function isTouch(effect: Effect): effect is Touch {
  return effect.does === "read" || effect.does === "write" || effect.does === "delete";
}

/** Where the path of an effect leads; nothing where only the run will tell. */
export function pathOf({ path }: Touch, call: CallEffects, cache: EntryCache = new Map()): string | undefined {
  if (path.isGlob || path.text.includes(GAP)) return undefined;
  const whole = absolutePath(path.text, call);
  return whole === undefined ? undefined : resolvePath(whole, { cache }).path;
}

/** By which way a call reaches a path: the program, after one that looked the path up or runs code; the tool where there is none. */
export function wayOf({ program, command, path }: Touch, call: CallEffects, { toolName = "" }: HookEvent): string {
  if (program === "") return toolName;
  const { byCode, byPath } = startersOf(call.effects);
  const before = [...byCode, ...(byPath.get(path.text) ?? [])].filter(([, first]) => first < command);
  const starters = before.sort(([, one], [, other]) => one - other).map(([name]) => name);
  return [...new Set(starters), program].join(" ");
}

/** By program the first command that it is: of those that run code, and of those that look a path up. */
interface Starters {
  readonly byCode: Map<string, number>;
  readonly byPath: Map<string, Map<string, number>>;
}

/** A line may name thousands of paths, so its programs are sorted once for all of them. */
function startersOf(effects: readonly Effect[]): Starters {
  const known = STARTERS.get(effects);
  if (known !== undefined) return known;
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
  STARTERS.set(effects, found);
  return found;
}

const STARTERS = new WeakMap<readonly Effect[], Starters>();

const PLAIN = "DESTRUCTIVE_BLOCKED";
const LONGEST_REASON = 160;

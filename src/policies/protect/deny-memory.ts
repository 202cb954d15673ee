import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Decision } from "../../decision/decision.ts";
import type { HookResult } from "../../decision/result.ts";
import { type CallEffects, callEffects, isPathEffect, type PathEffect } from "../../effects/index.ts";
import { attempt } from "../../event/attempt.ts";
import { milliseconds } from "../../event/clock.ts";
import type { HookEvent } from "../../event/event.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { sha256Text } from "../../fs/late-builtins.ts";
import { appendRegularFile, readRegularText } from "../../fs/regular-file.ts";
import { type EntryCache, isWithin } from "../../fs/resolve-path.ts";
import { ensurePrivateDir, stateDir } from "../../fs/state-dir.ts";
import { errorText } from "../../problem/problem.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { unsafeFolderProblem, unsafeStateProblem } from "../../trust/private-approvals.ts";
import { builtInHook, builtInResult } from "./built-in.ts";
import { type DeniedTarget, deniedTarget, MEMORY_MS, pathOf, wayOf } from "./denied-target.ts";
import { commandText, hasWordsForChange } from "./paths-in-code.ts";
import type { ProtectionContext } from "./protection-context.ts";

/** The hook that remembers the denials of a session, and denies other ways to the same target. */
export const DENY_MEMORY = builtInHook(
  "deny-memory",
  "What a session was denied shortly before is denied in another form too.",
  "user",
);

/** Denies a call that reaches, in another way, for a target that was denied shortly before. */
export function deniedBefore(event: HookEvent, context: ProtectionContext, now = Date.now()): HookResult | undefined {
  if (event.sessionId === undefined || isClear(event.toolName)) return undefined;
  return deniedAmong(event, remembered(event, context), now);
}

/** The same for given targets and time. */
export function deniedAmong(event: HookEvent, targets: readonly DeniedTarget[], now: number): HookResult | undefined {
  if (isClear(event.toolName)) return undefined;
  const began = milliseconds();
  const recent = targets.filter(({ at }) => Math.abs(now - at) < MEMORY_MS);
  const call = recent.length === 0 ? undefined : callEffects(event, diskLookups);
  if (call === undefined) return undefined;
  const reached = reachedBy(call, event);
  const target = recent.find((one) => reachesFor(one, reached));
  if (target === undefined) return undefined;
  const seconds = Math.round(Math.abs(now - target.at) / 1000);
  const reason =
    `You were denied to ${WORDS[target.does]} ${target.path} ${seconds} s ago (${target.reason}); ` +
    "another way to the same end is denied as well. Do what the denial says, or ask the user.";
  return builtInResult(DENY_MEMORY, { action: "deny", reason }, milliseconds() - began);
}

/** Remembers the target of a denied call, and removes old entries. Returns the reason if that cannot be written. */
export function rememberDenial(decision: Decision, context: ProtectionContext, now = Date.now()): string | undefined {
  const { event } = decision;
  const target = targetOfDenial(decision, now);
  const folder = protectFolder(context);
  if (target === undefined || !ensurePrivateDir(folder)) return undefined;
  try {
    const file = fileFor(event, folder);
    appendRegularFile(file, `${JSON.stringify(target)}\n`);
    forgetOld(folder, file, now);
    return undefined;
  } catch (error) {
    return `This denial is not remembered; another way to the same end may pass. ${errorText(error)}; remove that, and Sluice makes its own.`;
  }
}

/** The target of a denied call, if it should be remembered. */
export function targetOfDenial(decision: Decision, now: number): DeniedTarget | undefined {
  const { event, action, results } = decision;
  if (action !== "deny" || event.type !== "tool:pre_execute" || event.sessionId === undefined) return undefined;
  const denying = results.filter((result) => result.action === "deny");
  // A configuration that is being written denies every call for a moment, whatever its target is.
  if (denying.every(({ hook }) => hook === DENY_MEMORY || hook.name === "unreadable-configuration")) return undefined;
  return deniedTarget(decision, callEffects(event, diskLookups), now);
}

/** The agent's own file tools are explicit about what they do, so rules judge them directly. */
function isClear(tool = ""): boolean {
  return isOfKind(tool, "@write") || isOfKind(tool, "@read");
}

/** What a call reaches: the paths by each way, and the text of a change that is not fully known. */
interface Reached {
  readonly byWay: ReadonlyMap<string, ReadonlyMap<string, PathEffect>>;
  readonly pathOf: (touch: PathEffect) => string | undefined;
  readonly unclearText: string | undefined;
}

/** Computed once for all remembered targets: a call may touch thousands of paths, many of them repeatedly. */
function reachedBy(call: CallEffects, event: HookEvent): Reached {
  const byWay = new Map<string, Map<string, PathEffect>>();
  for (const effect of call.effects) {
    if (!isPathEffect(effect)) continue;
    const way = wayOf(effect, call, event);
    const same = byWay.get(way) ?? new Map<string, PathEffect>();
    byWay.set(way, same);
    const { text, isGlob } = effect.path;
    same.set(`${effect.does} ${isGlob} ${text}`, effect);
  }
  const links: EntryCache = new Map();
  const paths = new Map<PathEffect, string | undefined>();
  const text = commandText(event);
  const isUnclear = call.effects.some(({ does }) => does === "unknown") && hasWordsForChange(text);
  return {
    byWay,
    pathOf: (touch) => {
      if (!paths.has(touch)) paths.set(touch, pathOf(touch, call, links));
      return paths.get(touch);
    },
    unclearText: isUnclear ? text : undefined,
  };
}

function reachesFor(target: DeniedTarget, { byWay, pathOf, unclearText }: Reached): boolean {
  for (const [way, touches] of byWay) {
    if (way === target.way || isSuggested(way, target.reason)) continue;
    for (const touch of touches.values()) {
      const path = STRONGER[target.does].includes(touch.does) ? pathOf(touch) : undefined;
      if (path === target.path) return true;
      if (touch.does === "delete" && path !== undefined && isWithin(path, target.path)) return true;
    }
  }
  return target.does !== "read" && unclearText !== undefined && names(unclearText, target.path);
}

/** Whether the denial names this program as the better way, which must stay open. */
function isSuggested(way: string, reason: string): boolean {
  const name = basename(way.split(" ")[0] ?? "");
  return name !== "" && new RegExp(`(?<![\\w.-])${escaped(name)}(?![\\w-])`).test(reason);
}

/** Whether a text names a path or its last part, and not only something below it. */
function names(text: string, path: string): boolean {
  return [path, basename(path)].some(
    (name) => name !== "" && text.includes(name) && new RegExp(`${BEFORE}${escaped(name)}${AFTER}`).test(text),
  );
}

function escaped(name: string): string {
  return name.replaceAll(/[^\w]/g, "\\$&");
}

function remembered(event: HookEvent, context: ProtectionContext): DeniedTarget[] {
  const folder = protectFolder(context);
  const file = fileFor(event, folder);
  if (!existsSync(file) || (unsafeFolderProblem(folder, context.root) ?? unsafeStateProblem(file, "file"))) return [];
  return attempt(() => readRegularText(file).trimEnd().split("\n").slice(-MAX_REMEMBERED).flatMap(readTarget)) ?? [];
}

function readTarget(line: string): DeniedTarget[] {
  try {
    const { path, does, way, reason, at } = JSON.parse(line);
    const isWhole = [path, way, reason].every((text) => typeof text === "string") && typeof at === "number";
    return isWhole && Object.hasOwn(STRONGER, does) ? [{ path, does, way, reason, at }] : [];
  } catch {
    return [];
  }
}

/**
 * Removes a memory that is too long, and those of sessions without a new entry for a while; the latter are looked up at most
 * once a minute.
 */
function forgetOld(folder: string, own: string, now: number): void {
  const sizeAndTime = (path: string) => statSync(path, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: now };
  if (sizeAndTime(own).size > MAX_BYTES) rmSync(own, { force: true });
  if (looked.folder === folder && Math.abs(now - looked.at) < LOOK_MS) return;
  looked = { folder, at: now };
  for (const name of readdirSync(folder).filter((one) => one.startsWith(PREFIX))) {
    const { mtimeMs, size } = sizeAndTime(join(folder, name));
    if (now - mtimeMs > FORGOTTEN_MS || size > MAX_BYTES) rmSync(join(folder, name), { force: true });
  }
}

let looked = { folder: "", at: 0 };

/** The folder with one file for each session. */
function protectFolder({ env, home }: ProtectionContext): string {
  return join(stateDir({ env, home }), "protect");
}

function fileFor({ agent = "", sessionId = "" }: HookEvent, folder: string): string {
  return join(folder, `${PREFIX}${fileName(agent)}-${fileName(sessionId)}.jsonl`);
}

/** The names of agents and sessions are almost always valid file names; others are hashed, which loads a library. */
function fileName(text: string): string {
  if (/^[\w.]{1,80}$|^[\w-]{1,80}$/.test(text)) return text;
  return text === "" ? "none" : `x-${sha256Text(text).slice(0, 32)}`;
}

/** Effects with the same result: after a denied change, deleting the file is denied too. */
const STRONGER = { read: ["read"], write: ["write", "delete"], delete: ["delete"] } as const satisfies Record<
  DeniedTarget["does"],
  readonly DeniedTarget["does"][]
> as Readonly<Record<DeniedTarget["does"], readonly string[]>>;
const WORDS = { read: "read", write: "change", delete: "remove" } as const;
/** The limits of a path in a text; a trailing slash or a glob for the content of a folder does not make another path. */
const BEFORE = "(?<![\\w.-])";
const AFTER = "/*(?:\\*+)?(?![\\w/.*-])";
const PREFIX = "denied-";
/** The number of denials that are kept for a session. */
export const MAX_REMEMBERED = 100;
const FORGOTTEN_MS = 60 * 60 * 1000;
const LOOK_MS = 60 * 1000;
const MAX_BYTES = 256 * 1024;

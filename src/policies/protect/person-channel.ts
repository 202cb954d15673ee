import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalChannel } from "../../config/approval-settings.ts";
import { type CallEffects, compilePathPattern, type PathEffect, runsOf } from "../../effects/index.ts";
import type { HookEvent } from "../../event/event.ts";
import { toJsonText } from "../../event/json.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { isWithin, realPath } from "../../fs/resolve-path.ts";
import { stateDir } from "../../fs/state-dir.ts";
import { isOurProcess } from "./ended-processes.ts";
import { passesHidden } from "./listed-files.ts";
import type { ProtectionContext } from "./protection-context.ts";
import { absolutePath } from "./written-protected-paths.ts";

/**
 * Why a call reads what proves a person, or uses an address at which the user is notified about requests; undefined if it does
 * not. A program that has the address sees what other sessions ask, and can send messages that look like those of Sluice.
 */
export function reachesPerson(call: CallEffects, event: HookEvent, context: ProtectionContext): string | undefined {
  const channels = (context.channels ?? []).flatMap(secretParts);
  const stored = storeParts(context);
  const addresses = [...channels, ...stored];
  const texts = [toJsonText(event.data), ...runsOf(call).map(({ args }) => args.join(" "))];
  if (stored.some((part) => texts.some((text) => text.includes(part))))
    return "it names the store of shared approvals, or the key of it";
  if (channels.some((address) => texts.some((text) => text.includes(address))))
    return "it names an address at which the user is notified about requests";
  const reads = call.effects.filter((effect): effect is PathEffect => effect.does === "read");
  if (reads.length === 0) return undefined;
  const memory = reads.find(({ path }) => isOurProcess(MEMORY.exec(path.text)?.[1] ?? ""));
  if (memory !== undefined) return `it reads ${memory.path.text}, which belongs to a process of Sluice`;
  for (const guarded of guardedPlaces(addresses, context)) {
    const found = reads.find((effect) => isRead(guarded, effect, call));
    if (found !== undefined) return `it reads ${found.path.text}, ${guarded.with}`;
  }
  return undefined;
}

interface GuardedPlace {
  readonly path: string;
  /** Whether it is certainly there: then it may not be read with a folder above it, or by a pattern either. */
  readonly isFound: boolean;
  readonly with: string;
}

function guardedPlaces(addresses: readonly string[], context: ProtectionContext): GuardedPlace[] {
  const state = stateDir(context);
  const approvals = join(state, "approvals");
  const proof = "with what proves that a person answers";
  const own = { path: approvals, isFound: existsSync(join(approvals, "person.json")), with: proof };
  if (addresses.length === 0) return [own];
  const holding = (context.files ?? []).filter((file) => addresses.some((address) => textOf(file).includes(address)));
  const copies = join(state, "last-good");
  return [
    own,
    ...[copies, ...holding].map((path) => ({
      path,
      isFound: true,
      with: "with an address or a key that approvals need",
    })),
  ];
}

function isRead({ path: place, isFound }: GuardedPlace, effect: PathEffect, call: CallEffects): boolean {
  const { path } = effect;
  const isTree = isFound && printsFiles(effect, place, call);
  const whole = absolutePath(path.text, call);
  if (path.isKnown && whole !== undefined)
    return [whole, realPath(whole)].some((one) => isWithin(place, one) || (isTree && isWithin(one, place)));
  const patterns = isFound ? [place, `${place}/**`].map(compilePathPattern) : [];
  return path.isGlob && patterns.some(({ meets }) => meets(path, isTree, call.place));
}

/** Whether a folder is read with the files in it, down to this place: not only their names. */
function printsFiles({ isTree, command, path }: PathEffect, place: string, call: CallEffects): boolean {
  const run = runsOf(call)[command];
  // A tool that is not a shell's searches the files of a folder.
  if (run === undefined) return true;
  if (!isTree || (run.is("file-finder") && !run.is("prints-files"))) return false;
  return !(place.slice(path.text.length).includes("/.") && passesHidden(run.name, run.args));
}

/** The part of an address that only its user knows: the topic or the token, or else host and path. */
function secretParts(channel: ApprovalChannel): string[] {
  const text = Object.values(channel).flat().join(" ");
  return (text.match(/https?:\/\/[^\s"'<>]+/g) ?? []).map((address) => {
    const [, place = ""] = /^https?:\/\/([^?#]*)/.exec(address) ?? [];
    const tail = place.replace(/\/$/, "").split("/").slice(1).at(-1) ?? "";
    return tail.length >= ("ntfy" in channel ? SHORTEST_TOPIC : SHORTEST_TOKEN) ? tail : place.replace(/\/$/, "");
  });
}

/** What a program needs to reach the store of shared approvals: host and port, the password, the key or its variable. */
function storeParts({ shared, env }: ProtectionContext): string[] {
  if (shared === undefined) return [];
  const { store, key = "" } = shared;
  const [, secret = "", place = ""] = /^\w+:\/\/(?:[^@/]*?:([^@/]*)@|[^@/]*@)?([^/?#]+)/.exec(store) ?? [];
  const named = [...`${key} ${secret}`.matchAll(/\$\{(\w+)\}/g)].flatMap(([, name = ""]) => [name, env[name] ?? ""]);
  return [place, ...[key, secret].filter((one) => !one.includes("${")), ...named].filter(({ length }) => length > 3);
}

function textOf(file: string): string {
  try {
    return readRegularText(file);
  } catch {
    return "";
  }
}

const MEMORY = /^\/proc\/(\d+)\/(?:mem|environ|fd|task)(?:\/|$)/;
const SHORTEST_TOPIC = 6;
const SHORTEST_TOKEN = 16;

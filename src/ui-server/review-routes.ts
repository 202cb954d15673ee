import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensurePrivateDir, type StateHome, stateDir, whyUnsafe } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { type ExceptionWidth, WIDTHS } from "../suggest/narrow-exceptions.ts";
import { writeTest } from "../suggest/write-test.ts";
import { sumOf } from "./journal-index.ts";
import type { GroupTally } from "./journal-tally.ts";
import { refusedReply, type UiRoute } from "./route.ts";
import type { ReviewGroup } from "./wire.ts";

/** Denials and questions of the last days, those that are alike together; the most frequent first. */
export const listGroups: UiRoute = async ({ query }, { index, env, hello }) => {
  const days = daysIn(query);
  const reviewed = readReviewed({ env, home: hello.home });
  const { groups } = sumOf(await index.days(days));
  // Of those that are as frequent, the one that came last is first.
  const shown = Object.entries(groups)
    .map(([key, group]) => shownGroup(key, group, reviewed))
    .reverse()
    .sort((one, other) => other.count - one.count || other.last - one.last);
  return { json: { days, groups: shown } };
};

/** How many days a request asks about. */
export function daysIn(query: URLSearchParams): number {
  const days = Number(query.get("days"));
  return Number.isInteger(days) && days > 0 ? Math.min(days, 365) : 30;
}

/** Keeps that a person found a group of objections right; it comes back when there is a new one. */
export const markRight: UiRoute = ({ body }, { env, hello }) => {
  const { key, isRight } = Object(body) as { readonly key?: unknown; readonly isRight?: unknown };
  if (typeof key !== "string" || !/^[0-9a-f]{16}$/.test(key)) return refusedReply(400, "No group is named.");
  const where = { env, home: hello.home };
  if (isRight === false) forgetReviewed(key, where);
  else rememberReviewed(key, where);
  return { json: { done: true } };
};

/** Writes a test about a recorded call: it fails until the policy decides as it expects. */
export const makeTest: UiRoute = async ({ body }, { source }) => {
  const { id, at, expect } = Object(body) as Readonly<Record<"id" | "at" | "expect", unknown>>;
  const record = typeof id === "string" ? await source.find(id, Number(at)) : undefined;
  if (record === undefined) return refusedReply(404, "This call is no longer recorded.");
  if (record.machine !== undefined)
    return refusedReply(422, `This call was made on ${record.machine}.`, "Write the test in the project there.");
  return { json: writeTest(record, expect === "deny" || expect === "ask" ? expect : "continue") };
};

/** Asks at the terminal whether a call may become an exception, or pass once. */
export function actRoute(act: "allow" | "allowOnce"): UiRoute {
  return async ({ body, signal }, { acts }) => {
    const { id, width } = Object(body) as { readonly id?: unknown; readonly width?: unknown };
    if (typeof id !== "string" || !/^[0-9a-f]{6}$/.test(id)) return refusedReply(400, "No call is named.");
    return { json: await acts[act](id, signal, ...widthIn(width)) };
  };
}

/** The width that a request states, as an argument. */
export function widthIn(stated: unknown): [ExceptionWidth] | [] {
  return typeof stated === "string" && Object.hasOwn(WIDTHS, stated) ? [stated as ExceptionWidth] : [];
}

function shownGroup(key: string, tally: GroupTally, reviewed: Readonly<Record<string, number>>): ReviewGroup {
  const { sessions, agents, projects, ...rest } = tally;
  const seen = reviewed[key];
  return {
    ...rest,
    key,
    sessions: Object.keys(sessions).length,
    agents: Object.keys(agents),
    projects: Object.keys(projects),
    ...(seen !== undefined && seen >= tally.last && { reviewed: seen }),
  };
}

/** The groups of objections that a person has found right, by their keys, and when. */
function readReviewed(where: StateHome): Readonly<Record<string, number>> {
  const path = fileIn(where);
  try {
    if (whyUnsafe(path, "file") !== undefined) return {};
    const read: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Object.fromEntries(
      Object.entries(Object(read)).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
    );
  } catch {
    return {};
  }
}

/** Keeps that a group is right up to now. */
function rememberReviewed(key: string, where: StateHome, now = Date.now()): void {
  write({ ...readReviewed(where), [key]: now }, where);
}

/** Takes it back. */
function forgetReviewed(key: string, where: StateHome): void {
  const { [key]: _, ...rest } = readReviewed(where);
  write(rest, where);
}

function write(all: Readonly<Record<string, number>>, where: StateHome): void {
  const newest = Object.entries(all)
    .sort((one, other) => other[1] - one[1])
    .slice(0, MAX_REVIEWED);
  if (ensurePrivateDir(stateDir(where))) writePrivate(fileIn(where), `${JSON.stringify(Object.fromEntries(newest))}\n`);
}

function fileIn(where: StateHome): string {
  return join(stateDir(where), "reviewed.json");
}

const MAX_REVIEWED = 2000;

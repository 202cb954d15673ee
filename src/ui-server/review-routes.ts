import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ensurePrivateDir, stateDir, type StateHome, whyUnsafe } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { inputShape } from "../replay/input-shape.ts";
import { writeTest } from "../suggest/write-test.ts";
import { isCanary, toldAction } from "../trace/outcome.ts";
import type { DecisionRecord, ResultRecord } from "../trace/record.ts";
import { recordedEvent, recordedText } from "../trace/recorded-event.ts";
import { mayPass } from "./call-routes.ts";
import type { CallSource, SourceRecord } from "./call-source.ts";
import { refusedReply, type UiRoute } from "./route.ts";
import type { ReviewGroup } from "./wire.ts";

/** Denials and questions of the last days, those that are alike together; the most frequent first. */
export const listGroups: UiRoute = async ({ query }, { source, env, hello }) => {
  const days = Math.min(365, Math.max(1, Number(query.get("days")) || DAYS));
  const oldest = new Date(Date.now() - days * DAY_MS).toISOString();
  const reviewed = readReviewed({ env, home: hello.home });
  return { json: { days, groups: await groupsOf(source.records(oldest), oldest, reviewed) } };
};

/** Keeps that a person found a group of objections right; it comes back when there is a new one. */
export const markRight: UiRoute = ({ body }, { env, hello }) => {
  const { key, isRight } = Object(body) as { readonly key?: unknown; readonly isRight?: unknown };
  if (typeof key !== "string" || !/^[0-9a-f]{16}$/.test(key)) return refusedReply(400, "No group is named.");
  const where = { env, home: hello.home };
  if (isRight === false) forgetReviewed(key, where);
  else rememberReviewed(key, where);
  return { json: { done: true } };
};

/** Writes a test that expects a call to pass which was stopped: it fails until the policy is mended. */
export const makeTest: UiRoute = async ({ body }, { source }) => {
  const { id, at } = Object(body) as { readonly id?: unknown; readonly at?: unknown };
  const record = typeof id === "string" ? await source.find(id, Number(at)) : undefined;
  if (record === undefined) return refusedReply(404, "This call is no longer recorded.");
  if (record.machine !== undefined)
    return refusedReply(422, `This call was made on ${record.machine}.`, "Write the test in the project there.");
  return { json: writeTest(record) };
};

/** Asks at the terminal whether a call may become an exception, or pass once. */
export function actRoute(act: "allow" | "allowOnce"): UiRoute {
  return async ({ body, signal }, { acts }) => {
    const { id } = Object(body) as { readonly id?: unknown };
    if (typeof id !== "string" || !/^[0-9a-f]{6}$/.test(id)) return refusedReply(400, "No call is named.");
    return { json: await acts[act](id, signal) };
  };
}

async function groupsOf(
  all: ReturnType<CallSource["records"]>,
  oldest: string,
  reviewed: Readonly<Record<string, number>>,
): Promise<ReviewGroup[]> {
  const groups = new Map<string, Tally>();
  let looked = 0;
  for await (const record of all) {
    if (record.time < oldest) break;
    // Other requests are answered while a long journal is read.
    if (++looked % PIECE === 0) await setImmediate();
    const action = toldAction(record);
    if ((action !== "deny" && action !== "ask") || record.kind !== "decision" || isCanary(record.results)) continue;
    const shape = shapeOf(record);
    for (const result of record.results.filter(({ action: said }) => said === record.action))
      count(result, shape, record);
  }
  return [...groups.values()].map((tally) => told(tally, reviewed)).sort((one, other) => other.count - one.count);

  function count({ hook, rule }: ResultRecord, shape: string, record: SourceRecord): void {
    const key = createHash("sha256")
      .update(JSON.stringify([hook, rule, shape]))
      .digest("hex")
      .slice(0, 16);
    const known: Tally = groups.get(key) ?? {
      key,
      hook,
      rule,
      shape,
      latest: record,
      first: 0,
      count: 0,
      sessions: new Set(),
      agents: new Set(),
      projects: new Set(),
    };
    groups.set(key, known);
    known.count++;
    known.first = Date.parse(record.time);
    known.sessions.add(record.session_id ?? "");
    if (record.agent !== undefined) known.agents.add(record.agent);
    if (record.root !== undefined) known.projects.add(record.root);
  }
}

/** What a call has in common with others like it. */
export function shapeOf(record: DecisionRecord): string {
  const event = recordedEvent(record);
  return event === undefined ? (record.tool ?? record.event) : inputShape(event);
}

/** What is known about a group while the journal is read, newest first. */
interface Tally {
  readonly key: string;
  readonly hook: string;
  readonly rule: string | undefined;
  readonly shape: string;
  readonly latest: SourceRecord;
  first: number;
  count: number;
  readonly sessions: Set<string>;
  readonly agents: Set<string>;
  readonly projects: Set<string>;
}

function told(tally: Tally, reviewed: Readonly<Record<string, number>>): ReviewGroup {
  const { latest, rule, sessions, agents, projects, ...rest } = tally;
  const last = Date.parse(latest.time);
  const seen = reviewed[tally.key];
  return {
    ...rest,
    ...(rule !== undefined && { rule }),
    action: toldAction(latest),
    sessions: sessions.size,
    agents: [...agents],
    projects: [...projects],
    last,
    example: { id: latest.id, at: last, text: recordedText(latest).slice(0, LONGEST), reasons: latest.reasons },
    may: mayPass(latest),
    ...(seen !== undefined && seen >= last && { reviewed: seen }),
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
    .slice(0, MOST);
  if (ensurePrivateDir(stateDir(where))) writePrivate(fileIn(where), `${JSON.stringify(Object.fromEntries(newest))}\n`);
}

function fileIn(where: StateHome): string {
  return join(stateDir(where), "reviewed.json");
}

const MOST = 2000;

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const LONGEST = 2000;
const PIECE = 500;

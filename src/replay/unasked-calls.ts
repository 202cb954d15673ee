import { statSync } from "node:fs";
import { isOfKind } from "../event/tool-kinds.ts";
import { backupPath, installedFiles } from "../install/ledger.ts";
import { agentOfFile } from "../install/targets.ts";
import { journalFolder } from "../trace/journal.ts";
import { isCanary } from "../trace/outcome.ts";
import { records } from "../trace/read.ts";
import type { ReplayCall } from "./replay-call.ts";
import { agentsWithHistory, type CallSearch, callsOfFile, transcriptCalls } from "./transcript-calls.ts";

/** Calls of one session that are in the agent's own history and never reached Sluice. */
export interface UnaskedCalls {
  readonly agent: string;
  readonly session: string;
  readonly unasked: number;
  /** How many there are in all. */
  readonly made: number;
}

type Env = CallSearch["env"];

/** What happened in the sessions of the last day without reaching Sluice, for every agent that Sluice is installed for. */
export async function unaskedCalls(env: Env, root: string, now = Date.now()): Promise<UnaskedCalls[]> {
  const found: UnaskedCalls[] = [];
  for (const agent of agentsWithHistory()) {
    const since = sinceInstalled(agent, env, now);
    if (since === undefined) continue;
    const search = { env, root, since: new Date(since).toISOString(), counts: { broken: 0 } };
    found.push(...compare(await counted(transcriptCalls(agent, search), since, agent), env, since));
  }
  return found;
}

/** The same for one session, by the file that the agent keeps of it; a long one is left to `sluice doctor`. */
export async function unaskedInFile(path: string, agent: string, env: Env, now = Date.now()): Promise<UnaskedCalls[]> {
  const since = sinceInstalled(agent, env, now);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (since === undefined || size === 0 || size > MAX_BYTES) return [];
  const search = { env, root: "/", since: new Date(since).toISOString(), counts: { broken: 0 } };
  return compare(await counted(callsOfFile(path, search), since, agent), env, since);
}

/** Hooks of an agent apply from when they were last written into its settings; undefined if they were not. */
function sinceInstalled(agent: string, env: Env, now: number): number | undefined {
  const times = installedFiles(env)
    .filter((path) => agentOfFile(path)?.id === agent)
    .map((path) => statSync(backupPath(path, env), { throwIfNoEntry: false })?.mtimeMs ?? now);
  return times.length === 0 ? undefined : Math.max(now - DAY_MS, Math.min(...times) + STARTING_MS);
}

interface Made {
  readonly agent: string;
  readonly bySession: ReadonlyMap<string, number>;
}

async function counted(calls: AsyncIterable<ReplayCall>, since: number, agent: string): Promise<Made> {
  const bySession = new Map<string, number>();
  for await (const { event, session, time, made, agent: by } of calls) {
    const isMeant = by === agent && made === undefined && session !== undefined && Date.parse(time) >= since;
    if (isMeant && event.type === "tool:pre_execute" && isAsked(event.toolName))
      bySession.set(session, (bySession.get(session) ?? 0) + 1);
  }
  return { agent, bySession };
}

/**
 * A session that continues under another name has its calls in the journal under the old one: only what is missing in all is
 * reported.
 */
function compare({ agent, bySession }: Made, env: Env, since: number): UnaskedCalls[] {
  const heard = new Map<string, number>();
  let all = 0;
  for (const record of bySession.size === 0 ? [] : records(journalFolder(env), { broken: 0 })) {
    if (Date.parse(record.time) < since) break;
    if (record.agent !== agent || record.event !== "tool:pre_execute" || record.background || !isAsked(record.tool))
      continue;
    if (isCanary(record.results)) continue;
    all++;
    const session = record.parent_session ?? record.session_id ?? "";
    heard.set(session, (heard.get(session) ?? 0) + 1);
  }
  const known = [...bySession.keys()].reduce((sum, session) => sum + (heard.get(session) ?? 0), 0);
  const others = all - known;
  return [...bySession].flatMap(([session, made]): UnaskedCalls[] => {
    const unasked = made - (heard.get(session) ?? 0) - others;
    return unasked > 0 ? [{ agent, session, unasked, made }] : [];
  });
}

/** Calls that change something always reach hooks; of others, some agents report only a part. */
function isAsked(tool: string | undefined): boolean {
  return tool !== undefined && (isOfKind(tool, "@shell") || isOfKind(tool, "@write"));
}

const DAY_MS = 24 * 60 * 60_000;
/** Agents read their settings when they start. */
const STARTING_MS = 60_000;
const MAX_BYTES = 8 * 1024 * 1024;

import { eventNamed } from "../../event/catalogue.ts";
import { HookEvent } from "../../event/event.ts";
import { journalFolder } from "../../trace/journal.ts";
import { records } from "../../trace/read.ts";
import type { DecisionRecord } from "../../trace/record.ts";
import { intentCall, selectedId } from "./handshake.ts";

/** What the sessions of an intent did, by the journal. */
export interface IntentWork {
  /** Every session that selected it, as the journal names it. */
  readonly sessions: Set<string>;
  /** The commands that were run, each with its latest result and its first failure. */
  readonly commands: Map<string, CommandRuns>;
  /** Denials, one entry for each violation, whatever files it named. */
  readonly violations: Map<string, Violations>;
}

interface CommandRuns {
  last: "passed" | "failed";
  /** The first line of the first error; undefined if it never failed. */
  failure: string | undefined;
  /** Whether it passed after a failure. */
  isMended: boolean;
}

/** Denials for one reason. */
interface Violations {
  readonly code: string;
  /** The reason of the first denial. */
  readonly reason: string;
  /** The files that the denials named. */
  readonly paths: Set<string>;
  count: number;
}

/** What was done for each intent of a project, as far back as the journal is read. */
export function intentWork(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, IntentWork> {
  const selected = new Map<string, string>();
  const found = new Map<string, IntentWork>();
  for (const record of recordsOf(root, env)) {
    const session = `${record.agent}\0${record.session_id}`;
    const data = dataOf(record);
    const type = eventNamed(record.event);
    if (type === "tool:pre_execute" && record.action !== "deny") {
      const call = intentCall(
        new HookEvent({ type, data, ...(record.tool === undefined ? {} : { toolName: record.tool }) }),
      );
      if (call?.tool === "select_active_intent") selected.set(session, selectedId(call));
    }
    const id = selected.get(session);
    if (id === undefined) continue;
    const work = found.get(id) ?? { sessions: new Set(), commands: new Map(), violations: new Map() };
    found.set(id, work);
    if (record.session_id !== undefined) work.sessions.add(record.session_id);
    if (type === "tool:pre_execute" && record.action === "deny") addViolations(work, record);
    const { command } = Object(data.tool_args) as { readonly command?: unknown };
    if (typeof command === "string" && (type === "tool:error" || type === "tool:post_execute"))
      addRun(work, command, type === "tool:error" ? firstLine(data.error) : undefined);
  }
  return found;
}

/** This project's calls, the oldest first. */
function recordsOf(root: string, env: Readonly<Record<string, string | undefined>>): DecisionRecord[] {
  const found: DecisionRecord[] = [];
  let looked = 0;
  for (const record of records(journalFolder(env))) {
    if (++looked > MAX_LOOKED_AT) break;
    if (record.root === root && record.kind === "decision" && !record.background) found.push(record);
  }
  return found.reverse();
}

function addRun({ commands }: IntentWork, command: string, failure: string | undefined): void {
  const known = commands.get(command);
  const last = failure === undefined ? "passed" : "failed";
  if (known === undefined) commands.set(command, { last, failure, isMended: false });
  else {
    known.isMended ||= last === "passed" && known.failure !== undefined;
    known.failure ??= failure;
    known.last = last;
  }
}

/** Reasons that differ only in the files they name are one violation; denials that only ask for the next step are none. */
function addViolations({ violations }: IntentWork, { reasons, results }: DecisionRecord): void {
  const codes = results.flatMap(({ action, code }) => (action === "deny" ? [code ?? ""] : []));
  const code = codes.find((one) => one !== "INTENT_REQUIRED" && one !== "STALE_WRITE");
  if (code === undefined) return;
  for (const reason of reasons) {
    const [, named = ""] = NOT_OWNED.exec(reason) ?? [];
    const paths = [...named.matchAll(/(?:^|, | and )([^\s,()]+)(?= \()/g)].map(([, path = ""]) => path);
    const key = named === "" ? withoutPaths(reason) : "outside of the scope";
    const known = violations.get(key) ?? { code, reason, paths: new Set<string>(), count: 0 };
    violations.set(key, known);
    known.count++;
    for (const path of paths) known.paths.add(path);
  }
}

/** How the gate says that files are outside of a scope. */
const NOT_OWNED = /\bintent \S+ does not own (.+?)\. (?:\S+ owns\b|It owns\b)/s;

function withoutPaths(reason: string): string {
  return reason
    .replaceAll(/[^\s,;()"'`]*[/.][^\s,;()"'`]*\w/g, "<>")
    .replaceAll(/<>(?: \([^)]*\))?(?:, <>(?: \([^)]*\))?)*(?: and \d+ more)?/g, "<>");
}

function dataOf({ event_json }: DecisionRecord): Readonly<Record<string, unknown>> {
  const { data } = Object(event_json) as { readonly data?: unknown };
  return Object(data) as Readonly<Record<string, unknown>>;
}

function firstLine(error: unknown): string {
  const lines = typeof error === "string" ? error.split("\n").map((line) => line.trim()) : [];
  return lines.find((line) => line !== "")?.slice(0, MAX_ERROR) ?? "";
}

const MAX_LOOKED_AT = 50_000;
const MAX_ERROR = 160;

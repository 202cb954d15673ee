import { join } from "node:path";
import { appendRegularFile, readEnd } from "../fs/regular-file.ts";
import { sha256 } from "../fs/sha256.ts";
import { makePrivateDir } from "../fs/state-dir.ts";
import type { FlowLabel, SessionFlow } from "../rule/recent.ts";

/**
 * One line of a session's data flow: a prompt of the user with hashes of its values, content from outside, private data, a file of the
 * project that was fetched, the processes above the session's hooks, or a prompt that did not come from the agent.
 */
export type FlowEntry =
  | { readonly kind: "prompt"; readonly values: readonly string[] }
  | { readonly kind: "caller"; readonly chain: readonly CallerProcess[] }
  | { readonly kind: "forged" }
  | ({ readonly kind: "untrusted" | "private" } & FlowLabel)
  | ({ readonly kind: "fetched"; readonly path: string } & FlowLabel);

/** A process above a hook: its id together with its start time, and its command line. */
export interface CallerProcess {
  readonly id: string;
  readonly line: string;
}

/** The data flow of a session, with what only Sluice itself needs. */
export interface FlowState extends SessionFlow {
  /** Hashes of the values in the user's last prompt; undefined if no prompt was seen. */
  readonly asked: ReadonlySet<string> | undefined;
  /** Files that were fetched in this session, by their absolute paths. */
  readonly fetched: ReadonlyMap<string, FlowLabel>;
  /** The processes above the hooks of this session, once for each agent process that it had. */
  readonly callers: readonly (readonly CallerProcess[])[];
  /** A prompt came since the last one of the user that was not the agent's. */
  readonly isForged: boolean;
}

/** Adds lines to the file of a session; each is one write, because several calls may end at once. */
export function appendFlow(folder: string, sessionId: string | undefined, entries: readonly FlowEntry[]): void {
  if (entries.length === 0) return;
  makePrivateDir(folder);
  appendRegularFile(fileOf(folder, sessionId), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
}

/** Reads the data flow of a session since the last prompt. A line that is torn is skipped. */
export function readFlow(folder: string, sessionId: string | undefined): FlowState {
  const fetched = new Map<string, FlowLabel>();
  let step: { untrusted: FlowLabel[]; private: FlowLabel[] } = { untrusted: [], private: [] };
  let asked: ReadonlySet<string> | undefined;
  const callers: (readonly CallerProcess[])[] = [];
  let isForged = false;
  for (const entry of entriesOf(fileOf(folder, sessionId))) {
    if (entry.kind === "prompt") {
      step = { untrusted: [], private: [] };
      asked = new Set(entry.values);
      isForged = false;
    } else if (entry.kind === "caller") {
      callers.push(entry.chain);
    } else if (entry.kind === "forged") {
      isForged = true;
    } else {
      const label = { call: entry.call, source: entry.source };
      if (entry.kind === "fetched") fetched.set(entry.path, label);
      else step[entry.kind].push(label);
    }
  }
  return { ...step, asked, fetched, callers, isForged };
}

/** The hash under which a value of a prompt is kept. */
export function valueHash(value: string): string {
  return Buffer.from(sha256(value), "hex").toString("base64url").slice(0, 12);
}

function entriesOf(path: string): FlowEntry[] {
  let text: string;
  try {
    text = readEnd(path, { maxBytes: MAX_READ }).toString("utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      const entry = JSON.parse(line) as FlowEntry;
      return typeof entry.kind === "string" ? [entry] : [];
    } catch {
      return [];
    }
  });
}

function fileOf(folder: string, sessionId = ""): string {
  return join(folder, `${sha256(sessionId).slice(0, 32)}.flow.jsonl`);
}

const MAX_READ = 512 * 1024;

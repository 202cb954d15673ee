import { createHash } from "node:crypto";
import { join } from "node:path";
import { appendRegularFile, readEnd } from "../fs/regular-file.ts";
import { makePrivateDir } from "../fs/state-dir.ts";
import type { FlowLabel, SessionFlow } from "../rule/recent.ts";

/**
 * One line of a session's data flow: a prompt of the user with hashes of its values, content from outside, private data, or a
 * file of the project that was fetched.
 */
export type FlowEntry =
  | { readonly kind: "prompt"; readonly values: readonly string[] }
  | ({ readonly kind: "untrusted" | "private" } & FlowLabel)
  | ({ readonly kind: "fetched"; readonly path: string } & FlowLabel);

/** The data flow of a session, with what only Sluice itself needs. */
export interface FlowState extends SessionFlow {
  /** Hashes of the values in the user's last prompt; undefined if no prompt was seen. */
  readonly asked: ReadonlySet<string> | undefined;
  /** Files that were fetched in this session, by their absolute paths. */
  readonly fetched: ReadonlyMap<string, FlowLabel>;
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
  for (const entry of entriesOf(fileOf(folder, sessionId))) {
    if (entry.kind === "prompt") {
      step = { untrusted: [], private: [] };
      asked = new Set(entry.values);
    } else {
      const label = { call: entry.call, source: entry.source };
      if (entry.kind === "fetched") fetched.set(entry.path, label);
      else step[entry.kind].push(label);
    }
  }
  return { ...step, asked, fetched };
}

/** The hash under which a value of a prompt is kept. */
export function valueHash(value: string): string {
  return createHash("sha256").update(value).digest("base64url").slice(0, 12);
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
  return join(folder, `${createHash("sha256").update(sessionId).digest("hex").slice(0, 32)}.flow.jsonl`);
}

const MAX_READ = 512 * 1024;

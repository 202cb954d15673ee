import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { dataField, type EventFacts } from "../../event/field.ts";
import { sha256 } from "../../fs/read-once.ts";
import { readRegularFile } from "../../fs/regular-file.ts";
import { makePrivateDir } from "../../fs/state-dir.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import type { FileState } from "./file-state.ts";
import { namesIn } from "./trace-paths.ts";

/** What was known right before a call: the decision about it, and the files as they were. */
export interface BegunCall {
  /** Milliseconds since 1970, by the clock that files are dated with. */
  readonly at: number;
  readonly action: string;
  readonly reasons: readonly string[];
  readonly hooks: readonly { readonly name: string; readonly action: string }[];
  /** By whole path. */
  readonly files: Readonly<Record<string, FileState>>;
  /** More files may change than are listed. */
  readonly isOpen: boolean;
}

/** Remembers a call until its end is reported; for this user alone, and for a day at most. */
export function rememberBegun(state: string, event: EventFacts, call: Omit<BegunCall, "at">): void {
  const folder = join(state, "calls");
  makePrivateDir(folder);
  const text = JSON.stringify(call);
  const isLong = text.length > PLAIN_LENGTH;
  writePrivate(join(folder, fileFor(event)), isLong ? gzipSync(text) : text);
}

/** What was remembered about a call that has ended; it is forgotten with that, and so is everything old. */
export function takeBegun(state: string, event: EventFacts, now = Date.now()): BegunCall | undefined {
  const folder = join(state, "calls");
  const names = namesIn(folder);
  const own = fileFor(event);
  const session = own.slice(0, own.indexOf("-") + 1);
  const name = names.includes(own) ? own : isNamed(event) ? undefined : newest(folder, names, session);
  const found = name === undefined ? undefined : read(join(folder, name));
  for (const other of names) {
    const path = join(folder, other);
    if (other === name || now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > DAY)
      rmSync(path, { force: true });
  }
  return found;
}

/** The calls of a session whose end has not been reported. */
export function unfinishedCalls(state: string, event: EventFacts): BegunCall[] {
  const folder = join(state, "calls");
  const own = fileFor(event);
  const session = own.slice(0, own.indexOf("-") + 1);
  const names = namesIn(folder).filter((name) => name.startsWith(session) && name !== own);
  return names.map((name) => read(join(folder, name))).filter((call) => call !== undefined);
}

/** The name that an agent gives to one call of a tool. */
export function callIdOf(event: EventFacts): string | undefined {
  const { tool_use_id: id, toolUseId, call_id: callId } = event.data;
  return [id, toolUseId, callId].find((value) => typeof value === "string");
}

function isNamed(event: EventFacts): boolean {
  return callIdOf(event) !== undefined;
}

/** A call without a name is known by its session, its tool and its input. */
function fileFor(event: EventFacts): string {
  const { agent = "", sessionId = "", toolName = "" } = event;
  const call = callIdOf(event) ?? JSON.stringify([toolName, dataField(event, "tool_args") ?? null]);
  return `${sha256(`${agent}\0${sessionId}`).slice(0, 24)}-${sha256(call).slice(0, 24)}`;
}

function newest(folder: string, names: readonly string[], session: string): string | undefined {
  const own = names.filter((name) => name.startsWith(session));
  const age = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return own.length === 0 ? undefined : own.reduce((one, other) => (age(other) > age(one) ? other : one));
}

function read(path: string): BegunCall | undefined {
  try {
    const bytes = readRegularFile(path);
    const text = bytes[0] === GZIP ? gunzipSync(bytes).toString("utf8") : bytes.toString("utf8");
    return { ...(JSON.parse(text) as BegunCall), at: statSync(path).mtimeMs };
  } catch {
    return undefined;
  }
}

const PLAIN_LENGTH = 16 * 1024;
const GZIP = 0x1f;
const DAY = 24 * 60 * 60 * 1000;

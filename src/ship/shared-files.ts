import { closeSync, fstatSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import type { SharedKind } from "../config/journal-settings.ts";
import { attempt } from "../event/attempt.ts";
import { isObject } from "../event/json.ts";
import { appendRegularFile } from "../fs/regular-file.ts";
import { makePrivateDir } from "../fs/state-dir.ts";
import { SHARED_BINDINGS } from "../policies/intent/binding.ts";
import { keyOfFile } from "../trace/compressed.ts";
import { openPlain } from "../trace/file-lines.ts";

/** A line that counts something, as it travels between machines. */
export interface SharedLine {
  readonly machine: string;
  /** The kind of what is counted and the name of its file: `budgets/day-2026-01-31.jsonl`. */
  readonly file: string;
  /** Tells a file from one that had its name before. */
  readonly part: string;
  /** Where the line ends in the file of its machine: what comes twice is known by it. */
  readonly end: number;
  readonly text: string;
}

/** The folder of the counts below the state, and the names of its files. */
const PLACES: Readonly<Record<Exclude<SharedKind, "approvals">, { readonly folder: string; readonly name: RegExp }>> = {
  budgets: { folder: "llm/spent", name: /^(?:day|session)-[\w-]{1,80}\.jsonl$/ },
  rates: { folder: "sessions", name: /^[0-9a-f]{32}\.jsonl$/ },
  intents: { folder: SHARED_BINDINGS, name: /^[0-9a-f]{64}\.jsonl$/ },
  denials: { folder: "protect", name: /^denied-[\w.-]{1,200}\.jsonl$/ },
};

/** The lines that this machine has written itself after these positions; positions have the place after them. */
export function ownLines(
  state: string,
  what: readonly SharedKind[],
  machine: string,
  positions: Readonly<Record<string, number>>,
): { readonly lines: readonly SharedLine[]; readonly positions: Readonly<Record<string, number>> } {
  const lines: SharedLine[] = [];
  const next: Record<string, number> = {};
  for (const kind of what) {
    if (kind === "approvals") continue;
    for (const name of filesOf(state, kind)) {
      const read = unreadOf(join(state, PLACES[kind].folder, name), `${kind}/${name}`, positions);
      if (read === undefined) continue;
      const { part, start, bytes } = read;
      let at = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0 && lines.length < MAX_LINES; end = bytes.indexOf(NEWLINE, at)) {
        const text = bytes.toString("utf8", at, end);
        at = end + 1;
        if (isOwn(text)) lines.push({ machine, file: `${kind}/${name}`, part, end: start + at, text });
      }
      next[`${kind}/${name} ${part}`] = start + at;
    }
  }
  return { lines, positions: next };
}

/** Adds what another machine has counted to what is counted here; what is no such line, or not shared, is left out. */
export function addForeignLine(
  state: string,
  what: readonly SharedKind[],
  { machine, file, text }: SharedLine,
): boolean {
  const [kind = "", name = ""] = file.split("/");
  const place = Object.hasOwn(PLACES, kind) ? PLACES[kind as keyof typeof PLACES] : undefined;
  if (place === undefined || !what.includes(kind as SharedKind) || !place.name.test(name)) return false;
  const line = parsed(text);
  if (line === undefined) return false;
  makePrivateDir(join(state, place.folder));
  const written = JSON.stringify({ ...line, from: machine.slice(0, 64) });
  appendRegularFile(join(state, place.folder, name), `${written}\n`);
  return true;
}

function filesOf(state: string, kind: keyof typeof PLACES): string[] {
  const { folder, name } = PLACES[kind];
  return attempt(() => readdirSync(join(state, folder)).filter((one) => name.test(one))) ?? [];
}

function unreadOf(path: string, file: string, positions: Readonly<Record<string, number>>) {
  const opened = openPlain(path);
  if (opened === undefined) return undefined;
  try {
    const part = keyOfFile(opened);
    if (part === undefined) return undefined;
    const { size } = fstatSync(opened);
    const known = positions[`${file} ${part}`] ?? 0;
    const start = known > size ? 0 : known;
    const bytes = Buffer.alloc(Math.min(size - start, MAX_BYTES));
    return { part, start, bytes: bytes.subarray(0, readSync(opened, bytes, 0, bytes.length, start)) };
  } finally {
    closeSync(opened);
  }
}

/** What came from another machine has its name. */
function isOwn(text: string): boolean {
  const line = parsed(text);
  return line !== undefined && line.from === undefined;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > LONGEST_LINE) return undefined;
  try {
    const line: unknown = JSON.parse(text);
    return isObject(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

const NEWLINE = 10;
const MAX_LINES = 1000;
const MAX_BYTES = 1024 * 1024;
const LONGEST_LINE = 8192;

import { closeSync, fstatSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { isObject } from "../event/json.ts";
import { homeDir } from "../fs/home-dir.ts";
import { openRegularFile } from "../fs/regular-file.ts";
import type { Conversation, Message, Spoken } from "./message.ts";
import { fromRollout, fromTranscript, isRollout } from "./transcript-line.ts";

/** The path of the transcript, from the request. */
interface Whereabouts {
  readonly transcriptPath: string;
  readonly cwd: string;
  readonly sessionId: string;
}

/** Reads a transcript, line by line; without one there are no messages. Never throws. */
export function readConversation({ transcriptPath, cwd, sessionId }: Whereabouts): Conversation {
  if (transcriptPath === "") return { messages: [] };
  const path = resolve(
    cwd,
    transcriptPath.replace(/^~(?=[/\\]|$)/, () => homeDir()),
  );
  const kept = new KeptMessages();
  const calls = new Map<string, string>();
  let brokenLines = 0;
  let session: string | undefined;
  const read = readLines(path, (text) => {
    const line = parsed(text);
    if (line === undefined) {
      brokenLines++;
      return;
    }
    const spoken = isRollout(line) ? fromRollout(line) : fromTranscript(line);
    session = spoken.sessionId ?? session;
    if (spoken.message !== undefined) kept.add(withToolName(spoken, spoken.message, calls));
  });
  if (read === undefined) return { messages: [] };
  const metadata = {
    path,
    lines: read.lines,
    broken_lines: brokenLines,
    long_lines: read.longLines,
    shortened_messages: kept.shortened,
    left_out_messages: kept.leftOut,
    skipped_bytes: read.skippedBytes,
  };
  return { messages: kept.messages, session_id: session ?? sessionId, metadata };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const line: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

/** A result names its call, and the call named the tool. */
function withToolName({ isResult }: Spoken, message: Message, calls: Map<string, string>): Message {
  const { tool_use_id: id, tool_name: name } = message;
  if (id === undefined) return message;
  if (!isResult) {
    if (name !== undefined) calls.set(id, name);
    return message;
  }
  const called = calls.get(id);
  calls.delete(id);
  return name === undefined && called !== undefined ? { ...message, tool_name: called } : message;
}

/** Collects messages without letting them fill the memory: when they weigh too much, the oldest go. */
class KeptMessages {
  #messages: Message[] = [];
  #weights: number[] = [];
  #weight = 0;
  /** Messages that lost a part of their text. */
  shortened = 0;
  /** The oldest messages, which are gone. */
  leftOut = 0;

  add(message: Message): void {
    const cut = { isShort: false };
    const { content, weight } = shorten(message.content, cut);
    this.#messages.push({ ...message, content });
    this.#weights.push(weight + MESSAGE);
    this.#weight += weight + MESSAGE;
    if (cut.isShort) this.shortened++;
    // More than a few at a time: each time moves all that stay.
    if (this.#weight > MAX_WEIGHT) this.#dropOldest(MAX_WEIGHT * 0.8);
  }

  get messages(): Message[] {
    return this.#messages;
  }

  #dropOldest(allowed: number): void {
    let count = 0;
    while (this.#weight > allowed && count < this.#messages.length - 1) this.#weight -= this.#weights[count++] ?? 0;
    this.#messages = this.#messages.slice(count);
    this.#weights = this.#weights.slice(count);
    this.leftOut += count;
  }
}

interface Cut {
  isShort: boolean;
}

/** A copy in which texts and nesting are limited, and its size. */
function shorten(value: unknown, cut: Cut, depth = 0): { content: unknown; weight: number } {
  if (typeof value === "string") {
    const content = value.length > MAX_TEXT_EACH ? cutText(value, cut) : value;
    return { content, weight: content.length + NODE };
  }
  if (typeof value !== "object" || value === null) return { content: value, weight: NODE };
  if (depth >= DEEPEST) {
    cut.isShort = true;
    return { content: LEFT_OUT, weight: NODE };
  }
  let weight = NODE;
  const inner = (item: unknown) => {
    const short = shorten(item, cut, depth + 1);
    weight += short.weight;
    return short.content;
  };
  if (Array.isArray(value)) return { content: value.map(inner), weight };
  const content = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item)]));
  return { content, weight };
}

/** A slice would keep the whole text in memory, so this one is copied. */
function cutText(text: string, cut: Cut): string {
  const over = text.length - MAX_TEXT_EACH;
  cut.isShort = true;
  return `${Buffer.from(text.slice(0, MAX_TEXT_EACH)).toString("utf8")}… [${over} characters left out]`;
}

/** What became of a file's lines. */
interface LinesRead {
  readonly lines: number;
  /** Lines that are too long to be held in memory. */
  readonly longLines: number;
  /** How much of the file's beginning was not read. */
  readonly skippedBytes: number;
}

/**
 * Hands over each line that is not blank, in order, holding one at a time; `undefined` when no file can be read.
 * Of a very large file only the end is read: a hook does not have time for more.
 */
function readLines(file: string, take: (line: string) => void): LinesRead | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openRegularFile(file);
    const stats = fstatSync(descriptor);
    return stats.isFile() ? readFrom(descriptor, Math.max(0, stats.size - MOST), take) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readFrom(descriptor: number, skippedBytes: number, take: (line: string) => void): LinesRead {
  const buffer = Buffer.allocUnsafe(CHUNK);
  let position = skippedBytes;
  // Where it begins in the middle of a line, the rest of that line is none.
  let isTorn = skippedBytes > 0;
  let line: Buffer[] = [];
  let length = 0;
  let [lines, longLines] = [0, 0];
  const add = (part: Buffer) => {
    length += part.length;
    // The chunk is read into again, so what has to last is copied.
    if (length <= LONGEST) line.push(Buffer.from(part));
    else line = [];
  };
  // A line that is completely in the chunk is read from there.
  const end = (last: Buffer) => {
    const isLong = length + last.length > LONGEST;
    const whole = line.length === 0 ? last : Buffer.concat([...line, last]);
    const text = isLong || isTorn ? "" : whole.toString("utf8").trim();
    if (isLong && !isTorn) longLines++;
    if ((isLong && !isTorn) || text !== "") lines++;
    line = [];
    length = 0;
    isTorn = false;
    if (text !== "") take(text);
  };
  for (;;) {
    const size = readSync(descriptor, buffer, 0, CHUNK, position);
    if (size === 0) break;
    position += size;
    const chunk = buffer.subarray(0, size);
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      end(chunk.subarray(start, at));
      start = at + 1;
    }
    if (start < size) add(chunk.subarray(start));
  }
  end(Buffer.alloc(0));
  return { lines, longLines, skippedBytes };
}

const NEWLINE = 10;
const CHUNK = 256 * 1024;
const LONGEST = 4 * 1024 * 1024;
const MOST = 24 * 1024 * 1024;

/** Written in place of values that are nested too deep. */
const LEFT_OUT = "[left out]";
const MAX_TEXT_EACH = 100_000;
const MAX_WEIGHT = 16_000_000;
/** What a message and a value in it weigh besides their characters. */
const MESSAGE = 250;
const NODE = 32;
const DEEPEST = 32;

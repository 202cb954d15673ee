import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../event/attempt.ts";
import type { EventName } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { appendRegularFile, openRegularFile, readEnd } from "../fs/regular-file.ts";
import { makePrivateDir } from "../fs/state-dir.ts";
import type { CountKey, SessionFlow } from "../rule/recent.ts";
import { readFlow } from "./flow-file.ts";
import { countOf, type History, type HistoryQuestion, type Remembered } from "./history.ts";

/** A history in files, one per session: for commands that live for one event only. */
export class FileHistory implements History {
  readonly #folder: string;
  readonly #ofTeam: readonly EventName[];

  /** `ofTeam` are the events whose number all sessions share: they are written down once more, in a file for each day. */
  constructor(folder: string, ofTeam: readonly EventName[] = []) {
    this.#folder = folder;
    this.#ofTeam = ofTeam;
  }

  /** One line, one write: several agents may record at once. */
  record({ type, toolName, sessionId, timestamp }: HookEvent): void {
    makePrivateDir(this.#folder);
    const line = `${JSON.stringify({ event: type, tool: toolName, at: timestamp } satisfies Remembered)}\n`;
    const names = this.#ofTeam.includes(type) ? [sessionId, dayOfTeam(type, timestamp)] : [sessionId];
    for (const name of names) appendRegularFile(this.#file(name), line);
  }

  recordCount({ sessionId, timestamp }: HookEvent, key: CountKey): void {
    makePrivateDir(this.#folder);
    const line = `${JSON.stringify({ event: key, tool: undefined, at: timestamp } satisfies Remembered)}\n`;
    for (const name of [inSession(key, sessionId), dayOfTeam(key, timestamp)])
      appendRegularFile(this.#file(name), line);
  }

  count(question: HistoryQuestion): number {
    const { sessionId, event, since, ofTeamUntil } = question;
    const names =
      ofTeamUntil === undefined
        ? [inSession(event, sessionId)]
        : [since, ofTeamUntil].map((at) => dayOfTeam(event, at));
    return [...new Set(names)].reduce((sum, name) => sum + countOf(tailOf(this.#file(name)), question), 0);
  }

  began(sessionId: string | undefined): number | undefined {
    return readLine(headOf(this.#file(sessionId)).split("\n", 1)[0] ?? "")[0]?.at;
  }

  flow(sessionId: string | undefined): SessionFlow {
    return readFlow(this.#folder, sessionId);
  }

  #file(sessionId = ""): string {
    return join(this.#folder, `${sha256Text(sessionId).slice(0, 32)}.jsonl`);
  }
}

/** What is counted in a session has a file of its own, so that the other events of a long session do not push it out. */
function inSession(event: EventName | CountKey, sessionId: string | undefined): string | undefined {
  return event.startsWith("count ") ? `\0${event} ${sessionId ?? ""}` : sessionId;
}

/** What a team's events of a day are kept under, where those of a session are kept under its id: the same on every machine. */
function dayOfTeam(event: EventName | CountKey, at: number): string {
  return `\0team ${event} ${Math.floor(at / DAY)}`;
}

/** The latest events of a file; a line that is torn or foreign is passed over. */
function tailOf(path: string): Remembered[] {
  return attempt(() => readEnd(path, { maxBytes: MAX_READ }).toString("utf8").split("\n").flatMap(readLine)) ?? [];
}

/** The beginning of a file, which holds its first line. */
function headOf(path: string): string {
  let file: number;
  try {
    file = openRegularFile(path);
  } catch {
    return "";
  }
  try {
    const buffer = Buffer.alloc(MAX_OF_A_LINE);
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, MAX_OF_A_LINE, 0));
  } finally {
    closeSync(file);
  }
}

function readLine(line: string): Remembered[] {
  try {
    const { event, tool, at } = JSON.parse(line);
    return typeof event === "string" && typeof at === "number" ? [{ event, tool, at }] : [];
  } catch {
    return [];
  }
}

const DAY = 86_400;
const MAX_READ = 256 * 1024;
const MAX_OF_A_LINE = 4096;

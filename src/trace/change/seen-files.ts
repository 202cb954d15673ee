import { basename, join } from "node:path";
import { callEffects } from "../../effects/call-effects.ts";
import { isPathEffect, type LookupsFor, type PathEffect } from "../../effects/effect.ts";
import { namedFiles } from "../../effects/named-files.ts";
import { GAP, type Word } from "../../effects/parse/command.ts";
import { isSystemFile } from "../../effects/paths.ts";
import type { EventFacts } from "../../event/field.ts";
import { whileLocked } from "../../fs/lock.ts";
import { sha256 } from "../../fs/read-once.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { makePrivateDir } from "../../fs/state-dir.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import { isFolder, opened, wholePath } from "./touched-files.ts";
import type { TracedSession } from "./traced.ts";

/** A file as a session saw it last. */
export interface SeenFile {
  readonly hash: string;
  /** When it looked, in milliseconds since 1970. */
  readonly at: number;
}

/** What a session has seen, by the hash of a file's whole path: a name may hold a secret. */
export type SeenFiles = Readonly<Record<string, SeenFile>>;

/** What a session has seen so far. */
export function seenBy(state: string, session: TracedSession): SeenFiles {
  try {
    const found: unknown = JSON.parse(readRegularText(fileFor(state, session)));
    return Object(found) as SeenFiles;
  } catch {
    return {};
  }
}

/** How a file is called there. */
export function seenKey(path: string): string {
  return sha256(path).slice(0, 32);
}

/** Remembers what a session has just seen or written; nothing in the place of a file forgets it. The oldest are forgotten first. */
export function rememberSeen(
  state: string,
  session: TracedSession,
  fresh: Readonly<Record<string, SeenFile | undefined>>,
): void {
  if (Object.keys(fresh).length === 0) return;
  const write = () => writeSeen(state, session, fresh);
  try {
    makePrivateDir(join(state, "seen"));
    // Agents read several files at once, and each call ends in a process of its own.
    whileLocked(`${fileFor(state, session)}.lock`, write) ?? write();
  } catch {
    // What is not remembered is not compared; the record of the change itself is worth more.
  }
}

function writeSeen(state: string, session: TracedSession, fresh: Readonly<Record<string, SeenFile | undefined>>): true {
  const young = Object.entries(fresh).map(([path, seen]) => [seenKey(path), seen] as const);
  const renewed = new Set(young.map(([key]) => key));
  const kept = Object.entries(seenBy(state, session)).filter(([key]) => !renewed.has(key));
  const all = [...kept, ...young.filter(([, seen]) => seen !== undefined)].slice(-MAX_FILES);
  writePrivate(fileFor(state, session), JSON.stringify(Object.fromEntries(all)));
  return true;
}

function fileFor(state: string, { agent = "", sessionId = "" }: TracedSession): string {
  return join(state, "seen", `${sha256(`${agent}\0${sessionId}`).slice(0, 32)}.json`);
}

const MAX_FILES = 2000;

/** The files that a call reads, by a tool for files or by a program; files in a folder that it only searches are not included. */
export function readFiles(event: EventFacts, root: string, look?: LookupsFor): string[] {
  const { cwd = root } = event;
  const { all, at } = touches(event, look);
  const found = all.filter(({ does }) => does === "read").flatMap((touch) => at(touch, cwd));
  return [...new Set(found)].filter((path) => !isSystemFile(path)).slice(0, MAX_READ);
}

/**
 * The files that a call is certain to write over or to delete. A program that writes into a folder, such as a compiler,
 * may keep existing files, except for those with the name of a file that it writes.
 */
export function overwrittenFiles(event: EventFacts, root: string, look?: LookupsFor): string[] {
  const { cwd = root } = event;
  const { all, at } = touches(event, look);
  const found = all.flatMap((touch) => {
    if (touch.does === "read") return [];
    const paths = at(touch, cwd);
    if (touch.does === "delete") return paths.flatMap((path) => opened(path, false));
    return touch.path.isGlob
      ? paths
      : paths.flatMap((path) => (isFolder(path) ? broughtInto(path, touch, all) : [path]));
  });
  return [...new Set(found)].filter((path) => !isSystemFile(path) && !isFolder(path));
}

function broughtInto(folder: string, { command }: Touch, all: readonly Touch[]): string[] {
  const sources = all.filter((other) => other.command === command && other.does !== "write");
  return sources.map(({ path }) => join(folder, basename(path.text)));
}

type Touch = PathEffect;

/** What a call touches, and where: a pattern is opened by the names that the shell finds, or else by all that fit it. */
function touches(event: EventFacts, look: LookupsFor | undefined) {
  const act = callEffects(event, look);
  const all = (act?.effects ?? []).filter(isPathEffect).filter(({ path }) => isTold(path));
  const at = (touch: Touch, cwd: string): readonly string[] => {
    const named = act && namedFiles(touch, act);
    if (named === undefined) return [wholePath(touch.path.text, cwd)];
    if (named.doubt === undefined) return named.names.map((name) => wholePath(name, cwd));
    return opened(wholePath(touch.path.text, cwd), true);
  };
  return { all, at };
}

function isTold({ text, isKnown, isGlob }: Word): boolean {
  return text !== "" && (isKnown || isGlob) && !text.includes(GAP);
}

const MAX_READ = 200;

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentCall, Native } from "../adapters/read-call.ts";
import type { Scope } from "../adapters/recipe.ts";
import { attempt } from "../event/attempt.ts";
import { milliseconds } from "../event/clock.ts";
import { claimAge, makeClaim, readClaim, removeClaim } from "../fs/claim.ts";
import { isRunning } from "../fs/lock.ts";
import { readRegularFile, readRegularText } from "../fs/regular-file.ts";
import { FileCache } from "../fs/stat-cache.ts";
import { makePrivateDir, stateDir } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { isOurFile } from "../install/targets.ts";
import type { Caller } from "./caller.ts";
import type { Printed } from "./context.ts";
import { patienceIn } from "./patience.ts";
import type { TwoLines } from "./two-lines.ts";

/** A call that may come twice, and the two ways in which it can end here. */
interface TwiceCalled {
  readonly call: AgentCall;
  readonly native: Native;
  readonly caller: Caller;
  readonly lines: TwoLines;
  /** Decides the call in this process. */
  readonly decide: () => Promise<Printed>;
  /** Denies the call, for this reason. */
  readonly refuse: (why: string) => Printed;
}

/**
 * Decides a call once where the settings of both scopes have a line for it: the agent starts both. The line that comes first
 * decides; the other one waits for that answer and returns it. Whatever is in doubt is decided again: an answer of another
 * call is never used, nor one of the same line, nor one whose process has died.
 */
export async function decideOnce({ call, native, caller, lines, decide, refuse }: TwiceCalled): Promise<Printed> {
  if (!lines.others.some((path) => isOurs(path, native))) return decide();
  const until = milliseconds() + patienceIn(native.hookEvent.seconds ?? native.adapter.seconds);
  const key = await keyOf(call, native);
  const { name } = key;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const claim = claimed(name, lines.scope, caller);
    switch (claim?.as) {
      case undefined:
        return decide();
      case "first":
        return decidedFirst(claim.path, key, decide);
      case "second": {
        const answer = await waitedFor(claim, key, caller, until);
        if (answer === "late") return refuse(LATE);
        if (answer !== "released") return answer;
      }
    }
  }
  return decide();
}

async function decidedFirst(path: string, key: CallKey, decide: () => Promise<Printed>): Promise<Printed> {
  try {
    const printed = await decide();
    writePrivate(`${path}${ANSWER}`, key.seal(JSON.stringify(printed)));
    return printed;
  } catch (error) {
    // Another process decides the call, and claims it for itself.
    remove(path);
    throw error;
  }
}

/** The answer of the line that came first; `released` if it will not answer, `late` if it has not answered in time. */
async function waitedFor(
  { path, pid }: Extract<Claim, { as: "second" }>,
  key: CallKey,
  { daemon }: Caller,
  until: number,
): Promise<Printed | "released" | "late"> {
  for (let pause = 1; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const answer = readAnswer(`${path}${ANSWER}`, key);
    if (answer !== undefined) {
      remove(path);
      return answer;
    }
    if (!isThere(path)) return "released";
    if (!isRunning(pid)) {
      remove(path);
      return "released";
    }
    if (milliseconds() > until) return "late";
    if (daemon !== undefined && daemon.mayWait !== true) {
      // A daemon decides one call after the other; the cold command can wait.
      removeClaim(`${path}${JOINED}`);
      throw new Error("the other line has not answered yet");
    }
    await sleep(pause);
  }
}

type Claim =
  | { readonly as: "first"; readonly path: string }
  | { readonly as: "second"; readonly path: string; readonly pid: number };

/**
 * Claims a call. A claim is a symlink that names the line and its process, because that is made in one step, with its content.
 * Calls that are alike byte by byte get a slot each: the n-th of one line belongs to the n-th of the other.
 */
function claimed(key: string, scope: Scope, { env }: Caller): Claim | undefined {
  try {
    const folder = join(stateDir({ env }), "same-calls");
    makePrivateDir(folder);
    for (let slot = 0; slot < MAX_SLOTS; slot++) {
      const path = join(folder, `${key}-${slot}`);
      if (isStale(path)) remove(path);
      if (makeClaim(path, `${scope} ${process.pid}`)) {
        removeOld(folder);
        return { as: "first", path };
      }
      const [by, pid] = readClaim(path).split(" ");
      if (by !== undefined && by !== scope && makeClaim(`${path}${JOINED}`, String(process.pid)))
        return { as: "second", path, pid: Number(pid) };
    }
  } catch {
    // What cannot be claimed is decided.
  }
  return undefined;
}

function isThere(path: string): boolean {
  return claimAge(path) !== undefined;
}

/** An answered claim that the other line has not asked for is not for the calls that come later; nor one of a process that died. */
function isStale(path: string): boolean {
  const age = claimAge(path);
  if (age === undefined || age < WINDOW_MS) return false;
  return isThere(`${path}${ANSWER}`) || age > MAX_AGE_MS || !isRunning(Number(readClaim(path).split(" ")[1]));
}

function readAnswer(path: string, key: CallKey): Printed | undefined {
  return attempt(() => JSON.parse(key.open(readRegularFile(path))) as Printed);
}

function remove(path: string): void {
  // The claim is removed last: a process that does not find it finds no other file of it either.
  for (const name of [`${path}${ANSWER}`, `${path}${JOINED}`, path]) removeClaim(name);
}

/** Answers that no line has asked for. */
function removeOld(folder: string): void {
  const old = readdirSync(folder).map((name) => join(folder, name));
  for (const path of old) if ((claimAge(path) ?? 0) > MAX_AGE_MS) removeClaim(path);
}

/** What only the two lines of one call know: the name of their claim, and how the answer is sealed. */
interface CallKey {
  /** The same for both lines of one call, and for no other call of the session where the payload has an id. */
  readonly name: string;
  readonly seal: (text: string) => Buffer;
  /** Throws for an answer that was sealed for another call. */
  readonly open: (sealed: Buffer) => string;
}

/** An answer may quote the call, and it stays on the disk where the other line never asks for it: only a line with the same payload can read it. */
async function keyOf({ text, hookEvent }: AgentCall, { adapter, name }: Native): Promise<CallKey> {
  // Loading it takes a cold call longer than all the rest of this file.
  const { createCipheriv, createDecipheriv, createHash, randomBytes } = await import("node:crypto");
  const digest = (use: string) =>
    createHash("sha256")
      .update([use, adapter.id, name, hookEvent ?? "", text].join("\0"))
      .digest();
  const secret = digest("answer");
  return {
    name: digest("name").toString("hex").slice(0, 40),
    seal: (plain) => {
      const vector = randomBytes(VECTOR_BYTES);
      const cipher = createCipheriv("aes-256-gcm", secret, vector);
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([vector, cipher.getAuthTag(), sealed]);
    },
    open: (bytes) => {
      const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, VECTOR_BYTES));
      decipher.setAuthTag(bytes.subarray(VECTOR_BYTES, VECTOR_BYTES + TAG_BYTES));
      return `${decipher.update(bytes.subarray(VECTOR_BYTES + TAG_BYTES), undefined, "utf8")}${decipher.final("utf8")}`;
    },
  };
}

const VECTOR_BYTES = 12;
const TAG_BYTES = 16;

function isOurs(path: string, { adapter }: Native): boolean {
  return SETTINGS.read(path, () => {
    try {
      return isOurFile(readRegularText(path), adapter);
    } catch {
      return false;
    }
  });
}

const SETTINGS = new FileCache<boolean>();
const ANSWER = ".answer";
const JOINED = ".joined";
const LATE =
  "Sluice is called by the user's and by the project's settings of this agent, and the call that came first has not been answered in time";
const MAX_TRIES = 5;
const MAX_SLOTS = 16;
const MAX_PAUSE_MS = 20;
/** Both lines of one call are started at the same time. */
const WINDOW_MS = 10_000;
const MAX_AGE_MS = 10 * 60_000;

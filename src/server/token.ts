import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { writePrivate } from "../fs/write-atomic.ts";
import { isPrivate } from "./quarters.ts";

/** Two secrets: a client shows its own first, and believes only an engine that answers with the other. */
export interface Token {
  readonly client: string;
  readonly engine: string;
}

/** Makes new secrets and puts them where only this user can read them. */
export function writeToken(path: string): Token {
  const token = { client: randomBytes(BYTES).toString("hex"), engine: randomBytes(BYTES).toString("hex") };
  writePrivate(path, `${token.client} ${token.engine}\n`);
  return token;
}

/** The secrets of the engine that runs, if this user may know them. */
export function readToken(path: string): Token | undefined {
  try {
    const [, client, engine] = (isPrivate(path) && TOKEN.exec(readFileSync(path, "latin1"))) || [];
    return client === undefined || engine === undefined ? undefined : { client, engine };
  } catch {
    return undefined;
  }
}

/** Compares in the same time, whatever the difference; on the way of every call, so without copies of either. */
export function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let differences = 0;
  for (let at = 0; at < one.length; at++) differences |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return differences === 0;
}

const BYTES = 32;
const TOKEN = /^([0-9a-f]{64}) ([0-9a-f]{64})\n$/;

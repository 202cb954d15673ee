import { randomBytes } from "node:crypto";
import { readRegularFile } from "../fs/regular-file.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import type { Handshake } from "./handshake.ts";
import { greeting } from "./protocol.ts";
import { isPrivate } from "./runtime-dir.ts";

/** Two secrets: a client sends its own first, and believes only a daemon that answers with the other. */
export interface DaemonToken {
  readonly client: string;
  readonly daemon: string;
}

/** Makes new secrets and writes them where only this user can read them. */
export function writeToken(path: string): DaemonToken {
  const token = { client: randomBytes(BYTES).toString("hex"), daemon: randomBytes(BYTES).toString("hex") };
  writePrivate(path, `${token.client} ${token.daemon}\n`);
  return token;
}

/** The secrets of the daemon that runs, if this user may know them. */
export function readToken(path: string): DaemonToken | undefined {
  try {
    const [, client, daemon] = (isPrivate(path) && TOKEN.exec(readRegularFile(path).toString("latin1"))) || [];
    return client === undefined || daemon === undefined ? undefined : { client, daemon };
  } catch {
    return undefined;
  }
}

/** The daemon's side of a handshake in which each side sends its secret: only this user can reach the address. */
export function checkSecret({ client, daemon }: DaemonToken): Handshake {
  return {
    opening: "",
    steps: [(line) => (isEqualInConstantTime(`${line}\n`, greeting(client)) ? greeting(daemon) : undefined)],
  };
}

/** The client's side. */
export function sendSecret({ client, daemon }: DaemonToken): Handshake {
  return {
    opening: greeting(client),
    steps: [(line) => (isEqualInConstantTime(`${line}\n`, greeting(daemon)) ? "" : undefined)],
  };
}

/** Compares in the same time, whatever the difference. Every call does it, so neither text is copied. */
export function isEqualInConstantTime(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let differences = 0;
  for (let at = 0; at < one.length; at++) differences |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return differences === 0;
}

const BYTES = 32;
const TOKEN = /^([0-9a-f]{64}) ([0-9a-f]{64})\n$/;

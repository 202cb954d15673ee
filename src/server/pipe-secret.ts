import { readFileSync, rmSync } from "node:fs";
import { createFile, writePrivate } from "../fs/write-atomic.ts";
import { newNonce } from "./pipe-proof.ts";
import { isPrivate, type RuntimeDir } from "./runtime-dir.ts";

type Place = Pick<RuntimeDir, "token" | "system">;

/** The secret that daemon and clients share, if there is one and only this user can read it. */
export function readSecret({ token, system }: Place): string | undefined {
  try {
    const text = isPrivate(token, system) ? readFileSync(token, "latin1") : "";
    return SECRET.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

/** The secret that is there, or a new one; processes that make one at the same time get the same. */
export function sharedSecret(place: Place): string {
  const known = readSecret(place);
  if (known !== undefined) return known;
  // Where there is one, another process was faster, or has left half of one behind.
  createFile(place.token, line(newNonce()), 0o600);
  return readSecret(place) ?? replaceSecret(place);
}

/** Makes another secret, and with it another name: what was known about the old one is worthless. */
export function replaceSecret({ token }: Place): string {
  const secret = newNonce();
  writePrivate(token, line(secret));
  return secret;
}

/** Removes the secret, unless it is another daemon's by now. */
export function forgetSecret(place: Place, secret: string): void {
  if (readSecret(place) === secret) rmSync(place.token, { force: true });
}

function line(secret: string): string {
  return `${secret}\n`;
}

const SECRET = /^([0-9a-f]{64})\n$/;

import { readFileSync, rmSync } from "node:fs";
import { createFile, writePrivate } from "../fs/write-atomic.ts";
import { newNumber } from "./proof.ts";
import { isPrivate, type Quarters } from "./quarters.ts";

type Place = Pick<Quarters, "token" | "system">;

/** The secret that engine and clients share, if there is one and only this user can read it. */
export function readSecret({ token, system }: Place): string | undefined {
  try {
    const text = isPrivate(token, system) ? readFileSync(token, "latin1") : "";
    return SECRET.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

/** The secret that is there, or a new one; of many who make one at once all get the same. */
export function sharedSecret(place: Place): string {
  const known = readSecret(place);
  if (known !== undefined) return known;
  // Where there is one, another process was faster, or has left half of one behind.
  createFile(place.token, line(newNumber()), 0o600);
  return readSecret(place) ?? replaceSecret(place);
}

/** Makes another secret, and with it another name: what was known about the old one is worth nothing any more. */
export function replaceSecret({ token }: Place): string {
  const secret = newNumber();
  writePrivate(token, line(secret));
  return secret;
}

/** Takes the secret away, unless it is another engine's by now. */
export function forgetSecret(place: Place, secret: string): void {
  if (readSecret(place) === secret) rmSync(place.token, { force: true });
}

function line(secret: string): string {
  return `${secret}\n`;
}

const SECRET = /^([0-9a-f]{64})\n$/;

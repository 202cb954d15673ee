import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
  try {
    writeFileSync(place.token, line(newNumber()), { flag: "wx", mode: 0o600 });
  } catch {
    // Somebody else was faster, or has left half of one behind.
  }
  return readSecret(place) ?? replaceSecret(place);
}

/** Makes another secret, and with it another name: what was known about the old one is worth nothing any more. */
export function replaceSecret({ token }: Place): string {
  const secret = newNumber();
  const draft = `${token}.${process.pid}`;
  writeFileSync(draft, line(secret), { mode: 0o600 });
  renameSync(draft, token);
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

import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { whileLocked } from "../fs/lock.ts";
import { ensurePrivateDir, stateDir } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { witnessFolder } from "../trust/inventory.ts";
import { readState, removeState, type StatePlace, writeState } from "../trust/state-file.ts";
import { isPasskey, type Passkey } from "./passkey.ts";
import { PERSON_FILE } from "./store.ts";

/** What proves that a person answers, and not a program: a PIN, passkeys, or both. Each is enough. */
export interface PersonChannel {
  readonly pin?: PinHash | undefined;
  readonly passkeys: readonly Passkey[];
}

/** A PIN as it is stored: a slow hash, so that a copy of the file does not give it away at once. */
interface PinHash {
  readonly salt: string;
  readonly hash: string;
  readonly cost: number;
}

/** Whether anything is set up; `lost` where it was, and its file is gone or damaged: then nothing proves a person. */
export function personChannel(place: StatePlace): PersonChannel | "none" | "lost" {
  const { pin, passkeys } = Object(readState(PERSON_FILE, place)) as Partial<PersonChannel>;
  const known = (Array.isArray(passkeys) ? passkeys : []).filter(isPasskey);
  if (isPinHash(pin)) return { pin, passkeys: known };
  if (known.length > 0) return { passkeys: known };
  return existsSync(witness(place)) ? "lost" : "none";
}

/** Counts the use of a passkey: a copy of it would have another counter. */
export function notePasskeyUse(used: Passkey, place: StatePlace): void {
  const channel = personChannel(place);
  if (typeof channel !== "object") return;
  const passkeys = channel.passkeys.map((one) => (one.id === used.id ? used : one));
  writeState(PERSON_FILE, { ...channel, passkeys }, place);
}

/** Stores what proves a person, and beside the state that something is set up; returns whether it could. */
export function savePersonChannel(
  channel: Pick<PersonChannel, "pin"> & Partial<PersonChannel>,
  place: StatePlace,
): boolean {
  if (!writeState(PERSON_FILE, channel, place)) return false;
  removeState(TRIES, place);
  if (!ensurePrivateDir(dirname(witness(place)))) return false;
  writePrivate(witness(place), "set up\n");
  return true;
}

/** Removes what was set up. */
export function removePersonChannel(place: StatePlace): void {
  for (const name of [PERSON_FILE, TRIES]) removeState(name, place);
  rmSync(witness(place), { force: true });
}

/** A new PIN, as it is stored. */
export function hashPin(pin: string, cost = COST): PinHash {
  const salt = randomBytes(16);
  return { salt: salt.toString("hex"), hash: derived(pin, salt, cost).toString("hex"), cost };
}

/** The result of a PIN that was typed. */
export type PinResult = { readonly is: "right" } | { readonly is: "wrong" | "late"; readonly waitMs: number };

/** How long no PIN is taken: the time grows with every wrong PIN, and survives this process. */
export function pinDelay(place: StatePlace, now = Date.now()): number {
  const { wrong, at } = triesIn(place);
  // A clock that was turned back does not shorten it.
  return Math.max(0, Math.min(at + delayAfter(wrong) - now, delayAfter(wrong)));
}

/** Compares a PIN. A try counts before it is compared, so that a process that is killed meanwhile has used one. */
export function tryPin(pin: string, place: StatePlace, now = Date.now()): PinResult {
  const channel = personChannel(place);
  const stored = typeof channel === "object" ? channel.pin : undefined;
  const lock = join(stateDir(place), LOCK);
  if (stored === undefined || !ensurePrivateDir(dirname(lock))) return { is: "wrong", waitMs: 0 };
  const counted = whileLocked(lock, () => {
    const waitMs = pinDelay(place, now);
    if (waitMs > 0) return { waitMs, wrong: 0, isCounted: false };
    const wrong = triesIn(place).wrong + 1;
    return { waitMs: delayAfter(wrong), wrong, isCounted: writeState(TRIES, { wrong, at: now }, place) };
  });
  if (counted === undefined || !counted.isCounted) return { is: "late", waitMs: counted?.waitMs ?? 1000 };
  const given = derived(pin, Buffer.from(stored.salt, "hex"), stored.cost);
  if (!timingSafeEqual(given, Buffer.from(stored.hash, "hex"))) return { is: "wrong", waitMs: counted.waitMs };
  removeState(TRIES, place);
  return { is: "right" };
}

/** Why a PIN is not taken; undefined if it is. */
export function whyNoPin(pin: string): string | undefined {
  if ([...pin].length < SHORTEST) return `a PIN has at least ${SHORTEST} characters`;
  if (new Set(pin).size === 1) return "a PIN has more than one different character";
  return undefined;
}

function triesIn(place: StatePlace): { readonly wrong: number; readonly at: number } {
  const { wrong, at } = Object(readState(TRIES, place));
  return Number.isInteger(wrong) && wrong > 0 && typeof at === "number" ? { wrong, at } : { wrong: 0, at: 0 };
}

/** The first wrong PIN is a slip; from the second on the time doubles, up to an hour. */
function delayAfter(wrong: number): number {
  return wrong < 2 ? 0 : Math.min(1000 * 2 ** (wrong - 1), 3_600_000);
}

function derived(pin: string, salt: Buffer, cost: number): Buffer {
  return scryptSync(pin.normalize("NFKC"), salt, HASH_BYTES, { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 });
}

function isPinHash(value: unknown): value is PinHash {
  const { salt, hash, cost } = Object(value);
  const isHex = (text: unknown, bytes: number) => typeof text === "string" && text.length === 2 * bytes;
  return isHex(salt, 16) && isHex(hash, HASH_BYTES) && Number.isInteger(cost) && cost >= 2 && cost <= 2 ** 20;
}

/** Beside the state: if the state is deleted, it is known that something was set up. */
function witness(place: StatePlace): string {
  return join(witnessFolder(stateDir(place)), WITNESS);
}

const WITNESS = "person-channel";
const TRIES = "approvals/tries.json";
const LOCK = "approvals/pin-lock";
const SHORTEST = 4;
const HASH_BYTES = 32;
/** About a quarter of a second, and 64 MiB. */
const COST = 2 ** 16;

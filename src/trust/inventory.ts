import { rmSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { oncePerText } from "../event/once.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { readRegularText } from "../fs/regular-file.ts";
import { entryAt } from "../fs/resolve-path.ts";
import { FileCache } from "../fs/stat-cache.ts";
import { ensurePrivateDir, type StateHome, stateDir, whyUnsafe } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";

/** One thing that was enforced: a gate hook, or a level of a setting. */
export interface EnforcedItem {
  /** Identifies the item, also after it has changed. */
  readonly key: string;
  /** Differs if the item does something else. */
  readonly hash: string;
  /** The name for a user. */
  readonly what: string;
  /** It runs only while the user's approval in the trust ledger is valid. */
  readonly needsApproval?: true;
}

/** Everything that a configuration enforces. */
export interface EnforcedState {
  /** One hash of everything below. */
  readonly hash: string;
  readonly items: readonly EnforcedItem[];
  /** What lowers the guards: exceptions, rules that are off. */
  readonly lowered: readonly string[];
}

/** What was last enforced for a project or for a user's own configuration, and the states that were accepted. */
export interface Inventory {
  readonly of: string;
  readonly last: EnforcedState;
  /** Hashes of the states that were enforced or confirmed, the latest last. */
  readonly accepted: readonly string[];
}

/** Stands for an inventory that cannot be read any more. */
const DAMAGED: EnforcedItem = { key: "inventory", hash: "", what: "the inventory of what was enforced" };

/** What was last enforced; undefined if nothing is known. The second copy is used if the first is missing or damaged. */
export function readInventory(subject: string, where: StateHome): Inventory | undefined {
  const name = fileName(subject);
  let isDamaged = false;
  for (const folder of foldersOf(where)) {
    const path = join(folder, name);
    const stats = entryAt(path);
    const known = stats && copyAt(path, subject, stats);
    if (known !== undefined) return known;
    isDamaged ||= stats !== undefined;
  }
  return isDamaged ? { of: subject, last: { hash: "", items: [DAMAGED], lowered: [] }, accepted: [] } : undefined;
}

/** Records a state as the one that is enforced now. */
export function rememberState(subject: string, last: EnforcedState, where: StateHome): void {
  const accepted = readInventory(subject, where)?.accepted.filter((hash) => hash !== last.hash) ?? [];
  const text = JSON.stringify({ of: subject, last, accepted: [...accepted, last.hash].slice(-MAX_ACCEPTED) });
  for (const folder of foldersOf(where)) writeIn(folder, fileName(subject), text);
}

/** A question about a state that an agent must ask its user. */
export interface AskedState {
  /** Identifies the call. */
  readonly call: string;
  readonly at: number;
  readonly states: readonly { readonly subject: string; readonly state: EnforcedState }[];
}

/** Records that the user is asked about states before a call. */
export function rememberAsked(asked: AskedState, where: StateHome): void {
  const others = readAsked(where).filter(({ call, at }) => call !== asked.call && asked.at - at < MAX_CALL_MS);
  const [folder = ""] = foldersOf(where);
  writeIn(folder, ASKED, JSON.stringify([...others, asked].slice(-MAX_ASKED)));
}

/** Accepts the states that the question named: the call has run, so the user has approved it. */
export function confirmAsked(call: string, where: StateHome): void {
  const all = readAsked(where);
  const found = all.find((one) => one.call === call);
  if (found === undefined) return;
  for (const { subject, state } of found.states) rememberState(subject, state, where);
  const [folder = ""] = foldersOf(where);
  const rest = all.filter((one) => one !== found);
  writeIn(folder, ASKED, JSON.stringify(rest));
}

/** Whether a question has not been answered yet. */
export function hasAsked(where: StateHome): boolean {
  return readAsked(where).length > 0;
}

function readAsked(where: StateHome): readonly AskedState[] {
  const [folder = ""] = foldersOf(where);
  const path = join(folder, ASKED);
  const read = ASKED_FILES.readPresent(path, () => parsed(path));
  return Array.isArray(read) ? (read as AskedState[]) : [];
}

/** Reads one more value that is stored in both folders, from the first copy that can be read. */
export function readKept(name: string, where: StateHome): unknown {
  for (const folder of foldersOf(where)) {
    const path = join(folder, name);
    const read = INVENTORIES.readPresent(path, () => parsed(path));
    if (read !== undefined) return read;
  }
  return undefined;
}

/** Stores a value in both folders; `undefined` removes it. */
export function keepInBoth(name: string, value: object | undefined, where: StateHome): void {
  for (const folder of foldersOf(where))
    if (value === undefined) rmSync(join(folder, name), { force: true });
    else writeIn(folder, name, JSON.stringify(value));
}

function copyAt(path: string, subject: string, stats: Stats): Inventory | undefined {
  const read = Object(INVENTORIES.read(path, () => parsed(path), stats)) as Partial<Inventory>;
  const isWhole = read.of === subject && Array.isArray(read.accepted) && Array.isArray(read.last?.items);
  return isWhole ? (read as Inventory) : undefined;
}

function parsed(path: string): unknown {
  return attempt(() => (whyUnsafe(path, "file") === undefined ? JSON.parse(readRegularText(path)) : undefined));
}

/** A copy that cannot be written does not stop a call: there is another copy, and the next call tries again. */
function writeIn(folder: string, name: string, text: string): void {
  try {
    if (ensurePrivateDir(folder)) writePrivate(join(folder, name), `${text}\n`);
  } catch {}
}

/** Two folders, so that Sluice does not forget if one of them is deleted. */
export function foldersOf(where: StateHome): readonly string[] {
  const state = stateDir(where);
  return [join(state, "enforced"), witnessFolder(state)];
}

/** The folder of the second copies, beside the state. */
export function witnessFolder(state: string): string {
  return join(dirname(state), "sluice-enforced");
}

const fileName = oncePerText((subject: string): string => `${sha256Text(subject).slice(0, 32)}.json`);

const INVENTORIES = new FileCache<unknown>();
const ASKED_FILES = new FileCache<unknown>();
const ASKED = "asked.json";
const MAX_ACCEPTED = 100;
const MAX_ASKED = 50;
/** A later answer confirms nothing. */
const MAX_CALL_MS = 24 * 3_600_000;

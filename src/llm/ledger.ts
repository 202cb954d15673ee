import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256Text } from "../fs/late-builtins.ts";
import { appendRegularFile, readEnd } from "../fs/regular-file.ts";
import { ensurePrivateDir, stateDir } from "../fs/state-dir.ts";

/** What questions have cost. */
export interface Spending {
  readonly tokens: number;
  readonly usd: number;
}

/** The directory of what Sluice keeps about models for this user. */
export function llmStateDir(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(stateDir({ env }), "llm");
}

/** Where one question is booked: the day, and the session it came from. */
export interface Accounts {
  readonly day: string;
  readonly session: string;
}

/**
 * What was spent, in files that only ever grow by whole lines: processes that ask at the same time lose nothing.
 * What cannot be written is remembered by this process.
 */
export class Ledger {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #unwritten = new Map<string, Spending>();
  readonly #read = new Map<string, ReadSpending>();

  constructor(folder: string, clock: Clock = SYSTEM_CLOCK) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** The accounts of a question that is asked now. */
  accounts(sessionId: string | undefined): Accounts {
    const day = new Date(this.#clock.wall()).toISOString().slice(0, 10);
    const session = sessionId === undefined ? `none-${day}` : hashOf(sessionId);
    return { day: `day-${day}`, session: `session-${session}` };
  }

  spent(account: string): Spending {
    return add(this.#written(account), this.#unwritten.get(account) ?? NOTHING);
  }

  /** Books it; `false` when it could not be written down. */
  book(account: string, spending: Spending): boolean {
    if (spending.tokens === 0 && spending.usd === 0) return true;
    const path = this.#path(account);
    try {
      if (!ensurePrivateDir(this.#folder)) throw new Error("the folder is not private");
      if (!existsSync(path)) this.#forgetOld();
      appendRegularFile(path, `${JSON.stringify(spending)}\n`);
      return true;
    } catch {
      this.#unwritten.set(account, add(this.#unwritten.get(account) ?? NOTHING, spending));
      return false;
    }
  }

  /** Only what was added since the last look is read: thousands of hooks may ask in one call. */
  #written(account: string): Spending {
    const path = this.#path(account);
    try {
      const { size, ino } = statSync(path);
      const known = this.#read.get(account);
      const before = known !== undefined && known.ino === ino && known.size <= size ? known : { size: 0, sum: NOTHING };
      if (before.size === size) return before.sum;
      const text = readEnd(path, { from: before.size });
      const whole = text.subarray(0, text.lastIndexOf("\n") + 1);
      const sum = whole.toString("utf8").split("\n").flatMap(readLine).reduce<Spending>(add, before.sum);
      this.#read.set(account, { ino, size: before.size + whole.length, sum });
      // A last line without its end is used, and is read again.
      return readLine(text.subarray(whole.length).toString("utf8")).reduce<Spending>(add, sum);
    } catch {
      return NOTHING;
    }
  }

  #forgetOld(): void {
    for (const name of readdirSync(this.#folder).filter((entry) => entry.endsWith(SUFFIX))) {
      const path = join(this.#folder, name);
      const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
      if (this.#clock.wall() - changed > KEPT_FOR) rmSync(path, { force: true });
    }
  }

  #path(account: string): string {
    return join(this.#folder, `${account}${SUFFIX}`);
  }
}

/** What was read of an account, up to the end of a line. */
interface ReadSpending {
  readonly ino: number;
  readonly size: number;
  readonly sum: Spending;
}

/** The one ledger of a folder in this process. */
export function ledgerIn(folder: string): Ledger {
  const ledger = ledgers.get(folder) ?? new Ledger(folder);
  ledgers.set(folder, ledger);
  return ledger;
}

const ledgers = new Map<string, Ledger>();

function readLine(line: string): Spending[] {
  try {
    const { tokens, usd } = JSON.parse(line) as Record<string, unknown>;
    return typeof tokens === "number" && typeof usd === "number" && tokens >= 0 && usd >= 0 ? [{ tokens, usd }] : [];
  } catch {
    return [];
  }
}

function add(one: Spending, other: Spending): Spending {
  return { tokens: one.tokens + other.tokens, usd: one.usd + other.usd };
}

function hashOf(text: string): string {
  return sha256Text(text).slice(0, 32);
}

/** Two clocks, in milliseconds. Either alone can lie: people set the one, a restart sets back the other. */
export interface Clock {
  /** Since 1970. */
  wall(): number;
  /** Since the machine started; never set back, and the same for all its processes. */
  steady(): number;
}

/** The clocks of this machine. */
export const SYSTEM_CLOCK: Clock = {
  wall: () => Date.now(),
  steady: () => Number(process.hrtime.bigint() / 1000n) / 1000,
};

const NOTHING: Spending = { tokens: 0, usd: 0 };
const SUFFIX = ".jsonl";
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000;

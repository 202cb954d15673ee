import { snake } from "../hook/schema.ts";
import { problems } from "../problem/problem.ts";
import type { Accounts, Ledger, Spending } from "./ledger.ts";
import type { BudgetSettings } from "./llm-settings.ts";

/** Tokens of one question and its answer. */
export interface Usage {
  readonly input: number;
  readonly output: number;
}

/** A question that may be asked; its real cost is reported afterwards. */
export interface BudgetAdmission {
  /** Books it; `false` when that could not be written down. */
  settle(usage: Usage): boolean;
}

/** What models may cost by the session and by the day; a call beyond that is refused. */
export class Budget {
  readonly #limits: BudgetSettings;
  readonly #ledger: Ledger;

  constructor(limits: BudgetSettings | undefined, ledger: Ledger) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#ledger = ledger;
    const { sessionUsd, dayUsd, price } = this.#limits;
    if ((sessionUsd ?? dayUsd) !== undefined && price === undefined) {
      throw PROBLEMS.noPrice({ limit: sessionUsd === undefined ? "dayUsd" : "sessionUsd" });
    }
  }

  /** Lets a question pass while something is left. Until it is settled, its maximum cost is reserved. */
  admit(sessionId: string | undefined, most: Usage): BudgetAdmission {
    const accounts = this.#ledger.accounts(sessionId);
    for (const limit of LIMITS) this.#check(limit, accounts);
    const expected = this.#costOf(most);
    for (const account of Object.values(accounts)) pend(account, expected, 1);
    let isSettled = false;
    return {
      settle: (usage) => {
        if (isSettled) return true;
        isSettled = true;
        for (const account of Object.values(accounts)) pend(account, expected, -1);
        const cost = this.#costOf(usage);
        return Object.values(accounts)
          .map((account) => this.#ledger.book(account, cost))
          .every((isBooked) => isBooked);
      },
    };
  }

  #check({ limit, account, unit }: Limit, accounts: Accounts): void {
    const most = this.#limits[limit];
    if (most === undefined) return;
    const name = accounts[account];
    const spent = this.#ledger.spent(name)[unit] + (pending.get(name)?.[unit] ?? 0);
    if (round(spent) >= most) throw PROBLEMS.exhausted({ limit, most, spent, account });
  }

  #costOf({ input, output }: Usage): Spending {
    const { price = { input: 0, output: 0 } } = this.#limits;
    return { tokens: input + output, usd: (input * price.input + output * price.output) / 1_000_000 };
  }
}

/** The limits of a configuration that states none. */
export const DEFAULT_LIMITS = { sessionTokens: 1_000_000, dayTokens: 5_000_000 } as const satisfies BudgetSettings;

interface Limit {
  readonly limit: Exclude<keyof BudgetSettings, "price">;
  readonly account: keyof Accounts;
  readonly unit: keyof Spending;
}

const LIMITS: readonly Limit[] = [
  { limit: "sessionTokens", account: "session", unit: "tokens" },
  { limit: "sessionUsd", account: "session", unit: "usd" },
  { limit: "dayTokens", account: "day", unit: "tokens" },
  { limit: "dayUsd", account: "day", unit: "usd" },
];

/** What the questions under way may cost. */
const pending = new Map<string, Spending>();

function pend(account: string, { tokens, usd }: Spending, sign: 1 | -1): void {
  const before = pending.get(account) ?? { tokens: 0, usd: 0 };
  const after = { tokens: before.tokens + sign * tokens, usd: before.usd + sign * usd };
  if (after.tokens > 0) pending.set(account, after);
  else pending.delete(account);
}

const PROBLEMS = problems("llm", {
  exhausted: ({ limit, most, spent, account }: { limit: string; most: number; spent: number; account: string }) => ({
    what: `The budget of this ${account} is used up: ${round(spent)} of ${most} (\`${snake(limit)}\`).`,
    fix: `Raise \`llm.budget.${snake(limit)}\` in your own configuration, or wait for the next ${account}.`,
  }),
  noPrice: ({ limit }: { limit: string }) => ({
    what: `\`llm.budget\` limits \`${snake(limit)}\`, and the price of tokens is not there.`,
    fix: "Add `price: { input, output }`, in dollars for a million tokens.",
  }),
});

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

import * as v from "valibot";
import { readSeconds } from "../hook/duration.ts";
import { seconds } from "../hook/schema.ts";
import { PROVIDER_NAMES } from "./providers.ts";

/** Which language model answers `llm` hooks, where it is, and what it may cost. From the user or the administrator only. */
export interface LlmSettings {
  readonly provider?: string;
  readonly model?: string;
  readonly baseURL?: string;
  /** The variable that holds the key; never the key itself. */
  readonly apiKeyEnv?: string;
  /** The most that one answer may have. */
  readonly maxTokens?: number;
  /** Seconds for one question; a hook's own timeout counts when it is shorter. */
  readonly timeout?: number;
  readonly budget?: BudgetSettings;
  /** What else the user wrote. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** What models may cost before hooks stop asking them. */
export interface BudgetSettings {
  readonly sessionTokens?: number;
  readonly dayTokens?: number;
  readonly sessionUsd?: number;
  readonly dayUsd?: number;
  /** US dollars for a million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
}

/** What a file may say under `llm`, in either spelling; made when a file says something. */
export function llmSettingsSchema() {
  const amount = v.pipe(v.number(), v.minValue(0));
  const count = v.pipe(v.number(), v.integer(), v.minValue(0));
  return v.looseObject({
    provider: v.optional(v.picklist(PROVIDER_NAMES)),
    model: v.optional(v.string()),
    base_url: v.optional(v.string()),
    baseURL: v.optional(v.string()),
    api_key_env: v.optional(v.string()),
    apiKeyEnv: v.optional(v.string()),
    max_tokens: v.optional(count),
    maxTokens: v.optional(count),
    timeout: v.optional(seconds),
    budget: v.optional(
      v.looseObject({
        session_tokens: v.optional(count),
        sessionTokens: v.optional(count),
        day_tokens: v.optional(count),
        dayTokens: v.optional(count),
        session_usd: v.optional(amount),
        sessionUsd: v.optional(amount),
        day_usd: v.optional(amount),
        dayUsd: v.optional(amount),
        price: v.optional(v.looseObject({ input: amount, output: amount })),
      }),
    ),
  });
}

/** Reads what a file says under `llm`, once it has passed the schema. */
export function readLlmSettings(stated: Readonly<Record<string, unknown>>): LlmSettings {
  const { known, more } = sortOut(stated, spellings(TOP));
  const { timeout, budget, ...rest } = known;
  const limit = readSeconds(timeout);
  return {
    ...rest,
    ...(limit === undefined ? {} : { timeout: limit }),
    ...(budget === undefined ? {} : { budget: sortOut(Object(budget), spellings(BUDGET)).known as BudgetSettings }),
    more,
  };
}

/** Every key under its one name; keys that nobody knows apart. */
function sortOut(stated: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>) {
  const known: Record<string, unknown> = {};
  const more: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(stated)) {
    if (value === undefined) continue;
    if (Object.hasOwn(names, key)) known[names[key] ?? key] = value;
    else more[key] = value;
  }
  return { known, more };
}

const TOP = ["provider", "model", "baseURL", "apiKeyEnv", "maxTokens", "timeout", "budget"];
const BUDGET = ["sessionTokens", "dayTokens", "sessionUsd", "dayUsd", "price"];

/** From both spellings of a name to the name: `base_url` and `baseURL`. */
function spellings(names: readonly string[]): Readonly<Record<string, string>> {
  const snake = (name: string) => name.replace(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`);
  return Object.fromEntries(names.flatMap((name) => [name, snake(name)].map((spelling) => [spelling, name])));
}

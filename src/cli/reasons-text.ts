import type { Action } from "../decision/result.ts";

/** Who said what; a result of now or of then. */
interface Said {
  readonly hook: string;
  readonly action: Action;
}

/** Why it came to this; where nobody gave a reason, who objected. */
export function reasonsText(action: Action, reasons: readonly string[], results: readonly Said[]): string {
  const words = reasons.filter((reason) => reason.trim() !== "").join("; ");
  if (words !== "" || (action !== "deny" && action !== "ask")) return words;
  const names = results.filter((result) => result.action === action).map(({ hook }) => `"${hook}"`);
  if (names.length === 0) return "";
  return names.length === 1 ? `hook ${names[0]} gives no reason` : `hooks ${names.join(", ")} give no reason`;
}

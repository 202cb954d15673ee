import { loadRegex } from "../pattern/regex.ts";
import type { Example } from "./example.ts";
import type { ExampleVerdict } from "./verdict.ts";

/** Why a verdict is not what an example expects, in a sentence; nothing when it is. */
export async function mismatch(example: Example, verdict: ExampleVerdict): Promise<string | undefined> {
  if (verdict.failures.length > 0) return `${verdict.failures.join("; ")}; a broken hook proves nothing`;
  if (verdict.action !== example.expect) return `expected ${example.expect}, and got ${verdict.action}`;
  const absent = example.hooks.filter((name) => !verdict.heardBy.includes(name));
  if (absent.length > 0) return `${absent.join(", ")} did not take part`;
  if (example.input !== undefined && !isWithin(example.input, verdict.input)) {
    return `expected the input to hold ${shown(example.input)}, and got ${shown(verdict.input)}`;
  }
  return example.reason === undefined ? undefined : reasonMismatch(example.reason, verdict.reason);
}

/** Whether everything that is wanted is there; objects may hold more, lists may not. */
export function isWithin(wanted: unknown, got: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return Object.is(wanted, got);
  if (typeof got !== "object" || got === null || Array.isArray(wanted) !== Array.isArray(got)) return false;
  if (Array.isArray(wanted) && wanted.length !== (got as readonly unknown[]).length) return false;
  return Object.entries(wanted).every(
    ([key, value]) => Object.hasOwn(got, key) && isWithin(value, (got as Record<string, unknown>)[key]),
  );
}

/** Why a reason is not what is wanted, in a sentence; nothing when it is. */
export async function reasonMismatch(wanted: string, reason: string): Promise<string | undefined> {
  const [, pattern, flags = ""] = /^\/(.+)\/(i?)$/s.exec(wanted) ?? [];
  const fact = `expected a reason with ${wanted}, and got ${shown(reason)}`;
  if (pattern === undefined) return reason.includes(wanted) ? undefined : fact;
  const regex = (await loadRegex())(flags === "i" ? `(?i)${pattern}` : pattern);
  if ("refused" in regex) return `the regular expression ${wanted} ${regex.refused}. ${regex.instead}`;
  return regex.test(reason) ? undefined : fact;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

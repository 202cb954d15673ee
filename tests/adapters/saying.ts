import { readdirSync, readFileSync } from "node:fs";
import type { Adapter, Decoded, FittedDecision, Reply } from "../../src/adapters/adapter.ts";
import { refusal } from "../../src/adapters/fit.ts";
import type { Payload } from "../../src/adapters/payload.ts";

/** What hooks can say, one example of each. */
export const SAID = {
  nothing: { action: "continue", reason: "", context: "", approved: false },
  deny: { action: "deny", reason: "no", context: "", approved: false },
  ask: { action: "ask", reason: "sure?", context: "", approved: false },
  context: { action: "continue", reason: "", context: "know this", approved: false },
  approve: { action: "continue", reason: "", context: "", approved: true },
} as const satisfies Record<string, FittedDecision>;

/** A changed input. */
export function modify(input: unknown): FittedDecision {
  return { action: "modify", reason: "safer", context: "", input, approved: false };
}

/** A changed result. */
export function output(value: unknown, context = ""): FittedDecision {
  return { action: "modify", reason: "shorter", context, output: value, approved: false };
}

/** The answer of an agent's adapter at the hook event that the payload is of. */
export function reply(adapter: Adapter, payload: Payload, outcome: FittedDecision): Reply {
  const hookEvent = row(adapter, payload);
  const refused = refusal(outcome, hookEvent, payload);
  if (refused === undefined) return hookEvent.encode(outcome, payload);
  return hookEvent.encode(
    { action: "deny", reason: refused.reason, context: outcome.context, approved: false },
    payload,
  );
}

/** A payload in our words. */
export function decoded(adapter: Adapter, payload: Payload): Decoded {
  return row(adapter, payload).decode(payload);
}

/** Every recorded payload of an agent, by its file's name without the ending. */
export function recorded(agent: string): Record<string, Payload> {
  const folder = new URL(`../../fixtures/payloads/${agent}/`, import.meta.url);
  const files = readdirSync(folder).map((file): [string, Payload] => [
    file.replace(/\.json$/, ""),
    JSON.parse(readFileSync(new URL(file, folder), "utf8")),
  ]);
  return Object.fromEntries(files);
}

function row(adapter: Adapter, payload: Payload) {
  const hookEvent = adapter.hookEvents[adapter.hookEventOf(payload) ?? ""];
  if (hookEvent === undefined) throw new Error(`no hook event for ${JSON.stringify(payload)}`);
  return hookEvent;
}

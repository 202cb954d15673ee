import { readdirSync } from "node:fs";
import type { Adapter } from "../../src/adapters/adapter.ts";
import type { Payload } from "../../src/adapters/payload.ts";
import { DOCUMENTED } from "./documented/index.ts";
import { recorded } from "./saying.ts";

/** One payload, by a name that tells where it comes from. */
export interface Sent {
  readonly name: string;
  readonly payload: Payload;
  /** Seen on the wire, not only in a manual. */
  readonly isRecorded: boolean;
  /** Where the payload does not say which hook event it is, the command line does. */
  readonly hookEvent?: string;
}

/** Every payload of an agent that reaches us: recorded ones, and for other hook events those of its manual. */
export function payloadsOf({ id, hookEventOf, hookEvents }: Adapter): readonly Sent[] {
  const seen = hasRecordings(id)
    ? Object.entries(recorded(id)).flatMap(([name, payload]) => asSent(id, name, payload))
    : [];
  const written = Object.entries(DOCUMENTED[id] ?? {}).flatMap(([name, payload]): Sent[] => [
    { name: `documented/${name}`, payload, isRecorded: false },
  ]);
  return [...seen, ...written].filter(({ payload, hookEvent }) =>
    Object.hasOwn(hookEvents, hookEvent ?? hookEventOf(payload) ?? ""),
  );
}

/** What plugins are handed inside an agent is wrapped by the plugin before it reaches us. */
function asSent(id: string, name: string, payload: Payload): Sent[] {
  if (id !== "opencode") return [{ name, payload, isRecorded: true }];
  if (name === "init") return [];
  const [, event] = /^event-(.*)$/.exec(name) ?? [];
  const wrapped =
    event === undefined
      ? { hook: name, ...payload, cwd: "/home/dev/project" }
      : { hook: "event", input: { event: payload }, cwd: "/home/dev/project" };
  return [{ name, payload: wrapped, isRecorded: true }];
}

function hasRecordings(id: string): boolean {
  return readdirSync(new URL("../../fixtures/payloads/", import.meta.url)).includes(id);
}

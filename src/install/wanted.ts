import type { Adapter } from "../adapters/adapter.ts";
import type { Wanted } from "../adapters/recipe.ts";
import { type EventName, eventSpec } from "../event/catalogue.ts";
import { commandLine } from "./command-line.ts";

/** The moments that an agent is asked to call us for: all that matter, and rare ones that a hook waits for. */
export function wantedMoments(
  { id, moments, seconds }: Adapter,
  sluice: readonly string[],
  isHeard: (event: EventName) => boolean,
): Wanted[] {
  return Object.entries(moments)
    .filter(([, { installed = "always", as }]) => installed === "always" || (installed === "if heard" && isHeard(as)))
    .map(([moment, row]) => {
      const { gate: isGate, keepsWorking = false } = eventSpec(row.as);
      const gate = isGate && !keepsWorking && row.can.includes("deny");
      const command = commandLine(sluice, id, { gate });
      return { moment, command, gate, seconds: row.seconds ?? seconds, matcher: row.matcher };
    });
}

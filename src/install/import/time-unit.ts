import type { Adapter } from "../../adapters/adapter.ts";
import type { Wanted } from "../../adapters/recipe.ts";
import type { Fields } from "./foreign-hooks.ts";

/** The seconds that a foreign hook is given: its own number, in the unit in which its agent's recipe writes times. */
export function secondsIn(entry: Fields, type: string, adapter: Adapter): number | undefined {
  const stated = TIME_KEYS.map((key) => entry[key]).find((value) => typeof value === "number" && value > 0);
  if (typeof stated !== "number") return undefined;
  if (typeof entry.timeout_ms === "number") return stated / 1000;
  // Where commands have milliseconds, other kinds of hooks have seconds.
  return type === "command" ? stated / perSecond(adapter) : stated;
}

/** What the recipe makes of a time that nobody else would write. */
function perSecond({ recipe }: Adapter): 1 | 1000 {
  if (recipe === undefined) return 1;
  const probe: Wanted = { moment: "PreToolUse", command: "probe", seconds: PROBE, gate: true };
  const written =
    recipe.kind === "entries"
      ? JSON.stringify(recipe.entry(probe))
      : recipe
          .files("user", [probe], ["probe"])
          .map(({ text }) => text)
          .join("\n");
  return written.includes(String(PROBE * 1000)) ? 1000 : 1;
}

const PROBE = 7919;
const TIME_KEYS = ["timeout", "timeoutSec", "timeout_ms"];

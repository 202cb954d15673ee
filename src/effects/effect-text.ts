import { GAP, type Word } from "./parse/command.ts";
import type { Effect } from "./effect.ts";

/** An effect in a few words: `deletes build tree forced`, `sends to example.com`, or the roles of a run. */
export function effectText(effect: Effect): string {
  switch (effect.does) {
    case "run":
      return effect.roles.join(" ");
    case "read":
    case "write":
    case "delete":
      return `${effect.does}s ${shown(effect.path)}${effect.isTree ? " tree" : ""}${effect.isForced ? " forced" : ""}`;
    case "network":
      return `${WAYS[effect.way]} ${effect.host === undefined ? "?" : shown(effect.host)}`;
    case "flow":
      return `${effect.from}${effect.path === undefined ? "" : ` ${shown(effect.path)}`} flows to ${effect.to}`;
    case "unknown":
      return `unknown: ${effect.doubt.what}`;
  }
}

function shown(word: Word): string {
  return word.text.replaceAll(GAP, "…");
}

const WAYS = { in: "fetches from", out: "sends to", both: "talks to" } as const;

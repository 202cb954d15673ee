import { EVENT_NAMES, type EventName, eventSpec, eventsMatchedBy } from "../../event/catalogue.ts";
import type { CommandInput } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { columns, paintFor } from "../show/terminal-text.ts";
import { unknownEvent } from "./event-options.ts";

/** Lists the events, or describes one. */
export function run({ words, has, io }: CommandInput): Exit {
  const paint = paintFor(io);
  const names = words.length === 0 ? EVENT_NAMES : [...new Set(words.flatMap(named))];
  if (has("json")) io.out(JSON.stringify(names.map(describe), null, 2));
  else {
    const head = ["event", "also called", "gate", "modifies", "when"].map(paint.dim);
    const rows = names
      .map(describe)
      .map((event) => [
        paint.name(event.name),
        [...event.aliases, ...event.alsoMatchedBy.map((alias) => `${alias} too`)].join(", ") || "–",
        event.gate ? paint.good("yes") : "no",
        event.modifies ?? "–",
        event.when,
      ]);
    for (const line of columns([head, ...rows])) io.out(line);
  }
  return "done";
}

function describe(name: EventName) {
  const { aliases, alsoMatchedBy = [], gate, modifies, when } = eventSpec(name);
  return { name, aliases, alsoMatchedBy, gate, modifies, when };
}

/** Every event that a hook on this name matches: `PostToolUse` is two events. */
function named(word: string): readonly EventName[] {
  const names = eventsMatchedBy(word);
  if (names.length === 0) throw unknownEvent(word);
  return names;
}

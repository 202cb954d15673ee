import { EVENT_NAMES, type EventName, eventNamed, eventSpec, eventSpellings } from "../../event/catalogue.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import { columns } from "../columns.ts";
import type { Input } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { paintFor } from "../paint.ts";

/** Lists the events, or tells about one. */
export function run({ words, has, io }: Input): Exit {
  const paint = paintFor(io);
  const names = words.length === 0 ? EVENT_NAMES : words.map(named);
  if (has("json")) io.out(JSON.stringify(names.map(describe), null, 2));
  else {
    const head = ["event", "also called", "gate", "modifies", "when"].map(paint.dim);
    const rows = names
      .map(describe)
      .map((event) => [
        paint.name(event.name),
        event.aliases.join(", ") || "–",
        event.gate ? paint.good("yes") : "no",
        event.modifies ?? "–",
        event.when,
      ]);
    for (const line of columns([head, ...rows])) io.out(line);
  }
  return "done";
}

function describe(name: EventName) {
  const { aliases, gate, modifies, when } = eventSpec(name);
  return { name, aliases, gate, modifies, when };
}

function named(word: string): EventName {
  const name = eventNamed(word);
  if (name === undefined) throw PROBLEMS.unknownEvent({ word });
  return name;
}

const PROBLEMS = problems("usage", {
  unknownEvent: ({ word }: { word: string }) => ({
    what: `"${word}" is no event that Sluice knows.`,
    fix: `${didYouMean(word, eventSpellings())} \`sluice events\` lists them all.`.trim(),
  }),
});

import type { ConfigDocument } from "../../config/document.ts";
import { type ConfigTree, member, plain } from "../../config/tree.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import { ACTIVE, type Intent, STATUSES } from "./intent.ts";

/** What a list of intents came to, and what in it cannot be meant. */
export interface ReadEntries {
  readonly intents: readonly Intent[];
  readonly problems: readonly Problem[];
}

/** Reads the entries of the list; an id that is used twice belongs to none of them. */
export function readEntries(list: readonly ConfigTree[], document: ConfigDocument): ReadEntries {
  const found: Problem[] = [];
  const tell = (problem: Problem, at: number) => found.push(problem.at(document.place(at)));
  const read = list.flatMap((entry, index) => readEntry(entry, index, tell) ?? []);
  const counts = new Map<string, number>();
  for (const { id } of read) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const { id, index } of read.filter((one) => (counts.get(one.id) ?? 0) > 1))
    tell(PROBLEMS.doubledId({ id }), list[index]?.at ?? 0);
  return { intents: read.filter(({ id }) => counts.get(id) === 1), problems: found };
}

type Tell = (problem: Problem, at: number) => void;

function readEntry(entry: ConfigTree, index: number, tell: Tell): Intent | undefined {
  if (entry.kind !== "map") {
    tell(PROBLEMS.noEntry({ number: index + 1 }), entry.at);
    return undefined;
  }
  const id = textAt(entry, "id");
  if (id === undefined) {
    tell(PROBLEMS.noId({ number: index + 1 }), entry.at);
    return undefined;
  }
  const status = textAt(entry, "status") ?? "";
  if (!Object.hasOwn(STATUSES, status))
    tell(PROBLEMS.status({ id, status }), member(entry, "status")?.value.at ?? entry.at);
  const texts = (key: string) => textsAt(entry, key, id, tell);
  const unknown = textAt(entry, "on_unknown");
  return {
    id,
    name: textAt(entry, "name") ?? "",
    status,
    ownedScope: texts("owned_scope"),
    constraints: texts("constraints"),
    acceptanceCriteria: texts("acceptance_criteria"),
    onUnknown: unknown === "allow" || unknown === "ask" || unknown === "deny" ? unknown : undefined,
    index,
  };
}

/** A text, or a number in place of a text. */
function textAt(entry: ConfigTree, key: string): string | undefined {
  const value = member(entry, key)?.value;
  if (value?.kind !== "scalar" || value.value === null || typeof value.value === "boolean") return undefined;
  return String(value.value).trim() === "" ? undefined : String(value.value);
}

/** A list of texts; what is none of it owns and demands nothing, and is told. */
function textsAt(entry: ConfigTree, key: string, id: string, tell: Tell): string[] {
  const value = member(entry, key)?.value;
  if (value === undefined || (value.kind === "scalar" && value.value === null)) return [];
  const items = value.kind === "list" ? value.items.map(plain) : [];
  const texts = items.filter((item) => typeof item === "string" || typeof item === "number").map(String);
  if (value.kind !== "list" || texts.length < items.length) tell(PROBLEMS.noTexts({ id, key }), value.at);
  return texts;
}

const PROBLEMS = problems("intent", {
  noEntry: ({ number }: { number: number }) => ({
    what: `Intent ${number} of the list is not an entry with keys; it authorises nothing.`,
    fix: "Write it as `- id: INT-001` with `name`, `status` and `owned_scope` below.",
  }),
  noId: ({ number }: { number: number }) => ({
    what: `Intent ${number} of the list has no \`id\`, so it cannot be selected.`,
    fix: 'Give it one, such as `id: "INT-001"`.',
  }),
  doubledId: ({ id }: { id: string }) => ({
    what: `The id ${id} is here and elsewhere in the list; which one is meant is unclear, so it authorises nothing.`,
    fix: "Give each intent an id of its own.",
  }),
  status: ({ id, status }: { id: string; status: string }) => ({
    what: `Intent ${id} ${status === "" ? "has no status" : `has the status "${status}"`}; only ${ACTIVE} authorises.`,
    fix: `${didYouMean(status, Object.keys(STATUSES))} Known are ${Object.keys(STATUSES).join(", ")}.`.trim(),
  }),
  noTexts: ({ id, key }: { id: string; key: string }) => ({
    what: `\`${key}\` of intent ${id} is not a list of strings; what is not a string in it has no effect.`,
    fix: `Write \`${key}:\` and below it one \`- "…"\` a line.`,
  }),
});

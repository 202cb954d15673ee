import type { LookupsFor } from "../effects/effect.ts";
import type { EventName } from "../event/catalogue.ts";
import { type EventFacts, FIELD_SPELLINGS } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";
import { countKey } from "./count-key.ts";
import { compileCondition, type Matches } from "./evaluate.ts";
import { readHookRules } from "./hook-rules.ts";
import { type CountKey, countsCalls } from "./recent.ts";
import { type Condition, comparisonsIn, countsIn } from "./rule.ts";
import { prepareTools } from "./tools.ts";

/** A condition whose events a hook counts: the key of its counter, and which events meet it. */
interface Counter {
  readonly key: CountKey;
  readonly meets: (event: EventFacts) => boolean;
}

/** The compiled conditions of a hook whose events are counted; most hooks have none. */
export async function countersOf(hook: Hook, look?: LookupsFor): Promise<readonly Counter[]> {
  const known = COUNTERS.get(hook);
  if (known !== undefined) return known;
  const rules = hook.parts.filter(countsCalls).flatMap((part) => readHookRules(part).written.map(({ rule }) => rule));
  const counted = rules.flatMap(({ when }) => countsIn(when));
  const tools = await prepareTools(rules, look);
  const found = counted.map(({ of }): Counter => {
    const [key, events] = [countKey(of), countedEvents(of)];
    const holds: Matches = compileCondition(of, tools);
    return { key, meets: (event) => (events === "any" || events.has(event.type)) && holds(event) };
  });
  COUNTERS.set(hook, found);
  return found;
}

const COUNTERS = new WeakMap<Hook, readonly Counter[]>();

/** Which events a counted condition is about: calls before they run, unless it asks about their outcome or names the event. */
function countedEvents(of: Condition): ReadonlySet<EventName> | "any" {
  const roots = comparisonsIn(of).map(({ field }) => field.split(".", 1)[0] ?? "");
  if (roots.some((root) => root === "event" || root === "type")) return "any";
  if (roots.some((root) => OUTCOME.has(root))) return new Set<EventName>(["tool:post_execute", "tool:error"]);
  if (roots.some((root) => PROMPT.has(root))) return new Set<EventName>(["user:prompt_submit"]);
  return new Set<EventName>(["tool:pre_execute"]);
}

const OUTCOME: ReadonlySet<string> = new Set([...FIELD_SPELLINGS.tool_result, ...FIELD_SPELLINGS.error]);
const PROMPT: ReadonlySet<string> = new Set(FIELD_SPELLINGS.prompt);

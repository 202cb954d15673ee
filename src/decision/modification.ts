import { eventSpec } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import { dataField, dataKey, FIELD_SPELLINGS, type FieldName } from "../event/field.ts";
import { isObject } from "../event/json.ts";
import { whyUnknownKey } from "../event/tool-inputs.ts";
import type { Decision } from "./decision.ts";
import { isSame, mergePatch, whyRefused } from "./patch.ts";

/** What a hook's `modified_data` comes to on one event. */
export type Modification =
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "changed"; readonly value: unknown };

/** The part of this event that hooks may change: the tool's input, the prompt, the result. */
export function modifiable(event: HookEvent): unknown {
  const { field } = targetOf(event);
  return field === undefined ? event.data : dataField(event, field);
}

/** The event with that part replaced, on a copy, under every spelling that it has there. */
export function withModifiable(event: HookEvent, value: unknown): HookEvent {
  const { field } = targetOf(event);
  if (field === undefined) return event.withData(Object(value));
  const before = dataField(event, field);
  const data: Record<string, unknown> = { ...event.data, [dataKey(event, field)]: value };
  for (const key of FIELD_SPELLINGS[field]) if (Object.hasOwn(data, key) && data[key] === before) data[key] = value;
  return event.withData(data);
}

/** The call with the input that the hooks leave. */
export function finalCall({ event, input }: Pick<Decision, "event" | "input">): HookEvent {
  return input === undefined || event.type !== "tool:pre_execute" ? event : withModifiable(event, input);
}

/** The `modified_data` that replaces that part with this value. */
export function replacing(event: HookEvent, value: unknown): Record<string, unknown> {
  return { [targetOf(event).words[0] ?? "args"]: value };
}

/** Reads `modified_data`: its own key replaces, `patch` merges, neither leaves everything as it is. */
export function readModification(event: HookEvent, modifiedData: Readonly<Record<string, unknown>>): Modification {
  const { words } = targetOf(event);
  const word = words.find((name) => Object.hasOwn(modifiedData, name));
  const stated = Object.hasOwn(modifiedData, "patch") ? modifiedData.patch : undefined;
  if (word === undefined && event.type === "user:prompt_submit" && Object.hasOwn(Object(stated), "prompt")) {
    return readModification(event, { prompt: Object(stated).prompt });
  }
  const patch = stated;
  const isForNothing = word === undefined && patch === undefined;
  // A gate where nothing can be changed blocks a call that a hook wants changed, by whatever key.
  if (
    eventSpec(event.type).modifies === null &&
    (!isForNothing || (event.isGate && Object.keys(modifiedData).length > 0))
  )
    return { kind: "refused", why: `nothing of ${event.type} can be changed` };
  if (isForNothing) return { kind: "none" };
  const before = modifiable(event);
  const given = word === undefined ? undefined : modifiedData[word];
  const replaced = word === undefined ? before : given;
  const why = whyRefused(given) ?? whyRefused(patch) ?? whyUnfit(before, replaced, patch);
  if (why !== undefined) return { kind: "refused", why };
  // Only the hook's own part is copied: what the caller handed over may hold things that cannot be.
  const base = word === undefined ? before : structuredClone(given);
  const value = patch === undefined ? base : mergePatch(base, structuredClone(patch));
  if (isSame(before, value)) return { kind: "none" };
  const unknown = targetOf(event) === TARGETS.input ? whyUnknownKey(event, before, value) : undefined;
  return unknown === undefined ? { kind: "changed", value } : { kind: "refused", why: unknown };
}

/** Keys of a `modified_data` that changes nothing at this event: they were most likely meant to. */
export function unreadKeys(event: HookEvent, modifiedData: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.keys(modifiedData);
  return keys.some((key) => key === "patch" || targetOf(event).words.includes(key)) ? [] : keys;
}

/** A tool's input stays an object, a prompt stays a text. */
function whyUnfit(before: unknown, replaced: unknown, patch: unknown): string | undefined {
  if (patch !== undefined && !isObject(patch)) return "`patch` is not an object";
  if (patch !== undefined && replaced !== undefined && !isObject(replaced))
    return "`patch` needs an object to merge into";
  if (isObject(before) && !isObject(replaced)) return "the replacement is not an object";
  if (typeof before === "string" && typeof replaced !== "string") return "the replacement is not a string";
  return undefined;
}

/** Where the part is in the event's data, and which keys of `modified_data` replace it. */
interface Target {
  readonly field: FieldName | undefined;
  readonly words: readonly string[];
}

function targetOf(event: HookEvent): Target {
  const { modifies } = eventSpec(event.type);
  if (event.type.startsWith("llm:")) return WHOLE;
  return modifies === null ? TARGETS.input : TARGETS[modifies];
}

const WHOLE: Target = { field: undefined, words: ["args", "data"] };
const TARGETS: Readonly<Record<"input" | "output" | "prompt", Target>> = {
  input: { field: "tool_args", words: ["args", "tool_args", "tool_input"] },
  output: { field: "tool_result", words: ["result", "tool_result", "tool_response"] },
  prompt: { field: "prompt", words: ["prompt"] },
};

import { attempt } from "../event/attempt.ts";
import { eventNamed } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { dataField, type EventFacts, FIELD_SPELLINGS, type FieldName } from "../event/field.ts";
import { toJsonText } from "../event/json.ts";
import { didYouMean } from "../problem/nearest.ts";
import { problems } from "../problem/problem.ts";

/** The value of one placeholder of a prompt, once it is looked up and filtered. */
export interface SlotValue {
  readonly path: string;
  /** Undefined if there is no such field. */
  readonly value: unknown;
  readonly text: string;
  /** Whether the text is JSON already. */
  readonly isJson: boolean;
}

/** Text with `{{args.command}}` and `{{args.content | length}}` in it. Rendered once, never evaluated. */
export class PromptTemplate {
  readonly template: string;
  readonly #parts: readonly (string | Slot)[];

  constructor(template: string) {
    this.template = template;
    this.#parts = parse(template);
  }

  /** Whether it names anything at all. */
  get hasSlots(): boolean {
    return this.#parts.some((part) => typeof part !== "string");
  }

  /** Fills every slot; what is not there is left empty. A value that looks like a slot stays as it is. */
  render(context: PromptContext | HookEvent, show: (slot: SlotValue) => string = ({ text }) => text): string {
    const known = context instanceof HookEvent ? promptContext(context) : withCanonicalEvent(context);
    return this.#parts.map((part) => (typeof part === "string" ? part : show(fill(part, known)))).join("");
  }
}

/** `{{event}}` is the canonical name, whichever spelling the program uses. */
function withCanonicalEvent(context: PromptContext): PromptContext {
  const name = typeof context.event === "string" ? eventNamed(context.event) : undefined;
  return name === undefined || name === context.event ? context : { ...context, event: name };
}

interface Slot {
  readonly path: readonly string[];
  readonly filters: readonly { readonly name: string; readonly apply: (value: unknown) => unknown }[];
}

/** Everything that may follow a `|`. */
export const FILTERS = {
  length: { means: "how long a text or a list is", apply: lengthOf },
  json: { means: "as JSON, quotes included", apply: (value) => toJsonText(value) },
  lower: { means: "in lower case", apply: (value) => asText(value).toLowerCase() },
  upper: { means: "in upper case", apply: (value) => asText(value).toUpperCase() },
  trim: { means: "without blanks around it", apply: (value) => asText(value).trim() },
  truncate: {
    means: "at most so many characters: truncate(200)",
    apply: (value, most) => shortened(asText(value), most ?? 200),
  },
} as const satisfies Record<string, { means: string; apply: (value: unknown, argument?: number) => unknown }>;

function parse(template: string): (string | Slot)[] {
  const parts: (string | Slot)[] = [];
  let rest = 0;
  for (const found of template.matchAll(/\{\{([^{}]*)\}\}/g)) {
    parts.push(template.slice(rest, found.index), readSlot(found[1] ?? ""));
    rest = found.index + found[0].length;
  }
  return [...parts, template.slice(rest)];
}

function readSlot(text: string): Slot {
  const [path = "", ...filters] = text.split("|").map((part) => part.trim());
  if (!/^[\w-]+(\.[\w-]+)*$/.test(path)) throw PROBLEMS.badPath({ text });
  return { path: path.split("."), filters: filters.map(readFilter) };
}

function readFilter(text: string): Slot["filters"][number] {
  const [, name = text, argument] = /^(\w+)(?:\(\s*(\d+)\s*\))?$/.exec(text) ?? [];
  if (!Object.hasOwn(FILTERS, name)) throw PROBLEMS.unknownFilter({ name });
  const { apply }: { apply: (value: unknown, argument?: number) => unknown } = FILTERS[name as keyof typeof FILTERS];
  return { name, apply: (value) => apply(value, argument === undefined ? undefined : Number(argument)) };
}

function fill({ path, filters }: Slot, context: PromptContext): SlotValue {
  const found = lookUp(context, path);
  const value = filters.reduce((current, filter) => filter.apply(current), found);
  const isJson = filters.at(-1)?.name === "json" || (typeof value !== "string" && value !== undefined);
  return { path: path.join("."), value: found === undefined ? undefined : value, text: asText(value), isJson };
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : toJsonText(value);
}

function lengthOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : asText(value).length;
}

/** A character that needs two units is left out rather than cut in half. */
function shortened(text: string, most: number): string {
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(most));
  return text.slice(0, isHalf ? most - 1 : most);
}

/** Everything a prompt may name. */
export type PromptContext = Readonly<Record<string, unknown>>;

/** What a prompt may name for one event: its data in every spelling; what the event itself knows wins. */
export function promptContext(event: EventFacts): PromptContext {
  const names = Object.keys(FIELD_SPELLINGS) as FieldName[];
  const spelled = names.flatMap((name) => {
    const value = dataField(event, name);
    return FIELD_SPELLINGS[name].map((spelling): [string, unknown] => [spelling, value]);
  });
  const own = {
    event: event.type,
    type: event.type,
    tool: event.toolName,
    tool_name: event.toolName,
    session_id: event.sessionId,
    sessionId: event.sessionId,
    cwd: event.cwd,
    agent: event.agent,
    timestamp: event.timestamp,
  };
  const known = [...spelled, ...Object.entries(own)].filter(([, value]) => value !== undefined);
  return Object.fromEntries([["data", event.data], ...Object.entries(event.data), ...known]);
}

/** The value under a path such as `args.command`; where it is not there, under its other spellings. */
function lookUp(context: PromptContext, path: readonly string[]): unknown {
  for (const spelling of [path, ...otherSpellings(path)]) {
    const value = descend(context, spelling);
    if (value !== undefined) return value;
  }
  return undefined;
}

function descend(context: PromptContext, path: readonly string[]): unknown {
  return path.reduce<unknown>((holder, key) => (isHolder(holder, key) ? readKey(holder, key) : undefined), context);
}

function isHolder(value: unknown, key: string): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

/** A program's own objects may throw when they are read. */
function readKey(holder: Record<string, unknown>, key: string): unknown {
  return attempt(() => holder[key]);
}

function otherSpellings(path: readonly string[]): readonly (readonly string[])[] {
  const [first = "", ...rest] = path;
  const group = GROUPS.find((spellings) => spellings.includes(first)) ?? [];
  const homes = PATH_HOMES.some((home) => home.join(".") === path.join(".")) ? PATH_HOMES : [];
  return [...group.map((spelling) => [spelling, ...rest]), ...homes];
}

const PROBLEMS = problems("prompt", {
  badPath: ({ text }: { text: string }) => ({
    what: `A prompt has {{${text}}}, which is not the name of a field.`,
    fix: "Write {{tool}}, {{args.command}} or {{args.content | length}}.",
  }),
  unknownFilter: ({ name }: { name: string }) => ({
    what: `"${name}" is not a filter of prompts.`,
    fix: didYouMean(name, Object.keys(FILTERS)) || `There are ${Object.keys(FILTERS).join(", ")}.`,
  }),
});

const GROUPS: readonly (readonly string[])[] = Object.values(FIELD_SPELLINGS);

/** Where a file's path may lie; asking for one asks for all. */
const PATH_HOMES: readonly (readonly string[])[] = [
  ["path"],
  ["file_path"],
  ...FIELD_SPELLINGS.tool_args.flatMap((args) => [
    [args, "path"],
    [args, "file_path"],
  ]),
];

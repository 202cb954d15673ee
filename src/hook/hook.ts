import type { EventName } from "../event/catalogue.ts";
import { deepCopy } from "../event/deep-copy.ts";
import type { EventFacts } from "../event/field.ts";
import { compilePattern, type EventPattern, matchesPattern } from "../event/pattern.ts";
import { type Place, type Problem, problems } from "../problem/problem.ts";
import { type Combination, combinationOf, membersOf } from "./combination.ts";
import { readSeconds } from "./duration.ts";
import type { HookFunction, HookInput } from "./hook-input.ts";
import { compileMatcher, type Matcher } from "./matcher.ts";
import { type ReadHook, readHook } from "./read.ts";
import { fieldNamed, type HookSpec, type MatcherSpec, type RunKind } from "./schema.ts";

/** Who configured a hook; the first has priority over the last. */
export const LAYERS = ["managed", "user", "project", "local"] as const;
export type Layer = (typeof LAYERS)[number];

/** Where a hook was written down. */
export interface Origin {
  readonly layer: Layer;
  readonly place: Place;
  /** Its position in the file's list, so that saving finds it again. */
  readonly index: number;
}

/** What a file says about its hooks outside of their entries; no part of what a hook gives back. */
export interface HookSurroundings {
  /** For hooks that state none. */
  readonly timeout?: number | string | undefined;
  /** What was read from the entry already, so that it is not read twice. */
  readonly read?: ReadHook;
  /** Its approvals are ignored, as if it had no result. */
  readonly cannotApprove?: true;
  /** Whether the caller reports the problems of its rules, or has made them itself; a hook that a program makes throws them. */
  readonly isChecked?: boolean;
  /** Whether a hook of this name is switched off elsewhere. */
  readonly isDisabled?: (name: string) => boolean;
}

/** Finds what is wrong with a hook, which needs the rule language and the agents of this machine. */
interface HookChecker {
  readonly problem: (hook: Hook) => Problem | undefined;
  readonly warnings: (hook: Hook) => readonly Problem[];
}
let checker: HookChecker | undefined;

/** Lets hooks that a program makes throw what this finds wrong with their rules. */
export function checkRulesWith(found: HookChecker): void {
  checker = found;
}

/** What a runner made of a hook for its next run; a look-up in a table by object would cost more than a rule. */
export let preparedOf: (hook: Hook) => unknown;
/** Keeps it with the hook. */
export let keepPrepared: (hook: Hook, prepared: unknown) => void;

/** What a user configures: which events to match, what to run, what its failure means. */
export class Hook {
  readonly name: string;
  readonly type: RunKind;
  /** The function of a hook that a program makes of one. */
  readonly run: HookFunction | undefined;
  readonly eventPattern: string;
  readonly matcher: MatcherSpec | undefined;
  readonly priority: number;
  /** Seconds. */
  readonly timeout: number;
  readonly description: string;
  readonly onError: "deny" | "ask" | "continue";
  readonly exitCodes: "any" | "claude" | "amplifier";
  readonly mode: "enforce" | "monitor";
  readonly async: boolean;
  readonly parallel: boolean;
  readonly tags: readonly string[];
  /** Calls with the expected results, as written. */
  readonly examples: unknown;
  /** What to do instead of what it denies: shell commands. */
  readonly remedy: readonly string[];
  readonly command: string | undefined;
  readonly script: string | undefined;
  readonly args: readonly string[] | undefined;
  readonly shell: string | undefined;
  readonly workingDir: string | undefined;
  readonly env: Readonly<Record<string, string>> | undefined;
  readonly passEnv: readonly string[] | undefined;
  readonly inlineRules: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly rules: string | undefined;
  readonly prompt: string | undefined;
  readonly model: string | undefined;
  readonly cache: boolean | undefined;
  readonly module: string | undefined;
  readonly options: Readonly<Record<string, unknown>> | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly cedar: HookSpec["cedar"];
  readonly opa: HookSpec["opa"];
  readonly combination: Combination<Hook> | undefined;
  /** Whether its approvals are ignored; its denials always apply. */
  readonly cannotApprove: boolean;
  #enabled: boolean;
  readonly #data: object;
  readonly #enabledAsRead: boolean;
  readonly #timeoutStated: boolean;
  readonly #isNamed: boolean;
  readonly #pattern: EventPattern;
  readonly #matcher: Matcher;
  #origin: Origin | undefined;
  #prepared: unknown;

  static {
    preparedOf = (hook) => hook.#prepared;
    keepPrepared = (hook, prepared) => {
      hook.#prepared = prepared;
    };
  }

  constructor(data: HookInput, around: HookSurroundings = {}) {
    const run = functionOf(data);
    const {
      read = readHook(run === undefined ? data : inFile(data)),
      isChecked = around.read !== undefined,
      ...inherited
    } = around;
    if (read.errors[0]) throw read.errors[0];
    this.run = run;
    // What a reader read stays as it is; what a program gives may change in its hands.
    this.#data = around.read === undefined ? copyOf(run === undefined ? data : { ...data, type: "internal" }) : data;
    const spec = around.read === undefined ? deepCopy(read.spec) : read.spec;
    const shape = SHAPES[spec.event === undefined ? "matcher" : "event"];
    const remote = spec.type === "llm" || spec.type === "http";
    this.type = run === undefined ? spec.type : "internal";
    this.eventPattern = spec.event ?? (spec.matcher?.events?.join(",") || "*");
    this.matcher = spec.matcher;
    this.name = spec.name ?? derivedName(this.eventPattern, spec);
    this.#isNamed = spec.name !== undefined;
    this.priority = spec.priority ?? 100;
    const timeout = spec.timeout ?? around.timeout;
    this.timeout = readSeconds(timeout) ?? shape.timeout;
    this.#timeoutStated = timeout !== undefined;
    this.#enabledAsRead = (spec.enabled ?? true) && !(around.isDisabled?.(this.name) ?? false);
    this.#enabled = this.#enabledAsRead;
    this.description = spec.description ?? "";
    this.onError = spec.onError ?? (remote ? "continue" : shape.onError);
    this.exitCodes = spec.exitCodes ?? shape.exitCodes;
    this.mode = spec.mode ?? "enforce";
    this.async = spec.async ?? false;
    this.parallel = spec.parallel ?? false;
    this.tags = spec.tags ?? [];
    this.examples = spec.examples;
    this.remedy = spec.remedy === undefined ? [] : [spec.remedy].flat();
    this.command = spec.command;
    this.script = spec.script;
    this.args = spec.args;
    this.shell = spec.shell;
    this.workingDir = spec.workingDir;
    this.env = spec.env;
    this.passEnv = spec.passEnv;
    this.inlineRules = spec.inlineRules;
    this.rules = spec.rules;
    this.prompt = spec.prompt;
    this.model = spec.model;
    this.cache = spec.cache;
    this.module = run === undefined ? spec.module : undefined;
    this.options = spec.options;
    this.url = spec.url;
    this.headers = spec.headers;
    this.cedar = spec.cedar;
    this.opa = spec.opa;
    this.cannotApprove = around.cannotApprove ?? false;
    this.combination = combinationOf(spec, (data, way) =>
      newHook(asMember(data, { ...spec, onError: this.onError }, way), { ...inherited, timeout, isChecked: true }),
    );
    this.#pattern = compilePattern(this.eventPattern);
    this.#matcher = spec.matcher === undefined ? ANY : compileMatcher(spec.matcher);
    const problem = isChecked ? undefined : checker?.problem(this);
    if (problem !== undefined) throw problem;
  }

  /** Reads a hook from a configuration file's object, in either shape and either spelling. */
  static fromJSON(data: unknown, origin?: Origin, around: HookSurroundings = {}): Hook {
    const hook = newHook(data as object, around);
    hook.#setOrigin(origin);
    return hook;
  }

  #setOrigin(origin: Origin | undefined): void {
    this.#origin = origin;
    for (const member of this.combination ? membersOf(this.combination) : []) member.#setOrigin(origin);
  }

  /** Gives back the object it was read from, unknown keys included. */
  toJSON(): Record<string, unknown> {
    const source = sourceOf(this.#data);
    return this.#enabled === this.#enabledAsRead ? source : { ...source, enabled: this.#enabled };
  }

  /** The hooks that do something in the end: itself, or its innermost members. */
  get parts(): readonly Hook[] {
    return this.combination ? membersOf(this.combination).flatMap((member) => member.parts) : [this];
  }

  /**
   * What is most likely a mistake in it, as `sluice check` reports it: an event or a field that no agent sends, an MCP server
   * that none has, a script that is missing. It looks at the settings of this user's agents and at the current folder.
   */
  get warnings(): readonly Problem[] {
    return checker?.warnings(this) ?? [];
  }

  /** Switching a hook off acts at once, in every registry that holds it. */
  get enabled(): boolean {
    return this.#enabled;
  }

  set enabled(value: boolean) {
    if (Object.isFrozen(this)) throw PROBLEMS.frozen({ name: this.name });
    if (this.#enabled !== value) switches++;
    this.#enabled = value;
  }

  /** The file and line of its definition; undefined for a hook made by a program. */
  get origin(): Origin | undefined {
    return this.#origin;
  }

  /** Whether it states its name; else the name is made of what it does. */
  get isNamed(): boolean {
    return this.#isNamed;
  }

  get layer(): Layer {
    return this.#origin?.layer ?? "user";
  }

  /** The deadline in seconds; an executor's own default applies only if the hook states none. */
  deadline(executorDefault: number | undefined): number {
    return this.#timeoutStated ? this.timeout : (executorDefault ?? this.timeout);
  }

  /** Whether it listens to this event, enabled or not. */
  matches(event: EventFacts): boolean {
    return this.patternMatches(event.type, event.toolName) && this.fits(event);
  }

  /** The part of `matches` that depends on the event's name and tool alone; a registry remembers it. */
  patternMatches(event: EventName, tool: string | undefined): boolean {
    if (!matchesPattern(this.#pattern, event, tool)) return false;
    const { tool: wanted } = this.#matcher;
    return wanted === undefined || (tool !== undefined && wanted.holds(tool));
  }

  /** Which tools it wants with an event: `never` matched, `any`, a list where they can be counted, else how they begin. */
  toolsFor(event: EventName): "never" | "any" | readonly string[] | { readonly beginnings: readonly string[] } {
    const listens = this.#pattern.events.get(event);
    if (listens === undefined) return "never";
    const tests = [listens === "always" ? undefined : listens, this.#matcher.tool];
    const names = tests.find((test) => test?.names)?.names;
    if (names !== undefined) return names;
    const beginnings = tests.find((test) => test?.beginnings)?.beginnings;
    return beginnings === undefined ? "any" : { beginnings };
  }

  /** The part of `matches` that depends on the event's data. */
  fits(event: EventFacts): boolean {
    return this.#matcher.data?.(event) ?? true;
  }

  /** Whether `fits` has anything to look at. */
  get looksAtData(): boolean {
    return this.#matcher.data !== undefined;
  }
}

/** Describes a hook; the compiler refuses a key, an event or an operator that does not exist. `Hook.fromJSON` reads what a file holds. */
export function defineHook(spec: HookInput): Hook {
  return new Hook(spec);
}

/** The matcher of a hook that has none. */
const ANY: Matcher = { tool: undefined, data: undefined };

/** Outside of the class: the bundler renames a class that names itself, and a user who prints one reads that name. */
function newHook(data: object, around: HookSurroundings): Hook {
  // What a file holds is read and checked key by key.
  return new Hook(data as HookInput, around);
}

/** Grows whenever any hook is switched on or off; a registry that sees it grow forgets what it remembered. */
export function switchCount(): number {
  return switches;
}

let switches = 0;

/** Hooks of the two shapes differ in what they take for granted. */
const SHAPES = {
  event: { timeout: 10, onError: "deny", exitCodes: "any" },
  matcher: { timeout: 30, onError: "continue", exitCodes: "amplifier" },
} as const;

function functionOf(data: object): HookFunction | undefined {
  const { run } = Object(data) as { readonly run?: unknown };
  // What it takes and gives is checked when it is called.
  return typeof run === "function" ? (run as HookFunction) : undefined;
}

/** A hook with a function as a file would state it: its other keys are read as those of every hook. */
function inFile(data: object): object {
  const { run: _, type, ...others } = data as { readonly run?: unknown; readonly type?: unknown };
  if (type !== undefined && type !== "internal") throw PROBLEMS.functionOfKind({ type: String(type) });
  return { ...others, type: "plugin", module: "function" };
}

function derivedName(pattern: string, spec: HookSpec): string {
  const url = spec.url?.replace(/\/\/[^/?#]*@/, "//").replace(/[?#].*$/s, "");
  const act = spec.command ?? spec.script ?? spec.args?.join(" ") ?? spec.module ?? url ?? spec.type ?? "";
  const line = act.trim().replaceAll(/\s+/g, " ");
  return `${pattern} › ${line.length > 40 ? `${line.slice(0, 39)}…` : line}`;
}

/** A member as a hook of its own: what it leaves out is inherited from the combination. */
function asMember(data: object, { event, matcher, onError, exitCodes }: HookSpec, way: string): object {
  const given = new Set(Object.keys(data).map(fieldNamed));
  const inherited = Object.entries({ event, matcher, onError, exitCodes, parallel: way === "all" });
  return { ...data, ...Object.fromEntries(inherited.filter(([key, value]) => value !== undefined && !given.has(key))) };
}

/** Files call the pattern `event`, whatever a program called it. */
function sourceOf(data: object): Record<string, unknown> {
  const entries = Object.entries(copyOf(data));
  return Object.fromEntries(entries.map(([key, value]) => [fieldNamed(key) === "event" ? "event" : key, value]));
}

function copyOf(data: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
}

const PROBLEMS = problems("hook", {
  functionOfKind: ({ type }: { type: string }) => ({
    what: `A hook has a function \`run\` and the type ${type}.`,
    fix: 'Leave `type` out, or write `type: "internal"`.',
  }),
  frozen: ({ name }: { name: string }) => ({
    what: `Template "${name}" is shared and cannot be switched.`,
    fix: "Make your own copy first: Hook.fromJSON(template.toJSON()).",
  }),
});

import * as v from "valibot";
import { LONGEST, readSeconds } from "./duration.ts";
import { type ExamplesSpec, examplesShape } from "./example.ts";

/** The ways a hook can run. */
const HOOK_KINDS = ["command", "inline", "llm", "plugin", "http", "cedar", "opa", "combine"] as const;
export type HookKind = (typeof HOOK_KINDS)[number];
/** The same, and functions of the program that makes the hook: those are in no file. */
export type RunKind = HookKind | "internal";

/** Whether a hook of this kind only computes, in this process: it starts nothing and asks no other machine. */
export function isPureKind(kind: RunKind): boolean {
  return kind === "inline" || kind === "cedar";
}

/** The kinds under names for programs; `INTERNAL` is a function, which a program passes as `run`. */
export const HookType = {
  COMMAND: "command",
  INLINE: "inline",
  LLM: "llm",
  PLUGIN: "plugin",
  HTTP: "http",
  CEDAR: "cedar",
  OPA: "opa",
  COMBINE: "combine",
  INTERNAL: "internal",
} as const satisfies Record<Uppercase<HookKind>, HookKind> & { readonly INTERNAL: "internal" };
export type HookType = (typeof HookType)[keyof typeof HookType];

const text = v.string();
const flag = v.boolean();
const strings = v.array(text);
const someStrings = v.optional(strings);
const oneOrMore = v.union([text, strings]);
/** How long something may take, in either spelling. */
export const seconds = v.pipe(
  v.union([v.number(), v.string()]),
  v.check(
    (value) => readSeconds(value) !== undefined,
    `a number of seconds above 0 and up to ${LONGEST}, which is a day, or a string like "500ms", "5s" or "2m"`,
  ),
);

/** Which events a hook matches, as lists; all conditions have to hold. */
const conditions = v.looseObject({
  events: someStrings,
  tools: someStrings,
  path_patterns: someStrings,
  model_patterns: someStrings,
  command_patterns: someStrings,
  session_types: someStrings,
  pathPatterns: someStrings,
  modelPatterns: someStrings,
  commandPatterns: someStrings,
  sessionTypes: someStrings,
});
const matcher = v.pipe(v.unknown(), v.check(isNoList, "an object, no list"), conditions);
/** For a schema of records, a list is one with numbers for names. */
const textsByName = v.pipe(v.unknown(), v.check(isNoList, "an object of `NAME: value`, no list"), v.record(text, text));

/** A hook inside a hook; it is read like any other, and does not name events. */
const member = v.looseObject({});
const members = v.pipe(v.array(member), v.minLength(1, "a list with at least one hook"));
const oftenEnough = (value: number) => Number.isInteger(value) && value >= 1 && value <= 100;

/** One key that a hook may have: what it has to look like, and what it means. */
interface Field {
  readonly schema: v.GenericSchema;
  /** What editors check, where a reader takes more: a bad example must not cost the hook. */
  readonly shape?: () => v.GenericSchema;
  readonly means: string;
  /** What to write in place of a value of the wrong kind. */
  readonly instead?: string;
}

/** What every hook may say. */
const COMMON = {
  name: { schema: text, means: "what messages, statistics and `disabled` call it" },
  event: {
    schema: text,
    means: "the events it matches: `tool:pre_execute:@shell`, `session:*`, `*`, comma = or",
    instead: "Write one text; several events stand in it with commas between them, or in a list as `matcher.events`.",
  },
  matcher: {
    schema: matcher,
    means: "the events it matches, as lists that all have to match",
    instead: "Write `matcher: { events: [PreToolUse], tools: [Bash] }`, for example.",
  },
  type: {
    schema: v.picklist(HOOK_KINDS),
    means: "how it runs; derived from the other keys if it is left out",
    instead: "Leave `type` out, or write one of these.",
  },
  priority: { schema: v.pipe(v.number(), v.finite("a finite number")), means: "low runs first; 100 when left out" },
  timeout: { schema: seconds, means: 'seconds, or "500ms", "5s"; 10 s with `event`, 30 s with `matcher`' },
  enabled: { schema: flag, means: "`false` switches it off" },
  description: { schema: text, means: "one sentence for people" },
  onError: {
    schema: v.picklist(["deny", "ask", "continue"]),
    means: "what a failure of the hook means: `deny` with `event`, `continue` with `matcher`",
  },
  exitCodes: {
    schema: v.picklist(["any", "claude", "amplifier"]),
    means: "which exit codes deny: every one but 0, only 2, only 1",
  },
  mode: {
    schema: v.picklist(["enforce", "monitor"]),
    means: "`monitor` runs and records what would have happened, and lets it pass",
  },
  async: { schema: flag, means: "never delays and never decides" },
  parallel: { schema: flag, means: "runs together with its neighbours that say the same" },
  tags: { schema: strings, means: "words to find it by" },
  examples: {
    schema: v.custom<ExamplesSpec>(() => true),
    shape: examplesShape,
    means: "calls, and what it has to say about them; `sluice test` tries them",
  },
  remedy: {
    schema: oneOrMore,
    means: "shell commands that do it well; a denial names them, `sluice test` tries them",
  },
} as const satisfies Record<string, Field>;

interface Kind {
  readonly fields: Record<string, Field>;
  /** One of these has to be there. */
  readonly needs: readonly string[];
  readonly missing: string;
  readonly means: string;
}

/** What a hook that has a process of its own finds in its environment. */
const ENVIRONMENT = {
  env: { schema: textsByName, means: "variables it gets on top", instead: "Write `env: { NAME: value }`." },
  passEnv: { schema: strings, means: "credentials of the environment that it may see, by name" },
} as const satisfies Record<string, Field>;

/** One arm per kind of hook. A new kind is one row here and one runner. */
export const KINDS = {
  command: {
    means: "runs a program",
    needs: ["command", "script", "args"],
    missing: "Command hook requires 'command' or 'script'",
    fields: {
      command: {
        schema: text,
        means: "a shell command",
        instead: "Write one text for the shell; a program and its arguments are a list under `args`.",
      },
      script: { schema: text, means: "a script file, run by its first line or its suffix" },
      args: {
        schema: v.pipe(strings, v.minLength(1, "a program and its arguments")),
        means: "a program and its arguments, without a shell",
        instead: "Write a list such as `[npm, test]`; one text for the shell is written under `command`.",
      },
      shell: { schema: text, means: "the shell for `command`; `sh` when left out" },
      workingDir: { schema: text, means: "where it runs; the event's folder when left out" },
      ...ENVIRONMENT,
    },
  },
  inline: {
    means: "checks rules in process",
    needs: ["inlineRules", "rules"],
    missing: "Inline hook requires 'inline_rules'",
    fields: {
      inlineRules: { schema: v.array(v.looseObject({})), means: "rules, the first that matches decides" },
      rules: { schema: text, means: "the same rules in the rule language, one a line" },
    },
  },
  llm: {
    means: "asks a language model",
    needs: ["prompt"],
    missing: "LLM hook requires 'prompt'",
    fields: {
      prompt: { schema: text, means: "the question, with `{{args.command}}` and the like" },
      model: { schema: text, means: "the model, when not the configured one" },
      cache: { schema: flag, means: "`false` asks anew every time" },
    },
  },
  plugin: {
    means: "calls a module",
    needs: ["module"],
    missing: "Plugin hook requires 'module'",
    fields: {
      module: { schema: text, means: "the module whose default export is the plugin" },
      options: { schema: v.looseObject({}), means: "what the plugin is given" },
      ...ENVIRONMENT,
    },
  },
  http: {
    means: "posts the event to a server",
    needs: ["url"],
    missing: "HTTP hook requires 'url'",
    fields: {
      url: { schema: text, means: "where the event is posted to" },
      headers: {
        schema: textsByName,
        means: "headers; `${NAME}` is read from the environment",
        instead: "Write `headers: { Name: value }`.",
      },
    },
  },
  cedar: {
    means: "asks policies in Cedar, in process",
    needs: ["cedar"],
    missing: "Cedar hook requires 'cedar' with 'policies'",
    fields: {
      cedar: {
        schema: v.looseObject({
          policies: v.pipe(text, v.regex(/\S/, "policies, or the path of a file with them")),
          schema: v.optional(text),
          entities: v.optional(v.union([text, v.array(v.looseObject({}))])),
          default: v.optional(v.picklist(["continue", "deny"])),
        }),
        means:
          "`{ policies, schema, entities, default }`: text, or files seen from the configuration; a `forbid` denies",
        instead: "Write `cedar: { policies: ./policies.cedar }`.",
      },
    },
  },
  opa: {
    means: "asks an Open Policy Agent over REST",
    needs: ["opa"],
    missing: "OPA hook requires 'opa' with 'url' and 'path'",
    fields: {
      opa: {
        schema: v.looseObject({ url: text, path: text, headers: v.optional(textsByName) }),
        means: "`{ url, path, headers }`: the server, and the rule below `/v1/data/`, such as `sluice/deny`",
        instead: "Write `opa: { url: http://127.0.0.1:8181, path: sluice/deny }`.",
      },
    },
  },
  combine: {
    means: "makes one hook of several",
    needs: ["all", "any", "pipe", "retry", "when"],
    missing: "Combining hook requires 'all', 'any', 'pipe', 'retry' or 'when'",
    fields: {
      all: { schema: members, means: "hooks that all run; the strictest verdict applies" },
      any: { schema: members, means: "hooks of which one has to let it pass; they run until one does" },
      pipe: { schema: members, means: "hooks in order; each sees what the former changed, a denial ends it" },
      retry: {
        schema: v.looseObject({
          times: v.pipe(v.number(), v.check(oftenEnough, "a whole number from 1 to 100")),
          of: member,
          delay: v.optional(seconds),
        }),
        means: "`{ times, of, delay }`: a hook that is run again when it failed, never when it denied",
      },
      when: {
        schema: v.looseObject({
          if: v.optional(text),
          event: v.optional(text),
          tool: v.optional(oneOrMore),
          matcher: v.optional(matcher),
          // biome-ignore lint/suspicious/noThenProperty: this is the word people write; it is never a function.
          then: member,
          else: v.optional(member),
        }),
        means: "`{ if, event, tool, matcher, then, else }`: a hook that runs where the conditions hold",
      },
    },
  },
} as const satisfies Record<HookKind, Kind>;

/** What a hook states, with every key in its one name; `HookInput` is what a program may write. */
export type HookSpec = Spec<typeof COMMON> &
  Spec<(typeof KINDS)["command"]["fields"]> &
  Spec<(typeof KINDS)["inline"]["fields"]> &
  Spec<(typeof KINDS)["llm"]["fields"]> &
  Spec<(typeof KINDS)["plugin"]["fields"]> &
  Spec<(typeof KINDS)["http"]["fields"]> &
  Spec<(typeof KINDS)["cedar"]["fields"]> &
  Spec<(typeof KINDS)["opa"]["fields"]> &
  Spec<(typeof KINDS)["combine"]["fields"]>;

type Spec<Fields extends Record<string, Field>> = {
  readonly [Key in keyof Fields]?: v.InferOutput<Fields[Key]["schema"]> | undefined;
};

export type MatcherSpec = v.InferOutput<typeof matcher>;

/** All fields by their camelCase name. */
export const HOOK_FIELDS: Readonly<Record<string, Field>> = {
  ...COMMON,
  ...Object.assign({}, ...Object.values(KINDS).map((kind) => kind.fields)),
};

/** Whether one kind of hook may have a field. */
export function isFieldOf(kind: HookKind, name: string): boolean {
  return Object.hasOwn(COMMON, name) || Object.hasOwn(KINDS[kind].fields, name);
}

/** The field that a key with this value stands for: rules are a list or a text, under either of their names. */
export function fieldFor(key: string, value: unknown): string | undefined {
  const name = fieldNamed(key);
  if (name === "rules" && Array.isArray(value)) return "inlineRules";
  return name === "inlineRules" && typeof value === "string" ? "rules" : name;
}

/** The canonical field for a key in either spelling; `undefined` for a key that no hook has. */
export function fieldNamed(key: string): string | undefined {
  if (Object.hasOwn(HOOK_FIELDS, key)) return key;
  const name = ALSO_CALLED[key] ?? key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(HOOK_FIELDS, name) ? name : undefined;
}

/** The spelling that files use. */
export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isNoList(value: unknown): boolean {
  return !Array.isArray(value);
}

/** What one condition of a matcher may be called. */
export const MATCHER_KEYS: readonly string[] = Object.keys(conditions.entries).filter((key) => key === snake(key));

const ALSO_CALLED: Readonly<Record<string, string>> = { event_pattern: "event", eventPattern: "event" };

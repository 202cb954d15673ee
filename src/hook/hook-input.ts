import type { Alias, EventName } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import type { HookSpec, MatcherSpec, RunKind } from "./schema.ts";

/** What a program writes to describe one hook, in either spelling. A key that no hook has does not compile. */
export type HookInput = Fields & { readonly [Key in keyof Fields & string as Snake<Key>]?: Fields[Key] };

/**
 * A hook as a function of the program: it is given the event, and gives `["allow" | "block", text]`, an object with an `action`, or
 * nothing for no opinion.
 */
export type HookFunction = (event: HookEvent) => HookVerdict | Promise<HookVerdict>;

type HookVerdict =
  | readonly ["allow" | "block", (string | null | undefined)?]
  | {
      readonly action: "continue" | "allow" | "deny" | "ask" | "modify";
      readonly reason?: string | undefined;
      readonly context?: string | undefined;
      readonly modifiedData?: Readonly<Record<string, unknown>> | undefined;
    }
  | null
  | undefined;

/** A pattern of events: one by its name or an alias, with its tool, a list with commas, or with wildcards. */
export type EventPatternText =
  | EventName
  | Alias
  | Category
  | `${EventName | Alias}:${string}`
  | `${string}${"*" | "?" | "[" | ","}${string}`;

type Category = EventName extends infer Name ? (Name extends `${infer First}:${string}` ? First : never) : never;

/** A rule of `inlineRules`. */
export interface RuleInput {
  readonly field: string;
  readonly operator: OperatorWord;
  readonly value?: unknown;
  readonly action: "continue" | "deny" | "ask" | "modify" | "warn";
  readonly reason?: string | undefined;
  readonly remedy?: string | undefined;
  readonly modify_field?: string | undefined;
  readonly modifyField?: string | undefined;
  readonly modify_value?: unknown;
  readonly modifyValue?: unknown;
}

/** The operators of rules, without their `not_` forms. The table of operators has a row for each. */
export type OperatorBase =
  | "equals"
  | "contains"
  | "glob"
  | "matches"
  | "starts_with"
  | "ends_with"
  | "in"
  | "exists"
  | "gt"
  | "lt"
  | "gte"
  | "lte"
  | "tracked"
  | "untracked"
  | "committed_on"
  | "dirty"
  | "runs"
  | "writes"
  | "reads"
  | "deletes"
  | "network"
  | "pushes"
  | "commits_to"
  | "only_runs"
  | "only_writes"
  | "only_reads"
  | "only_deletes"
  | "only_network"
  | "effect"
  | "unknown";

type OperatorWord = OperatorBase | "regex" | `not_${OperatorBase | "regex"}`;

type Replaced =
  | "type"
  | "event"
  | "matcher"
  | "inlineRules"
  | "rules"
  | "all"
  | "any"
  | "pipe"
  | "retry"
  | "when"
  | "cedar"
  | "opa";

/** The fields of every kind of hook; what is open in a file, because a reader keeps it, is closed here. */
type Fields = Readable<Omit<HookSpec, Replaced>> & {
  readonly type?: RunKind | undefined;
  readonly run?: HookFunction | undefined;
  readonly event?: EventPatternText | undefined;
  readonly matcher?: MatcherInput | undefined;
  readonly inlineRules?: readonly RuleInput[] | undefined;
  readonly rules?: string | readonly RuleInput[] | undefined;
  readonly cedar?: Closed<NonNullable<HookSpec["cedar"]>> | undefined;
  readonly opa?: Closed<NonNullable<HookSpec["opa"]>> | undefined;
  readonly all?: readonly MemberInput[] | undefined;
  readonly any?: readonly MemberInput[] | undefined;
  readonly pipe?: readonly MemberInput[] | undefined;
  readonly retry?:
    | { readonly times: number; readonly of: MemberInput; readonly delay?: number | string | undefined }
    | undefined;
  readonly when?:
    | {
        readonly if?: string | undefined;
        readonly event?: EventPatternText | undefined;
        readonly tool?: string | readonly string[] | undefined;
        readonly matcher?: MatcherInput | undefined;
        readonly then: MemberInput;
        readonly else?: MemberInput | undefined;
      }
    | undefined;
};

/** A hook inside a hook. */
type MemberInput = HookInput;

/** Which events a hook matches, as lists. */
export type MatcherInput = {
  readonly [Key in keyof Closed<MatcherSpec>]?: Key extends "events"
    ? readonly EventPatternText[] | undefined
    : readonly string[] | undefined;
};

/** The same, also from values that nothing may change. */
type Readable<Value> = Value extends readonly (infer Item)[]
  ? readonly Readable<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Readable<Value[Key]> }
    : Value;

/** An object without the keys that a reader would keep. */
type Closed<Open> = { readonly [Key in keyof Open as string extends Key ? never : Key]: Open[Key] };

type Snake<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : Text;

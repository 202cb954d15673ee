import { type ParseError, parse } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { attempt } from "../../event/attempt.ts";
import { isObject } from "../../event/json.ts";

/** One hook as an agent's settings have it. */
export interface ForeignHook {
  readonly hookEvent: string;
  /** What the group around it says, or the hook itself where there are no groups. */
  readonly group: ForeignFields;
  readonly entry: ForeignFields;
}

/** An object whose fields are not checked. */
export type ForeignFields = Readonly<Record<string, unknown>>;

/** The hooks in a settings text of JSON or TOML; undefined if it cannot be read. */
export function foreignHooks(text: string, format: "json" | "toml"): readonly ForeignHook[] | undefined {
  const settings = format === "toml" ? tomlIn(text) : jsonIn(text);
  if (settings === undefined) return undefined;
  const { hooks, ...rest } = Object(settings) as ForeignFields;
  if (Array.isArray(hooks)) return hooks.filter(isObject).map(triggered);
  // A file for hooks alone has the groups on its top level.
  const top = Object.entries(rest).filter(([, groups]) => Array.isArray(groups) && groups.some(isGroup));
  return [...Object.entries(isObject(hooks) ? hooks : {}), ...top].flatMap(([hookEvent, groups]) =>
    (Array.isArray(groups) ? groups : []).filter(isObject).flatMap((group) => {
      const inner = Array.isArray(group.hooks) ? group.hooks.filter(isObject) : [group];
      return inner.map((entry) => ({ hookEvent, group, entry }));
    }),
  );
}

function isGroup(group: unknown): boolean {
  return isObject(group) && Array.isArray(group.hooks);
}

/** A list of hooks of which each names its hook event: `{ trigger, matcher, action: { type, command } }`. */
function triggered(hook: ForeignFields): ForeignHook {
  const action = isObject(hook.action) ? hook.action : {};
  return { hookEvent: String(hook.trigger ?? hook.event ?? ""), group: hook, entry: { ...hook, ...action } };
}

/** The value of a text of JSON with comments; undefined if it cannot be read. */
export function jsonIn(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ""), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  return errors.length > 0 ? undefined : (value ?? {});
}

/** The value of a TOML text; undefined if it cannot be read. */
export function tomlIn(text: string): ForeignFields | undefined {
  return attempt(() => parseToml(text.replace(/^\uFEFF/, "")));
}

/** Another program's hook, as a hook of Sluice. */
export interface Imported {
  readonly kind: "imported";
  /** What goes into the configuration. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** The file it was found in. */
  readonly file: string;
  /** What differs from what it was, in sentences. */
  readonly notes: readonly string[];
  /** Another program besides the agent needs the original, so it has to stay. */
  readonly isNeeded?: boolean;
}

/** A hook that has no counterpart, and why. */
export interface Left {
  readonly kind: "left";
  /** What a reader recognises it by. */
  readonly what: string;
  readonly file: string;
  readonly why: string;
}

/** What became of one hook that was found. */
export type ForeignFinding = Imported | Left;

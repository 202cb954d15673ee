import { type ParseError, parse } from "jsonc-parser";
import { tablesIn } from "./toml-hooks.ts";

/** One hook as an agent's settings have it. */
export interface ForeignHook {
  readonly moment: string;
  /** What the group around it says, or the hook itself where there are no groups. */
  readonly group: Fields;
  readonly entry: Fields;
}

/** An object whose fields nobody vouches for. */
export type Fields = Readonly<Record<string, unknown>>;

/** The hooks in a settings text of JSON or TOML; nothing when it cannot be read. */
export function foreignHooks(text: string, format: "json" | "toml"): readonly ForeignHook[] | undefined {
  const settings = format === "toml" ? tablesIn(text) : jsonIn(text);
  if (settings === undefined) return undefined;
  const hooks = Object(settings).hooks as unknown;
  if (Array.isArray(hooks)) return hooks.filter(isFields).map(triggered);
  if (!isFields(hooks)) return [];
  return Object.entries(hooks).flatMap(([moment, groups]) =>
    (Array.isArray(groups) ? groups : []).filter(isFields).flatMap((group) => {
      const inner = Array.isArray(group.hooks) ? group.hooks.filter(isFields) : [group];
      return inner.map((entry) => ({ moment, group, entry }));
    }),
  );
}

/** Whether a value is an object with named fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of hooks of which each names its moment: `{ trigger, matcher, action: { type, command } }`. */
function triggered(hook: Fields): ForeignHook {
  const action = isFields(hook.action) ? hook.action : {};
  return { moment: String(hook.trigger ?? hook.event ?? ""), group: hook, entry: { ...hook, ...action } };
}

function jsonIn(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ""), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  return errors.length > 0 ? undefined : (value ?? {});
}

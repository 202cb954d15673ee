import { EVENT_NAMES, type EVENTS, type EventName, eventSpec } from "../event/catalogue.ts";
import { nearest } from "../problem/nearest.ts";
import { problems } from "../problem/problem.ts";
import type { PluginResult } from "./plugin-result.ts";
import type { HookRequest } from "./request.ts";

/** One method of a plugin: looks at a request, with the `options` of the hook that names the plugin. */
export type PluginMethod<Request extends HookRequest = HookRequest> = (
  request: Request,
  options: Readonly<Record<string, unknown>>,
) => PluginResult | Promise<PluginResult>;

/** An object with a method for each event it cares about. */
export type Plugin = { readonly name?: string } & {
  readonly [Name in EventName as MethodOf<Name> | Snake<MethodOf<Name>>]?: PluginMethod<RequestOf<Name>>;
};

/** A request about a tool, which always has its name. */
export type ToolRequest = HookRequest & { readonly toolName: string };
type RequestOf<Name extends EventName> = Name extends `tool:${string}` | `permission:${string}`
  ? ToolRequest
  : HookRequest;

/** Says that an object is a plugin, with all types; a method that no event calls does not compile. */
export function definePlugin<T extends Plugin>(
  plugin: T & { readonly [Key in Exclude<keyof T, keyof Plugin>]: never },
): Defined<T> {
  const wrong = misspeltMethod(plugin);
  if (wrong !== undefined) throw PROBLEMS.misspelt({ ...wrong, name: plugin.name ?? "a plugin" });
  // A program may call its methods with any request: without a tool, there is nothing to look at.
  return plugin as unknown as Defined<T>;
}

/** A plugin whose methods take any request. */
type Defined<T> = {
  readonly [Key in keyof T]: T[Key] extends (request: never, ...rest: infer Rest) => infer Result
    ? (request: HookRequest, ...rest: Rest) => Result
    : T[Key];
};

/** The method that a plugin has for an event; `undefined` when it has none. */
export function methodFor(plugin: object, event: EventName): string | undefined {
  return METHODS.get(event)?.find((name) => typeof (plugin as Record<string, unknown>)[name] === "function");
}

/** A method that would never be called because its name is nearly, and not quite, that of an event. */
export function misspeltMethod(plugin: object): { readonly method: string; readonly meant: string } | undefined {
  for (const [method, value] of Object.entries(plugin)) {
    // Short names are too easily one letter away from an event's.
    if (typeof value !== "function" || KNOWN.has(method) || method.length < 8) continue;
    const meant = nearest(method, DOCUMENTED, 1);
    if (meant !== undefined) return { method, meant };
  }
  return undefined;
}

type Aliases<Name extends EventName> = (typeof EVENTS)[Name]["aliases"];
type MethodOf<Name extends EventName> =
  Aliases<Name> extends readonly [infer First extends string, ...unknown[]] ? Uncapitalize<First> : Camel<Name>;

type Camel<Text extends string> = Text extends `${infer Head}:${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<Camel<Tail>>}`
    : Text;
type Snake<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : Text;

/** The name of the method that handles an event: `preToolUse` for `tool:pre_execute`. */
export function methodName(event: EventName): string {
  return camel(eventSpec(event).aliases[0] ?? event);
}

/** Which methods handle an event, the best first; `postToolUse` handles a failed tool when nothing closer does. */
const METHODS: ReadonlyMap<EventName, readonly string[]> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ EVENT_NAMES.map((event) => {
    const names = [methodName(event), ...(eventSpec(event).alsoMatchedBy ?? []).map(camel)];
    return [event, [...new Set(names.flatMap((name) => [name, snake(name)]))]];
  }),
);

const DOCUMENTED: readonly string[] = /* @__PURE__ */ EVENT_NAMES.map(methodName);
const KNOWN: ReadonlySet<string> = /* @__PURE__ */ new Set([...METHODS.values()].flat());

function camel(name: string): string {
  const joined = name.replaceAll(/[:_](\w)/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const PROBLEMS = problems("plugin", {
  misspelt: ({ name, method, meant }: { name: string; method: string; meant: string }) => ({
    what: `Plugin "${name}" has a method "${method}", which no event calls.`,
    fix: `Did you mean "${meant}"?`,
  }),
});

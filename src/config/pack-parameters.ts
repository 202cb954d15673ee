import { isObject } from "../event/json.ts";
import { didYouMean } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { type ConfigTree, plain } from "./tree.ts";

/** What a parameter of a pack can be. */
export type ParameterValue = string | number | boolean | readonly string[];

/** One parameter that a pack declares. */
export interface PackParameter {
  readonly type: keyof typeof PARAMETER_TYPES;
  /** What it is when it is left out; a parameter without one has to be given. */
  readonly default?: ParameterValue | undefined;
  readonly description?: string | undefined;
}

/** The types of parameters, and how a text on a command line becomes a value of each. */
export const PARAMETER_TYPES = {
  string: { is: isText, wanted: "a text in one line", read: (text: string): unknown => text },
  number: {
    is: (value: unknown) => typeof value === "number" && Number.isFinite(value),
    wanted: "a number",
    read: (text: string): unknown => (text.trim() === "" ? text : Number(text)),
  },
  boolean: {
    is: (value: unknown) => typeof value === "boolean",
    wanted: "true or false",
    read: (text: string): unknown => ({ true: true, false: false })[text] ?? text,
  },
  list: {
    is: (value: unknown) => Array.isArray(value) && value.length <= MAX_ITEMS && value.every(isText),
    wanted: "a list of texts",
    read: (text: string): unknown =>
      text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== ""),
  },
} as const;

/** What a pack declares under `parameters`, and what is wrong with it. */
export function readParameters(tree: ConfigTree | undefined): {
  readonly parameters: ReadonlyMap<string, PackParameter>;
  readonly problems: readonly Problem[];
} {
  const found: Problem[] = [];
  const parameters = new Map<string, PackParameter>();
  const declared = tree === undefined ? {} : plain(tree);
  if (typeof declared !== "object" || declared === null || Array.isArray(declared))
    return { parameters, problems: [PROBLEMS.noParameters(undefined)] };
  for (const [name, given] of Object.entries(declared)) {
    const { type, default: fallback, description, ...rest } = Object(given) as Record<string, unknown>;
    const strange = Object.keys(rest)[0];
    if (!NAME.test(name)) found.push(PROBLEMS.parameterName({ name }));
    else if (typeof type !== "string" || !Object.hasOwn(PARAMETER_TYPES, type))
      found.push(PROBLEMS.parameterType({ name, types: Object.keys(PARAMETER_TYPES) }));
    else if (strange !== undefined) found.push(PROBLEMS.parameterKey({ name, key: strange }));
    else {
      const kind = type as PackParameter["type"];
      const { is, wanted } = PARAMETER_TYPES[kind];
      if (fallback !== undefined && !is(fallback)) found.push(PROBLEMS.parameterValue({ name, wanted, of: "default" }));
      parameters.set(name, { type: kind, default: fallback as ParameterValue, description: text(description) });
    }
  }
  return { parameters, problems: found };
}

/** The value of each parameter: what the configuration gives, else the default. */
export function parameterValues(
  parameters: ReadonlyMap<string, PackParameter>,
  given: unknown,
): { readonly values: ReadonlyMap<string, ParameterValue>; readonly problems: readonly Problem[] } {
  if (given !== undefined && !isObject(given)) return { values: new Map(), problems: [PROBLEMS.noValues(undefined)] };
  const stated = Object(given) as Readonly<Record<string, unknown>>;
  const names = [...parameters.keys()];
  const found = Object.keys(stated)
    .filter((name) => !parameters.has(name))
    .map((name) => PROBLEMS.unknownParameter({ name, names }));
  const values = new Map<string, ParameterValue>();
  for (const [name, { type, default: fallback }] of parameters) {
    const value = Object.hasOwn(stated, name) ? stated[name] : fallback;
    const { is, wanted } = PARAMETER_TYPES[type];
    if (value === undefined) found.push(PROBLEMS.parameterMissing({ name, wanted }));
    else if (!is(value)) found.push(PROBLEMS.parameterValue({ name, wanted, of: "with" }));
    else values.set(name, value as ParameterValue);
  }
  return { values, problems: found };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= LONGEST && !CONTROLS.test(value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const NAME = /^[a-z][a-z0-9_-]{0,39}$/;
const LONGEST = 500;
const MAX_ITEMS = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a value with one of them is refused.
const CONTROLS = /[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const PROBLEMS = problems("pack", {
  noParameters: () => ({
    what: "`parameters` of the pack is not an object.",
    fix: "Write `parameters: { branches: { type: list, default: [main] } }`, for example.",
  }),
  parameterName: ({ name }: { name: string }) => ({
    what: `The pack declares a parameter ${JSON.stringify(name)}, which is not a valid name.`,
    fix: "Write small letters, digits, - and _, up to 40 of them, with a letter first.",
  }),
  parameterType: ({ name, types }: { name: string; types: readonly string[] }) => ({
    what: `The parameter "${name}" of the pack does not have a type.`,
    fix: `Write \`${name}: { type: ${types[0]}, default: … }\`; there are ${types.join(", ")}.`,
  }),
  parameterKey: ({ name, key }: { name: string; key: string }) => ({
    what: `The parameter "${name}" of the pack has a key \`${key}\`, which nothing reads.`,
    fix: "Known are type, default, description.",
  }),
  parameterValue: ({ name, wanted, of }: { name: string; wanted: string; of: "default" | "with" }) => ({
    what: `The parameter "${name}" of the pack has to be ${wanted}; its ${of === "with" ? "value under `with`" : "default"} is not.`,
    fix: of === "with" ? "Correct it in the file that extends the pack." : "Correct the default in sluice.yaml.",
  }),
  parameterMissing: ({ name, wanted }: { name: string; wanted: string }) => ({
    what: `The pack needs the parameter "${name}": ${wanted}.`,
    fix: `Write \`with: { ${name}: … }\` where the pack is extended; \`sluice add … --with ${name}=…\` does so.`,
  }),
  unknownParameter: ({ name, names }: { name: string; names: readonly string[] }) => ({
    what: `\`with\` names a parameter "${name}", and the pack has none of that name.`,
    fix: didYouMean(name, names) || (names.length === 0 ? "The pack has none at all." : `It has ${names.join(", ")}.`),
  }),
  noValues: () => ({
    what: "`with` is not an object.",
    fix: "Write `with: { branches: [main] }`, for example.",
  }),
});

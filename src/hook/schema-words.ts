/** What a schema says about a value that does not fit. */
export interface Misfit {
  readonly kind: string;
  readonly type: string;
  readonly message: string;
  readonly expected: string | null;
  readonly received: string;
  readonly requirement?: unknown;
}

/** What a value has to be, as people say it. */
export function wantedInWords(misfit: Misfit): string {
  if (misfit.kind === "validation") return LIMITS[misfit.type]?.(misfit) ?? misfit.message;
  const choices = choicesOf(misfit);
  if (choices.length > 1) return `one of ${choices.join(", ")}`;
  const types = (misfit.expected ?? "").replaceAll(/[()]/g, "").split(" | ");
  return types.map((type) => TYPES[type] ?? type).join(" or ") || "something else";
}

/** What a value is instead, as people say it. */
export function gotInWords({ type, received }: Misfit): string {
  // The length of a list that is too short does not describe the list.
  if (received === "null" || type === "min_length") return "empty";
  return TYPES[received] ?? received;
}

/** What to write under a key in place of such a value, where nothing more is known about it. */
export function stepInWords(misfit: Misfit & { readonly input?: unknown }, key: string): string {
  const [choice] = choicesOf(misfit);
  const wanted = (misfit.expected ?? "").replaceAll(/[()]/g, "").split(" | ");
  const named = misfit.kind === "validation" ? /(?:such as|like) "?([\w.:/-]+)/.exec(misfit.message)?.[1] : undefined;
  const sample = named ?? choice ?? wanted.map((type) => SAMPLES[type]?.(misfit.input)).find(Boolean);
  return sample === undefined ? `Write another value for \`${key}\`.` : `Write \`${key}: ${sample}\`, for example.`;
}

const SAMPLES: Readonly<Record<string, (input: unknown) => string>> = {
  Array: (input) => (typeof input === "string" ? `[${JSON.stringify(input)}]` : '["a", "b"]'),
  number: () => "10",
  Object: () => "{ … }",
};

/** The texts that a value may be, if there is a list of them. */
export function choicesOf({ expected }: Misfit): string[] {
  return [...(expected ?? "").matchAll(/"([^"]+)"/g)].map(([, choice]) => choice ?? "");
}

const TYPES: Readonly<Record<string, string>> = {
  Array: "a list",
  Object: "an object",
  string: "a string",
  number: "a number",
  boolean: "true or false",
};

const LIMITS: Readonly<Record<string, (misfit: Misfit) => string>> = {
  integer: () => "a whole number",
  min_value: ({ requirement }) => `at least ${requirement}`,
};

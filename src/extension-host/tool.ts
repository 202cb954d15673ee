/** The types that a field of a tool's input may have. */
export type FieldType = "text" | "number" | "boolean" | "object";

/** The input of a tool, by the types of its fields. */
export type ToolInput<Fields extends Readonly<Record<string, FieldType>>> = {
  readonly [Name in keyof Fields]: {
    text: string;
    number: number;
    boolean: boolean;
    object: Readonly<Record<string, unknown>>;
  }[Fields[Name]];
};

/** Where a tool runs. */
export interface HostCall {
  readonly root: string;
  readonly sessionId: string;
}

/** A tool of an extension host. Hooks decide before it runs; its result is the text for the model. */
export interface HostTool {
  readonly does: string;
  /** The fields of its input; a message with other fields is refused. */
  readonly input: Readonly<Record<string, FieldType>>;
  run(input: Readonly<Record<string, unknown>>, call: HostCall): Promise<string> | string;
}

/** Defines a tool whose `run` has its input typed by its fields. */
export function hostTool<const Fields extends Readonly<Record<string, FieldType>>>(tool: {
  readonly does: string;
  readonly input: Fields;
  run(input: ToolInput<Fields>, call: HostCall): Promise<string> | string;
}): HostTool {
  const { does, input, run } = tool;
  return {
    does,
    input,
    // Hooks may have changed the input: it is checked again before the tool has it.
    run: (given, call) => {
      const [complaint] = complaintsAbout(given, input);
      if (complaint !== undefined) throw new Error(`The input of the tool cannot be read: ${complaint}.`);
      return run(given as ToolInput<Fields>, call);
    },
  };
}

/** A part of what an assistant says: a text for the user, or a call of a tool. */
export type AssistantBlock =
  | { readonly type: "text"; readonly text: string; readonly who?: string }
  | { readonly type: "tool_use"; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** What is wrong with an object that should have exactly these fields, each of this type. */
export function complaintsAbout(value: object, fields: Readonly<Record<string, FieldType>>): string[] {
  return [
    ...Object.entries(fields)
      .filter(([name, type]) => !Object.hasOwn(value, name) || !TYPES[type].fits(value[name as keyof typeof value]))
      .map(([name, type]) => `"${name}" has to be ${TYPES[type].named}`),
    ...Object.keys(value)
      .filter((name) => !Object.hasOwn(fields, name))
      .map((name) => `"${name}" is not known`),
  ];
}

const TYPES: Readonly<Record<FieldType, { readonly fits: (value: unknown) => boolean; readonly named: string }>> = {
  text: { fits: (value) => typeof value === "string", named: "a string" },
  number: { fits: (value) => typeof value === "number", named: "a number" },
  boolean: { fits: (value) => typeof value === "boolean", named: "true or false" },
  object: {
    fits: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    named: "an object",
  },
};

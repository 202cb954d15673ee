import { Hook } from "../hook/hook.ts";
import type { HookSpec } from "../hook/schema.ts";
import { shortExamples } from "./short-examples.ts";
import type { TemplateExample } from "./template-example.ts";

export type { TemplateExample } from "./template-example.ts";

/** A hook that is ready to use, with what it is for and the proof that it works. */
export interface Template {
  readonly hook: Hook;
  /** A few words for a list. */
  readonly title: string;
  /** What goes wrong without it. */
  readonly why: string;
  /** Programs it uses besides a POSIX shell and its usual tools; it stays quiet where one is missing. */
  readonly needs: readonly string[];
  readonly examples: readonly TemplateExample[];
}

/** Makes a template from the hook as a user would write it; nobody can change it afterwards. */
export function template(
  parts: Omit<Template, "hook" | "needs"> & { readonly needs?: readonly string[]; readonly spec: HookSpec },
): Template {
  const { spec, needs = [], ...words } = parts;
  const short = shortExamples(new Hook(spec), words.examples);
  const hook = new Hook(short === undefined ? spec : { ...spec, examples: short });
  Object.defineProperty(hook, "examples", { value: words.examples, enumerable: false });
  Object.freeze(hook.tags);
  Object.freeze(hook);
  return Object.freeze({ hook, needs, ...words });
}

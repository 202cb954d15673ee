import type { Action } from "../decision/result.ts";
import type { EventName } from "../event/catalogue.ts";
import { Hook } from "../hook/hook.ts";
import type { HookSpec } from "../hook/schema.ts";

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

/** One run of a template in a fresh folder: what is there, what happens, what comes of it. */
export interface TemplateExample {
  /** A sentence without its subject: `lets a search for sudoers pass`. */
  readonly does: string;
  readonly event: EventName;
  readonly tool?: string;
  /** The tool's input. */
  readonly args?: unknown;
  /** What the event holds besides. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Files that are there, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Programs that are found first, by name, each a shell script. */
  readonly programs?: Readonly<Record<string, string>>;
  /** A shell line that prepares the folder. */
  readonly before?: string;
  /** What the event comes to; a denial after the fact is feedback, and the event continues. */
  readonly expect: Action;
  /** A part of what the agent is told; where it is left out, the agent is told nothing. */
  readonly says?: string;
  /** A shell line that succeeds in the folder afterwards. */
  readonly after?: string;
}

/** Makes a template from the hook as a user would write it; nobody can change it afterwards. */
export function template(
  parts: Omit<Template, "hook" | "needs"> & { readonly needs?: readonly string[]; readonly spec: HookSpec },
): Template {
  const { spec, needs = [], ...words } = parts;
  const hook = new Hook(spec);
  Object.defineProperty(hook, "examples", { value: words.examples, enumerable: false });
  Object.freeze(hook.tags);
  Object.freeze(hook);
  return Object.freeze({ hook, needs, ...words });
}

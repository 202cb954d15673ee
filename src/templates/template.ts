import type { Action } from "../decision/result.ts";
import type { EventName } from "../event/catalogue.ts";
import type { ExamplesSpec } from "../hook/example.ts";
import { Hook } from "../hook/hook.ts";
import type { HookInput } from "../hook/hook-input.ts";

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

/** Makes a template from the hook as a user would write it; it is frozen. */
export function template(
  parts: Omit<Template, "hook" | "needs"> & { readonly needs?: readonly string[]; readonly spec: HookInput },
): Template {
  const { spec, needs = [], ...words } = parts;
  const short = shortExamples(new Hook(spec), words.examples);
  const hook = new Hook(short === undefined ? spec : { ...spec, examples: short });
  Object.defineProperty(hook, "examples", { value: words.examples, enumerable: false });
  Object.freeze(hook.tags);
  Object.freeze(hook);
  return Object.freeze({ hook, needs, ...words });
}

/**
 * A shell script, or rules, without the indentation of the file it is written in. Backslashes stay as they are, except before
 * `${` and a backtick, which a template literal would take for its own.
 */
export function sh(strings: TemplateStringsArray, ...values: readonly string[]): string {
  const indent = /\n +/.exec(strings.raw.join(""))?.[0] ?? "\n";
  const raw = strings.raw.map((text) => text.replaceAll(indent, "\n").replace(/\\(?=\$\{|`)/g, ""));
  return String.raw({ raw }, ...values).trim();
}

/** A command that runs only where a condition of the rule language holds, as a hook writes it. */
export function commandWhen(condition: string, command: string): Pick<HookInput, "when"> {
  // biome-ignore lint/suspicious/noThenProperty: this is the word people write; it is never a function.
  return { when: { if: condition, then: { command } } };
}

/** One run of a template in a fresh folder: its files, the event, the expected result. */
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

/** The examples that come along when a template is copied: a few shell commands, where no folder has to be prepared for any. */
function shortExamples(hook: Hook, examples: readonly TemplateExample[]): ExamplesSpec | undefined {
  const isBare = examples.every(({ files, programs, before, after }) => !(files ?? programs ?? before ?? after));
  const tool = ["Bash", "bash"].find((name) => hook.patternMatches("tool:pre_execute", name));
  if (!isBare || tool === undefined) return undefined;
  const commands = (action: TemplateExample["expect"]) =>
    examples.flatMap((example) => (example.expect === action ? commandOf(example, tool) : [])).slice(0, MOST);
  const [deny, allow] = [commands("deny"), commands("continue")];
  return deny.length > 0 && allow.length > 0 ? { deny, allow } : undefined;
}

function commandOf({ event, tool, args, data }: TemplateExample, shell: string): string[] {
  const { command, ...others } = Object(args) as Record<string, unknown>;
  const isPlain =
    event === "tool:pre_execute" && tool === shell && data === undefined && Object.keys(others).length === 0;
  return isPlain && typeof command === "string" && !command.includes("\n") && command.length <= LONGEST
    ? [command]
    : [];
}

const MOST = 3;
const LONGEST = 60;

import { dirname } from "node:path";
import { findRoot } from "../config/root.ts";
import { readLayers } from "../decide/layers.ts";
import { type Configuration, configurationAt } from "../decide/project.ts";
import { callEffects } from "../effects/call-effects.ts";
import type { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import type { ExceptionTarget } from "../policies/guards/exceptions.ts";
import { guardsUnder } from "../policies/guards/guard-hooks.ts";
import { type NarrowException, narrowestExceptions } from "../policies/guards/narrow.ts";
import { guardPolicy } from "../policies/guards/policy.ts";
import { BUILT_IN } from "../policies/protect/built-in.ts";
import { problems } from "../problem/problem.ts";
import { diskLookups } from "../runners/disk-lookups.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { recordedEvent } from "../trace/recorded-event.ts";
import { isShortened } from "../trace/shorten.ts";

/** Where a call was made, if its record does not name it, and the user's environment. */
export interface ExceptionContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly root: string;
}

/** How much an exception lets pass besides the call that it is made from. */
export type ExceptionWidth = keyof typeof WIDTHS;

interface Width {
  readonly means: string;
  /** The targets that are tried, in order. */
  readonly ordered: (targets: readonly ExceptionTarget[]) => readonly ExceptionTarget[];
}

/** The widths of an exception. */
export const WIDTHS = {
  exact: { means: "exactly this call", ordered: (targets) => targets },
  folder: {
    means: "everything in this folder",
    ordered: (targets) =>
      targets.flatMap(({ path = "" }) => (/[^.~]\//.test(path) ? [{ path: `${dirname(path)}/**` }] : [])),
  },
  options: {
    means: "this program with these options, whatever follows",
    ordered: (targets) =>
      targets.flatMap(({ command }) => (command === undefined ? [] : [{ command: `${withOptions(command)} *` }])),
  },
} as const satisfies Record<string, Width>;

/** The program, its verb and its options, up to the first other argument: `git push --force`. */
function withOptions(command: string): string {
  return /^\S+(?:\s+[a-z][a-z-]*(?=\s|$))?(?:\s+--?[\w-]+(?=\s|$))*/.exec(command)?.[0] ?? command;
}

/** What would have let the recorded call pass, by the guards of today; throws the problem if nothing narrow would. */
export function exceptionsFor(
  record: DecisionRecord,
  context: ExceptionContext,
  width: ExceptionWidth = "exact",
): readonly NarrowException[] {
  const { id, results, action } = record;
  const objecting = results.filter((result) => result.action === action && (action === "deny" || action === "ask"));
  if (objecting.length === 0) throw PROBLEMS.noDenial({ id });
  const other = objecting.find(({ hook, file }) => file !== undefined || !hook.startsWith("guard:"));
  if (other !== undefined) throw PROBLEMS.otherHook({ id, hook: other.hook, file: other.file, line: other.line });
  const event = recordedEvent(record);
  if (event === undefined || isIncomplete(event)) throw PROBLEMS.incomplete({ id });
  const root = record.root ?? findRoot(record.cwd ?? context.root);
  attachRoot(event, root);
  const act = callEffects(event, diskLookups);
  const { exceptions, open } =
    act === undefined
      ? { exceptions: [], open: [] }
      : narrowestExceptions(
          event,
          act,
          guardsIn(root, context),
          (line) => commandsIn(line, event),
          WIDTHS[width].ordered,
        );
  if (open.length > 0)
    throw width === "exact" ? PROBLEMS.tooWide({ id, rules: open }) : PROBLEMS.otherWidth({ id, width });
  if (exceptions.length === 0) throw PROBLEMS.passesNow({ id });
  return exceptions;
}

function isIncomplete(event: HookEvent): boolean {
  const text = event.toText();
  return text.includes("[redacted:") || isShortened(text);
}

/** The guards of a project, read once for all calls that are looked at with one context. */
function guardsIn(root: string, context: ExceptionContext) {
  const known = GUARDS_OF.get(context) ?? new Map<string, ReturnType<typeof guardsUnder>>();
  GUARDS_OF.set(context, known);
  const found = known.get(root) ?? readGuards(root, context);
  known.set(root, found);
  return found;
}

const GUARDS_OF = new WeakMap<ExceptionContext, Map<string, ReturnType<typeof guardsUnder>>>();

function readGuards(root: string, { env }: ExceptionContext) {
  const configuration: Configuration = configurationAt(root, { env, layers: readLayers });
  const { guards } = configuration.settings;
  return guardsUnder(guards, configuration.guardPolicy ?? guardPolicy(guards, []));
}

function commandsIn(command: string, event: HookEvent) {
  return callEffects(event.withData({ tool_args: { command } }), diskLookups)?.commands ?? [];
}

const PROBLEMS = problems("guard", {
  noDenial: ({ id }: { id: string }) => ({
    what: `Decision ${id} stopped nothing; there is nothing to allow.`,
    fix: "`sluice why --last 10` lists the latest.",
  }),
  otherHook: ({
    id,
    hook,
    file,
    line,
  }: {
    id: string;
    hook: string;
    file: string | undefined;
    line: number | undefined;
  }) => ({
    what: `Decision ${id} is not a guard's alone: "${hook}" objects too, and takes no exceptions.`,
    fix:
      file === undefined || file === "" || file === BUILT_IN
        ? `Look at it with \`sluice why ${id}\`; \`sluice allow-once ${id}\` lets the call pass once, where that may be.`
        : `Change the hook in ${file}${line ? `:${line}` : ""}.`,
  }),
  incomplete: ({ id }: { id: string }) => ({
    what: `The call of ${id} is recorded in part: a secret or a long text was taken out of it.`,
    fix: "Write the exception by hand; docs/guards.md shows how.",
  }),
  tooWide: ({ id, rules }: { id: string; rules: readonly string[] }) => ({
    what: `The call of ${id} depends on what only the run knows, so no exception of ${rules.join(" and ")} would be about this call alone.`,
    fix: `\`sluice allow-once ${id}\` lets it pass once.`,
  }),
  otherWidth: ({ id, width }: { id: string; width: "folder" | "options" }) => ({
    what: `No exception of the width "${width}" covers the call of ${id}: it names no ${width === "folder" ? "file in a folder" : "command"}.`,
    fix: `\`sluice allow ${id}\` lists the exceptions that cover it.`,
  }),
  passesNow: ({ id }: { id: string }) => ({
    what: `No guard of today objects to the call of ${id}.`,
    fix: "Tell the agent to try again.",
  }),
});

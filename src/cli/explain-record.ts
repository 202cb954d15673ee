import { existsSync } from "node:fs";
import { findRoot } from "../config/root.ts";
import { readLayers } from "../decide/layers.ts";
import { configurationAt } from "../decide/project.ts";
import { eventNamed } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { BUILT_IN } from "../policies/protect/built-in.ts";
import { asksAboutRecent } from "../rule/recent.ts";
import { fingerprint } from "../trace/fingerprint.ts";
import type { DecisionRecord, ResultRecord } from "../trace/record.ts";
import { isShortened } from "../trace/shorten.ts";
import type { CommandInput } from "./command.ts";
import { rootOf } from "./configuration.ts";
import { type Explained, explainHook } from "./explain-hook.ts";

/** What can be said today about a hook that ran then. */
export interface ExplainedResult {
  readonly hook: string;
  /** Whether it is still written as it was when it ran. */
  readonly since: "unchanged" | "changed" | "gone";
  /** Its rules beside the recorded event; only while it is unchanged. */
  readonly rules?: NonNullable<Explained["rules"]>;
  /** Why the rules may say something else now than they did. */
  readonly caution?: string;
}

/** Looks for the hooks of a record in today's configuration, and lets their rules speak again on what was recorded. */
export async function explainRecord(record: DecisionRecord, input: CommandInput): Promise<ExplainedResult[]> {
  // Guards stand in no file, and most of them have nothing to say.
  const ran = record.results.filter(({ file, action }) =>
    file === undefined ? action !== "continue" : file !== BUILT_IN,
  );
  if (ran.length === 0) return [];
  const { hooks, written } = configurationAt(projectOf(record, input), {
    env: input.io.env,
    trustHash: input.text("trust-hash"),
    layers: readLayers,
  });
  const event = recordedEvent(record);
  return Promise.all(ran.map((result) => explainResult(result, [...hooks, ...written], event)));
}

/** The project is the one of the record, unless another is named. */
function projectOf({ root, cwd }: DecisionRecord, input: CommandInput): string {
  if (input.has("root")) return rootOf(input);
  const then = root ?? (cwd && findRoot(cwd));
  return then !== undefined && existsSync(then) ? then : rootOf(input);
}

async function explainResult(
  result: ResultRecord,
  hooks: readonly Hook[],
  event: HookEvent | undefined,
): Promise<ExplainedResult> {
  const named = hooks.filter((hook) => hook.name === result.hook && hook.origin?.place.file === result.file);
  const hook = named.find((candidate) => fingerprint(JSON.stringify(candidate)) === result.fingerprint);
  if (hook === undefined) return { hook: result.hook, since: named.length > 0 ? "changed" : "gone" };
  const parts = hook.parts.filter((part) => part.type === "inline");
  if (event === undefined || parts.length === 0) return { hook: result.hook, since: "unchanged" };
  const explained = await Promise.all(parts.map((part) => explainHook(part, event)));
  const caution = cautionFor(hook, event);
  return {
    hook: result.hook,
    since: "unchanged",
    rules: explained.flatMap(({ rules = [] }) => rules),
    ...(caution === undefined ? {} : { caution }),
  };
}

function recordedEvent({ event_json: recorded }: DecisionRecord): HookEvent | undefined {
  if (typeof recorded !== "object" || recorded === null) return undefined;
  const fields = recorded as Readonly<Record<string, unknown>>;
  const type = eventNamed(String(fields.type));
  if (type === undefined) return undefined;
  const text = (key: string) => (typeof fields[key] === "string" ? fields[key] : undefined);
  return new HookEvent({
    type,
    data: typeof fields.data === "object" && fields.data !== null ? fields.data : {},
    ...(typeof fields.timestamp === "number" ? { timestamp: fields.timestamp } : {}),
    toolName: text("tool_name"),
    sessionId: text("session_id"),
    cwd: text("cwd"),
    agent: text("agent"),
  });
}

function cautionFor(hook: Hook, event: HookEvent): string | undefined {
  if (asksAboutRecent(hook)) return "It also counts what happened before, which is not recorded with a decision.";
  const text = event.toText();
  if (text.includes("[redacted:")) return "A secret was taken out of the recorded values; the rules saw it.";
  if (isShortened(text)) return "Long values are recorded in part; the rules saw all of them.";
  return undefined;
}

import { existsSync } from "node:fs";
import { findRoot } from "../config/root.ts";
import { readLayers } from "../decide/layers.ts";
import { configurationAt } from "../decide/project.ts";
import { describeFailure } from "../decision/failure.ts";
import { callEffects } from "../effects/call-effects.ts";
import { effectText } from "../effects/effect.ts";
import type { SimpleCommand, Word } from "../effects/parse/command.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { BUILT_IN } from "../policies/protect/built-in.ts";
import { Problem } from "../problem/problem.ts";
import { explainRules, type RuleExplanation } from "../rule/explain.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { asksAboutRecent } from "../rule/recent.ts";
import { prepareTools } from "../rule/tools.ts";
import { diskLookups } from "../runners/disk-lookups.ts";
import { fingerprint } from "../trace/fingerprint.ts";
import type { DecisionRecord, ResultRecord } from "../trace/record.ts";
import { recordedEvent } from "../trace/recorded-event.ts";
import { isShortened } from "../trace/shorten.ts";

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

/** Looks for the hooks of a record in today's configuration, and evaluates their rules again on what was recorded. */
export async function explainRecord(record: DecisionRecord, query: ExplainQuery): Promise<ExplainedResult[]> {
  // Guards stand in no file, and most of them have nothing to say.
  const ran = record.results.filter(({ file, action }) =>
    file === undefined ? action !== "continue" : file !== BUILT_IN,
  );
  if (ran.length === 0) return [];
  const { hooks, written } = configurationAt(projectOf(record, query), {
    env: query.env,
    trustHash: query.trustHash,
    layers: readLayers,
  });
  const event = recordedEvent(record);
  return Promise.all(ran.map((result) => explainResult(result, [...hooks, ...written], event)));
}

/** Where today's configuration is looked for. */
export interface ExplainQuery {
  /** The project that is meant whatever the record says. */
  readonly stated?: string | undefined;
  /** The project where the record's own is no longer there. */
  readonly here: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly trustHash?: string | undefined;
}

/** The project is the one of the record, unless another is named. */
function projectOf({ root, cwd }: DecisionRecord, { stated, here }: ExplainQuery): string {
  if (stated !== undefined) return stated;
  const then = root ?? (cwd && findRoot(cwd));
  return then !== undefined && existsSync(then) ? then : here;
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

function cautionFor(hook: Hook, event: HookEvent): string | undefined {
  if (asksAboutRecent(hook)) return "It also counts what happened before, which is not recorded with a decision.";
  const text = event.toText();
  if (text.includes("[redacted:")) return "A secret was taken out of the recorded values; the rules saw it.";
  if (isShortened(text)) return "Long values are recorded in part; the rules saw all of them.";
  return undefined;
}

/** One hook beside one event: what its rules say, and what is wrong with them. */
export interface Explained {
  readonly hook: Hook;
  /** Absent for hooks that have no rules. */
  readonly rules?: readonly RuleExplanation[];
  /** What policies in another language say. */
  readonly says?: string;
  readonly problems: readonly Problem[];
}

/** Says which part of which rule of a hook held on which value. Nothing is run. */
export async function explainHook(hook: Hook, event: HookEvent): Promise<Explained> {
  if (hook.type === "cedar") return { hook, says: await policyVerdict(hook, event), problems: [] };
  if (hook.type !== "inline") return { hook, problems: [] };
  const { written, problems } = readHookRules(hook);
  const rules = written.map(({ rule }) => rule);
  try {
    return { hook, rules: explainRules(rules, event, await prepareTools(rules, diskLookups)), problems };
  } catch (error) {
    if (error instanceof Problem) return { hook, rules: [], problems: [...problems, error] };
    throw error;
  }
}

async function policyVerdict(hook: Hook, event: HookEvent): Promise<string> {
  const { runCedar } = await import("../runners/cedar.ts");
  const { answer, failure } = await runCedar(hook, event);
  if (failure !== undefined && answer === undefined) return describeFailure(failure);
  return answer?.action === "deny" ? `denies: ${answer.reason ?? ""}` : "no policy forbids it: continue";
}

/** What a call does, for people and programs. */
export interface ExplainedAct {
  readonly commands: readonly string[];
  readonly effects: readonly string[];
  /** How long it took to find out. */
  readonly microseconds: number;
}

/** Says which programs a call runs and what they do; undefined for events that are not calls. */
export function explainAct(event: HookEvent): ExplainedAct | undefined {
  if (event.type !== "tool:pre_execute") return undefined;
  callEffects(warmUp(event), diskLookups);
  const began = performance.now();
  const act = callEffects(event, diskLookups);
  const microseconds = Math.round((performance.now() - began) * 1000);
  if (act === undefined) return undefined;
  return {
    commands: act.commands.map(commandText),
    effects: [...new Set(act.effects.map(effectText).filter(Boolean))],
    microseconds,
  };
}

/** The same call once more, so that loading the parser is not counted. */
function warmUp(event: HookEvent): HookEvent {
  return event.withData({ ...event.data });
}

function commandText({ program, args, via, redirects, folder }: SimpleCommand): string {
  const words = [program, ...args].filter((word) => word !== undefined).map(wordText);
  const files = redirects.map(({ way, target }) => `${SIGNS[way]} ${wordText(target)}`);
  const around = [
    ...(via.length > 0 ? [`through ${via.join(", ")}`] : []),
    ...(folder && folder !== "." ? [`in ${folder}`] : []),
  ];
  const line = [...words, ...files].join(" ") || "sets variables";
  return around.length === 0 ? line : `${line}  (${around.join("; ")})`;
}

/** A word as one would write it; what only the run will know is a `…`. */
function wordText({ text }: Word): string {
  const shown = text.replaceAll("\uFFFC", "…");
  return /^[\w@%+=:,./\u2026*?[\]{}~-]+$/u.test(shown) ? shown : `'${shown}'`;
}

const SIGNS = { read: "<", write: ">", append: ">>" } as const;

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { executorFor } from "../decide/caller.ts";
import { decide } from "../decide/decide.ts";
import { readLayers } from "../decide/layers.ts";
import { policyHash } from "../decide/policy-hash.ts";
import { type Configuration, configurationAt } from "../decide/project.ts";
import { VERSION } from "../decide/version.ts";
import type { Decision } from "../decision/decision.ts";
import { reasonText } from "../decision/decision.ts";
import { STRICTNESS } from "../decision/result.ts";
import { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import { attachObserved, type ObservedChange } from "../event/observed.ts";
import type { Box, BoxStart } from "../policies/contain/box-store.ts";
import { bytesOf, pathText } from "../policies/undo/byte-path.ts";
import { HookRegistry } from "../registry/registry.ts";
import { remember } from "../trace/remember.ts";
import { entryOf, type LayerChange, targetOf } from "./read-changes.ts";

/** What is to become of one change, and why. */
export interface JudgedChange extends LayerChange {
  readonly verdict: "kept" | "held" | "dropped";
  readonly why?: string | undefined;
}

/** What became of the changes of one box, and where the journal has it. */
export interface Judgement {
  readonly changes: readonly JudgedChange[];
  readonly record?: string | undefined;
  readonly configuration: Configuration;
}

/**
 * Judges what a contained call did, by the policy of its project, as if it were about to do exactly that. Where the whole is
 * objected to, each part is judged by itself: what nothing objects to is kept.
 */
export async function judgeChanges(box: Box, changes: readonly LayerChange[], start: BoxStart): Promise<Judgement> {
  const { plan } = box;
  const env = { ...process.env, ...plan.env };
  const configuration = configurationAt(plan.root, { env, layers: (root) => readLayers(root, false) });
  const judge = async (some: readonly LayerChange[]) => decideChanges(box, some, configuration, env);
  const meanwhile = changedMeanwhile(changes, start);
  const judged = changes.filter((change) => !isNoted(change) && !meanwhile.has(change));
  const objections = new Map<LayerChange, Objection>();
  const whole = judged.length === 0 ? undefined : await divide(judged, judge, objections);
  const verdicts = changes.map((change): JudgedChange => {
    const conflict = meanwhile.get(change);
    if (conflict !== undefined) return { ...change, verdict: "held", why: conflict };
    return { ...change, verdict: "kept", ...objections.get(change) };
  });
  const record = recordOf(box, verdicts, whole, configuration, env);
  return { changes: verdicts, record, configuration };
}

type Objection = Pick<JudgedChange, "verdict" | "why">;
type Judge = (changes: readonly LayerChange[]) => Promise<Decision>;

/** Finds the changes that are objected to, by halves; returns the decision about all of them. */
async function divide(
  changes: readonly LayerChange[],
  judge: Judge,
  objections: Map<LayerChange, Objection>,
): Promise<Decision> {
  const decision = await judge(changes);
  if (STRICTNESS[decision.action] < STRICTNESS.ask) return decision;
  const before = objections.size;
  if (changes.length > 1) {
    const middle = changes.length >> 1;
    await divide(changes.slice(0, middle), judge, objections);
    await divide(changes.slice(middle), judge, objections);
  }
  // What is only objected to as a whole is objected to in each part.
  if (objections.size > before) return decision;
  const verdict = decision.action === "deny" ? "dropped" : "held";
  const why = reasonText(decision.action, decision.reasons, decision.results);
  for (const change of changes) objections.set(change, { verdict, why });
  return decision;
}

async function decideChanges(
  { plan }: Box,
  changes: readonly LayerChange[],
  configuration: Configuration,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Decision> {
  const { root } = configuration;
  const event = eventOf(plan, changes);
  const registry = new HookRegistry();
  registry.loadHooks(configuration.hooks.filter((hook) => !hook.async));
  const executor = executorFor(configuration, registry, undefined);
  const { decision } = await decide(event, {
    executor,
    root,
    env,
    project: configuration,
    canAsk: true,
    isDry: true,
    version: VERSION,
  });
  return decision;
}

/** The call as it was decided, with what it really did. */
function eventOf(plan: Box["plan"], changes: readonly LayerChange[]): HookEvent {
  const { cwd, tool, session_id, agent } = plan;
  const data = Object(plan.event.data) as object;
  const event = new HookEvent({ type: "tool:pre_execute", data, toolName: tool, sessionId: session_id, cwd, agent });
  attachRoot(event, plan.root);
  attachObserved(event, changes.map(observed));
  return event;
}

function observed(change: LayerChange): ObservedChange {
  const { path, upper, kind, now } = change;
  const isText = kind === "file" && upper !== undefined && (now?.size ?? 0) <= MAX_TEXT;
  return {
    does: upper === undefined ? "delete" : "write",
    path: pathText(path),
    // What is in a new folder is a change of its own.
    isFolder: kind === "folder" && upper === undefined,
    target: targetOf(change),
    ...(isText ? { text: () => textOf(bytesOf(upper)) } : {}),
  };
}

function textOf(path: Buffer): string | undefined {
  const content = readFileSync(path);
  return content.includes(0) ? undefined : content.toString();
}

/**
 * What git writes down about itself: objects, the index, where branches are. A line that commits writes it too, and rules ask about
 * commits otherwise. What changes how git behaves is no such thing.
 */
function isNoted({ path, change }: LayerChange): boolean {
  const inner = GIT.exec(path)?.groups?.inner;
  if (inner === undefined) return false;
  return GIT_NOTES.test(inner) && !(change === "deleted" && !inner.includes("/"));
}

const GIT = /\/\.git(?:\/modules\/[^\0]*?|\/worktrees\/[^/]+)?\/(?<inner>[^\0]+)$/;
const GIT_OBJECT = /\/\.git\/(?:modules\/[^\0]*?\/)?objects\//;
const GIT_NOTES =
  /^(?:objects|refs|logs|rr-cache|rebase-\w+|sequencer)(?:\/|$)|^(?:index|packed-refs|HEAD|\w+_HEAD|COMMIT_EDITMSG|MERGE_\w+|SQUASH_MSG|gc\.log|gc\.pid|shallow|AUTO_MERGE|[\w.-]+\.lock|info\/refs)$/;

/**
 * Another program has written the same file while the call ran: which of both is wanted is for a person to say. What git notes
 * belongs together; its objects have the same content under the same name.
 */
export function changedMeanwhile<Change extends LayerChange>(
  changes: readonly Change[],
  { began }: BoxStart,
): Map<Change, string> {
  const why = ({ path }: LayerChange) =>
    `${basename(pathText(path))} was changed by another program while the call ran`;
  const isLater = ({ path, kind, upper }: Change) => {
    const found = entryOf(path);
    if (found === undefined || found.ctimeMs <= began || GIT_OBJECT.test(path)) return false;
    return !(kind === "folder" && found.isDirectory() && upper !== undefined);
  };
  const later = changes.filter(isLater);
  const ofGit = later.find(isNoted);
  const together = ofGit === undefined ? [] : changes.filter((one) => isNoted(one) && !GIT_OBJECT.test(one.path));
  return new Map([
    ...together.map((one) => [one, ofGit === undefined ? "" : why(ofGit)] as const),
    ...later.map((one) => [one, why(one)] as const),
  ]);
}

/** Writes what a call really did, and what became of it, into the journal. */
function recordOf(
  { plan }: Box,
  changes: readonly JudgedChange[],
  whole: Decision | undefined,
  configuration: Configuration,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (whole === undefined && changes.every(({ verdict }) => verdict === "kept")) return undefined;
  const decision = whole ?? emptyDecision(plan);
  const count = (verdict: JudgedChange["verdict"]) => changes.filter((one) => one.verdict === verdict).length;
  const notes = [
    `The call of ${plan.id} ran contained: ${count("kept")} kept, ${count("held")} held, ${count("dropped")} dropped.`,
  ];
  const listed = changes
    .slice(0, MAX_LISTED)
    .map(({ path, change, verdict }) => `${change} ${pathText(path)} (${verdict})`);
  const more = changes.length > MAX_LISTED ? [`and ${changes.length - MAX_LISTED} more`] : [];
  const action = count("dropped") > 0 ? "deny" : count("held") > 0 ? "ask" : "continue";
  const held = changes.flatMap(({ why }) => why ?? []);
  const recorded = {
    ...decision,
    action,
    reasons: action === "continue" ? [] : [...new Set([...decision.reasons, ...held])],
    contained: { id: plan.id, backend: plan.backend },
  } as const;
  const { id, problem } = remember(recorded, {
    env,
    root: plan.root,
    ...(plan.agent === undefined ? {} : { agent: plan.agent }),
    notes: [...notes, ...listed, ...more],
    policy: policyHash(configuration),
    limits: configuration.settings.journal,
  });
  return problem === undefined ? id : undefined;
}

function emptyDecision(plan: Box["plan"]): Decision {
  const event = eventOf(plan, []);
  return {
    event,
    action: "continue",
    reasons: [],
    contexts: [],
    approved: false,
    results: [],
    toHookDecision: () => ({ allow: true }),
  };
}

const MAX_TEXT = 1024 ** 2;
const MAX_LISTED = 200;

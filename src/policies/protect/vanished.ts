import { join } from "node:path";
import { definitionOf, waitingAmong } from "../../config/examine.ts";
import { configHome, isOfProject } from "../../config/locate.ts";
import type { Trusted } from "../../config/trusted.ts";
import type { HookResult } from "../../decision/result.ts";
import { EVENT_NAMES, eventSpec } from "../../event/catalogue.ts";
import type { HookEvent } from "../../event/event.ts";
import { canonicalJson } from "../../event/json.ts";
import { oncePerObject } from "../../event/once.ts";
import { sha256Text } from "../../fs/late-builtins.ts";
import { realPath } from "../../fs/resolve-path.ts";
import type { StateHome } from "../../fs/state-dir.ts";
import type { Hook } from "../../hook/hook.ts";
import { type EnforcedItem, type EnforcedState, readInventory, rememberState } from "../../trust/inventory.ts";
import { isGuardHook } from "../guards/guard-hooks.ts";
import { builtInHook, builtInResult } from "./built-in.ts";

/** The configuration that is compared with the inventory. */
export interface EnforcedConfiguration
  extends Pick<Trusted, "stated" | "files" | "trust" | "disabledBy" | "disabledGuards"> {
  readonly root: string;
  /** All hooks as they are written. */
  readonly written: readonly Hook[];
}

/** A state that differs from the one that was enforced before. */
export interface ChangedState {
  /** The owner of the inventory: the project, or the folder of the user's configuration. */
  readonly subject: string;
  readonly state: EnforcedState;
  /** What was enforced and is missing or weaker now; empty if the state may be recorded without a question. */
  readonly missing: readonly string[];
}

/** The hook that asks while something is missing. A person may answer it. */
export const VANISHED = builtInHook(
  "vanished-gates",
  "What was enforced before and is missing now is asked about until a person confirms the change.",
  "user",
);

/** Compares what a configuration enforces with what was enforced before, separately for a project and for the user's files. */
export function changedStates(
  configuration: EnforcedConfiguration,
  event: HookEvent | undefined,
  env: NonNullable<StateHome["env"]>,
): ChangedState[] {
  return SCOPES.flatMap((scope): ChangedState[] => {
    const subject = scope === "project" ? realPath(configuration.root) : join(configHome({ env }), "sluice");
    const before = readInventory(subject, { env });
    const source = sourceOf(configuration, scope);
    const lost = before === undefined ? [] : lostApprovals(before.last, configuration, event);
    const isKnown = before?.last.hash === source.hash && lost.length === 0;
    if (isKnown && !hasNewApproval(source, configuration, event, before.last)) return [];
    const state = stateOf(source, configuration, event, before?.last);
    if (before === undefined) return state.items.length === 0 ? [] : [{ subject, state, missing: [] }];
    const isAccepted = before.accepted.includes(source.hash);
    const missing = [...(isAccepted ? [] : missingFrom(before.last, state)), ...lost];
    return [{ subject, state, missing }];
  });
}

/** Records states that a person has changed, or that are only stricter. */
export function rememberStates(states: readonly ChangedState[], env: NonNullable<StateHome["env"]>): void {
  for (const { subject, state } of states) rememberState(subject, state, { env });
}

/** The question about what is missing. */
export function vanishedResult(states: readonly ChangedState[]): HookResult | undefined {
  const missing = states.flatMap((state) => state.missing);
  if (missing.length === 0) return undefined;
  const more = missing.length - MAX_NAMED;
  const named = [...missing.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join("; ");
  const reason =
    `What was enforced before is missing or weaker now: ${named}. ` +
    "If you changed that yourself, approve this call or run `sluice trust`: Sluice then accepts the configuration as it is. If not, put the files back.";
  return builtInResult(VANISHED, { action: "ask", reason }, 0);
}

type Scope = "project" | "user";
const SCOPES: readonly Scope[] = ["project", "user"];

interface StateSource {
  readonly hash: string;
  readonly gates: readonly Hook[];
  readonly rungs: readonly string[];
  readonly lowered: readonly string[];
}

/** What a configuration enforces, with its hash; the items are computed only if states are compared. */
function sourceOf(configuration: EnforcedConfiguration, scope: Scope): StateSource {
  const { written, stated, disabledGuards } = configuration;
  const known = SOURCES.get(written) ?? {};
  const found = known[scope];
  if (found !== undefined) return found;
  const isIncluded = ({ layer }: Hook) => (scope === "project" ? isOfProject(layer) : layer === "user");
  const gates = written.filter((hook) => isIncluded(hook) && !isGuardHook(hook) && isGate(hook, configuration));
  const rungs = stated?.[scope].rungs ?? [];
  // A project's blocks that lower guards have no effect without an approval.
  const lowered =
    scope === "project"
      ? []
      : [...(stated?.user.lowered ?? []), ...[...disabledGuards.keys()].map((name) => `${name} is disabled`)];
  const hash = sha256Text([...gates.map(textOf), ...rungs, ...lowered].join("\n"));
  const fresh: StateSource = { hash, gates, rungs, lowered };
  SOURCES.set(written, { ...known, [scope]: fresh });
  return fresh;
}

const SOURCES = new WeakMap<readonly Hook[], Readonly<Partial<Record<Scope, StateSource>>>>();

/** Whether a hook can stop a call. */
function isGate(hook: Hook, { disabledBy }: EnforcedConfiguration): boolean {
  if (!hook.enabled || disabledBy.has(hook) || hook.async || hook.mode === "monitor") return false;
  if (!GATES.some((name) => hook.toolsFor(name) !== "never")) return false;
  const { inlineRules } = hook;
  return (
    hook.type !== "inline" || inlineRules === undefined || inlineRules.some(({ action }) => OBJECTS.has(String(action)))
  );
}

const GATES = EVENT_NAMES.filter((name) => eventSpec(name).gate);
const OBJECTS: ReadonlySet<string> = new Set(["deny", "ask", "modify"]);

/** The items of a state. A hook that needs an approval is included if this call may run it, or if it was enforced before. */
function stateOf(
  { hash, gates, rungs, lowered }: StateSource,
  configuration: EnforcedConfiguration,
  event: HookEvent | undefined,
  before: EnforcedState | undefined,
): EnforcedState {
  const waiting = waitingIn(gates);
  const skipped = openHooks(configuration);
  const known = new Set(before?.items.map(({ key }) => key));
  const packs = new Map(configuration.files.flatMap(({ path, pack }) => (pack ? [[path, pack.name] as const] : [])));
  const items = gates.flatMap((hook): EnforcedItem[] => {
    const key = keyOf(hook);
    const needsApproval = waiting.has(hook);
    const isRun = isLookedAt(hook, event) ? !skipped.has(hook) : known.has(key);
    if (needsApproval && !isRun) return [];
    const pack = packs.get(hook.origin?.place.file ?? "");
    const name = JSON.stringify(hook.name.slice(0, MAX_NAME));
    const what = `the hook ${name}${pack === undefined ? "" : ` of the pack ${pack}`}`;
    return [{ key, hash: sha256Text(textOf(hook)), what, ...(needsApproval && { needsApproval }) }];
  });
  return { hash, lowered, items: [...items, ...rungs.map((rung) => ({ key: rung, hash: rung, what: `\`${rung}\`` }))] };
}

/** Whether the trust check has covered a hook for this event; without an event, it has covered all. */
function isLookedAt(hook: Hook, event: HookEvent | undefined): boolean {
  return event === undefined || hook.patternMatches(event.type, event.toolName);
}

/** Whether a hook was approved that is not in the inventory yet. */
function hasNewApproval(
  { gates }: StateSource,
  configuration: EnforcedConfiguration,
  event: HookEvent | undefined,
  { items }: EnforcedState,
): boolean {
  if (configuration.trust.state !== "trusted") return false;
  const known = new Set(items.map(({ key }) => key));
  return [...waitingIn(gates)].some((hook) => isLookedAt(hook, event) && !known.has(keyOf(hook)));
}

/** The gates that need an approval. */
function waitingIn(gates: readonly Hook[]): ReadonlySet<Hook> {
  return new Set(waitingAmong(gates.filter(({ layer }) => isOfProject(layer))));
}

/** The hooks that do not run, and for which nothing denies instead. */
function openHooks({ trust }: EnforcedConfiguration): ReadonlySet<Hook> {
  return new Set(trust.skipped.filter(({ instead }) => instead === undefined).map(({ hook }) => hook));
}

function keyOf({ layer, name }: Hook): string {
  return `${layer} ${name}`;
}

/** What was enforced before and is not now. */
function missingFrom(before: EnforcedState, now: EnforcedState): string[] {
  const hashes = new Set(now.items.map(({ hash }) => hash));
  const keys = new Set(now.items.map(({ key }) => key));
  // The approval of a hook that runs something covers its exact bytes, so its change is not reported here.
  const gone = before.items.filter(
    ({ hash, key, needsApproval }) => !hashes.has(hash) && !(needsApproval && keys.has(key)),
  );
  return [
    ...gone.map(({ key, what }) => `${what} ${keys.has(key) ? "was changed" : "is missing"}`),
    ...now.lowered.filter((one) => !before.lowered.includes(one)).map((one) => `${one}, which was not so before`),
  ];
}

/** Approved hooks that this call would have run, and whose approval is gone. */
function lostApprovals(
  { items }: EnforcedState,
  configuration: EnforcedConfiguration,
  event: HookEvent | undefined,
): string[] {
  if (configuration.trust.skipped.length === 0 || configuration.trust.state === "denied") return [];
  const approved = new Map(items.filter(({ needsApproval }) => needsApproval).map(({ key, what }) => [key, what]));
  return [...openHooks(configuration)].flatMap((hook) => {
    const what = isLookedAt(hook, event) ? approved.get(keyOf(hook)) : undefined;
    return what === undefined ? [] : [`${what} has lost its approval`];
  });
}

/** The effective parts of a hook; its description does not matter. */
const textOf = oncePerObject((hook: Hook): string => {
  const { description: _, examples: __, tags: ___, ...acts } = definitionOf(hook) as Record<string, unknown>;
  const text = `${hook.layer} ${canonicalJson(acts)}`;
  return text;
});

const MAX_NAMED = 5;
const MAX_NAME = 60;

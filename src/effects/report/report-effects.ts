import type { EventFacts } from "../../event/field.ts";
import type { CallEffects, Effect, PathEffect, Role } from "../effect.ts";
import { effectsOf } from "../effects-by-command.ts";
import { type LabelOfEffect, labelsByEffect } from "../labels/effect-labels.ts";
import { GAP } from "../parse/command.ts";
import { hostOf } from "../paths.ts";
import { isDatabaseClient } from "../programs/index.ts";
import { canonicalProgram, isProgram } from "../programs/program-name.ts";
import { toolCall } from "../tools/tool-call.ts";
import type { EffectDraft, ReportedEffect } from "./call-report.ts";
import { finished } from "./effect-sentence.ts";
import { pathTarget, readable } from "./path-target.ts";
import { type ReportedRun, reportedRun, roleEffects } from "./role-effects.ts";
import { sendsInput, toolActDrafts, toolDrafts } from "./tool-effects.ts";

/** Returns every effect of a call as the library reports it, each once, in the order of the commands. */
export function reportedEffects(act: CallEffects, event: EventFacts): ReportedEffect[] {
  const labels = labelsByEffect(act);
  const state: State = { act, event, labels, contexts: new Map(), moves: new Map(), found: [], seen: new Set() };
  for (const effect of act.effects) {
    switch (effect.does) {
      case "run":
        addRun(effect, state);
        break;
      case "read":
      case "write":
      case "delete":
        addPath(effect, state);
        break;
      case "network":
        addNetwork(effect, state);
        break;
      case "flow":
        addFlow(effect, state);
        break;
      case "unknown":
        break;
    }
  }
  if (act.commands.length === 0) for (const draft of toolDrafts(event, act).drafts) add(draft, 0, [], state);
  return state.found;
}

interface State {
  readonly act: CallEffects;
  readonly event: EventFacts;
  readonly labels: ReadonlyMap<Effect, readonly LabelOfEffect[]>;
  readonly contexts: Map<number, ReportedRun | undefined>;
  /** Per command, the paths that it deletes, and those that it moves elsewhere. */
  readonly moves: Map<number, Readonly<Record<"deleted" | "moved", ReadonlySet<string>>>>;
  readonly found: ReportedEffect[];
  readonly seen: Set<string>;
}

type RunFacts = ReportedRun["run"];
type NetworkEffect = Extract<Effect, { does: "network" }>;
type FlowEffect = Extract<Effect, { does: "flow" }>;

function addRun(run: RunFacts, state: State): void {
  const labels = state.labels.get(run) ?? [];
  if (run.act !== undefined) {
    const words = labels.map(({ label }) => label);
    for (const draft of toolActDrafts(run.program, run.act, state.event)) add(draft, run.command, words, state);
    return;
  }
  const context = contextOf(run.command, state) ?? reportedRun(run, effectsOf(run.command, state.act), state.act);
  if (run.program !== "" && state.act.commands.length > 0 && !isMadeUp(run, state)) {
    const program = writtenName(run, state.act);
    const verb = run.verb === undefined || run.verb.includes(GAP) ? undefined : run.verb;
    add(
      { does: "run", of: "program", program, verb },
      run.command,
      labels.map(({ label }) => label),
      state,
    );
  }
  // A program that another shell of the line runs has roles of its own.
  const own = context.run === run ? context : { ...context, run };
  for (const { draft, roles } of roleEffects(own)) add(draft, run.command, labelsFor(run, roles, state), state);
}

/** The name of a program, with the capitals that the line has for it. */
function writtenName({ program, command }: RunFacts, { commands }: CallEffects): string {
  const written = commands[command]?.program?.text ?? "";
  return readable(written.toLowerCase() === program ? written : program);
}

/** A fork bomb is reported as a run of a program that the line does not have. */
function isMadeUp({ program, roles, command }: RunFacts, { act }: State): boolean {
  if (roles.length !== 1 || roles[0] !== "exhaust") return false;
  return canonicalProgram(act.commands[command]?.program?.text ?? "") !== program;
}

function addPath(effect: PathEffect, state: State): void {
  const { does, by, command } = effect;
  const target = pathTarget(effect, state.act);
  const run = contextOf(command, state)?.run;
  const own = (state.labels.get(effect) ?? []).map(({ label }) => label);
  const labels = [...own, ...(run === undefined ? [] : labelsFor(run, PATH_ROLES[does], state))];
  if (does === "read") {
    // What is moved away is reported as that.
    if (!isMoved(effect, state)) add({ does, ...target }, command, labels, state);
  } else if (does === "delete") {
    const how = isMoved(effect, state) ? "move" : by === "trash" || by === "pick" ? by : undefined;
    add({ does, ...target, isForced: effect.isForced, how }, command, labels, state);
  } else if (by === "access") add({ does: "change-access", ...target }, command, labels, state);
  else {
    const source = effect.source && readable(effect.source.text);
    add({ does, ...target, how: by === "trash" ? undefined : by, source }, command, labels, state);
  }
}

/** The roles of a run that are about its paths. */
const PATH_ROLES: Readonly<Record<PathEffect["does"], readonly Role[]>> = {
  read: [],
  write: ["overwrite", "permission", "disk", "settings", "persistence", "work-loss", "expose"],
  delete: ["delete", "work-loss", "trace-removal"],
};

/** Whether a path is at another place afterwards. */
function isMoved({ by, command, path }: PathEffect, { act, moves }: State): boolean {
  let paths = moves.get(command);
  if (paths === undefined) {
    const own = effectsOf(command, act);
    const deleted = own.flatMap((one) => (one.does === "delete" ? [one.path.text] : []));
    const moved = own.flatMap((one) => (one.does === "write" && one.by === "move" ? (one.source?.text ?? []) : []));
    paths = { deleted: new Set(deleted), moved: new Set(moved) };
    moves.set(command, paths);
  }
  return paths.deleted.has(path.text) && (by === "move" || paths.moved.has(path.text));
}

function addNetwork(effect: NetworkEffect, state: State): void {
  const { way, command } = effect;
  const context = contextOf(command, state);
  const own = effectsOf(command, state.act);
  const place = placeOf(effect, state);
  const labels = (roles: readonly Role[]) => [
    ...(state.labels.get(effect) ?? []).map(({ label }) => label),
    ...(context === undefined ? [] : labelsFor(context.run, roles, state)),
  ];
  const isTool = state.act.commands.length === 0;
  if (way !== "out") add({ does: "fetch", ...place }, command, labels(["network-in", "foreign-source"]), state);
  if (way === "in" || own.some((other) => other.does === "flow" && other.to === "network")) return;
  const roles = context?.run.roles ?? [];
  if (roles.some((role) => role === "publish" || role === "cloud" || role === "container")) return;
  // A query is sent, and what a database is asked to change is reported as that; most tools are given only an address.
  if (way === "both" && (isDatabaseClient(effect.program) || (isTool && !sendsInput(state.event)))) return;
  const sent = ["network-out", "history-rewrite"] as const;
  const refs = context?.refs.refs.filter(({ isDeleted }) => !isDeleted) ?? [];
  const isGit = isProgram("version-control", effect.program);
  for (const ref of isGit && refs.length > 0 ? refs : [undefined]) {
    const named = ref === undefined ? {} : ref.kind === "tag" ? { tag: ref.name } : { branch: ref.name };
    const what = ref === undefined && isGit ? "commits" : undefined;
    const service = place.host === undefined && !isGit ? effect.program : undefined;
    add({ does: "send", ...place, ...named, what, service }, command, labels(sent), state);
  }
}

interface Place {
  readonly host?: string | undefined;
  readonly url?: string | undefined;
  readonly remote?: string | undefined;
}

/** The host that is talked to, with the address that the command line has for it. */
function placeOf({ host, remote, command }: NetworkEffect, { act, event }: State): Place {
  if (host === undefined) return { remote: remote?.name };
  const words = act.commands[command]?.args.map(({ text }) => text) ?? textsIn(event);
  const address = words.find((text) => text.includes("://") && hostOf({ ...host, text })?.text === host.text);
  return { host: readable(host.text), url: address && readable(address) };
}

/** The texts of the input of a tool. */
function textsIn(event: EventFacts): readonly string[] {
  return toolCall(event).leaves.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
}

function addFlow(flow: FlowEffect, state: State): void {
  const { from, to, command } = flow;
  const context = contextOf(command, state);
  const labels = [
    ...(state.labels.get(flow) ?? []).map(({ label }) => label),
    ...(context === undefined ? [] : labelsFor(context.run, to === "network" ? ["network-out"] : ["run-code"], state)),
  ];
  const path = flow.path && readable(flow.path.text);
  if (to === "shell") {
    const program = readable(context?.run.program ?? "");
    const host = from === "network" ? fetchedHost(state.act) : undefined;
    add({ does: "run", of: "code", program, from, path, host }, command, labels, state);
  } else if (to === "network") {
    const what = from === "file" && path !== undefined ? undefined : from;
    for (const place of placesOf(command, state)) add({ does: "send", ...place, path, what }, command, labels, state);
  }
}

function placesOf(command: number, state: State): readonly Place[] {
  const places = effectsOf(command, state.act).flatMap((effect) =>
    effect.does === "network" && effect.way !== "in" ? [placeOf(effect, state)] : [],
  );
  return places.length === 0 ? [{}] : places;
}

/** The only host that a line fetches from. */
function fetchedHost({ effects }: CallEffects): string | undefined {
  const hosts = new Set(
    effects.flatMap((effect) =>
      effect.does === "network" && effect.way !== "out" && effect.host !== undefined ? [effect.host.text] : [],
    ),
  );
  const [only] = hosts;
  return hosts.size === 1 && only !== undefined ? readable(only) : undefined;
}

/** The run of a command, with what its roles are reported by. */
function contextOf(command: number, state: State): ReportedRun | undefined {
  if (state.contexts.has(command)) return state.contexts.get(command);
  const own = effectsOf(command, state.act);
  const run = own.find((effect) => effect.does === "run" && effect.act === undefined);
  const context = run?.does === "run" ? reportedRun(run, own, state.act) : undefined;
  state.contexts.set(command, context);
  return context;
}

/** The labels of a run that follow from some of its roles. */
function labelsFor(run: RunFacts, roles: readonly Role[], { labels }: State): readonly string[] {
  return (labels.get(run) ?? []).flatMap(({ label, roles: from }) =>
    from.some((role) => roles.includes(role) || ABOUT_ALL.includes(role)) ? [label] : [],
  );
}

/** Roles that qualify everything that a run does. */
const ABOUT_ALL: readonly Role[] = ["production", "recoverable", "privilege", "foreign-source", "unverified", "outage"];

function add(draft: EffectDraft, command: number, labels: readonly string[], state: State): void {
  const effect = finished(draft, labels, state.act.commands.length === 0 ? undefined : command);
  const key = JSON.stringify({ ...effect, labels: undefined });
  if (state.seen.has(key)) return;
  state.seen.add(key);
  state.found.push(effect);
}

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLayers } from "../../src/decide/layers.ts";
import type { Action } from "../../src/decision/result.ts";
import { journalCalls } from "../../src/replay/journal-calls.ts";
import { policyOfLayers } from "../../src/replay/policy-source.ts";
import type { JudgedCall } from "../../src/replay/replay-call.ts";
import { type ReplayPolicy, replayCalls } from "../../src/replay/replay-calls.ts";
import { decidedForReal, homeWith, type ReplayHome } from "./decided-for-real.ts";
import { BASE, type PolicyFiles } from "./policy-changes.ts";
import { type MadeCall, madeCalls } from "./replayed-calls.ts";

/** Calls that were decided for real under the base policy, with the journal of it. */
export interface RecordedCalls {
  readonly root: string;
  readonly calls: readonly MadeCall[];
  readonly home: ReplayHome;
  readonly actions: readonly Action[];
  readonly policy: ReplayPolicy;
  readonly remove: () => void;
}

/** Makes calls and decides them under the base policy. */
export async function recordedCalls(count: number, seed: number): Promise<RecordedCalls> {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "sluice-replayed-"));
  mkdirSync(join(root, ".git"));
  const calls = madeCalls(count, root, seed);
  const home = homeWith(root, BASE);
  const actions = await decidedForReal(home, calls);
  const policy = policyOfLayers("base", readLayers(root), home.env);
  return { root, calls, home, actions, policy, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** What replay said, beside what deciding every call again came to. */
export interface ReplayComparison {
  /** Verdicts that are not what was decided. */
  readonly wrong: readonly object[];
  /** Calls of which nothing was removed, and that could not be told. */
  readonly untold: readonly object[];
  readonly cannotTell: number;
  /** How many differ by both verdicts, and how many the report counts. */
  readonly differing: number;
  readonly counted: number;
  readonly drift: number;
}

/** Replays recorded calls by a changed policy, and decides each of them for real under it. */
export async function compareReplay(recorded: RecordedCalls, files: PolicyFiles): Promise<ReplayComparison> {
  const { root, calls, actions } = recorded;
  const home = homeWith(root, files);
  const after = policyOfLayers("changed", readLayers(root), home.env);
  const real = await decidedForReal(home, calls);
  const judged: { readonly old: JudgedCall; readonly now: JudgedCall }[] = [];
  const { changes } = await replayCalls({
    calls: journalCalls(join(recorded.home.state, "sluice/decisions"), { since: "2000-01-01", isHere: () => true }),
    before: recorded.policy,
    after,
    env: home.env,
    onCall: (_call, old, now) => judged.push({ old, now }),
  });
  const all = judged.map(({ old, now }, index) => ({
    old,
    now,
    decided: { old: actions[index], now: real[index] },
    call: calls[index],
  }));
  const isRight = (one: JudgedCall, action: Action | undefined) => one.kind === "cannot tell" || one.action === action;
  const unclear = all.filter(({ old, now }) => old.kind === "cannot tell" || now.kind === "cannot tell");
  const told = all.filter((one) => !unclear.includes(one));
  rmSync(home.env.HOME ?? "", { recursive: true, force: true });
  return {
    wrong: all.filter(({ old, now, decided }) => !isRight(old, decided.old) || !isRight(now, decided.now)),
    untold: unclear.filter(({ call }) => call?.isRemoved !== true),
    cannotTell: unclear.length,
    differing: told.filter(({ decided }) => decided.old !== decided.now).length + (calls.length - judged.length),
    counted: changes.filter(({ cause }) => cause === "change").reduce((sum, { count }) => sum + count, 0),
    drift: changes.filter(({ cause }) => cause === "drift").length,
  };
}

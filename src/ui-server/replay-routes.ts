import { layersWithDrafts } from "../decide/layers.ts";
import { journalCalls } from "../replay/journal-calls.ts";
import { policyOfLayers } from "../replay/policy-source.ts";
import { replayCalls } from "../replay/replay-calls.ts";
import { changedParts, lineDiff } from "../trust/line-diff.ts";
import { policyFiles } from "./policy-routes.ts";
import { refusedReply, type UiContext, type UiRoute } from "./route.ts";
import type { AllowPreview, ReplaySummary } from "./wire-policy.ts";

/** Judges the recorded calls of this project by a text that is not saved. */
export const replayPolicy: UiRoute = async ({ body, signal }, context) => {
  const { path, text } = Object(body) as Readonly<Record<string, unknown>>;
  const file = policyFiles(context).find((one) => one.path === path && one.isWritable);
  if (file === undefined || typeof text !== "string")
    return refusedReply(404, "This is no file of the policy that can be changed here.");
  return { json: await replayed(new Map([[file.path, text]]), context, signal) };
};

/** What the narrowest exception for a call would be, and what it would have let pass. Nothing is written. */
export const previewAllow: UiRoute = async ({ body, signal }, context) => {
  const { id } = Object(body) as { readonly id?: unknown };
  if (typeof id !== "string" || !/^[0-9a-f]{6}$/.test(id)) return refusedReply(400, "No call is named.");
  const { path, before = "", after } = await context.acts.previewAllow(id);
  const preview: AllowPreview = {
    file: path,
    lines: changedParts(lineDiff(before, after)).map((part) => part ?? { kind: "left out", line: "…" }),
    replay: await replayed(new Map([[path, after]]), context, signal),
  };
  return { json: preview };
};

async function replayed(
  drafts: ReadonlyMap<string, string>,
  context: UiContext,
  signal: AbortSignal,
): Promise<ReplaySummary> {
  const { env, hello, journal } = context;
  const where = { env, ...(hello.home !== "" && { home: hello.home }) };
  const since = new Date(Date.now() - DAYS * DAY_MS).toISOString();
  const isHere = ({ root, cwd }: { readonly root?: string; readonly cwd?: string }) => (root ?? cwd) === hello.root;
  const report = await replayCalls({
    calls: journalCalls(journal, { since, isHere }),
    before: policyOfLayers("saved", layersWithDrafts(hello.root, new Map(), where), env),
    after: policyOfLayers("not saved", layersWithDrafts(hello.root, drafts, where), env),
    env,
    since,
    signal,
  });
  return {
    days: DAYS,
    total: report.total,
    judged: report.judged,
    cannotTell: report.cannot_tell,
    changes: report.changes
      .filter(({ cause }) => cause === "change")
      .slice(0, MOST)
      .map(({ from, to, count, sessions, shape, said, last }) => ({
        from,
        to,
        count,
        sessions,
        shape,
        said,
        last: Date.parse(last),
      })),
  };
}

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const MOST = 100;

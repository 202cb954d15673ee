import { changedParts, lineDiff } from "../trust/line-diff.ts";
import { policyFiles } from "./policy-routes.ts";
import { refusedReply, type UiContext, type UiRoute } from "./route.ts";
import type { AllowPreview, ReplaySummary } from "./wire-policy.ts";

/** Judges the recorded calls of this project by a text that is not saved: a line of JSON for each stretch of days. */
export const replayPolicy: UiRoute = ({ body, signal }, context) => {
  const { path, text } = Object(body) as Readonly<Record<string, unknown>>;
  const file = policyFiles(context).find((one) => one.path === path && one.isWritable);
  if (file === undefined || typeof text !== "string")
    return refusedReply(404, "This is no file of the policy that can be changed here.");
  return {
    type: "application/x-ndjson; charset=utf-8",
    lines: asLines(replayed({ path: file.path, text }, context, signal)),
  };
};

/** What the narrowest exception for a call would be, and what it would have let pass. Nothing is written. */
export const previewAllow: UiRoute = async ({ body, signal }, context) => {
  const { id } = Object(body) as { readonly id?: unknown };
  if (typeof id !== "string" || !/^[0-9a-f]{6}$/.test(id)) return refusedReply(400, "No call is named.");
  const { path, before = "", after } = await context.acts.previewAllow(id);
  let replay = NOTHING_YET;
  for await (const summary of replayed({ path, text: after }, context, signal)) replay = summary;
  const lines = changedParts(lineDiff(before, after)).map((part) => part ?? { kind: "left out" as const, line: "…" });
  return { json: { file: path, lines, replay } satisfies AllowPreview };
};

async function* asLines(summaries: AsyncIterable<ReplaySummary>): AsyncGenerator<string> {
  for await (const summary of summaries) yield `${JSON.stringify(summary)}\n`;
}

/** Summaries of more and more days, until all are judged or the time for it is over: then the last one says so. */
async function* replayed(
  draft: { readonly path: string; readonly text: string },
  { env, hello, journal, replayDraft, replayLimit }: UiContext,
  gone: AbortSignal,
): AsyncGenerator<ReplaySummary> {
  const { root, home } = hello;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), replayLimit);
  let latest = NOTHING_YET;
  try {
    const ended = AbortSignal.any([gone, over.signal]);
    for await (const summary of replayDraft({ drafts: [draft], root, home, journal }, env, ended)) {
      latest = summary;
      yield summary;
    }
    if (!gone.aborted && latest.state === "more") yield { ...latest, state: "cut" };
  } finally {
    clearTimeout(timer);
  }
}

const NOTHING_YET: ReplaySummary = {
  state: "more",
  days: 0,
  total: 0,
  judged: 0,
  cannotTell: {},
  changes: [],
};

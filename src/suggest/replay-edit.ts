import { layersWithDrafts } from "../decide/layers.ts";
import type { ProcessEnvironment } from "../decide/project.ts";
import { type RecordedPolicy, recordedPolicy } from "../decide/recorded-policy.ts";
import { journalCalls } from "../replay/journal-calls.ts";
import type { ReplayCall } from "../replay/replay-call.ts";
import { type ReplayPolicy, replayEach } from "../replay/replay-calls.ts";
import type { ReplayReport } from "../replay/replay-report.ts";
import type { ConfigEdit } from "./config-edit.ts";

/** Which calls an edit is judged by. */
export interface EditReplay {
  readonly journal: string;
  /** ISO 8601, in UTC. */
  readonly since: string;
  readonly isHere: (project: { readonly root?: string; readonly cwd?: string }) => boolean;
  readonly env: ProcessEnvironment;
  /** Which calls are judged; all of them if left out. */
  readonly isJudged?: (call: ReplayCall) => boolean;
}

/** What edits would have changed about recorded calls, each for itself, in one pass. Nothing is run, and the files stay as they are. */
export function replayEdits(
  edits: readonly ConfigEdit[],
  { journal, since, isHere, env, isJudged }: EditReplay,
): Promise<ReplayReport[]> {
  const calls = journalCalls(journal, { since, isHere });
  const afters = edits.map(({ path, after }) => policyWith(new Map([[path, after]]), env));
  return replayEach({ calls, before: policyWith(new Map(), env), env, since, isJudged }, afters);
}

function policyWith(drafts: ReadonlyMap<string, string>, env: ProcessEnvironment): ReplayPolicy {
  const known = new Map<string, RecordedPolicy>();
  return {
    name: drafts.size === 0 ? "the files as they are" : "the files with the edit",
    at: (root) => {
      const policy = known.get(root) ?? recordedPolicy(layersWithDrafts(root, drafts, { env }), root, env);
      known.set(root, policy);
      return policy;
    },
  };
}

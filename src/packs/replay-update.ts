import { installedPackOpener } from "../config/installed-pack.ts";
import { loadLayers } from "../config/load.ts";
import type { PackContent } from "../config/pack-content.ts";
import type { ProcessEnvironment } from "../decide/project.ts";
import { withGuards } from "../policies/guards/with-guards.ts";
import { journalCalls } from "../replay/journal-calls.ts";
import { policyOfLayers } from "../replay/policy-source.ts";
import { replayCalls } from "../replay/replay-calls.ts";
import type { ReplayReport } from "../replay/replay-report.ts";
import { journalFolder } from "../trace/journal.ts";

/** Which calls an update is tried on. */
export interface UpdateReplay {
  readonly root: string;
  readonly env: ProcessEnvironment;
  /** The new versions, by the names of their packs. */
  readonly contents: ReadonlyMap<string, PackContent>;
  /** Calls from then on; ISO 8601, in UTC. */
  readonly since: string;
  readonly isHere: (project: { readonly root?: string; readonly cwd?: string }) => boolean;
}

/** Judges the recorded calls of a project by its packs as they are and as they would be. Nothing is run and nothing is written. */
export function replayUpdate({ root, env, contents, since, isHere }: UpdateReplay): Promise<ReplayReport> {
  const before = policyOfLayers("the packs as they are", withGuards(loadLayers(root)), env);
  const openPack = installedPackOpener(contents);
  const after = policyOfLayers("the packs as they would be", withGuards(loadLayers(root, { openPack })), env);
  return replayCalls({ calls: journalCalls(journalFolder(env), { since, isHere }), before, after, env, since });
}

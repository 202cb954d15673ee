import { exchangeApprovals, sharedApprovals } from "../approvals/shared-approvals.ts";
import type { SharedSettings } from "../config/journal-settings.ts";
import type { StateHome } from "../fs/state-dir.ts";
import { readShareProgress } from "../ship/share.ts";
import { withoutCredentials } from "../ship/ship-progress.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/** Whether this machine shares with others at present what it is configured to share. */
export async function examineShared(settings: SharedSettings, where: StateHome, now = Date.now()): Promise<Finding[]> {
  const counts = settings.what.filter((one) => one !== "approvals");
  return [
    ...(counts.length === 0 ? [] : [examineCounts(counts.join(", "), settings, where, now)]),
    ...(counts.length === settings.what.length ? [] : [await examineApprovals(settings, where)]),
  ];
}

async function examineApprovals(settings: SharedSettings, where: StateHome): Promise<Finding> {
  const store = withoutCredentials(settings.store);
  const shared = sharedApprovals({ ...where, root: NO_PROJECT }, settings);
  if (shared === undefined)
    return wrong(
      "Approvals are not shared: the key of `shared` has less than 32 characters.",
      "Make a key with `openssl rand -hex 32`, and write the same on every machine.",
    );
  try {
    const grants = await exchangeApprovals(shared);
    return fine(`Approvals are shared in ${store}: ${grants.length} in force.`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return wrong(
      `Approvals of other machines do not apply: ${store} cannot be used: ${error.message}.`,
      "Start the store, or correct `shared` in your configuration.",
    );
  }
}

function examineCounts(kinds: string, settings: SharedSettings, where: StateHome, now: number): Finding {
  const { at, problem, given, taken } = readShareProgress(settings, where);
  const store = withoutCredentials(settings.store);
  const fix = "`sluice fleet share --once` tries it now, and reports what is in the way.";
  const since = at === undefined ? "never" : `last at ${at}`;
  if (problem !== undefined)
    return wrong(
      `${kinds} are counted with other machines, and ${store} was reached ${since}: ${problem}. The counts of this machine, and those received by then, still apply.`,
      fix,
    );
  if (at === undefined) return note(`${store} was not asked yet; the daemon does it.`, fix);
  const isLate = now - Date.parse(at) > LATE_MS;
  const words = `${kinds} are counted with other machines in ${store}: ${given} given, ${taken} taken`;
  return isLate ? note(`${words}; ${since}.`, fix) : fine(words);
}

const NO_PROJECT = "/nonexistent/sluice-no-project";
const LATE_MS = 10 * 60_000;

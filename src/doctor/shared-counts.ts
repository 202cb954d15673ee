import type { SharedSettings } from "../config/journal-settings.ts";
import type { StateHome } from "../fs/state-dir.ts";
import { readShareProgress } from "../ship/share.ts";
import { withoutCredentials } from "../ship/ship-progress.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/** Whether this machine shares counters with others at present. */
export function examineShared(settings: SharedSettings, where: StateHome, now = Date.now()): Finding[] {
  const { at, problem, given, taken } = readShareProgress(settings, where);
  const store = withoutCredentials(settings.store);
  const fix = "`sluice fleet share --once` tries it now, and reports what is in the way.";
  const since = at === undefined ? "never" : `last at ${at}`;
  if (problem !== undefined)
    return [
      wrong(
        `${settings.what.join(", ")} are counted with other machines, and ${store} was reached ${since}: ${problem}. The counts of this machine, and those received by then, still apply.`,
        fix,
      ),
    ];
  if (at === undefined) return [note(`${store} was not asked yet; the daemon does it.`, fix)];
  const isLate = now - Date.parse(at) > LATE_MS;
  const words = `${settings.what.join(", ")} are counted with other machines in ${store}: ${given} given, ${taken} taken`;
  return [isLate ? note(`${words}; ${since}.`, fix) : fine(words)];
}

const LATE_MS = 10 * 60_000;

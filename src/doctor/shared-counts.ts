import type { SharedSettings } from "../config/journal-settings.ts";
import type { StateHome } from "../fs/state-dir.ts";
import { readShareProgress } from "../ship/share.ts";
import { withoutCredentials } from "../ship/ship-progress.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/** Whether this machine counts together with others at present. */
export function examineShared(settings: SharedSettings, where: StateHome, now = Date.now()): Finding[] {
  const { at, problem, given, taken } = readShareProgress(settings, where);
  const store = withoutCredentials(settings.store);
  const fix = "`sluice fleet share --once` tries it now, and says what stands in the way.";
  const since = at === undefined ? "never" : `last at ${at}`;
  if (problem !== undefined)
    return [
      wrong(
        `${settings.what.join(", ")} are counted with other machines, and ${store} was reached ${since}: ${problem}. What is counted here, and what had come by then, goes on counting.`,
        fix,
      ),
    ];
  if (at === undefined) return [note(`${store} was not asked yet; the daemon does it.`, fix)];
  const isLate = now - Date.parse(at) > LATE_MS;
  const words = `${settings.what.join(", ")} are counted with other machines in ${store}: ${given} given, ${taken} taken`;
  return [isLate ? note(`${words}; ${since}.`, fix) : fine(words)];
}

const LATE_MS = 10 * 60_000;

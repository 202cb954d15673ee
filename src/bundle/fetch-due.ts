import type { ManagedSettings } from "../config/managed-bundle.ts";
import type { FetchStatus } from "./bundle-state.ts";

/** When the next fetch is due, in milliseconds; `spread` from 0 to 1 keeps machines from fetching all at once. */
export function nextFetch(
  { everyMs, url }: ManagedSettings,
  last: FetchStatus | undefined,
  spread: number,
  now: number,
): number {
  // Another address, or a clock that was set back: what was noted says nothing.
  if (last === undefined || last.url !== url || last.at > now) return now;
  return last.at + everyMs * (0.9 + 0.2 * spread);
}

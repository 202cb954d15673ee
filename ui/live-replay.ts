import { useEffect, useState } from "preact/hooks";
import type { ReplaySummary } from "../src/ui-server/wire-policy.ts";
import { readLines } from "./api.ts";

/** What is known about a text so far: what recorded calls would come to, or why that cannot be told. */
export type LiveReplay = { readonly summary: ReplaySummary } | { readonly problem: string };

/**
 * Judges recorded calls by a text a moment after it was changed, as long as that is wanted. A text that is changed again
 * ends the work on the one before, and what was found about an older text is never returned for a newer one.
 */
export function useLiveReplay(path: string, text: string, isWanted: boolean): LiveReplay | undefined {
  const [found, setFound] = useState<{ readonly of: string; readonly replay: LiveReplay } | undefined>(undefined);
  useEffect(() => {
    if (!isWanted) return;
    const stop = new AbortController();
    const tell = (replay: LiveReplay) => !stop.signal.aborted && setFound({ of: text, replay });
    const ask = () =>
      readLines(
        "/api/policy/replay",
        (lines) => tell({ summary: JSON.parse(lines.at(-1) ?? "") as ReplaySummary }),
        stop.signal,
        { path, text },
      ).catch((error: Error) => tell({ problem: error.message }));
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [path, text, isWanted]);
  return found?.of === text ? found.replay : undefined;
}

/** The check of the text has waited for a pause in typing already. */
const PAUSE_MS = 300;

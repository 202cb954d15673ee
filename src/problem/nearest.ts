/** The candidate that the user most likely meant; undefined if none is close. */
export function nearest(word: string, candidates: Iterable<string>, mostEdits?: number): string | undefined {
  const wanted = fold(word);
  const limit = mostEdits ?? Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, fold(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const known = [...candidates];
  const candidate = nearest(word, known) ?? known.find((one) => SYNONYMS[one]?.includes(fold(word)));
  return candidate === undefined ? "" : `Did you mean "${candidate}"?`;
}

/** What agents and other programs call the same thing. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  deny: ["block", "reject", "refuse", "forbid", "disallow", "denied"],
  continue: ["allow", "approve", "accept", "pass", "permit", "ignore"],
  ask: ["confirm", "prompt", "asked"],
  warn: ["warning", "notify"],
  monitor: ["audit", "log", "shadow", "dryrun", "observe"],
  enforce: ["block", "active"],
  modify: ["rewrite", "replace", "change"],
};

function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[-_:\s]/g, "");
}

/** Insertions, deletions, substitutions and swaps of neighbours; gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit || a.length > 100 || b.length > 100) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, at(before, j - 2) + 1);
      current[j] = cost;
    }
    before = previous;
    previous = current;
  }
  return Math.min(limit, at(previous, b.length));
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

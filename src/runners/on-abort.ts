/**
 * Does this when the signal aborts; the returned function takes it back. However many runs share a signal, it has one
 * listener: node warns of a leak when there are more than ten.
 */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal === undefined) return () => {};
  const acts = actsOf.get(signal) ?? listen(signal);
  acts.add(act);
  return () => {
    if (!acts.delete(act) || acts.size > 0) return;
    signal.removeEventListener("abort", doAll);
    actsOf.delete(signal);
  };
}

function listen(signal: AbortSignal): Set<() => void> {
  const acts = new Set<() => void>();
  actsOf.set(signal, acts);
  signal.addEventListener("abort", doAll, { once: true });
  return acts;
}

function doAll(this: AbortSignal): void {
  for (const act of [...(actsOf.get(this) ?? [])]) act();
}

const actsOf = new WeakMap<AbortSignal, Set<() => void>>();

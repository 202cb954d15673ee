/** Hooks run in process groups of their own, so a signal to this process does not reach them; leaving in order ends them. */
export function leaveInOrder(): void {
  if (isOrderly) return;
  isOrderly = true;
  for (const [signal, number] of [
    ["SIGHUP", 1],
    ["SIGINT", 2],
    ["SIGTERM", 15],
  ] as const) {
    process.once(signal, () => process.exit(128 + number));
  }
}

let isOrderly = false;

/** Leaves now: what hooks have started ends with this process, and so does whatever a plugin has left behind. */
export function leaveNow(): void {
  process.exit(0);
}

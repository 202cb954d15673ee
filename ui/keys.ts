import { signal } from "@preact/signals";

/** One key, or two in a row, and what they do. */
export interface KeyBinding {
  readonly keys: string;
  readonly does: string;
  readonly act: () => void;
}

/** The keys of the page that is open. It sets them in a layout effect: a key pressed right after a change finds the page as it is shown. */
export const pageKeys = signal<readonly KeyBinding[]>([]);

/** The keys of the call that is open. */
export const actKeys = signal<readonly KeyBinding[]>([]);

/** Listens to keys everywhere but where a person writes. */
export function listenToKeys(common: readonly KeyBinding[]): void {
  let [before, at] = ["", 0];
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isWriting(event.target)) return;
    const now = Date.now();
    const both = now - at < PAUSE_MS ? `${before} ${event.key}` : event.key;
    [before, at] = [event.key, now];
    const all = [...actKeys.value, ...pageKeys.value, ...common];
    const found = all.find(({ keys }) => keys === both) ?? all.find(({ keys }) => keys === event.key);
    if (found === undefined) return;
    event.preventDefault();
    found.act();
  });
}

function isWriting(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (element?.matches?.("input[type=radio], input[type=checkbox]")) return false;
  return element?.closest?.("input, textarea, select, [contenteditable]") != null;
}

const PAUSE_MS = 1200;

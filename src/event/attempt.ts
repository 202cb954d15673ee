/** What a function returns; undefined if it throws, for what may be missing or unreadable. */
export function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

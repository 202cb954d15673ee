/**
 * Milliseconds on a clock that never goes back. `performance` would load a library of measurements when it is first
 * asked, which a short call pays for.
 */
export function milliseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** A call that took longer than its host waits. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

/** The result of `run`, or a `TimeLimitError` once the time is over. */
export async function withinTime<Result>(ms: number, run: () => Result | Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError()), ms);
  });
  try {
    return await Promise.race([run(), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** What is made at its first use, and then kept: a call of one agent need not make the rows of the others. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

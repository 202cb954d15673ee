/** What is made at its first use, and then kept: a call need not make the rows of agents, tools and languages that are not in it. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

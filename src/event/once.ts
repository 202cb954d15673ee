/** What is made at its first use, and then kept: a call need not make the rows of agents, tools and languages that are not in it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

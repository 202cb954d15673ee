/** What is made at its first use, and then kept: a call need not make the rows of agents, tools and languages that are not in it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The same for each object that it is asked about, as long as that object is used. */
export function oncePerObject<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined || made.has(key)) return known as T;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}

/** The same for each text; of more texts than this, all are forgotten. */
export function oncePerText<T>(make: (text: string) => T, most = 500): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined || made.has(text)) return known as T;
    const fresh = make(text);
    if (made.size >= most) made.clear();
    made.set(text, fresh);
    return fresh;
  };
}

/** Does this if the program ends first; the returned function takes it back. For what must not outlive the program. */
export function atExit(act: () => void): () => void {
  if (acts.size === 0) process.on("exit", doAll);
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size === 0) process.off("exit", doAll);
  };
}

function doAll(): void {
  for (const act of acts) act();
}

const acts = new Set<() => void>();

/** Handed in by the launcher of the built command: under Node 20, code that V8 has read from its cache cannot import. */
declare const importPackage: ((name: string) => Promise<unknown>) | undefined;

/** Imports a package whose name is known only at run time, or that is not always installed. */
export function importInstalled(name: string): Promise<unknown> {
  return typeof importPackage === "function" ? importPackage(name) : import(/* @vite-ignore */ name);
}

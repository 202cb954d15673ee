/** Defined by the launcher of the built command: on Node 20, code from V8's cache cannot use `import()`. */
declare const importPackage: ((name: string) => Promise<unknown>) | undefined;

/** Imports a package that is optional, or whose name is known only at run time. */
export function importInstalled(name: string): Promise<unknown> {
  return typeof importPackage === "function" ? importPackage(name) : import(/* @vite-ignore */ name);
}

import { delimiter, isAbsolute } from "node:path";

/** An environment in which programs are looked for in folders of the system first, and in no relative one: a project may have others with their names. */
export function withSystemTools<E extends Readonly<Record<string, string | undefined>>>(
  env: E,
): E & { readonly PATH: string } {
  const own = (env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return { ...env, PATH: [...(process.platform === "win32" ? [] : SYSTEM), ...own].join(delimiter) };
}

const SYSTEM = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"];

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Client, nativePath, putInPlace, works } from "./client.ts";
import { keepOrigin } from "./client-origin.ts";
import type { Packaged } from "./client-package.ts";
import { type ColdWords, isPrivate, quartersOf, whyNoQuarters } from "./quarters.ts";
import { isAnswered } from "./try-client.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Fit = Extract<Packaged, { kind: "fit" }>;

/** Copies the client of a package to where clients lie, after the same checks as one that is compiled; else says why not. */
export async function takeClient(
  fit: Fit,
  cold: ColdWords,
  env: Environment,
): Promise<Client | { readonly why: string }> {
  const path = nativePath(cold, env);
  const unusable = whyNoQuarters(quartersOf(cold, { env }));
  if (path === undefined || unusable !== undefined) return { why: unusable ?? "this copy of Sluice is not whole" };
  const client = { kind: "native", path } as const;
  if (!isTaken(fit, path) || !works(path)) {
    const why = await whyNotStarted(fit);
    if (why !== undefined) return { why };
    const isThere = putInPlace(path, (draft) => {
      writeFileSync(draft, fit.bytes, { mode: 0o700 });
      return true;
    });
    if (!isThere) return { why: `its client cannot be started as ${path}` };
  }
  keepOrigin(path, fit);
  return client;
}

/** Why the client of a package cannot be used here, as trying it shows; nothing when it can. */
export async function whyNotStarted({ path }: Pick<Fit, "path">): Promise<string | undefined> {
  if (!works(path)) return "its client cannot be started here";
  try {
    return (await isAnswered(path)) ? undefined : "its client does not speak with the engine of this version";
  } catch (error) {
    return `its client cannot be tried (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Whether the client that lies there is that of the package. */
export function isTaken({ bytes }: Pick<Fit, "bytes">, path: string): boolean {
  return existsSync(path) && isPrivate(path) && readFileSync(path).equals(bytes);
}

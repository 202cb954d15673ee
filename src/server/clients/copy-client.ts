import { existsSync, writeFileSync } from "node:fs";
import { readRegularFile } from "../../fs/regular-file.ts";
import { errorText } from "../../problem/problem.ts";
import { type ColdCommand, isPrivate, runtimeDirOf, whyNoRuntimeDir } from "../runtime-dir.ts";
import { type Packaged, packagedClient, recordOrigin } from "./client-package.ts";
import { type Client, installClient, isRunnable, makeClient, nativePath } from "./make-client.ts";
import { reachesDaemon } from "./try-client.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Fit = Extract<Packaged, { kind: "fit" }>;

/** Copies the client of a package into the runtime directory, after the same checks as one that is compiled; else returns why not. */
export async function copyClient(
  fit: Fit,
  cold: ColdCommand,
  env: Environment,
): Promise<Client | { readonly why: string }> {
  const path = nativePath(cold, env);
  const unusable = whyNoRuntimeDir(runtimeDirOf(cold, { env }));
  if (path === undefined || unusable !== undefined) return { why: unusable ?? "this copy of Sluice is not whole" };
  const client = { kind: "native", path } as const;
  if (!isCopied(fit, path) || !isRunnable(path)) {
    const why = await whyNotUsable(fit);
    if (why !== undefined) return { why };
    const isThere = installClient(path, (draft) => {
      writeFileSync(draft, fit.bytes, { mode: 0o700 });
      return true;
    });
    if (!isThere) return { why: `its client cannot be started as ${path}` };
  }
  recordOrigin(path, fit);
  return client;
}

/** The best client that this machine can have: copied from a package, else made here. */
export async function bestClient(cold: ColdCommand, version: string, env: Environment): Promise<Client | undefined> {
  const packaged = packagedClient(cold, version);
  const copied = packaged.kind === "fit" ? await copyClient(packaged, cold, env) : undefined;
  return copied !== undefined && "path" in copied ? copied : makeClient(cold, env);
}

/** Why the client of a package cannot be used here, found by trying it; undefined if it can. */
export async function whyNotUsable({ path }: Pick<Fit, "path">): Promise<string | undefined> {
  if (!isRunnable(path)) return "its client cannot be started here";
  try {
    return (await reachesDaemon(path)) ? undefined : "its client cannot talk to the daemon of this version";
  } catch (error) {
    return `its client cannot be tried (${errorText(error)})`;
  }
}

/** Whether the client at this path is that of the package. */
export function isCopied({ bytes }: Pick<Fit, "bytes">, path: string): boolean {
  return existsSync(path) && isPrivate(path) && readRegularFile(path).equals(bytes);
}

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "./make-client.ts";

/** The package that a client was copied from. */
interface Origin {
  readonly name: string;
  readonly version: string;
}

/** Records, beside a client, which package it was copied from. */
export function recordOrigin(path: string, { name, version }: Origin): void {
  writeFileSync(fileBeside(path), `${fingerprint(path)} ${name} ${version}\n`, { mode: 0o600 });
}

/** A client and its origin, in words. */
export function describeClient(client: Client): string {
  if (client.kind !== "native") return `the ${client.kind} client`;
  const origin = originOf(client);
  return `the native client, ${origin === undefined ? "compiled here" : `taken from ${origin.name} ${origin.version}`}`;
}

/** The package that a client was copied from; undefined for one that was compiled here since. */
function originOf({ path }: Pick<Client, "path">): Origin | undefined {
  try {
    const [bytes, name, version] = readFileSync(fileBeside(path), "utf8").trim().split(" ");
    return bytes === fingerprint(path) && name && version ? { name, version } : undefined;
  } catch {
    return undefined;
  }
}

function fileBeside(path: string): string {
  return join(dirname(path), "origin");
}

function fingerprint(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

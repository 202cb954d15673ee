import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { readRegularText } from "../fs/regular-file.ts";
import { makePrivateDir, type StateHome, stateDir } from "../fs/state-dir.ts";
import { createFile } from "../fs/write-atomic.ts";

/** The target cannot be reached or is overloaded; nothing is lost by waiting. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** What the target asked to wait, in milliseconds. */
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** An address or a key in which `${NAME}` stands for a variable. */
export function withVariables(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  encode: (value: string) => string = encodeURIComponent,
): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => encode(env[name] ?? ""));
}

/**
 * The name of this state folder in a shared store. Containers of one image and users of one machine have the same machine id and
 * different state folders, so the name is made once and kept with the state.
 */
export function sharingName(where: StateHome): string {
  const folder = join(stateDir(where), "ship");
  makePrivateDir(folder);
  const path = join(folder, "shared-name");
  createFile(path, randomUUID().replaceAll("-", "").slice(0, 16), 0o600);
  return readRegularText(path);
}

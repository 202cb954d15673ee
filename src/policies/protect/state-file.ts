import { rmSync } from "node:fs";
import { join } from "node:path";
import { ensurePrivateDir, stateDir } from "../../fs/state-dir.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import { unsafeFolderProblem, unsafeStateProblem } from "../../trust/private-approvals.ts";
import type { ProtectionContext } from "./protection-context.ts";
import { readRegularText } from "../../fs/regular-file.ts";

/** Where self-protection keeps what a person allowed. */
export function protectFolder({ env, home }: Pick<ProtectionContext, "env" | "home">): string {
  return join(stateDir({ env, home }), "protect");
}

/** What a file there says; nothing when it is not there, not whole, or another user could have written it. */
export function readState(name: string, context: Pick<ProtectionContext, "env" | "home" | "root">): unknown {
  const folder = protectFolder(context);
  const path = join(folder, name);
  if (unsafeFolderProblem(folder, context.root) ?? unsafeStateProblem(path, "file")) return undefined;
  try {
    return JSON.parse(readRegularText(path));
  } catch {
    return undefined;
  }
}

/** Writes a file there, for its owner alone; says whether it could. */
export function writeState(name: string, value: object, context: Pick<ProtectionContext, "env" | "home">): boolean {
  const folder = protectFolder(context);
  if (!ensurePrivateDir(folder)) return false;
  writePrivate(join(folder, name), `${JSON.stringify(value)}\n`);
  return true;
}

/** Removes a file there; true for the one process that really removed it. */
export function removeState(name: string, context: Pick<ProtectionContext, "env" | "home">): boolean {
  try {
    rmSync(join(protectFolder(context), name));
    return true;
  } catch {
    return false;
  }
}

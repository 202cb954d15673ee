import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PREFIXES } from "../event/environment.ts";
import { atExit } from "./at-exit.ts";

/** Files for values that no environment holds. */
export interface LargeValues {
  /** `SLUICE_TOOL_ARGS_FILE` and the like. */
  readonly variables: Record<string, string>;
  remove(): void;
}

/** Writes each value into a file that only this user can read, for as long as the hook runs. */
export function writeLargeValues(values: Readonly<Record<string, string>>): LargeValues {
  const names = Object.entries(values);
  if (names.length === 0) return { variables: {}, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "sluice-"));
  const forget = atExit(() => removeFolder(folder));
  const remove = () => {
    forget();
    removeFolder(folder);
  };
  const variables: Record<string, string> = {};
  try {
    for (const [name, value] of names) {
      const file = join(folder, name.toLowerCase());
      writeFileSync(file, value, { mode: 0o600, flag: "wx" });
      for (const prefix of PREFIXES) variables[`${prefix}${name}_FILE`] = file;
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { variables, remove };
}

/** What a hook did to the folder must not change what the hook said. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The system clears its folder for temporary files in time.
  }
}

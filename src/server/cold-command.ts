import { realPath } from "../fs/resolve-path.ts";
import type { ColdCommand } from "./runtime-dir.ts";

/** The command that runs now, by absolute paths: it starts the same program whatever `PATH` is. */
export function coldCommand(): ColdCommand {
  return [process.execPath, realPath(process.argv[1] ?? "")];
}

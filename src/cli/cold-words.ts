import { realPath } from "../fs/resolve-path.ts";
import type { ColdWords } from "../server/quarters.ts";

/** The words that start the command that runs now, whatever the path of whoever starts it holds. */
export function coldWords(): ColdWords {
  return [process.execPath, realPath(process.argv[1] ?? "")];
}

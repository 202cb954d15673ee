import { realpathSync } from "node:fs";
import type { ColdWords } from "../server/quarters.ts";

/** The words that start the command that runs now, whatever the path of whoever starts it holds. */
export function coldWords(): ColdWords {
  return [process.execPath, realpathSync(process.argv[1] ?? "")];
}

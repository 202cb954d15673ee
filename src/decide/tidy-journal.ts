import { compressClosed } from "../trace/compressed.ts";
import { journalFolder } from "../trace/journal.ts";
import type { ProcessEnvironment } from "./project.ts";

/** Compresses what is closed of the journal, beside everything else; never on the way of a call. */
export async function tidyJournal(env: ProcessEnvironment): Promise<void> {
  await compressClosed(journalFolder(env));
}

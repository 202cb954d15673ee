import { constants, setPriority } from "node:os";
import { text } from "node:stream/consumers";
import { type DraftReplay, replayDraft } from "../ui-server/draft-replay.ts";
import { buildIndex } from "../ui-server/journal-index.ts";

/** What the process does that `sluice ui` starts to read a journal: it writes the files of its index. */
export async function buildCallIndex(): Promise<void> {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const [journal = "", kept = ""] = process.argv.slice(3);
  if (journal !== "" && kept !== "") await buildIndex(journal, kept);
}

/** What the process does that `sluice ui` starts: a draft on standard input, a summary on each line of standard output. */
export async function judgeDraft(): Promise<void> {
  // Agents wait for their answers, and this can wait.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const replay = JSON.parse(await text(process.stdin)) as DraftReplay;
  for await (const summary of replayDraft(replay, process.env, new AbortController().signal))
    process.stdout.write(`${JSON.stringify(summary)}\n`);
}

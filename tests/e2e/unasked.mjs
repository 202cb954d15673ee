import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bounded } from "./bounded.mjs";
import { environmentOf } from "./place.mjs";

/** A session of which the journal lacks a call, as if the agent had made it without a word: its own history shows the call. */
export const UNASKED_RUN = {
  calls: ["shell", "write", "shell"],
  hooks: () => [],
  cells: { "a call that never arrived is told by doctor": toldByDoctor },
};

async function toldByDoctor({ place }) {
  const state = join(place.home, ".local/state/sluice");
  // Hooks count from a while after they were written; that while is over.
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const name of readdirSync(state, { recursive: true }).filter((path) => /install|backup/.test(path)))
    utimesSync(join(state, name), hourAgo, hourAgo);
  const before = await unaskedIn(place);
  const cut = withoutLastCall(join(state, "decisions"));
  const after = await unaskedIn(place);
  return [
    ...(before === undefined ? [] : [`doctor speaks of calls that did arrive: ${before}`]),
    ...(cut ? [] : ["the journal has no call"]),
    ...(/^1 call of session .* was not asked about/.test(after ?? "") ? [] : [`doctor says: ${after ?? "nothing"}`]),
  ];
}

async function unaskedIn(place) {
  const args = [SLUICE, "doctor", "--json"];
  const options = { cwd: place.project, env: environmentOf(place), seconds: 120 };
  const { stdout } = await bounded(process.execPath, args, options);
  return /"([^"]* not asked about[^"]*)"/.exec(stdout)?.[1];
}

/** Takes the record of the last call out of the journal. */
function withoutLastCall(folder) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".jsonl"))) {
    const lines = readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean);
    const last = lines.findLastIndex((line) => isCall(JSON.parse(line)));
    if (last === -1) continue;
    writeFileSync(join(folder, name), `${lines.filter((_, at) => at !== last).join("\n")}\n`);
    return true;
  }
  return false;
}

/** Doctor's own canary is no call of the session. */
function isCall({ event, session_id }) {
  return event === "tool:pre_execute" && session_id !== "sluice-doctor";
}

const SLUICE = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));

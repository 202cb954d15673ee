import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { buildSync } from "esbuild";
import { environmentOf } from "./place.mjs";

/** A session of a dozen calls, some at once, some by a sub-agent: the agent's own history has what hooks were told. */
export const REPLAYED_RUN = {
  calls: ["shell", "write", "look", "edit", ["read", "shell"], "mcp", "failing", "agent", ["shell", "write"], "read"],
  sub: ["shell", "failing"],
  hooks: () => [],
  cells: { "its history has every call once": foundAgain },
};

async function foundAgain({ place, agent, main, sub, began }) {
  const told = agent.scope === undefined ? undefined : heardCalls(place);
  const count = agent.calls.agent ? main.length + sub.length : main.length;
  const found = await callsInHistory(agent.history ?? agent.agent ?? agent.id, place);
  const wrong = found.length === count ? [] : [`${count} calls were made, the history has ${found.length}`];
  if (told !== undefined && told.length !== count) wrong.push(`hooks heard ${told.length} calls`);
  for (const call of told ?? []) {
    const same = found.filter(({ tool, input, cwd }) => isDeepStrictEqual({ tool, input, cwd }, call));
    const times = told.filter((other) => isDeepStrictEqual(other, call)).length;
    if (same.length !== times) wrong.push(`${JSON.stringify(call)} is found ${same.length} times, not ${times}`);
  }
  for (const { time, tool } of found)
    if (Date.parse(time) < began || Date.parse(time) > Date.now()) wrong.push(`${tool} was not called at ${time}`);
  if (new Set(found.map(({ session }) => session)).size !== 1) wrong.push("the calls are not of one session");
  const subCalls = found.filter(({ made }) => made === "sub-agent").length;
  if (agent.calls.agent && subCalls !== sub.length) wrong.push(`${subCalls} calls are marked as a sub-agent's`);
  if (agent.isSdk && !found.every(({ made }) => made)) wrong.push("calls of a program are not marked");
  return wrong.length === 0 ? [] : [...wrong, `found: ${JSON.stringify(found)}`];
}

/** What the journal says that hooks were told before each call. */
function heardCalls({ home }) {
  const folder = join(home, ".local/state/sluice/decisions");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line).event_json)
    .filter((event) => event?.type === "tool:pre_execute")
    .map(({ tool_name: tool, data, cwd }) => ({ tool, input: data.tool_args, cwd }));
}

/** What `sluice replay --from` reads, call by call. */
async function callsInHistory(id, place) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-e2e-history-"));
  const file = join(folder, "transcript-calls.mjs");
  try {
    buildSync({ entryPoints: [SOURCE], outfile: file, bundle: true, format: "esm", platform: "node", banner: BANNER });
    const { transcriptCalls } = await import(pathToFileURL(file).href);
    const search = {
      env: environmentOf(place),
      root: place.project,
      since: "2020-01-01T00:00:00.000Z",
      counts: { broken: 0 },
    };
    const found = [];
    for await (const { event, time, session, made } of transcriptCalls(id, search))
      found.push({ tool: event.toolName, input: event.data.tool_args, cwd: event.cwd, time, session, made });
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SOURCE = fileURLToPath(new URL("../../src/replay/transcript-calls.ts", import.meta.url));
const BANNER = { js: `import { createRequire as made } from "node:module"; const require = made(import.meta.url);` };

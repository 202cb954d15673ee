import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AGENTS, NOT_RUN } from "./agents/index.mjs";
import { answeredTwice, personAtPage } from "./approved.mjs";
import { seenInTerminal } from "./asked.mjs";
import { bounded } from "./bounded.mjs";
import { callOf, SHELL_LINES } from "./call-of.mjs";
import { CACHE, installed } from "./installed.mjs";
import { startModel } from "./model-server.mjs";
import { environmentOf, makePlace, writeFiles } from "./place.mjs";
import { PROMPT } from "./prompt.mjs";
import { CELLS, RUNS } from "./proofs.mjs";
import { recordProof } from "./proven.mjs";
import { seenIn } from "./seen.mjs";
import { tableOf } from "./table.mjs";

const SLUICE = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));
const [named, only] = process.argv.slice(2);
const agents = AGENTS.filter(({ id }) => !named || named === "all" || named.split(",").includes(id));
const words = only?.split("|") ?? [""];
const runs = RUNS.filter(({ cells }) => Object.keys(cells).some((cell) => words.some((word) => cell.includes(word))));
/** How long an agent may take for one run: a busy machine needs more. */
const SECONDS = Number(process.env.SLUICE_E2E_SECONDS ?? 90);
const keep = process.env.SLUICE_E2E_KEEP === "1";

console.log(`agents are kept in ${CACHE}`);
const model = await startModel();
const columns = [];
const proofs = [];
for (const agent of agents) {
  const column = { agent, cells: await proven(agent) };
  columns.push(column);
  // At once: a later agent may take the whole run with it.
  proofs.push(recordProof(column, { rows: CELLS, date: new Date().toISOString().slice(0, 10) }));
}
model.stop();

const { text, failed } = tableOf(CELLS, columns);
console.log(text);
console.log([...proofs, ...Object.entries(NOT_RUN).map(([id, why]) => `${id}: not run here: ${why}`)].join("\n"));
process.exitCode = failed ? 1 : 0;

/** Every cell of one agent: ok, failed with what is wrong, or skipped with the reason. */
async function proven(agent) {
  const { missing, ...where } = await installed(agent);
  if (missing) return Object.fromEntries(CELLS.map((cell) => [cell, { skipped: missing, missing }]));
  const cells = {};
  for (const run of runs.flatMap((run) => (agent.endsAtDenial ? alone(run) : [run])))
    Object.assign(cells, await judged(agent, where, run));
  return cells;
}

/** A run for each denied call, for an agent whose task ends at the first denial. */
function alone(run) {
  const cells = Object.entries(run.cells);
  if (!cells.every(([, { kind }]) => kind)) return [run];
  return cells.map(([name, cell]) => ({ ...run, calls: [cell.kind], cells: { [name]: cell } }));
}

/** The cells of one run; an agent that can have none of them is not started. */
async function judged(agent, where, run) {
  const hides = run.atDialog && !agent.terminal?.isBesideDialog ? "its dialog waits for its hooks" : undefined;
  const ends = run.answers && agent.endsAtDenial ? "its task ends at the first denial" : undefined;
  const posts = run.posts && !agent.posts ? "it keeps to commands" : undefined;
  const stays = run.inTerminal && !agent.terminal ? "nothing here drives it in a terminal" : (posts ?? ends ?? hides);
  const lacks = run.needs && !(run.needs in agent.calls) ? `it has no ${run.needs} tool` : stays;
  const reasons = Object.fromEntries(Object.keys(run.cells).map((cell) => [cell, agent.cannot[cell] ?? lacks]));
  const skip = (cell) => [cell, { skipped: reasons[cell] }];
  if (Object.values(reasons).every(Boolean)) return Object.fromEntries(Object.keys(reasons).map(skip));
  const place = makePlace(run.hooks);
  const began = Date.now();
  try {
    const seen = await runOnce(agent, where, run, place);
    const judge = async (cell) => {
      const wrong = seen.broken ? [seen.broken] : await run.cells[cell](seen);
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(`${agent.id}: ${cell}: ${wrong.length === 0 ? "ok" : `FAILED: ${wrong.join("; ")}`} (${seconds} s)`);
      return [cell, { wrong }];
    };
    const cells = Object.keys(reasons).map((cell) => (reasons[cell] ? skip(cell) : judge(cell)));
    return Object.fromEntries(await Promise.all(cells));
  } finally {
    // An engine that agents post to does not leave by itself.
    const stop = { cwd: place.project, env: environmentOf(place), seconds: 30 };
    if (run.posts) await bounded(process.execPath, [SLUICE, "serve", "--stop"], stop);
    await agent.finish?.(place);
    if (!keep) place.remove();
  }
}

async function runOnce(agent, { folder, node }, run, place) {
  const env = { ...environmentOf(place), ...(run.posts ? { SLUICE_RESIDENT: "1" } : {}) };
  agent.prepare(place, { url: model.url });
  writeFiles(run.files?.(place) ?? {});
  const broken = agent.scope && (await connect(agent, run, place, env));
  if (broken) return { broken };
  // An agent that needs another Node than this one gets it first on its path.
  if (node) env.PATH = `${node}:${env.PATH}`;
  if (run.atDialog) return answeredTwice({ agent, folder, place, model, env });
  if (run.inTerminal) return seenInTerminal({ agent, folder, place, model, env });
  const turns = turnsOf(agent, run.calls);
  const sub = turnsOf(agent, run.sub ?? []);
  const calls = (script) => script.map((kinds) => kinds.map((kind) => callOf(agent, kind, place)));
  model.follow(run.script?.(agent, place) ?? calls(turns), calls(sub));
  const person = run.answers && (await personAtPage(place, env));
  const start = agent.start(place, { url: model.url, prompt: PROMPT, folder });
  const program = start.program ?? join(folder, "node_modules", ".bin", agent.bin);
  const options = { cwd: place.project, env: { ...env, ...start.env }, seconds: run.seconds ?? SECONDS };
  const began = Date.now();
  const ended = await bounded(program, start.args, options);
  await person?.stop();
  if (keep) console.log(place.root, ended, [...model.tools].join(" "), model.unheard, model.results);
  if (ended.late) return { broken: `${agent.id} did not end within ${options.seconds} s` };
  return {
    ...seenIn({ place, model, main: turns.flat(), sub: sub.flat() }),
    agent,
    began,
    answered: person?.answered,
    printed: `${ended.stdout}\n${ended.stderr}`,
  };
}

/** The calls that this agent has a tool for, turn by turn. */
function turnsOf(agent, calls) {
  return calls
    .map((kinds) => [kinds].flat().filter((kind) => kind in agent.calls || kind in SHELL_LINES))
    .filter(({ length }) => length > 0);
}

/** Lets Sluice write itself into the settings of the agent; a project's line starts the project's own dependency. */
async function connect(agent, run, place, env) {
  const scopes = run.posts ? ["user"] : (run.scopes ?? [agent.scope]);
  for (const scope of scopes) {
    if (scope === "project") {
      mkdirSync(join(place.project, "node_modules/.bin"), { recursive: true });
      symlinkSync(SLUICE, join(place.project, "node_modules/.bin/sluice"));
    }
    const args = [
      SLUICE,
      "install",
      agent.agent ?? agent.id,
      "--scope",
      scope,
      "--yes",
      ...(run.posts ? ["--http"] : []),
    ];
    const { code, stdout, stderr } = await bounded(process.execPath, args, {
      cwd: place.project,
      env,
      seconds: SECONDS,
    });
    if (code !== 0) return `sluice install ended with ${code}: ${stderr || stdout}`;
  }
}

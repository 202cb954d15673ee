// Runs the benchmarks: `node bench/run.mjs [names…] [--quick]`; `--write` stores the figures, and puts all stored ones into README.md.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { cold } from "./benchmarks/cold.mjs";
import { contain } from "./benchmarks/contain.mjs";
import { gate } from "./benchmarks/gate.mjs";
import { guards } from "./benchmarks/guards.mjs";
import { latency } from "./benchmarks/latency.mjs";
import { parts } from "./benchmarks/parts.mjs";
import { registry } from "./benchmarks/registry.mjs";
import { replay } from "./benchmarks/replay.mjs";
import { rules } from "./benchmarks/rules.mjs";
import { runner } from "./benchmarks/runner.mjs";
import { teams } from "./benchmarks/teams.mjs";
import { trace } from "./benchmarks/trace.mjs";
import { undo } from "./benchmarks/undo.mjs";
import { workers } from "./benchmarks/workers.mjs";
import { wrap } from "./benchmarks/wrap.mjs";
import { machine } from "./machine.mjs";
import { printResult, storeResult, writeReadme } from "./report.mjs";

const BENCHMARKS = {
  registry,
  runner,
  workers,
  cold,
  latency,
  rules,
  guards,
  gate,
  wrap,
  parts,
  trace,
  replay,
  undo,
  contain,
  teams,
};

// It makes every node process read a file of certificates at start, which would hide what is measured.
const SLOWS_NODE = "NODE_EXTRA_CA_CERTS";

process.exitCode = SLOWS_NODE in process.env ? runWithout(SLOWS_NODE) : await main();

function runWithout(variable) {
  const { [variable]: _, ...env } = process.env;
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: "inherit", env });
  return status ?? 1;
}

async function main() {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(BENCHMARKS, name));
  if (unknown !== undefined) {
    console.error(`There is no benchmark "${unknown}". There are: ${Object.keys(BENCHMARKS).join(", ")}.`);
    return 2;
  }
  const names = positionals.length > 0 ? positionals : Object.keys(BENCHMARKS);
  if (names.length > 1) return apart(names, flags);
  let missed = 0;
  for (const name of names) {
    const surroundings = machine();
    const outcome = await measured(BENCHMARKS[name], flags);
    if (outcome === undefined) return 2;
    const result = { name, ...outcome, quick: flags.quick, date: new Date().toISOString(), machine: surroundings };
    printResult(result);
    if (flags.write && !flags.quick) storeResult(result);
    missed += result.targets.filter(({ met }) => !met).length;
  }
  if (flags.write) writeReadme(Object.keys(BENCHMARKS));
  if (missed > 0) console.log(`\n${missed === 1 ? "1 target was" : `${missed} targets were`} missed.`);
  return missed > 0 ? 1 : 0;
}

/** Each in a process of its own: what one benchmark does to the compiler is no business of the next. */
function apart(names, { quick, write }) {
  const runs = names.map((name) => {
    const args = [process.argv[1], name, ...(quick ? ["--quick"] : []), ...(write ? ["--write"] : [])];
    return spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
  });
  return Math.max(...runs);
}

async function measured(benchmark, { quick }) {
  try {
    return await benchmark({ quick });
  } catch (error) {
    if (error?.code !== "NOT_BUILT") throw error;
    console.error(error.message);
    return undefined;
  }
}

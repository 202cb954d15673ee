import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { figureOf } from "./measure.mjs";

const COMPILER = "cc";

/** Compiles a small program of `bench/latency` into a folder. */
export function compiled(name, folder, flags = []) {
  const source = fileURLToPath(new URL(`latency/${name}.c`, import.meta.url));
  const program = join(folder, name);
  if (spawnSync(COMPILER, ["-O2", ...flags, "-o", program, source]).status === 0) return program;
  throw Object.assign(new Error("This benchmark needs a C compiler under the name cc."), { code: "NOT_BUILT" });
}

/**
 * Runs commands in turns and measures each from its start to its end. `commands` is a map of label to `{ input, words }`,
 * where `input` is the file on standard input. Gives the figures by label, of wall-clock and of processor time.
 */
export async function stopwatch(program, commands, { rounds, cwd, env, pauseMs = 0 }) {
  const labels = [...commands.keys()];
  const lines = join(cwd, `commands-${process.hrtime.bigint()}`);
  writeFileSync(lines, [...commands.values()].map(({ input, words }) => [input, ...words].join("\t")).join("\n"));
  const options = { cwd, env, maxBuffer: 2 ** 28 };
  const { stdout } = await promisify(execFile)(program, [String(rounds), String(pauseMs), lines], options);
  const wall = labels.map(() => []);
  const processor = labels.map(() => []);
  for (const line of stdout.trim().split("\n")) {
    const [which, nanoseconds, code, used] = line.split(" ").map(Number);
    if (code !== 0) throw new Error(`${labels[which]} ended with ${code}`);
    wall[which].push(nanoseconds / 1e6);
    processor[which].push(used / 1e6);
  }
  const figures = (samples) => new Map(labels.map((label, which) => [label, figureOf(label, samples[which])]));
  return { wall: figures(wall), processor: figures(processor), samples: wall };
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { hashOfLine, lineOf } from "../../src/trace/change/chain.ts";
import { appendToTrace, openTrace } from "../../src/trace/change/trace-file.ts";
import { type TracePaths, tracePaths } from "../../src/trace/change/trace-paths.ts";
import { type Verified, verifyTrace } from "../../src/trace/change/verify.ts";

/** A project of its own with an empty trace, to be removed with `forget`. */
export interface Ground {
  readonly folder: string;
  readonly place: TracePaths;
  forget(): void;
}

/** Makes a project without anything in it. */
export function ground(): Ground {
  const folder = mkdtempSync(join(tmpdir(), "sluice-trace-"));
  const place = tracePaths({ root: folder, env: { XDG_STATE_HOME: join(folder, "state") } });
  return { folder, place, forget: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Lets processes write at once; what each wrote, in the order of the trace. */
export async function writtenAtOnce(at: Ground, processes: number, each: number): Promise<Map<string, number[]>> {
  const program = writer(at);
  const names = Array.from({ length: processes }, (_, index) => `writer${index}`);
  await Promise.all(names.map((name) => ended(started(program, at, [name, String(each)]))));
  const seen = new Map<string, number[]>();
  for (const line of readFileSync(at.place.file, "utf8").trimEnd().split("\n")) {
    const { by, turn } = JSON.parse(line) as { by: string; turn: number };
    seen.set(by, [...(seen.get(by) ?? []), turn]);
  }
  return seen;
}

/** Ends a process that writes, again and again, at hook events of chance; how the trace stands after each time. */
export async function killedInBetween(at: Ground, times: number, dice: () => number): Promise<Verified[]> {
  const program = writer(at);
  const outcomes: Verified[] = [];
  for (let turn = 0; turn < times; turn++) {
    const child = started(program, at, [`turn${turn}`, "1000000"]);
    await once(child.stdout ?? child, "data");
    await new Promise((wake) => setTimeout(wake, dice() * 8));
    child.kill("SIGKILL");
    await once(child, "exit");
    appendToTrace(at.place, { by: "survivor", turn });
    outcomes.push(verifyTrace(at.place));
  }
  return outcomes;
}

/** What somebody may do to a trace behind its back, by name. */
const TAMPERINGS: Readonly<Record<string, (lines: string[], dice: () => number) => string[] | string>> = {
  "changes a letter": (lines, dice) => {
    const at = pick(lines, dice);
    const line = lines[at] ?? "";
    const letter = Math.floor(dice() * line.length);
    const other = String.fromCharCode(33 + ((line.charCodeAt(letter) + 1 + Math.floor(dice() * 60)) % 90));
    return lines.with(at, line.slice(0, letter) + (other === line[letter] ? "~" : other) + line.slice(letter + 1));
  },
  "takes a letter away": (lines, dice) => {
    const at = pick(lines, dice);
    const line = lines[at] ?? "";
    const letter = Math.floor(dice() * line.length);
    return lines.with(at, line.slice(0, letter) + line.slice(letter + 1));
  },
  "removes records": (lines, dice) => {
    const at = pick(lines, dice);
    return lines.toSpliced(at, 1 + Math.floor(dice() * 3));
  },
  "removes the last records": (lines, dice) => lines.slice(0, -(1 + Math.floor(dice() * (lines.length - 1)))),
  "removes the first records": (lines, dice) => lines.slice(1 + Math.floor(dice() * (lines.length - 1))),
  "writes a record twice": (lines, dice) => {
    const at = pick(lines, dice);
    return lines.toSpliced(pick(lines, dice), 0, lines[at] ?? "");
  },
  "makes up a record": (lines, dice) =>
    lines.toSpliced(Math.floor(dice() * (lines.length + 1)), 0, '{"id":"made up","files":[]}'),
  "puts in an empty line": (lines, dice) => lines.toSpliced(pick(lines, dice), 0, ""),
  "changes the order": (lines, dice) => {
    const at = Math.floor(dice() * (lines.length - 1));
    return lines.with(at, lines[at + 1] ?? "").with(at + 1, lines[at] ?? "");
  },
  "cuts the file": (lines, dice) => {
    const text = `${lines.join("\n")}\n`;
    return text.slice(0, Math.floor(dice() * (text.length - 1)));
  },
  "changes a record and binds all of them anew": (lines, dice) => {
    const at = pick(lines, dice);
    let previous: string | null = null;
    return lines.map((line, index) => {
      const { previous_hash: _, record_hash: __, ...record } = JSON.parse(line) as Record<string, unknown>;
      const { bytes } = lineOf(index === at ? { ...record, turn: -1 } : record, previous);
      const bound: string = bytes.toString().trimEnd();
      previous = hashOfLine(bound);
      return bound;
    });
  },
  "empties the file": () => "",
  "ends lines as another system does": (lines) => `${lines.join("\r\n")}\r\n`,
};

/** Tampers with a trace many times, each time afresh; the tamperings that were not noticed. */
export function unnoticed(at: Ground, times: number, dice: () => number): string[] {
  const trace = openTrace(at.place);
  for (let turn = 0; turn < 40; turn++) trace.append({ by: "us", turn, text: "x".repeat(Math.floor(dice() * 90)) });
  trace.close();
  const whole = readFileSync(at.place.file, "utf8");
  const lines = whole.trimEnd().split("\n");
  const names = Object.keys(TAMPERINGS);
  const missed: string[] = [];
  for (let turn = 0; turn < times; turn++) {
    const name = names[turn % names.length] ?? "";
    const made = TAMPERINGS[name]?.([...lines], dice) ?? "";
    const text = typeof made === "string" ? made : `${made.join("\n")}\n`;
    if (text === whole) continue;
    writeFileSync(at.place.file, text);
    if (verifyTrace(at.place).broken === undefined) missed.push(`${name} (${turn})`);
  }
  writeFileSync(at.place.file, whole);
  return verifyTrace(at.place).broken === undefined ? missed : [...missed, "the trace itself"];
}

/** Numbers of chance that are the same every time. */
export function diceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function writer({ folder }: Ground): string {
  const program = join(folder, "writer.mjs");
  const stdin = { contents: WRITER, resolveDir: resolve(import.meta.dirname, "../../src") };
  buildSync({ stdin, outfile: program, bundle: true, format: "esm", platform: "node", logLevel: "silent" });
  return program;
}

function started(program: string, { folder }: Ground, words: readonly string[]): ChildProcess {
  const env = { PATH: process.env.PATH, XDG_STATE_HOME: join(folder, "state") };
  return spawn(process.execPath, [program, folder, ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
}

async function ended(child: ChildProcess): Promise<void> {
  child.stdout?.resume();
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`a writer ended with ${code}`);
}

function pick(lines: readonly string[], dice: () => number): number {
  return Math.floor(dice() * lines.length);
}

const WRITER = `
import { tracePaths } from "./trace/change/trace-paths.ts";
import { openTrace } from "./trace/change/trace-file.ts";
const [, , root, by, count] = process.argv;
const trace = openTrace(tracePaths({ root }));
for (let turn = 0; turn < Number(count); turn++) {
  const problem = trace.append({ by, turn, text: "x".repeat((turn * 37) % 400) });
  if (problem) throw problem;
  if (turn === 0) process.stdout.write("begun");
}
trace.close();`;

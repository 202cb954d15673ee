import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";
import { rows, sideBySide } from "../measure.mjs";

/** A record of the trace costs microseconds, a whole trace is checked about as fast as it can be hashed, and a line is found in it. */
export async function trace({ quick }) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const source = await loadSource(root, [
    "trace/change/trace-file.ts",
    "trace/change/verify.ts",
    "trace/change/trace-paths.ts",
    "trace/change/find-change.ts",
    "trace/change/line-ranges.ts",
    "trace/change/read-changes.ts",
  ]);
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  try {
    const appended = await appending(source, folder, quick);
    const checked = await verifying(source, folder, quick);
    const found = await finding(source, folder, quick);
    return {
      what: "recording changes one after the other, checking a whole trace, and finding who wrote a line",
      rows: [...appended.rows, ...checked.rows, ...found.rows],
      targets: [appended.target, checked.target, found.target],
      notes: [
        "Records that follow each other without a pause share the lock for at most two milliseconds; with a pause, each takes it for itself. Every record is one write, and the tip says so before it.",
        ...found.notes,
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const BARE = "one bare write of the same bytes";
const OURS = "one record after the other: chain, tip, write";
const ALONE = "one record after a pause: lock, chain, tip, write";

async function appending({ openTrace, tracePaths }, folder, quick) {
  const trace = openTrace(tracePaths({ root: folder, env: { XDG_STATE_HOME: join(folder, "state") } }));
  const bare = openSync(join(folder, "bare"), "a");
  const bytes = Buffer.from(`${JSON.stringify(RECORD)}\n`);
  const figures = await sideBySide(
    [
      { label: BARE, run: (times) => repeated(times, () => writeSync(bare, bytes)) },
      { label: OURS, run: (times) => repeated(times, () => (trace.append(RECORD) === undefined ? 1 : Number.NaN)) },
      { label: ALONE, times: 1, run: async () => (trace.append(RECORD) === undefined ? 1 : Number.NaN) },
    ],
    { rounds: quick ? 60 : 600, warmUpMs: quick ? 300 : 1500 },
  );
  trace.close();
  const cost = Number((figures.get(OURS).median * 1000).toPrecision(3));
  return {
    rows: rows(figures, { unit: "µs", to: () => BARE }),
    target: { what: "one record, 30,000 a second", target: 33, measured: cost, unit: " µs", met: cost <= 33 },
  };
}

const HASHED = "hashing the same bytes, line by line";
const VERIFIED = "verifying the trace";

async function verifying({ openTrace, tracePaths, verifyTrace }, folder, quick) {
  const root = join(folder, "long");
  const place = tracePaths({ root, env: { XDG_STATE_HOME: join(folder, "state") } });
  const trace = openTrace(place);
  for (let turn = 0; turn < (quick ? 2000 : 20_000); turn++) trace.append({ ...RECORD, turn });
  trace.close();
  const { bytes, records } = verifyTrace(place);
  const line = Buffer.alloc(Math.floor(bytes / records), 120);
  const hashAll = () => repeated(records, () => createHash("sha256").update(line).digest("hex").length);
  const figures = await sideBySide(
    [
      { label: HASHED, times: 1, run: hashAll },
      { label: VERIFIED, times: 1, run: () => (verifyTrace(place).broken === undefined ? 1 : Number.NaN) },
    ],
    { rounds: quick ? 10 : 40, warmUpMs: 200 },
  );
  const cost = Number((figures.get(VERIFIED).median / (bytes / 1e6)).toPrecision(3));
  return {
    rows: rows(figures, { unit: "ms", to: () => HASHED }),
    target: { what: "one megabyte verified, 100 a second", target: 10, measured: cost, unit: " ms", met: cost <= 10 },
  };
}

const SCANNED = "reading every record";
const FOUND = "finding who wrote a line";
const BY_HASH = "finding who wrote lines with this hash";

async function finding({ openTrace, tracePaths, findByHash, findByLine, hashOfLines, changes }, folder, quick) {
  const count = quick ? 10_000 : 200_000;
  const project = { root: join(folder, "found"), env: { XDG_STATE_HOME: join(folder, "state") } };
  const linesOf = (turn) =>
    Array.from({ length: 1 + (turn % 7) }, (_, line) => `const value${turn}_${line} = ${turn};`);
  const trace = openTrace(tracePaths(project));
  for (let turn = 0; turn < count; turn++) {
    const [start_line, lines] = [1 + ((turn * 13) % 400), linesOf(turn)];
    const range = { start_line, end_line: start_line + lines.length - 1, content_hash: hashOfLines(lines) };
    const files = [{ relative_path: `src/module${turn % 1000}.ts`, ranges: [range] }];
    trace.append({ ...RECORD, id: `${turn.toString(16).padStart(8, "0")}${RECORD.id.slice(8)}`, files });
  }
  trace.close();
  mkdirSync(join(project.root, "src"));
  const turn = Math.floor(count / 3) * 3 - 1;
  const text = Array.from({ length: 400 }, (_, line) => `line ${line}`).toSpliced(200, 0, ...linesOf(turn));
  writeFileSync(join(project.root, "src/module1.ts"), text.join("\n"));
  const began = performance.now();
  findByHash(project, "000000");
  const built = Math.round(performance.now() - began);
  // A trace that has just been written to is looked at more closely.
  await new Promise((wake) => setTimeout(wake, 2100));
  const one = (found) => (found.length === 1 ? 1 : Number.NaN);
  const figures = await sideBySide(
    [
      { label: SCANNED, times: 1, run: () => [...numbered(changes(tracePaths(project)))].length },
      { label: FOUND, times: 1, run: () => one(findByLine(project, "src/module1.ts", 201)) },
      { label: BY_HASH, times: 1, run: () => one(findByHash(project, hashOfLines(linesOf(turn)))) },
    ],
    { rounds: quick ? 5 : 9, warmUpMs: 0 },
  );
  const cost = Number(((figures.get(FOUND).median * 1_000_000) / count / 1000).toPrecision(3));
  return {
    rows: rows(figures, { unit: "ms", to: () => SCANNED }),
    target: { what: "a line found, by the million of records", target: 2, measured: cost, unit: " s", met: cost <= 2 },
    notes: [`Found among ${count.toLocaleString("en")} records; making their outlines once took ${built} ms.`],
  };
}

function* numbered(records) {
  for (const { id } of records) yield id.length;
}

function repeated(times, act) {
  let sum = 0;
  for (let index = 0; index < times; index++) sum += act();
  return sum;
}

const RECORD = {
  id: "7c1f6f0e-5a3c-4a53-9d0e-0d8f0c1b2a3d",
  timestamp: "2026-02-18T12:00:00.000Z",
  intent_id: "INT-001",
  mutation_class: "AST_REFACTOR",
  vcs: { revision_id: "4b825dc642cb6eb9a060e54bf8d69288fbee4904" },
  files: [
    {
      relative_path: "src/auth/middleware.ts",
      ranges: [{ start_line: 15, end_line: 45, content_hash: `sha256:${"ab".repeat(32)}` }],
    },
  ],
  session_id: "s-1",
  tool: "Edit",
  decision: { action: "continue", reasons: [] },
};

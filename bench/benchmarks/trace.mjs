import { createHash } from "node:crypto";
import { mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";
import { rows, sideBySide } from "../measure.mjs";

/** A record of the trace costs microseconds, and a whole trace is checked about as fast as it can be hashed. */
export async function trace({ quick }) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const source = await loadSource(root, [
    "trace/change/trace-file.ts",
    "trace/change/verify.ts",
    "trace/change/place.ts",
  ]);
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  try {
    const appended = await appending(source, folder, quick);
    const checked = await verifying(source, folder, quick);
    return {
      what: "recording changes one after the other, and checking a whole trace",
      rows: [...appended.rows, ...checked.rows],
      targets: [appended.target, checked.target],
      notes: ["Every record takes the lock, reads where the trace ends, and says so before and after its one write."],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const BARE = "one bare write of the same bytes";
const OURS = "one record: lock, chain, write, tip";

async function appending({ openTrace, tracePlace }, folder, quick) {
  const trace = openTrace(tracePlace({ root: folder, env: { XDG_STATE_HOME: join(folder, "state") } }));
  const bare = openSync(join(folder, "bare"), "a");
  const bytes = Buffer.from(`${JSON.stringify(RECORD)}\n`);
  const figures = await sideBySide(
    [
      { label: BARE, run: (times) => repeated(times, () => writeSync(bare, bytes)) },
      { label: OURS, run: (times) => repeated(times, () => (trace.append(RECORD) === undefined ? 1 : Number.NaN)) },
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

async function verifying({ openTrace, tracePlace, verifyTrace }, folder, quick) {
  const root = join(folder, "long");
  const place = tracePlace({ root, env: { XDG_STATE_HOME: join(folder, "state") } });
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

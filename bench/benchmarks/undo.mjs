import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";
import { rows, sideBySide, target } from "../measure.mjs";

/** Keeping what a call destroys takes less than copying it, and a call that destroys nothing pays microseconds. */
export async function undo({ quick }) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const { keepLosses, mayDestroy, callEffects, diskLookups, HookEvent, UNDO_DEFAULTS } = await loadSource(root, [
    "policies/undo/keep.ts",
    "policies/undo/may-destroy.ts",
    "effects/call-effects.ts",
    "runners/disk-lookups.ts",
    "event/event.ts",
    "config/undo-settings.ts",
  ]);
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  const project = join(folder, "project");
  for (let at = 0; at < 1000; at++) {
    mkdirSync(join(project, `src/${at % 20}`), { recursive: true });
    writeFileSync(join(project, `src/${at % 20}/${at}.bin`), Buffer.alloc(10 * 1024, `${at} `));
  }
  let round = 0;
  const keep = () => {
    const state = join(folder, `state-${++round}`);
    const event = HookEvent.toolPreExecute("Bash", { command: "rm -rf src" }, { cwd: project, sessionId: "s" });
    const env = { HOME: state, XDG_STATE_HOME: state, PATH: process.env.PATH };
    const kept = keepLosses(event, { root: project, env, settings: UNDO_DEFAULTS, lookups: diskLookups });
    return kept.kind === "kept" ? kept.call.files.length : Number.NaN;
  };
  const copy = () =>
    spawnSync("cp", ["-r", join(project, "src"), join(folder, `copy-${++round}`)]).status ?? Number.NaN;
  const read = (ask) => async (times) => {
    let sum = 0;
    for (let at = 0; at < times; at++) {
      const command = HARMLESS[at % HARMLESS.length];
      const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: project, sessionId: "s" });
      sum += callEffects(event, diskLookups).effects.length;
      if (ask && mayDestroy(event, diskLookups)) throw new Error(`${command} destroys something`);
    }
    return sum;
  };
  try {
    const question = await sideBySide(
      [
        { label: READ, run: read(false) },
        { label: ASK, run: read(true) },
      ],
      { rounds: quick ? 100 : 400, warmUpMs: quick ? 500 : 2000, batchMs: 5 },
    );
    const asked = Number(((question.get(ASK).median - question.get(READ).median) * 1000).toPrecision(3));
    const figures = await sideBySide(
      [
        { label: COPY, times: 1, run: async () => copy() },
        { label: KEEP, times: 1, run: async () => keep() },
      ],
      { rounds: quick ? 9 : 40, warmUpMs: 1 },
    );
    return {
      what: "keeping 1,000 files of 10 KB before a call removes them, against copying them",
      rows: [...rows(figures, { unit: "ms", to: () => COPY }), ...rows(question, { unit: "µs", to: () => READ })],
      targets: [
        target(figures, { what: "keeping, against cp -r", of: KEEP, to: COPY, atMost: 1.5 }),
        {
          what: "the question, of a call that destroys nothing",
          target: 20,
          measured: asked,
          unit: " µs",
          met: asked <= 20,
        },
      ],
      notes: [
        "Each file is read and hashed, and many small ones are written into one; what git holds in the same bytes would only be named.",
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const COPY = "cp -r";
const KEEP = "kept for undo";
const READ = "a call that destroys nothing, read";
const ASK = "the same, and asked what it destroys";
/** A line of 200 bytes, one that only looks, and one that writes where nothing lies. */
const HARMLESS = [
  "cd packages/core && npx vitest run src/rule/evaluate.test.ts src/rule/operators.test.ts --reporter=dot --no-coverage 2>&1 | grep -vE '^ *(ok|pass)' | tail -60 && git status --short --branch src",
  "ls -la src",
  "echo done > build.log",
];

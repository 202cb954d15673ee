import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";
import { rows, sideBySide, target } from "../measure.mjs";

/** Keeping what a call destroys takes about as long as copying it. */
export async function undo({ quick }) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const { keepLosses, diskLookups, HookEvent, UNDO_DEFAULTS } = await loadSource(root, [
    "policies/undo/keep.ts",
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
  try {
    const figures = await sideBySide(
      [
        { label: COPY, times: 1, run: async () => copy() },
        { label: KEEP, times: 1, run: async () => keep() },
      ],
      { rounds: quick ? 9 : 40, warmUpMs: 1 },
    );
    return {
      what: "keeping 1,000 files of 10 KB before a call removes them, against copying them",
      rows: rows(figures, { unit: "ms", to: () => COPY }),
      targets: [target(figures, { what: "keeping, against cp -r", of: KEEP, to: COPY, atMost: 1.5 })],
      notes: ["Each file is read, hashed and written once; what git holds in the same bytes would only be named."],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const COPY = "cp -r";
const KEEP = "kept for undo";

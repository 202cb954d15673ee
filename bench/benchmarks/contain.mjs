import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";
import { builtFile } from "../built.mjs";
import { figureOf, rows } from "../measure.mjs";

/** A contained call against a free one and against the peer alone, and 1,000 changed files against copying them. */
export async function contain({ quick }) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const { readChanges, commitChanges } = await loadSource(root, [
    "contain/read-changes.ts",
    "contain/commit-changes.ts",
  ]);
  // Not in a temporary folder: that is in memory in a box, and a project seldom is there.
  const base = realpathSync(mkdtempSync(join("/var/lib", "sluice-bench-")));
  const [home, project] = [join(base, "home"), join(base, "project")];
  const env = { ...process.env, HOME: home, SLUICE_RESIDENT: "0" };
  for (const name of Object.keys(env)) if (name.startsWith("XDG_")) delete env[name];
  mkdirSync(join(home, ".config/sluice"), { recursive: true });
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), "contain: all\n");
  for (let at = 0; at < 1000; at++) {
    mkdirSync(join(project, `src/${at % 20}`), { recursive: true });
    writeFileSync(join(project, `src/${at % 20}/${at}.bin`), Buffer.alloc(10 * 1024, `${at} `));
  }
  const lineOf = (command) => {
    const data = { tool_args: { command } };
    const input = JSON.stringify({ type: "tool:pre_execute", tool_name: "Bash", session_id: "s", cwd: project, data });
    const { stdout } = spawnSync(process.execPath, [builtFile("sluice.cjs"), "run", "json"], {
      cwd: project,
      env,
      input,
    });
    const { input: instead } = JSON.parse(stdout);
    if (instead === undefined) throw new Error(`no box can be made here: ${stdout}`);
    return instead.command;
  };
  const timed = (program, args) => {
    const began = performance.now();
    const { status, error } = spawnSync(program, args, { cwd: project, env, stdio: "ignore" });
    if (status !== 0) throw error ?? new Error(`${args.join(" ")} ended with ${status}`);
    return performance.now() - began;
  };
  const contenders = {
    [FREE]: () => timed("sh", ["-c", "true"]),
    [PEER]: () => timed("bwrap", [...BWRAP, "sh", "-c", "true"]),
    [BOXED]: (line) => timed("sh", ["-c", line]),
    [COPY]: () => timed("cp", ["-r", join(project, "src"), join(base, `copy-${Math.random()}`)]),
    [CHANGED]: () => timed("sh", ["-c", CHANGE]),
    [KEPT]: (line) => timed("sh", ["-c", line]),
  };
  contenders[COMMIT] = () => {
    const place = join(base, "box");
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    spawnSync("cp", ["-r", project, join(place, "u0")]);
    spawnSync("sh", ["-c", CHANGE], { cwd: join(place, "u0") });
    const began = performance.now();
    const changes = readChanges(place, [{ path: project, fate: "judged", upper: "u0" }]);
    commitChanges(changes, place);
    if (changes.length !== 1000) throw new Error(`${changes.length} files have changed`);
    return performance.now() - began;
  };
  const samples = Object.fromEntries(Object.keys(contenders).map((label) => [label, []]));
  try {
    for (let round = quick ? 8 : 40; round > 0; round--)
      for (const [label, run] of Object.entries(contenders)) {
        const line = label === BOXED ? lineOf("true") : label === KEPT ? lineOf(CHANGE) : undefined;
        samples[label].push(run(line));
      }
    const figures = new Map(Object.entries(samples).map(([label, found]) => [label, figureOf(label, found)]));
    const median = (label) => figures.get(label).median;
    const added = Number((median(BOXED) - median(FREE)).toPrecision(3));
    const committed = Number((median(COMMIT) / median(COPY)).toPrecision(3));
    return {
      what: "`true` in a box against outside, and 1,000 files of 10 KB that a contained call has changed, judged, kept for undo and put into the project",
      rows: rows(figures, { unit: "ms", to: (label) => ([COPY, CHANGED, KEPT, COMMIT].includes(label) ? COPY : FREE) }),
      targets: [
        { what: "a contained `true` adds", target: 40, measured: added, unit: " ms", met: added <= 40 },
        {
          what: "1,000 changed files, against cp -r",
          target: 1.5,
          measured: committed,
          unit: "x",
          met: committed <= 1.5,
        },
      ],
      notes: [`\`${KEPT}\` also starts Node, judges every file by the policy and keeps what it replaces for undo.`],
    };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const FREE = "true, free";
const PEER = "true, by bubblewrap alone";
const BOXED = "true, contained";
const COPY = "cp -r of 1,000 files";
const CHANGED = "1,000 files rewritten, free";
const COMMIT = "1,000 changed files, read from the box and put into the project";
const KEPT = "1,000 files rewritten, contained";
const CHANGE = `perl -e 'for (glob "src/*/*") { open F, ">", $_; print F rand() x 300; close F }'`;
const BWRAP = "--unshare-all --die-with-parent --ro-bind / / --dev /dev --proc /proc".split(" ");

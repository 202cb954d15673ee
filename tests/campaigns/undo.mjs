// What calls destroy comes back: really destroyed in throw-away projects, undone, and compared byte for byte.
// npm run campaign undo [commands [pattern | number of trees | share, such as 2/9] | kills [times] | sessions | many | full | limits | large | fronts]
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";
import { bash, TOOL_CALLS } from "./undo/calls.mjs";
import { COMMANDS, GIT_COMMANDS, UNCLEAR_COMMANDS } from "./undo/commands.mjs";
import { decisions } from "./undo/decided.mjs";
import { everyFront } from "./undo/fronts.mjs";
import { bundleForChildren, killed, sameFiles, twoSessions } from "./undo/processes.mjs";
import { lostFrom, TREES, treeOf } from "./undo/trees.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const base = mkdtempSync(join(tmpdir(), "sluice-undo-campaign-"));
const sluice = await loadSource(root, [
  "policies/undo/keep.ts",
  "policies/undo/kept-call.ts",
  "policies/undo/recover.ts",
  "policies/undo/restore.ts",
  "runners/disk-lookups.ts",
  "event/event.ts",
  "config/undo-settings.ts",
]);
const { HookEvent, keepLosses, undoCall, undoFolder, readKept, diskLookups, UNDO_DEFAULTS } = sluice;

const [only, pattern = ""] = process.argv.slice(2);
const TREE_COUNT = Object.keys(TREES).length;
let failures = 0;
let count = 0;

const PARTS = {
  commands: async () => {
    const decidedIn = await decisions(root, base, sluice);
    const came = { back: [], harmless: [], stopped: new Map() };
    let cases = 0;
    // With a number, each command is tried in so many trees, the next ones for the next command.
    const trees = /^\d+$/.test(pattern) ? Number(pattern) : Number.POSITIVE_INFINITY;
    // With a share, every so many case is tried, so that several processes can share the work.
    const [, share, shares] = /^(\d+)\/(\d+)$/.exec(pattern) ?? [];
    let all = 0;
    const isWanted = (index, at, text) => {
      if (shares !== undefined) return all++ % Number(shares) === Number(share) - 1;
      return trees < TREE_COUNT ? (index + at) % TREE_COUNT < trees : new RegExp(pattern).test(text);
    };
    for (const [at, [name, make]] of Object.entries(TREES).entries()) {
      const sample = join(base, `tree-${name}`);
      mkdirSync(sample);
      make(sample);
      const isGit = existsSync(join(sample, ".git"));
      const lines = new Set([...COMMANDS, ...UNCLEAR_COMMANDS, ...(isGit ? GIT_COMMANDS : [])]);
      const tried = decidedIn(sample);
      const calls = [...[...lines].map(bash), ...TOOL_CALLS.filter(({ act }) => isGit || !act.startsWith("git"))];
      for (const [index, call] of calls.entries()) {
        const text = `${call.tool} ${call.act}`;
        if (!isWanted(index, at, `${name}: ${text}`)) continue;
        cases++;
        const { came: what, why } = await tried(call);
        if (what === "lost") report(`${name}: ${text}`, why);
        else if (what === "stopped") came.stopped.set(why, [...(came.stopped.get(why) ?? []), `${name}: ${text}`]);
        else came[what].push(`${name}: ${text} ${why}`);
      }
      console.log(`${name}: ${cases} cases until now, ${failures} of them lost something`);
    }
    const stopped = [...came.stopped.values()].flat().length;
    console.log(
      `${cases} cases: ${came.back.length} destroyed something that came back, ${failures} something that did not,`,
    );
    console.log(`${came.harmless.length} destroyed nothing, ${stopped} were stopped:`);
    for (const [why, which] of came.stopped) console.log(`  ${why}\n    ${which.join("\n    ")}`);
    console.log(`Destroyed nothing:\n    ${came.harmless.join("\n    ")}`);
  },
  kills: async () => {
    const times = Number(pattern) || 200;
    const { problems, came } = await killed(root, base, times);
    report("kills", problems);
    console.log(`${times} kills of the built command while keeping and undoing, ${problems.length} problems`);
    for (const [when, many] of Object.entries(came)) console.log(`  ${many} ${when}`);
  },
  sessions: () => {
    const bundle = bundleForChildren(root, base);
    const problems = [...twoSessions(bundle, base, 20), ...sameFiles(bundle, base, 20)];
    report("sessions", problems);
    console.log(`two sessions at once, 20 calls each, and 20 times the same files, ${problems.length} problems`);
  },
  many: () => {
    const { project, env } = fresh();
    for (let at = 0; at < 10_000; at++) {
      const folder = join(project, `src/${at % 100}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${at}.ts`), `export const n = ${at};\n`.repeat(20));
    }
    const before = treeOf(project);
    const [kept, keepMs] = timed(() => keepLosses(call("rm -rf src", project), context(project, env)));
    rmSync(join(project, "src"), { recursive: true });
    const [undone, undoMs] = timed(() => undoCall(undoFolder(env), kept.call));
    report("10,000 files", [...undone.left.map(({ path }) => path), ...lostFrom(before, treeOf(project))]);
    console.log(`10,000 files: kept in ${keepMs} ms, back in ${undoMs} ms`);
  },
  full: () => {
    const disk = join(base, "small-disk");
    mkdirSync(disk);
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", disk]).status !== 0) {
      console.log("full disk: skipped, this user may not mount a file system");
      return;
    }
    try {
      const { project } = fresh();
      const env = { HOME: base, XDG_STATE_HOME: disk, PATH: process.env.PATH };
      for (let at = 0; at < 30; at++) {
        mkdirSync(join(project, "src"), { recursive: true });
        writeFileSync(join(project, `src/${at}`), Buffer.alloc(1024 * 1024, at));
      }
      const before = treeOf(project);
      const kept = keepLosses(call("rm -rf src", project), context(project, env));
      const problems = kept.kind === "not kept" && /disk is full/.test(kept.why) ? [] : [JSON.stringify(kept)];
      report("full disk", [
        ...problems,
        ...lostFrom(before, treeOf(project)),
        ...readKept(undoFolder(env)).map(({ id }) => id),
      ]);
      console.log(`full disk: ${kept.kind}, ${kept.why}`);
      fullAtUndo(disk);
    } finally {
      spawnSync("umount", [disk]);
    }
  },
  large: () => {
    // 1.2 GiB in calls of 16 MiB each meet the limit that holds where no setting says another.
    const { project, env } = fresh();
    const settings = UNDO_DEFAULTS;
    const calls = 75;
    let most = 0;
    for (let at = 0; at < calls; at++) {
      mkdirSync(join(project, "src"), { recursive: true });
      writeFileSync(join(project, "src/data"), randomBytes(16 * 1024 ** 2));
      const kept = keepLosses(call("rm -rf src", project), { ...context(project, env), settings });
      if (kept.kind !== "kept") report("large", [JSON.stringify(kept)]);
      const [used] = spawnSync("du", ["-sb", undoFolder(env)], { encoding: "utf8" }).stdout.split("\t");
      most = Math.max(most, Number(used));
    }
    rmSync(join(project, "src"), { recursive: true });
    const last = readKept(undoFolder(env)).at(-1);
    const { left } = undoCall(undoFolder(env), last);
    report(
      "large",
      left.map(({ path }) => path),
    );
    console.log(
      `${calls * 16} MiB against a limit of ${settings.max / 1024 ** 2} MiB: at most ${Math.round(most / 1024 ** 2)} MiB on the disk at a time`,
    );
    if (most > 1.02 * settings.max) report("large", [`${most} bytes are more than the limit`]);
  },
  fronts: () => {
    const { problems, cases } = everyFront(root, base);
    report("fronts", problems);
    console.log(`${cases} calls by four fronts, ${problems.length} problems`);
  },
  limits: () => {
    const { project, env } = fresh();
    const settings = { ...UNDO_DEFAULTS, max: 3000, call: 2000, files: 5 };
    const problems = [];
    const keep = (name, files, bytes) => {
      mkdirSync(join(project, name));
      for (let at = 0; at < files; at++) writeFileSync(join(project, name, String(at)), Buffer.alloc(bytes, name + at));
      return keepLosses(call(`rm -rf ${name}`, project), { ...context(project, env), settings });
    };
    for (const [name, files, bytes, why] of [
      ["big", 1, 2001, /more than 2/],
      ["many", 7, 1, /more than 5 files/],
    ]) {
      const kept = keep(name, files, bytes);
      if (kept.kind !== "not kept" || !why.test(kept.why)) problems.push(`${name}: ${JSON.stringify(kept)}`);
    }
    for (const name of ["one", "two", "three"]) if (keep(name, 1, 1400).kind !== "kept") problems.push(name);
    const states = readKept(undoFolder(env))
      .map(({ state }) => state)
      .join(" ");
    if (states !== "expired kept kept") problems.push(states);
    report("limits", problems);
    console.log(`limits: ${states}`);
  },
};

/** An undo names what finds no room, and the next one finishes when there is some. */
function fullAtUndo(disk) {
  const { env } = fresh();
  const project = join(disk, "project");
  rmSync(join(disk, "sluice"), { recursive: true, force: true });
  for (let at = 0; at < 12; at++) {
    mkdirSync(join(project, "src"), { recursive: true });
    writeFileSync(join(project, `src/${at}`), Buffer.alloc(1024 * 1024, at));
  }
  const before = treeOf(project);
  const kept = keepLosses(call("rm -rf src", project), context(project, env));
  rmSync(join(project, "src"), { recursive: true });
  writeFileSync(join(project, "other"), Buffer.alloc(20 * 1024 * 1024));
  const first = undoCall(undoFolder(env), kept.call);
  const [half] = readKept(undoFolder(env));
  const drafts = [...treeOf(project)].filter(
    ([key, is]) => key !== "/other" && is !== before.get(key) && !is.startsWith("folder"),
  );
  rmSync(join(project, "other"));
  const second = undoCall(undoFolder(env), half);
  const problems = [
    ...(first.left.length > 0 && half.state === "kept" ? [] : ["the first undo says that all came back"]),
    ...drafts.map(([key]) => `${key} is half a file`),
    ...second.left.map(({ path, why }) => `${path}: ${why}`),
    ...lostFrom(before, treeOf(project)),
  ];
  report("full disk at an undo", problems);
  console.log(`full disk at an undo: ${first.left.length} of 12 left and named, then ${second.restored.length} back`);
}

function fresh() {
  const project = join(base, `p${++count}`);
  const env = { HOME: join(base, `h${count}`), XDG_STATE_HOME: join(base, `h${count}/state`), PATH: process.env.PATH };
  mkdirSync(env.HOME, { recursive: true });
  mkdirSync(project);
  return { project, env };
}

function context(project, env) {
  return { root: project, env, settings: UNDO_DEFAULTS, lookups: diskLookups };
}

function call(command, cwd) {
  return HookEvent.toolPreExecute("Bash", { command }, { cwd, sessionId: "s" });
}

function timed(act) {
  const began = performance.now();
  return [act(), Math.round(performance.now() - began)];
}

function report(name, problems) {
  if (problems.length === 0) return;
  failures++;
  console.log(`FAILED ${name}`);
  for (const problem of problems.slice(0, 12)) console.log(`    ${problem}`);
}

try {
  for (const [name, part] of Object.entries(PARTS)) if (only === undefined || only === name) await part();
} finally {
  spawnSync("chmod", ["-R", "u+rwx", base]);
  rmSync(base, { recursive: true, force: true });
}
console.log(failures === 0 ? "All came back." : `${failures} failed.`);
process.exitCode = failures === 0 ? 0 : 1;

// Processes that keep and undo, and are killed or run at the same time.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { lostFrom, treeOf } from "./trees.mjs";

/** A file that a process of its own runs: `keep`, `undo` or `rounds`, in a project with a state of its own. */
export function bundleForChildren(root, base) {
  const file = join(base, "child.cjs");
  buildSync({
    stdin: { contents: CHILD, resolveDir: root },
    bundle: true,
    outfile: file,
    format: "cjs",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "error",
    define: { "import.meta.url": JSON.stringify(`file://${root}/src/x.ts`) },
  });
  return file;
}

/** Kills a process while it keeps or undoes, and asks whether everything is still there. */
export function killed(bundle, base, times) {
  const problems = [];
  const run = (act, project, state, killAfter) =>
    spawnSync(process.execPath, [bundle, act, project, state], {
      encoding: "utf8",
      timeout: killAfter ?? 60_000,
      killSignal: "SIGKILL",
    });
  const whole = wholeTime(run, base);
  for (let at = 0; at < times; at++) {
    const project = join(base, `k${at}`);
    const state = join(base, `s${at}`);
    fill(project, at);
    const before = treeOf(project);
    const isKeeping = at % 2 === 0;
    const moment = Math.round(
      whole[isKeeping ? "began" : "read"] + Math.random() * 1.1 * whole[isKeeping ? "keep" : "undo"],
    );
    if (isKeeping) {
      run("keep", project, state, moment);
      if (lostFrom(before, treeOf(project)).length > 0) problems.push(`${at}: keeping changed the project`);
      const second = run("keep", project, state);
      if (second.status !== 0) problems.push(`${at}: keeping again: ${second.stderr}`);
      rmSync(join(project, "src"), { recursive: true });
    } else {
      run("keep", project, state);
      rmSync(join(project, "src"), { recursive: true });
      run("undo", project, state, moment);
    }
    const last = run("undo", project, state);
    const lost = lostFrom(before, treeOf(project));
    const more = [...treeOf(project).keys()].filter((key) => !before.has(key));
    if (last.status !== 0 || lost.length > 0 || more.length > 0)
      problems.push(
        `${at} after ${moment} ms: ${last.stderr}${last.stdout}${[...lost, ...more].slice(0, 3).join(", ")}`,
      );
    rmSync(project, { recursive: true, force: true });
    rmSync(state, { recursive: true, force: true });
  }
  return problems;
}

/** How long the process takes to begin, to keep and to undo. */
function wholeTime(run, base) {
  const [project, state] = [join(base, "k"), join(base, "s")];
  fill(project, 0);
  const time = (act) => {
    const began = performance.now();
    const { stdout } = run(act, project, state);
    return [performance.now() - began, Number(/took (\d+)/.exec(stdout)?.[1] ?? 0)];
  };
  const [kept, keep] = time("keep");
  rmSync(join(project, "src"), { recursive: true });
  const [undone, undo] = time("undo");
  return { began: Math.max(1, kept - keep - 10), keep, read: Math.max(1, undone - undo - 10), undo };
}

/** Two processes keep, destroy and undo in one project and one store. */
export function twoSessions(bundle, base, rounds) {
  const project = join(base, "both");
  const state = join(base, "both-state");
  for (const part of ["one", "two"]) fill(join(project, part), part.length);
  const before = treeOf(project);
  const line = ["one", "two"].map(
    (part) => `"${process.execPath}" "${bundle}" rounds "${project}" "${state}" ${part} ${rounds} &`,
  );
  const ran = spawnSync("bash", ["-c", `${line.join("\n")} wait`], { encoding: "utf8", timeout: 300_000 });
  return [...(ran.stderr === "" ? [] : [ran.stderr.slice(0, 500)]), ...lostFrom(before, treeOf(project))];
}

/** Two processes keep the same files, destroy them and bring them back, all at the same time. */
export function sameFiles(bundle, base, rounds) {
  const problems = [];
  const [project, state] = [join(base, "same"), join(base, "same-state")];
  fill(project, 4);
  const before = treeOf(project);
  for (let at = 0; at < rounds; at++) {
    const line = `"${process.execPath}" "${bundle}" contend "${project}" "${state}" &`;
    const ran = spawnSync("bash", ["-c", `${line}\n${line} wait`], { encoding: "utf8", timeout: 300_000 });
    const now = treeOf(project);
    const more = [...now.keys()].filter((key) => !before.has(key));
    problems.push(...[ran.stderr.slice(0, 500), ...lostFrom(before, now), ...more].filter((text) => text !== ""));
  }
  return problems;
}

function fill(project, seed) {
  for (let at = 0; at < 150; at++) {
    const folder = join(project, `src/${at % 10}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.ts`), `// ${seed}\n`.repeat(1 + ((at * 37) % 400)));
  }
}

const CHILD = `
import { HookEvent } from "./src/event/event.ts";
import { keepLosses } from "./src/policies/undo/keep.ts";
import { readKept, undoFolder } from "./src/policies/undo/kept-call.ts";
import { undoCall } from "./src/policies/undo/restore.ts";
import { diskLookups } from "./src/runners/disk-lookups.ts";
import { UNDO_DEFAULTS } from "./src/config/undo-settings.ts";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
const [, , act, root, state, part, rounds] = process.argv;
const env = { HOME: state, XDG_STATE_HOME: state, PATH: process.env.PATH };
const keep = (path) => {
  const event = HookEvent.toolPreExecute("Bash", { command: "rm -rf " + path }, { cwd: root, sessionId: part ?? "s" });
  const kept = keepLosses(event, { root, env, settings: UNDO_DEFAULTS, lookups: diskLookups });
  if (kept.kind !== "kept") throw new Error(JSON.stringify(kept));
  return kept.call;
};
const undo = (call) => {
  const { left } = undoCall(undoFolder(env), call);
  if (left.length > 0) throw new Error(JSON.stringify(left.slice(0, 3)));
};
const began = performance.now();
if (act === "keep") keep("src");
if (act === "undo") undo(readKept(undoFolder(env)).findLast(({ files }) => files.length > 0));
if (act === "contend") {
  const call = keep("src");
  writeFileSync(state + "/kept-" + process.pid, "");
  // Nothing is destroyed before both have kept it.
  while (readdirSync(state).filter((name) => name.startsWith("kept-")).length % 2 === 1);
  rmSync(root + "/src", { recursive: true, force: true, maxRetries: 5 });
  writeFileSync(state + "/gone-" + process.pid, "");
  while (readdirSync(state).filter((name) => name.startsWith("gone-")).length % 2 === 1);
  undo(call);
}
if (act === "rounds")
  for (let at = 0; at < Number(rounds); at++) {
    const call = keep(part + "/src");
    rmSync(root + "/" + part + "/src", { recursive: true });
    undo(call);
  }
console.log("took " + Math.round(performance.now() - began));
`;

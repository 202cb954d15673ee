// Processes that keep and undo, and are killed or run at the same time.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { lostFrom, treeOf } from "./trees.mjs";

/** A file that a process of its own runs: `contend` or `rounds`, in a project with a state of its own. */
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

/**
 * Kills the built command while it keeps or undoes, and asks whether everything is still there: a call that was not kept
 * whole is kept by the next one, and an undo that was not finished says so and is finished by the next one.
 */
export async function killed(root, base, times) {
  const sluice = join(root, "dist/sluice.cjs");
  const sample = join(base, "k-sample");
  fill(sample, 7, 1500);
  const before = treeOf(sample);
  const problems = [];
  const came = { "before it began": 0, "in the middle": 0, "after it had ended": 0 };
  const spans = { keep: 0, undo: 0 };
  for (let at = 0; at < times; at++) {
    const [project, home] = [join(base, `k${at}`), join(base, `s${at}`)];
    spawnSync("cp", ["-a", sample, project]);
    const state = join(home, "state/sluice/undo");
    mkdirSync(join(home, "config/sluice"), { recursive: true });
    writeFileSync(join(home, "config/sluice/hooks.yaml"), "guards: standard\n");
    const run = (words, input) => ({ words: [sluice, ...words], input, project, env: environment(home) });
    const keep = run(["run", "claude-code", "--cold"], payload(project));
    const undo = run(["undo", "--last"]);
    const isKeeping = at % 2 === 0;
    const lost = () => lostFrom(before, treeOf(project));
    if (isKeeping) {
      const isKept = () => namesIn(join(state, "calls")).some((name) => name.endsWith(".json"));
      const began = await killedWhen(keep, () => existsSync(join(state, "objects")), spans, "keep", at);
      came[isKept() ? "after it had ended" : began ? "in the middle" : "before it began"]++;
      if (lost().length > 0) problems.push(`${at}: keeping changed the project`);
    }
    const kept = ended(keep);
    if (/"permissionDecision":"(?:deny|ask)"/.test(kept.stdout) || kept.status !== 0)
      problems.push(`${at}: keeping again: ${kept.stdout}${kept.stderr}`);
    rmSync(join(project, "src"), { recursive: true });
    if (!isKeeping) {
      const all = lost().length;
      const began = await killedWhen(undo, () => existsSync(join(project, "src")), spans, "undo", at);
      const missing = lost().length;
      const [call] = JSON.parse(ended(run(["undo", "--list", "--json"])).stdout);
      came[call.state === "undone" ? "after it had ended" : began ? "in the middle" : "before it began"]++;
      const isHalf = missing > 0 && missing < all;
      if (isHalf && !call.interrupted) problems.push(`${at}: ${missing} of ${all} are missing, and nothing says so`);
      if (missing > 0 && call.state === "undone")
        problems.push(`${at}: ${missing} are missing, and it is called undone`);
    }
    const [call] = JSON.parse(ended(run(["undo", "--list", "--json"])).stdout);
    const last = call.state === "undone" ? { status: 0 } : ended(undo);
    const more = [...treeOf(project).keys()].filter((key) => !before.has(key));
    if (last.status !== 0 || lost().length > 0 || more.length > 0)
      problems.push(`${at}: ${last.stderr}${last.stdout}${[...lost(), ...more].slice(0, 3).join(", ")}`);
    rmSync(project, { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true });
  }
  return { problems, came };
}

/** Starts a command and kills it at some moment after a sign shows that it is at work; whether there was the sign. */
function killedWhen({ words, input, project, env }, sign, spans, act, at) {
  return new Promise((done) => {
    const child = spawn(process.execPath, words, { cwd: project, env, stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    // The first ones run to their end and show how long the work takes.
    const isWhole = at < 2;
    let began;
    const watch = setInterval(() => {
      if (began !== undefined || !sign()) return;
      began = performance.now();
      if (!isWhole) setTimeout(() => child.kill("SIGKILL"), Math.random() * spans[act]);
    }, 1);
    // Every tenth one is killed before there is a sign.
    if (!isWhole && at % 20 < 2) setTimeout(() => child.kill("SIGKILL"), 20 + Math.random() * 200);
    child.on("exit", () => {
      clearInterval(watch);
      if (isWhole && began !== undefined) spans[act] = performance.now() - began;
      done(began !== undefined);
    });
  });
}

function ended({ words, input, project, env }) {
  return spawnSync(process.execPath, words, { cwd: project, env, input, encoding: "utf8", timeout: 120_000 });
}

function payload(project) {
  return JSON.stringify({
    session_id: "s",
    cwd: project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "rm -rf src" },
  });
}

function environment(home) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    SLUICE_RESIDENT: "0",
  };
}

function namesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
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

function fill(project, seed, files = 150) {
  for (let at = 0; at < files; at++) {
    const folder = join(project, `src/${at % 10}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.ts`), `// ${seed}\n`.repeat(1 + ((at * 37) % 400)));
  }
}

const CHILD = `
import { HookEvent } from "./src/event/event.ts";
import { keepLosses } from "./src/policies/undo/keep.ts";
import { undoFolder } from "./src/policies/undo/kept-call.ts";
import { undoCall } from "./src/policies/undo/restore.ts";
import { diskLookups } from "./src/runners/disk-lookups.ts";
import { UNDO_DEFAULTS } from "./src/config/undo-settings.ts";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
const [, , act, root, state, part, rounds] = process.argv;
// Numbers of processes are used again.
const name = process.pid + "-" + Math.random().toString(36).slice(2);
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
if (act === "contend") {
  const call = keep("src");
  writeFileSync(state + "/kept-" + name, "");
  // Nothing is destroyed before both have kept it.
  while (readdirSync(state).filter((name) => name.startsWith("kept-")).length % 2 === 1);
  rmSync(root + "/src", { recursive: true, force: true, maxRetries: 5 });
  writeFileSync(state + "/gone-" + name, "");
  while (readdirSync(state).filter((name) => name.startsWith("gone-")).length % 2 === 1);
  undo(call);
}
if (act === "rounds")
  for (let at = 0; at < Number(rounds); at++) {
    const call = keep(part + "/src");
    rmSync(root + "/" + part + "/src", { recursive: true });
    undo(call);
  }
`;

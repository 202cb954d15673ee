// Every way in that keeps: the command by itself, the daemon, and both engines inside other programs, for tools of every kind.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CALLS } from "./calls.mjs";
import { guardedHome } from "./guarded-home.mjs";
import { gitStateOf, lostFrom, TREES, treeOf } from "./trees.mjs";

const EMBEDDED = `
const [, entry, kind, when, root, tool, args] = process.argv;
const { createHookEngine, HooksManager } = await import(entry);
const input = JSON.parse(args);
if (kind === "engine") {
  const engine = await createHookEngine({ root, sessionId: "s" });
  const call = { toolName: tool, toolInput: input };
  console.log(JSON.stringify(when === "pre" ? await engine.preToolUse(call) : await engine.postToolUse(call, "")));
} else {
  const manager = new HooksManager({ root });
  manager.load();
  const event = when === "pre" ? "PreToolUse" : "PostToolUse";
  const { action } = await manager.decide({ sessionId: "s" }, event, { tool, args: input, result: "" });
  console.log(JSON.stringify({ allow: action === "continue", action }));
}
process.exit(0);
`;

/** Tries every call by every front; the problems of each, and how many were tried. */
export function everyFront(root, base) {
  const sluice = join(root, "dist/sluice.cjs");
  const entry = pathToFileURL(join(root, "dist/index.js")).href;
  const env = guardedHome(join(base, "front-home"));
  const sample = join(base, "front-sample");
  mkdirSync(sample);
  TREES.changed(sample);
  const run = (words, cwd, input, more = {}) =>
    spawnSync(process.execPath, words, { cwd, input, encoding: "utf8", env: { ...env, ...more } });
  const byCommand = (words, more) => (when, project, tool, args) => {
    const payload = {
      session_id: "s",
      cwd: project,
      hook_event_name: when === "pre" ? "PreToolUse" : "PostToolUse",
      tool_name: tool,
      tool_input: args,
      ...(when === "pre" ? {} : { tool_response: "" }),
    };
    const { stdout, stderr } = run([sluice, "run", "claude-code", ...words], project, JSON.stringify(payload), more);
    return /"permissionDecision":\s*"(?:deny|ask)"/.test(stdout) ? `${stdout}${stderr}` : "passes";
  };
  const embedded = (kind) => (when, project, tool, args) => {
    const words = ["--input-type=module", "-e", EMBEDDED, entry, kind, when, project, tool, JSON.stringify(args)];
    const { stdout, stderr } = run(words, project);
    return when === "post" || /"allow":true/.test(stdout) ? "passes" : `${stdout}${stderr}`;
  };
  const fronts = {
    cold: byCommand(["--cold"], { SLUICE_DAEMON: "off" }),
    daemon: byCommand([], {}),
    createHookEngine: embedded("engine"),
    HooksManager: embedded("manager"),
  };
  const daemon = spawn(process.execPath, [sluice, "serve"], { env, cwd: base, stdio: "ignore" });
  const problems = [];
  let cases = 0;
  try {
    for (let waited = 0; waited < 50 && run([sluice, "serve", "--status"], base).status !== 0; waited++);
    for (const [name, front] of Object.entries(fronts))
      for (const call of CALLS) {
        cases++;
        problems.push(...tried(front, call).map((problem) => `${name}, ${call.tool} ${call.act}: ${problem}`));
      }
  } finally {
    run([sluice, "serve", "--stop"], base);
    daemon.kill();
  }
  return { problems, cases };

  function tried(front, call) {
    const project = join(base, "front-project");
    rmSync(project, { recursive: true, force: true });
    rmSync(join(env.XDG_STATE_HOME, "sluice/undo"), { recursive: true, force: true });
    spawnSync("cp", ["-a", sample, project]);
    const args = JSON.parse(JSON.stringify(call.args).replaceAll("$ROOT", project));
    const [before, gitBefore] = [treeOf(project), gitStateOf(project)];
    const said = front("pre", project, call.tool, args);
    if (said !== "passes") return [`is stopped: ${said.slice(0, 300)}`];
    spawnSync("bash", ["-c", call.act], { cwd: project, env });
    if (lostFrom(before, treeOf(project)).length === 0 && gitStateOf(project) === gitBefore)
      return ["destroys nothing"];
    front("post", project, call.tool, args);
    const undone = run([sluice, "undo", "--last"], project);
    const lost = lostFrom(before, treeOf(project));
    const git =
      /git (?:reset|stash|branch|tag)/.test(call.act) && gitStateOf(project) !== gitBefore ? ["git's state"] : [];
    return undone.status === 0
      ? [...lost, ...git]
      : [`${undone.stdout}${undone.stderr}`.slice(0, 300), ...lost, ...git];
  }
}

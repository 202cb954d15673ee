// Whole decisions: a call is decided as in any program, really made where it passes, undone, and compared.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { guardedHome } from "./guarded-home.mjs";
import { gitStateOf, lostFrom, lostOfGit, treeOf } from "./trees.mjs";

/**
 * Decides calls in copies of a tree. What comes of one: `stopped` with the reason, `harmless` where nothing was lost, `back`,
 * or `lost` with what is not as it was.
 */
export async function decisions(root, base, { undoCall, readKept, undoFolder, keepPresent, UNDO_DEFAULTS }) {
  const path = `${join(root, "tests/campaigns/undo/bin")}:${process.env.PATH}`;
  const env = { ...guardedHome(join(base, "decided-home")), PATH: path };
  Object.assign(process.env, env);
  const { HooksManager } = await import(pathToFileURL(join(root, "dist/index.js")).href);
  let sessions = 0;

  /** A copy of a tree in which calls are decided, one after the other; each finds the tree as it was. */
  return function decidedIn(sample) {
    const project = `${sample}-project`;
    const manager = new HooksManager({ root: project });
    manager.load();
    const isGit = existsSync(join(sample, ".git"));
    const before = treeOf(sample);
    const gitBefore = isGit ? gitStateOf(sample) : "";
    return async function tried({ tool, args, act }) {
      if (process.geteuid() !== 0) spawnSync("chmod", ["-R", "u+rwx", project], { stdio: "ignore" });
      for (const path of [project, undoFolder(env), join(base, "moved-away")])
        rmSync(path, { recursive: true, force: true });
      spawnSync("cp", ["-a", sample, project]);
      const session = { sessionId: `s${++sessions}` };
      const input = JSON.parse(JSON.stringify(args).replaceAll("$ROOT", project));
      const { action, reasons } = await manager.decide(session, "PreToolUse", { tool, args: input });
      if (action !== "continue") return { came: "stopped", why: reasons.join(" ").replaceAll(project, "") };
      const { stderr } = spawnSync("bash", ["-c", act], {
        cwd: project,
        encoding: "utf8",
        env: { ...env, ...AUTHOR },
        timeout: 60_000,
      });
      await manager.decide(session, "PostToolUse", { tool, args: input, result: "" });
      const kept = readKept(undoFolder(env)).filter((call) => call.state === "kept");
      const isOfGit = isGit && /\bgit\b/.test(act);
      // What was written anew in the same bytes is not lost.
      const made = lostFrom(before, treeOf(project)).filter((text) => kept.length > 0 || !isOnlyTime(text));
      const hasChanged = made.length > 0 || (isOfGit && gitStateOf(project) !== gitBefore);
      const left = kept.reverse().flatMap((call) => {
        const present = (paths) => keepPresent(paths, call, undoFolder(env), UNDO_DEFAULTS);
        return undoCall(undoFolder(env), call, { keepPresent: present }).left;
      });
      const gitNow = isOfGit ? gitStateOf(project) : gitBefore;
      const lost = [
        ...left.map(({ path, why }) => `left ${path}: ${why}`),
        ...(kept.length > 0 ? lostFrom(before, treeOf(project)) : made),
        ...lostOfGit(gitBefore, gitNow).map((line) => `git: ${line}`),
      ];
      const said = stderr.trim().slice(0, 200);
      if (lost.length > 0) return { came: "lost", why: [...lost.slice(0, 11), `(${kept.length} kept) ${said}`] };
      return { came: hasChanged ? "back" : "harmless", why: said };
    };
  };
}

/** Whether a difference is that of the time alone. */
function isOnlyTime(text) {
  const [, mode, content] = /: file (\d+) \d+ (\d+ \S+)/.exec(text) ?? [];
  return text.includes(` is file ${mode} `) && text.split(" is file ")[1]?.endsWith(` ${content} `);
}

const AUTHOR = {
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

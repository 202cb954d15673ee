import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HookEvent } from "../../src/event/event.ts";
import { keepLosses } from "../../src/policies/undo/keep.ts";
import { readKept, undoFolder } from "../../src/policies/undo/kept-call.ts";
import { noteEnd } from "../../src/policies/undo/recover.ts";
import { undoCall } from "../../src/policies/undo/restore.ts";
import { UNDO_DEFAULTS } from "../../src/config/undo-settings.ts";
import { diskLookups } from "../../src/runners/disk-lookups.ts";
import { gitStateOf, sampleProject, treeOf } from "./sample-project.ts";

let base: string;
let sample: string;
let count = 0;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "sluice-undo-"));
  sample = sampleProject(join(base, "sample"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A copy of the sample project and a state folder of its own. */
function project() {
  const root = join(base, `p${++count}`);
  const env = { HOME: join(base, `h${count}`), XDG_STATE_HOME: join(base, `h${count}/state`), PATH: process.env.PATH };
  mkdirSync(env.HOME, { recursive: true });
  spawnSync("cp", ["-a", sample, root]);
  return { root, env, settings: UNDO_DEFAULTS, lookups: diskLookups };
}

function event(command: string, root: string): HookEvent {
  return HookEvent.toolPreExecute("Bash", { command }, { cwd: root, sessionId: "s" });
}

/** One of each kind; the campaign `undo` has them all, in trees of every kind. */
const DESTROYING = [
  "rm -rf src notes",
  "rm -rf *",
  "rm -rf 'src/with blank.ts' data.bin",
  "cd src && rm -rf deep",
  "rm -rf src && mkdir src && echo new > src/index.ts",
  "rm -rf link logs scratch.tmp",
  "> README.md",
  "truncate -s 0 data.bin",
  "ln -sf nowhere README.md",
  "mv notes/todo.md README.md",
  "sed -i s/answer/question/ src/index.ts",
  "find notes -type f | xargs -d '\\n' rm",
  "python3 -c \"import shutil; shutil.rmtree('src')\"",
  "shred -u notes/todo.md",
  "git reset --hard HEAD~1",
  "git checkout .",
  "git checkout HEAD~1 -- src/index.ts",
  "git restore --source=HEAD~1 src",
  "git switch -f topic",
  "git clean -fdx",
  "git rm -rfq src",
  "git stash drop stash@{1}",
  "git stash clear",
  "rm -rf src; git branch -D topic",
] as const;

describe("what a call destroys comes back", () => {
  test.each(DESTROYING)("%s", (command) => {
    const context = project();
    const { root } = context;
    const isGit = command.includes("git ");
    const [before, gitBefore] = [treeOf(root), isGit ? gitStateOf(root) : ""];
    const kept = keepLosses(event(command, root), context);
    if (kept.kind !== "kept") throw new Error(JSON.stringify(kept));
    const ran = spawnSync("sh", ["-c", command], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, ...context.env },
    });
    const after = JSON.stringify([treeOf(root), isGit ? gitStateOf(root) : ""]);
    expect(after, ran.stderr).not.toBe(JSON.stringify([before, gitBefore]));
    // The agent tells that the call has ended.
    noteEnd(HookEvent.toolPostExecute("Bash", { command }, "", { cwd: root, sessionId: "s" }), context.env);
    const [ended = kept.call] = readKept(undoFolder(context.env));
    const undone = undoCall(undoFolder(context.env), ended);
    expect(undone.left).toEqual([]);
    const now = treeOf(root);
    expect({ ...now, ...Object.fromEntries(Object.keys(before).map((key) => [key, now[key]])) }).toMatchObject(before);
    if (/git (?:reset|stash|branch|tag|clean)/.test(command)) expect(gitStateOf(root)).toBe(gitBefore);
  });
});

const NOT_KEPT = {
  "rm -rf $FOLDER": "known only when",
  "rm -rf ~/other": "outside of the project",
  "rm -rf /opt/other": "outside of the project",
  "rm -rf .git": "repository",
  "rm -rf .": "whole project",
  "git reflog expire --expire=now --all": "cannot be told",
  "git add -A && git reset --hard": "on the same line",
  "git stash && git stash drop": "on the same line",
  "rm -rf $(cat list)": "known only when",
} as const;

describe("what is not known exactly is not kept", () => {
  test.each(Object.entries(NOT_KEPT))("%s", (command, why) => {
    const context = project();
    const kept = keepLosses(event(command, context.root), context);
    expect(kept).toMatchObject({ kind: "not kept", why: expect.stringContaining(why) });
  });
});

test("a call that destroys nothing keeps nothing", () => {
  const context = project();
  for (const command of ["ls", "git status", "rm -rf build", "echo x > new.txt", "mkdir a"])
    expect(keepLosses(event(command, context.root), context), command).toEqual({ kind: "nothing" });
});

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { decideInProject } from "../../src/decide/in-project.ts";
import { readLayers } from "../../src/decide/layers.ts";
import { configurationAt } from "../../src/decide/project.ts";
import { callEffects } from "../../src/effects/call-effects.ts";
import { isDisposable } from "../../src/effects/path-class.ts";
import { HookEvent } from "../../src/event/event.ts";
import { gitIndexAt } from "../../src/fs/git-index.ts";
import { diskLookups } from "../../src/runners/disk-lookups.ts";

let base: string;
let home: string;

/** Two projects, one with git and one without, in a home with folders that only look like build output. */
const TREE = {
  "git/.gitignore": "generated/\n*.cache.d\n/data/\nscratch/\n",
  "git/package.json": "{}",
  "git/src/a.ts": "a",
  "git/lib/dist/kept.js": "committed",
  "git/packages/build/src/b.ts": "b",
  "git/dist/a.js": "a",
  "git/node_modules/x/index.js": "x",
  "git/generated/c.ts": "c",
  "git/data/users.db": "users",
  "git/docs/build/page.md": "untracked and not ignored",
  "git/rust/Cargo.toml": "",
  "git/rust/target/debug/x": "x",
  "git/.venv/pyvenv.cfg": "",
  "git/scratch/notes.md": "ignored",
  "plain/package.json": "{}",
  "plain/dist/a.js": "a",
  "plain/tmp/x": "x",
  "target/photos/1.jpg": "photo",
  "build/thesis.tex": "thesis",
  "other/node_modules/.package-lock.json": "{}",
} as const;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "sluice-made-"));
  // Not in the system's folder for temporary files, as far as the call can see.
  home = join(base, "home");
  for (const [path, text] of Object.entries(TREE)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.email=a@b", "-c", "user.name=a", ...words], { cwd: join(home, "git") });
  git("init", "-q");
  git("add", ".gitignore", "package.json", "src", "lib", "packages", "rust/Cargo.toml");
  git("add", "-f", "lib/dist");
  git("commit", "-qm", "all");
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function disposable(path: string, project: string): boolean {
  const event = HookEvent.toolPreExecute("Bash", { command: `rm -rf ${path}` }, { cwd: join(home, project) });
  const call = callEffects(event, diskLookups);
  if (call === undefined) throw new Error("no effects");
  return isDisposable({ text: path, isKnown: true, isGlob: path.includes("*") }, call.place);
}

describe("what can be made again is told by what lies there", () => {
  test.each([
    ["git", "dist", true, "build output beside a manifest"],
    ["git", "dist/*", true, "all of it"],
    ["git", "dist/assets", true, "what is not there counts by its name"],
    ["git", "node_modules", true, "packages"],
    ["git", "node_modules/x", true, "one of them"],
    ["git", "generated", true, "ignored by git"],
    ["git", "scratch", true, "ignored by git"],
    ["git", "rust/target", true, "beside Cargo.toml"],
    ["git", ".venv", true, "with pyvenv.cfg"],
    ["git", "src", false, "tracked"],
    ["git", "lib/dist", false, "build output that is committed"],
    ["git", "packages/build/src", false, "a package called build"],
    ["git", "packages/build", false, "a package called build"],
    ["git", "docs/build", false, "neither ignored nor beside a manifest"],
    ["git", "data", false, "ignored, and there is no other copy"],
    ["plain", "dist", true, "build output beside a manifest"],
    ["plain", "tmp", true, "in a project without git the name counts"],
  ])("%s: %s is %s: %s", (project, path, expected) => {
    expect(disposable(path, project)).toBe(expected);
  });

  test("the names of its own folders say nothing about a project", () => {
    const event = HookEvent.toolPreExecute("Bash", { command: "rm -rf photos" }, { cwd: join(home, "target") });
    const place = callEffects(event, diskLookups)?.place;
    expect(place && isDisposable({ text: "photos", isKnown: true, isGlob: false }, place)).toBe(false);
  });
});

test("without a disk a name counts for the folder itself, and for folders that only tools make", () => {
  const named = (text: string) =>
    isDisposable({ text, isKnown: true, isGlob: text.includes("*") }, { cwd: "/home/u/p", home: "/home/u" });
  for (const path of ["dist", "dist/*", "packages/a/dist", "node_modules", "a/node_modules/b", "/tmp/x", "build/lib"])
    expect(named(path), path).toBe(true);
  for (const path of ["~/target/photos", "packages/build/src", "~/build", "src", "/data/target/photos", "../src"])
    expect(named(path), path).toBe(false);
});

test("the index of git is read without git", () => {
  const index = gitIndexAt(join(home, "git/src"));
  const at = (path: string) => Buffer.from(join(home, "git", path));
  expect(index?.blobOf(at("src/a.ts"))).toBe(
    execFileSync("git", ["hash-object", "src/a.ts"], { cwd: join(home, "git"), encoding: "utf8" }).trim(),
  );
  for (const path of ["src", "src/a.ts", "packages/build", "lib/dist"]) expect(index?.holds(at(path)), path).toBe(true);
  for (const path of ["rc", "src/a.t", "dist", "uild", "build", "ackages"])
    expect([index?.holds(at(path)), index?.blobOf(at(path))], path).toEqual([false, undefined]);
});

test("what a session has moved out of the project is no temporary file there", async () => {
  const root = join(home, "git");
  const away = join(base, "away");
  for (const [name, folder] of [
    ["HOME", "fresh"],
    ["XDG_CONFIG_HOME", "fresh/config"],
    ["XDG_STATE_HOME", "fresh/state"],
  ] as const)
    vi.stubEnv(name, join(base, folder));
  mkdirSync(join(base, "fresh/config/sluice"), { recursive: true });
  writeFileSync(join(base, "fresh/config/sluice/hooks.yaml"), "guards: standard\n");
  const decided = async (command: string, sessionId = "s") => {
    const configuration = configurationAt(root, { env: process.env, layers: readLayers });
    const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: root, sessionId });
    return (await decideInProject(event, configuration, { env: process.env })).decision;
  };
  try {
    expect(await decided(`mv src ${away}`)).toMatchObject({ action: "continue", kept: { files: 1 } });
    execFileSync("mv", ["src", away], { cwd: root });
    expect(await decided(`rm -rf ${away}`)).toMatchObject({ action: "deny" });
    expect(await decided(`rm -rf ${away}`, "another session")).toMatchObject({ action: "continue" });
    expect(await decided(`rm -rf ${base}/never-moved`)).toMatchObject({ action: "continue" });
  } finally {
    vi.unstubAllEnvs();
  }
});

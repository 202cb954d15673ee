import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { copiedLauncher, copyPackage, isTemporary, removeCopy } from "../../src/install/own-copy.ts";
import { project } from "../cli/sluice.ts";
import { COMMAND } from "../command-server/run-command.ts";

const SETTINGS = '{ "model": "opus" }';

/** A home in which Claude Code has left its settings, and nothing of its programs is in the path. */
function home() {
  const made = project();
  const settings = join(made.home, ".claude/settings.json");
  mkdirSync(dirname(settings));
  writeFileSync(settings, SETTINGS);
  return { ...made, settings, sluice: made.with({ PATH: "/usr/bin:/bin" }) };
}

describe("sluice setup", () => {
  it("guards the agents of this machine, proves it with a canary, and ends with the page's address", () => {
    const here = home();
    const { code, out } = here.sluice("setup");
    expect(code).toBe(0);
    expect(out).toContain("Found here: claude-code.");
    expect(out).toContain("guards: standard");
    expect(out).toContain("✓ Claude Code: the canary was denied; it has not called Sluice yet");
    expect(out.trimEnd()).toMatch(/ui --port \d+` serves it at http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(readFileSync(here.settings, "utf8")).toContain("run claude-code");
  });

  it("changes nothing when it runs again", () => {
    const here = home();
    here.sluice("setup");
    const before = readFileSync(here.settings, "utf8");
    expect(here.sluice("setup")).toMatchObject({ code: 0, out: expect.stringContaining("Nothing to do") });
    expect(readFileSync(here.settings, "utf8")).toBe(before);
  });

  it("is undone by uninstall, byte for byte", () => {
    const here = home();
    here.sluice("setup");
    expect(here.sluice("uninstall", "--yes").code).toBe(0);
    expect(readFileSync(here.settings, "utf8")).toBe(SETTINGS);
    expect([".claude.json", ".config"].filter((name) => existsSync(join(here.home, name)))).toEqual([]);
  });

  it("leaves a configuration that the user has changed, and one that was there before", () => {
    const changed = home();
    changed.sluice("setup");
    const path = join(changed.home, ".config/sluice/hooks.yaml");
    writeFileSync(path, `${readFileSync(path, "utf8")}# mine\n`);
    changed.sluice("uninstall", "--yes");
    expect(readFileSync(path, "utf8")).toContain("# mine");
    const earlier = home();
    earlier.sluice("install", "claude-code", "--yes");
    earlier.sluice("setup");
    earlier.sluice("uninstall", "--yes");
    expect(existsSync(join(earlier.home, ".config/sluice/hooks.yaml"))).toBe(true);
  });

  it("only shows what it would do with --dry-run", () => {
    const here = home();
    const { code, out } = here.sluice("setup", "--dry-run");
    expect([code, out.includes("claude-code: ~/.claude/settings.json changes")]).toEqual([0, true]);
    expect(readFileSync(here.settings, "utf8")).toBe(SETTINGS);
    expect(existsSync(join(here.home, ".config"))).toBe(false);
  });

  it("reports to programs what is proven of each agent", () => {
    const { agents, page, installed } = JSON.parse(home().sluice("setup", "--json").out);
    expect(agents).toMatchObject([{ id: "claude-code", denies: true, seen: false, wrong: [] }]);
    expect([new URL(page).hostname, installed.written]).toEqual(["127.0.0.1", true]);
  });
});

describe("a package that was downloaded to run once", () => {
  it.each([
    ["/home/a/.npm/_npx/0123/node_modules/sluice/dist/sluice.cjs", true],
    ["C:\\Users\\a\\AppData\\Local\\npm-cache\\_npx\\01\\node_modules\\sluice\\dist\\sluice.cjs", true],
    ["/home/a/.cache/pnpm/dlx-9/node_modules/sluice/dist/sluice.cjs", true],
    ["/home/a/.cache/pnpm/dlx/abc/1/node_modules/.pnpm/sluice@1.0.0/node_modules/sluice/dist/sluice.cjs", true],
    ["/tmp/bunx-1000-sluice@latest/node_modules/sluice/dist/sluice.cjs", true],
    ["/usr/lib/node_modules/sluice/dist/sluice.cjs", false],
    ["/home/a/project/node_modules/sluice/dist/sluice.cjs", false],
    ["/opt/homebrew/Cellar/sluice/1.0.0/libexec/lib/node_modules/sluice/dist/sluice.cjs", false],
  ])("is told by its path: %s", (path, expected) => {
    expect(isTemporary(path)).toBe(expected);
  });

  it("leaves `doctor` to the copy that is kept, whose lines the agents have", () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-kept-")));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const launched = join(home, ".npm/_npx/01/node_modules/sluice/dist");
    const kept = join(home, ".local/state/sluice/app/node_modules/sluice/dist");
    for (const folder of [launched, kept]) mkdirSync(folder, { recursive: true });
    for (const name of ["sluice.cjs", "command.cjs"]) copyFileSync(join(dirname(COMMAND), name), join(launched, name));
    writeFileSync(
      join(kept, "sluice.cjs"),
      "console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 1;",
    );
    const env = { PATH: process.env.PATH, HOME: home };
    const ran = spawnSync(process.execPath, [join(launched, "sluice.cjs"), "doctor", "--strict"], { cwd: home, env });
    expect([ran.status, String(ran.stdout)]).toEqual([1, '["doctor","--strict"]\n']);
  });

  /** A cache with packages, as `path in the cache: package.json`. */
  function cache(packages: Readonly<Record<string, object>>) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-cache-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const [name, manifest] of Object.entries(packages)) {
      mkdirSync(join(root, name, "dist"), { recursive: true });
      writeFileSync(join(root, name, "package.json"), JSON.stringify(manifest));
      writeFileSync(join(root, name, "dist/sluice.cjs"), name);
    }
    return { root, env: { XDG_STATE_HOME: join(root, "state") } };
  }
  const versionAt = (path: string) => JSON.parse(readFileSync(join(path, "package.json"), "utf8")).version;

  it("is copied with its dependencies to a place that stays", () => {
    const { root, env } = cache({
      "node_modules/sluice": { version: "1.0.0", dependencies: { a: "1" }, optionalDependencies: { gone: "1" } },
      "node_modules/a": { version: "1.0.0", dependencies: { b: "2" } },
      "node_modules/a/node_modules/b": { version: "2.0.0" },
      "node_modules/b": { version: "1.0.0" },
      "node_modules/unrelated": { version: "1.0.0" },
    });
    const launcher = copyPackage(join(root, "node_modules/sluice/dist/sluice.cjs"), env);
    expect(launcher).toBe(copiedLauncher(env));
    const modules = join(root, "state/sluice/app/node_modules");
    expect([versionAt(join(modules, "a")), versionAt(join(modules, "b"))]).toEqual(["1.0.0", "2.0.0"]);
    expect(existsSync(join(modules, "unrelated"))).toBe(false);
    expect(readFileSync(join(root, "state/sluice/app/sluice"), "utf8")).toBe("node_modules/sluice");
    expect([removeCopy(env), removeCopy(env), copiedLauncher(env)]).toEqual([true, false, undefined]);
  });

  it("is copied from the folders of pnpm too, where packages are symlinks", () => {
    const { root, env } = cache({
      "store/sluice/node_modules/sluice": { version: "1.0.0", dependencies: { a: "1" } },
      "store/a/node_modules/a": { version: "1.0.0", dependencies: { b: "1" } },
      "store/b/node_modules/b": { version: "3.0.0" },
    });
    symlinkSync(join(root, "store/a/node_modules/a"), join(root, "store/sluice/node_modules/a"));
    symlinkSync(join(root, "store/b/node_modules/b"), join(root, "store/a/node_modules/b"));
    copyPackage(join(root, "store/sluice/node_modules/sluice/dist/sluice.cjs"), env);
    expect(versionAt(join(root, "state/sluice/app/node_modules/b"))).toBe("3.0.0");
  });

  it("is replaced by another build, and refused when a dependency is missing", () => {
    const { root, env } = cache({
      "one/sluice": { version: "1.0.0" },
      "two/sluice": { version: "2.0.0" },
      "three/sluice": { version: "3.0.0", dependencies: { a: "1" } },
    });
    for (const name of ["one", "two"]) copyPackage(join(root, name, "sluice/dist/sluice.cjs"), env);
    const app = join(root, "state/sluice/app/node_modules/sluice");
    expect(versionAt(app)).toBe("2.0.0");
    expect(() => copyPackage(join(root, "three/sluice/dist/sluice.cjs"), env)).toThrow(
      "needs a, which is not installed",
    );
    expect(versionAt(app)).toBe("2.0.0");
  });
});

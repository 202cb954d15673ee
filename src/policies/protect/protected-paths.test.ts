import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { GAP } from "../../effects/parse/command.ts";
import { protectedPaths } from "./protected-paths.ts";

function land(platform: NodeJS.Platform = "linux") {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-territory-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = join(home, "project");
  mkdirSync(join(root, ".sluice"), { recursive: true });
  writeFileSync(join(root, ".sluice/hooks.yaml"), "hooks: []\n");
  return { home, root, territory: () => protectedPaths({ root, home, env: { HOME: home }, platform }) };
}

describe("a protected path", () => {
  it("is protected before it exists", () => {
    const { root, home, territory } = land();
    expect(territory().holds(join(root, ".codex/hooks.json"))).toBeDefined();
    expect(territory().holds(join(home, ".config/sluice/hooks.yaml"))).toBeDefined();
    expect(territory().holds(join(root, "src/hooks.json"))).toBe(undefined);
  });

  it.each([
    ["darwin", true],
    ["win32", true],
    ["linux", false],
  ] as const)("is the same in capitals on %s: %s", (platform, isSame) => {
    const { root, territory } = land(platform);
    expect(territory().holds(join(root, ".Claude/SETTINGS.json")) !== undefined).toBe(isSame);
    expect(territory().holds(join(root, "packages/a/.Sluice/x")) !== undefined).toBe(isSame);
  });

  it.each(["darwin", "linux"] as const)("is the same with both forms of an accent on %s", (platform) => {
    const { home, territory } = land();
    const named = protectedPaths({ root: join(home, "caf\u00e9"), home, env: {}, platform });
    expect(named.holds(join(home, "cafe\u0301/.sluice/hooks.yaml"))).toBeDefined();
    expect(territory().holds(join(home, "cafe\u0301/x"))).toBe(undefined);
  });

  it("is found through links, through folders and by another hard link", () => {
    const { root, territory } = land();
    symlinkSync(".sluice", join(root, "one"));
    symlinkSync(join(root, "one"), join(root, "two"));
    linkSync(join(root, ".sluice/hooks.yaml"), join(root, "three.yaml"));
    expect(territory().holds(join(root, "two/new.yaml"))).toBeDefined();
    expect(territory().holds(join(root, "three.yaml"))).toBeDefined();
  });

  it("is found by a hard link to one of the first 2000 files of a folder", () => {
    const { home, root, territory } = land();
    const state = join(home, ".local/state/sluice");
    mkdirSync(state, { recursive: true });
    for (let at = 0; at <= 2000; at++) writeFileSync(join(state, `f${at}`), "");
    for (const [at, name] of readdirSync(state).entries())
      if (at >= 1999) linkSync(join(state, name), join(root, `second-${at}`));
    const { holds } = territory();
    expect([1999, 2000].map((at) => holds(join(root, `second-${at}`))?.path)).toEqual([state, undefined]);
  });

  it("a loop of links leads nowhere", () => {
    const { root, territory } = land();
    symlinkSync("b", join(root, "a"));
    symlinkSync("a", join(root, "b"));
    expect(territory().holds(join(root, "a/x"))).toBe(undefined);
  });
});

describe("folders", () => {
  it("a folder contains an existing place, and does not contain a missing one", () => {
    const { root, home, territory } = land();
    expect(territory().liesIn(root)).toBeDefined();
    expect(territory().liesIn(home)).toBeDefined();
    expect(territory().liesIn(join(root, "src"))).toBe(undefined);
    expect(territory().liesIn(join(root, ".claude"))).toBe(undefined);
  });

  it("the target of a link contains the places there", () => {
    const { root, home, territory } = land();
    mkdirSync(join(home, "dotfiles"));
    writeFileSync(join(home, "dotfiles/settings.json"), "{}");
    symlinkSync("../dotfiles", join(root, ".claude"));
    expect(territory().liesIn(join(home, "dotfiles"))?.path).toBe(join(root, ".claude/settings.json"));
  });

  it("a folder for settings is distinguished from folders with other content", () => {
    const { root, home, territory } = land();
    expect(territory().ownsFolder(join(root, ".claude"))).toBeDefined();
    expect(territory().ownsFolder(root)).toBe(undefined);
    expect(territory().ownsFolder(home)).toBe(undefined);
  });
});

describe("a path with an unknown beginning", () => {
  it.each([
    ["/.sluice", true],
    ["/sluice", true],
    ["/.sluice/hooks.yaml", true],
    ["/.sluice/hooks/deep/new.ts", true],
    ["/.claude/settings.json", true],
    ["/sluice/trust/x.json", true],
    ["/state/sluice/trust/x.json", true],
    ["/settings.json", false],
    ["/src/sluice", false],
    ["settings.json", false],
    [".sluice/hooks.yaml", true],
    [".sluices/hooks.yaml", false],
    ["/src/a.ts", false],
    ["", false],
  ])("may be a protected one by its ending: %j: %s", (tail, may) => {
    expect(land().territory().endsLike(`${GAP}${tail}`) !== undefined).toBe(may);
  });
});

describe("a glob matches a place", () => {
  it.each<[string, object, boolean]>([
    ["project/.sluice/*", {}, true],
    ["project/.s*/hooks.yaml", {}, true],
    ["project/.s*", {}, true],
    ["project/.s*/new*", {}, true],
    ["project/.c*/new*", {}, false],
    ["project/.co*/hooks.json", {}, true],
    ["project/.co*/hooks.json/x", {}, false],
    ["project/**/notes.md", {}, true],
    ["project/**/none.md", {}, false],
    ["project/*", {}, false],
    ["project/*", { findsHidden: true }, true],
    ["*", { takesFolders: "any" }, true],
    ["*", { takesFolders: "own" }, false],
    ["*", {}, false],
    ["project/.cl*/settings.json", {}, false],
    ["project/.cl*/settings.json", { makesNames: true }, true],
    ["project/pack*/a/.sluice/x", {}, true],
    ["other/pack*/a/.sluice/x", {}, false],
    ["project/src/**", {}, false],
    ["project/**/hooks.yaml", {}, true],
    ["project/**/hooks.yaml", { passesBy: "project" }, false],
    ["project/**/hooks.yaml", { passesBy: "src" }, true],
    ["project/**/hooks.yaml", { isReached: () => false }, false],
    ["project/**/hooks.yaml", { isReached: () => true }, true],
  ])("%s %j: %s", (glob, how, means) => {
    const { home, root, territory } = land();
    writeFileSync(join(root, ".sluice/notes.md"), "");
    mkdirSync(join(root, ".codex"));
    writeFileSync(join(root, ".codex/hooks.json"), "{}");
    expect(territory().meantBy(join(home, glob), how) !== undefined).toBe(means);
  });
});

describe("configuration elsewhere", () => {
  it.each([
    ["project/packages/a/.sluice/hooks.yaml", true],
    ["project/packages/a/.sluice", true],
    ["project/packages/a/.claude/settings.json", true],
    ["project/packages/a/.sluices/hooks.yaml", false],
    ["project/packages/a/claude/settings.json", false],
    ["project/packages/a/hooks.yaml", false],
    [".sluice/hooks.yaml", true],
    [".sluice/new/notes.md", true],
    [".codex/hooks.json", true],
    ["neighbour/.sluice/hooks.yaml", true],
    ["neighbour/.sluice/hooks/a.ts", true],
    ["neighbour/.sluice/hooks.local.json", true],
    ["neighbour/.sluice/hooks.yaml.bak", false],
    ["neighbour/.sluice/notes.md", false],
    ["absent/.sluice/hooks.yaml", false],
  ])("%s is protected: %s", (path, isProtected) => {
    const { home, territory } = land();
    for (const name of ["hooks.yaml", "hooks.yaml.bak", "hooks.local.json", "hooks/a.ts", "notes.md"]) {
      mkdirSync(dirname(join(home, "neighbour/.sluice", name)), { recursive: true });
      writeFileSync(join(home, "neighbour/.sluice", name), "");
    }
    expect(territory().holds(join(home, path)) !== undefined).toBe(isProtected);
  });
});

it("configuration that is found by its name is described as such", () => {
  const { home, root: base, territory } = land();
  for (const folder of [join(base, "sub/.sluice"), join(home, "neighbour/.sluice")]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "hooks.yaml"), "hooks: []\n");
  }
  const { holds, meantBy } = territory();
  const told = (path: string, seen: string) => ({ path, kind: "file", what: "configuration of hooks", base: seen });
  const inside = join(base, "sub/.sluice/hooks.yaml");
  expect(holds(inside)).toEqual(told(inside, base));
  const beside = join(home, "neighbour/.sluice/hooks.yaml");
  expect(holds(beside)).toEqual(told(beside, dirname(beside)));
  expect(holds(join(home, "neighbour/.sluice/other.yaml"))).toBe(undefined);
  const above = join(home, ".sluice/hooks.yaml");
  expect(holds(above)).toEqual(told(above, dirname(above)));
  const glob = join(base, "*/.sluice/hooks.yaml");
  expect(meantBy(glob)).toEqual(told(glob, base));
  expect(meantBy(join(base, "*/.sluices/hooks.yaml"))).toBe(undefined);
  expect(meantBy(inside)).toEqual(told(inside, base));
});

import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { protectedPathIndex } from "./protected-path-index.ts";
import type { ProtectionContext } from "./protection-context.ts";

function project() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-index-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = join(home, "project");
  mkdirSync(root);
  const context: ProtectionContext = { root, home, env: {}, platform: "linux" };
  return { root, home, context, index: (more = {}) => protectedPathIndex({ ...context, ...more }, (path) => path) };
}

/** Folders that have just changed are checked again: only older changes show in their times. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 120));

describe("a place is found by a path", () => {
  it("that is the place, or is in it at any depth", () => {
    const { root, home, index } = project();
    const { at } = index();
    expect(at(join(root, ".sluice"))?.path).toBe(join(root, ".sluice"));
    expect(at(join(root, ".sluice/hooks/a/b/c.ts"))?.path).toBe(join(root, ".sluice"));
    expect(at(join(root, ".claude/settings.json"))?.path).toBe(join(root, ".claude/settings.json"));
    expect(at(join(root, ".claude/settings.json/x"))).toBe(undefined);
    for (const other of [root, home, "/", "", join(root, ".sluices"), join(root, ".sluic"), join(root, "src/a")])
      expect(at(other)).toBe(undefined);
  });

  it("and of two places the first one is returned", () => {
    const { root, index } = project();
    const inside = join(root, ".sluice/hooks/guard.sh");
    expect(index({ files: [inside] }).at(inside)?.path).toBe(join(root, ".sluice"));
    const settings = join(root, ".claude/settings.json");
    expect(index({ files: [settings] }).at(settings)?.what).toContain("the settings through which");
  });

  it("by the target of a link on the way", () => {
    const { root, home, index } = project();
    mkdirSync(join(home, "dotfiles"));
    symlinkSync("../dotfiles", join(root, ".claude"));
    expect(index().at(join(home, "dotfiles/settings.json"))?.path).toBe(join(root, ".claude/settings.json"));
  });

  it.each(["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"])(
    "in the folder that %s names",
    (name) => {
      const { home, index } = project();
      expect(index().at(join(home, "moved/sluice/x"))).toBe(undefined);
      expect(index({ env: { [name]: join(home, "moved") } }).at(join(home, "moved/sluice/x"))).toBeDefined();
    },
  );
});

describe("the cache is valid until the disk changes", () => {
  it("the same places are returned while nothing changes, separately for each project", async () => {
    const [one, other] = [project(), project()];
    // A recent change is not cached, and other tests may change the folder above.
    const first = await vi.waitFor(() => {
      const index = one.index();
      expect(other.index()).not.toBe(index);
      expect(one.index()).toBe(index);
      return index;
    });
    expect(one.index({ files: ["/x"] })).not.toBe(first);
    expect(one.index({ platform: "darwin" })).not.toBe(first);
    expect(one.index({ program: "/x/sluice" })).not.toBe(first);
  });

  it("different contexts are cached separately, whatever their parts are", async () => {
    const { home, context } = project();
    const at = (...files: string[]) => protectedPathIndex({ ...context, files }, (path) => path);
    const [a, b] = [join(home, "a"), join(home, "b")];
    await vi.waitFor(() => {
      const one = at(a, b);
      expect(at(a + b)).not.toBe(one);
      expect(at(a, b)).toBe(one);
    });
  });

  it("a link with another target is noticed", async () => {
    const { root, home, index } = project();
    mkdirSync(join(root, ".claude"));
    mkdirSync(join(home, "spare/links"), { recursive: true });
    for (const name of ["one.json", "two.json"]) writeFileSync(join(home, name), "{}");
    symlinkSync(join(home, "one.json"), join(root, ".claude/settings.json"));
    await settled();
    expect(index().at(join(home, "one.json"))).toBeDefined();
    symlinkSync(join(home, "two.json"), join(home, "spare/links/other"));
    renameSync(join(home, "spare/links/other"), join(root, ".claude/settings.json"));
    expect(index().at(join(home, "one.json"))).toBe(undefined);
    expect(index().at(join(home, "two.json"))).toBeDefined();
  });

  it("a folder of few places may change for other reasons, and the whole project may go", async () => {
    const { root, index } = project();
    mkdirSync(join(root, ".claude"));
    symlinkSync("../mine.json", join(root, ".claude/settings.json"));
    await settled();
    const first = index();
    writeFileSync(join(root, ".claude/notes.md"), "");
    expect(index()).toBe(first);
    writeFileSync(join(root, "notes.md"), "");
    expect(index()).not.toBe(first);
    await settled();
    const second = index();
    expect(index()).toBe(second);
    writeFileSync(join(root, "more.md"), "");
    await settled();
    const third = index();
    expect(third).not.toBe(second);
    rmSync(root, { recursive: true });
    expect(index()).not.toBe(third);
  });

  it("a folder that has just changed is not relied on", () => {
    const { root, index } = project();
    writeFileSync(join(root, "a"), "");
    expect(index()).not.toBe(index());
  });

  it("a link that is added, removed or changed is noticed", async () => {
    const { root, home, index } = project();
    for (const name of ["one", "two"]) mkdirSync(join(home, name));
    await settled();
    const found = (name: string) => index().at(join(home, name, "settings.json")) !== undefined;
    expect([found("one"), found("two")]).toEqual([false, false]);
    symlinkSync("../one", join(root, ".claude"));
    expect([found("one"), found("two")]).toEqual([true, false]);
    await settled();
    expect([found("one"), found("two")]).toEqual([true, false]);
    symlinkSync("../two", join(root, "other"));
    renameSync(join(root, "other"), join(root, ".claude"));
    expect([found("one"), found("two")]).toEqual([false, true]);
    rmSync(join(root, ".claude"));
    expect([found("one"), found("two")]).toEqual([false, false]);
  });

  it("a link among few entries of a folder is checked by itself", async () => {
    const { root, home, index } = project();
    mkdirSync(join(root, ".claude"));
    writeFileSync(join(home, "mine.json"), "{}");
    await settled();
    const found = () => index().at(join(home, "mine.json")) !== undefined;
    expect(found()).toBe(false);
    symlinkSync(join(home, "mine.json"), join(root, ".claude/settings.json"));
    expect(found()).toBe(true);
    utimesSync(join(root, ".claude"), 1, 1);
    expect(found()).toBe(true);
    rmSync(join(root, ".claude/settings.json"));
    expect(found()).toBe(false);
  });
});

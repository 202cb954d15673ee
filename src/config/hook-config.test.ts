import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Hook } from "../hook/hook.ts";
import { HookRegistry } from "../registry/registry.ts";
import { HookConfig } from "./hook-config.ts";

let folder = "";
let root = "";
const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-hook-config-"));
  root = join(folder, "project");
  mkdirSync(root);
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "config"));
  warn.mockClear();
});
afterEach(() => vi.unstubAllEnvs());

function write(path: string, content: string | object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

const entry = (command: string) => ({ event: "tool:pre_execute", command, timeout: 5 });
const json = (hooks: readonly Hook[]) => hooks.map((hook) => hook.toJSON());

describe("names and paths", () => {
  test("the files have names", () => {
    expect(HookConfig.GLOBAL_FILE).toBe("sluice/hooks.json");
    expect(HookConfig.PROJECT_FILE).toBe(".sluice/hooks.json");
  });

  test("the paths follow XDG_CONFIG_HOME at the time of the call", () => {
    expect(HookConfig.getGlobalPath()).toBe(join(folder, "config/sluice/hooks.json"));
    vi.stubEnv("XDG_CONFIG_HOME", join(folder, "elsewhere"));
    expect(HookConfig.getGlobalPath()).toBe(join(folder, "elsewhere/sluice/hooks.json"));
  });

  test("the path is the file that is there, else hooks.json", () => {
    expect(HookConfig.getProjectPath(root)).toBe(join(root, ".sluice/hooks.json"));
    write(join(root, ".forge/hooks.json"), "[]");
    expect(HookConfig.getProjectPath(root)).toBe(join(root, ".forge/hooks.json"));
    write(join(root, ".sluice/hooks.yaml"), "hooks: []");
    expect(HookConfig.getProjectPath(root)).toBe(join(root, ".sluice/hooks.yaml"));
  });

  test("without a project there is no path", () => {
    expect(HookConfig.getProjectPath(null)).toBeNull();
    expect(HookConfig.getProjectPath(undefined)).toBeNull();
  });
});

describe("loading", () => {
  test("the user's hooks, a project's hooks, and both", () => {
    write(join(folder, "config/sluice/hooks.json"), { hooks: [entry("a"), entry("b")] });
    write(join(root, ".src/opencode/hooks.json"), { hooks: [entry("c")] });
    write(join(root, ".sluice/hooks.local.json"), { hooks: [entry("d")] });
    expect(json(HookConfig.loadGlobal())).toEqual([entry("a"), entry("b")]);
    expect(json(HookConfig.loadProject(root))).toEqual([entry("c")]);
    expect(json(HookConfig.loadAll(root))).toEqual(["a", "b", "c", "d"].map(entry));
    expect(json(HookConfig.loadAll())).toEqual(["a", "b"].map(entry));
    expect(warn).not.toHaveBeenCalled();
  });

  test("a missing file is an empty list, without a warning", () => {
    expect([HookConfig.loadGlobal(), HookConfig.loadProject(root), HookConfig.loadAll(root)]).toEqual([[], [], []]);
    expect(warn).not.toHaveBeenCalled();
  });

  test("a corrupt file gives no hooks and one warning that names it; strict throws", () => {
    const path = join(folder, "config/sluice/hooks.json");
    write(path, "{ not json");
    expect(HookConfig.loadGlobal()).toEqual([]);
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]?.[0]).toContain(`${path}:1:3`);
    expect(() => HookConfig.loadGlobal({ strict: true })).toThrowError(/This is not JSON/);
  });

  test("a bad entry is warned about, and the good ones are there", () => {
    write(join(root, ".sluice/hooks.json"), { hooks: [entry("a"), { event: "tool:*" }, entry("b")] });
    expect(json(HookConfig.loadProject(root))).toEqual([entry("a"), entry("b")]);
    expect(warn).toHaveBeenCalledOnce();
    expect(() => HookConfig.loadProject(root, { strict: true })).toThrowError(/Command hook requires/);
  });

  test("what is loaded goes into a registry", () => {
    write(join(root, ".sluice/hooks.json"), { hooks: [entry("a")] });
    const registry = new HookRegistry();
    registry.loadHooks(HookConfig.loadAll(root));
    expect(registry.size).toBe(1);
  });
});

describe("saving", () => {
  test("what is saved is loaded again, and the file is JSON", () => {
    const hooks = [Hook.fromJSON(entry("a")), Hook.fromJSON({ ...entry("b"), "x-mine": [1], description: "ü\n😀" })];
    HookConfig.saveGlobal(hooks);
    HookConfig.saveProject(root, hooks);
    expect(JSON.parse(readFileSync(HookConfig.getGlobalPath(), "utf8"))).toEqual({ hooks: json(hooks) });
    expect(json(HookConfig.loadGlobal())).toEqual(json(hooks));
    expect(json(HookConfig.loadProject(root))).toEqual(json(hooks));
  });

  test("an empty list is a file with no hooks", () => {
    HookConfig.saveProject(root, []);
    expect(existsSync(join(root, ".sluice/hooks.json"))).toBe(true);
    expect(HookConfig.loadProject(root)).toEqual([]);
  });

  test("a hook of the user can be copied into a project", () => {
    write(join(folder, "config/sluice/hooks.json"), { hooks: [entry("a")] });
    HookConfig.saveProject(root, HookConfig.loadGlobal());
    expect(json(HookConfig.loadProject(root))).toEqual([entry("a")]);
    expect(HookConfig.loadProject(root)[0]?.layer).toBe("project");
  });
});

import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { writeLargeValues } from "./command.ts";

describe("values that no environment holds", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("lie whole in a file that only this user reads, named under every prefix, until they are removed", () => {
    const value = JSON.stringify({ content: "ü".repeat(50_000) });
    const files = writeLargeValues({ TOOL_ARGS: value });
    expect(Object.keys(files.variables)).toEqual([
      "SLUICE_TOOL_ARGS_FILE",
      "FORGE_TOOL_ARGS_FILE",
      "OPENCODE_TOOL_ARGS_FILE",
    ]);
    const [file = ""] = new Set(Object.values(files.variables));
    expect(readFileSync(file, "utf8")).toBe(value);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    files.remove();
    expect(existsSync(dirname(file))).toBe(false);
  });

  it("cost nothing where there are none", () => {
    const files = writeLargeValues({});
    expect(files.variables).toEqual({});
    files.remove();
  });

  it("are removed together with what a hook put beside them, and links are not followed", () => {
    const files = writeLargeValues({ TOOL_ARGS: "{}" });
    const folder = dirname(files.variables.SLUICE_TOOL_ARGS_FILE ?? "");
    symlinkSync(import.meta.dirname, join(folder, "link"));
    chmodSync(join(folder, "tool_args"), 0o000);
    files.remove();
    files.remove();
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(import.meta.filename)).toBe(true);
  });

  it("leave no folder behind when they cannot be written", () => {
    const { variables, remove } = writeLargeValues({ TOOL_ARGS: "{}" });
    const place = dirname(variables.SLUICE_TOOL_ARGS_FILE ?? "");
    vi.stubEnv("TMPDIR", place);
    expect(() => writeLargeValues({ "NO/SUCH/FOLDER": "x" })).toThrow(/ENOENT/);
    expect(readdirSync(place)).toEqual(["tool_args"]);
    remove();
  });

  it("lie in Sluice's own state where the folder for temporary files is missing", () => {
    const { variables, remove } = writeLargeValues({ TOOL_ARGS: "{}" });
    const place = dirname(variables.SLUICE_TOOL_ARGS_FILE ?? "");
    vi.stubEnv("XDG_STATE_HOME", place);
    vi.stubEnv("TMPDIR", join(place, "missing"));
    const files = writeLargeValues({ TOOL_ARGS: "{}" });
    const file = files.variables.SLUICE_TOOL_ARGS_FILE ?? "";
    expect(dirname(dirname(file))).toBe(join(place, "sluice"));
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    files.remove();
    expect(readdirSync(join(place, "sluice"))).toEqual([]);
    remove();
  });

  it("leave no listener behind", () => {
    const before = process.listenerCount("exit");
    const files = [writeLargeValues({ TOOL_ARGS: "{}" }), writeLargeValues({ TOOL_ARGS: "{}" })];
    expect(process.listenerCount("exit")).toBeLessThanOrEqual(before + 1);
    for (const { remove } of files) remove();
    expect(process.listenerCount("exit")).toBe(before);
  });
});

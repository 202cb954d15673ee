import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { loadLayers } from "./load.ts";
import type { Loaded } from "./load-layers.ts";
import { readForCall, readWhenWritten } from "./written-files.ts";

test("a file that was finished while the reader was held up is read again, however long ago that was", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-written-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "hooks.yaml");
  writeFileSync(path, "half");
  const texts: string[] = [];
  const files = [{ path, layer: "project", state: "read" }];
  const read = () => {
    texts.push(readFileSync(path, "utf8"));
    if (texts.length === 1) {
      writeFileSync(path, "half and whole");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
    return { files, errors: [] } as unknown as Loaded;
  };
  readWhenWritten(read);
  expect(texts.at(-1)).toBe("half and whole");
});

const GOOD = 'hooks:\n  - { name: no, event: "tool:pre_execute", rules: "tool exists -> deny()" }\n';
let [root, file] = ["", ""];
const names = () => {
  const { hooks, notices } = readForCall((drafts) => loadLayers(root, { drafts }));
  return [...hooks.map(({ name }) => name), ...notices.filter((notice) => notice.includes("last good hooks apply"))];
};

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-good-")));
  vi.stubEnv("XDG_CONFIG_HOME", join(root, "config"));
  vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
  mkdirSync(join(root, "config/sluice"), { recursive: true });
  file = join(root, "config/sluice/hooks.yaml");
  writeFileSync(file, GOOD);
  utimesSync(file, 1e9, 1e9);
});
afterEach(() => vi.unstubAllEnvs());

describe("the user's own configuration", () => {
  it.each([
    ["gone", () => rmSync(file)],
    ["empty", () => writeFileSync(file, "")],
    ["torn", () => writeFileSync(file, GOOD.slice(0, 30))],
    ["gone with its folder", () => rmSync(join(root, "config/sluice"), { recursive: true })],
  ])("that was good a moment ago and is %s keeps its hooks, and says so", (_, lose) => {
    expect(names()).toEqual(["no"]);
    lose();
    expect(names()).toEqual(["no", expect.stringContaining(file)]);
  });

  it("that a program keeps writing, and that was read while it was empty, keeps its hooks", () => {
    expect(names()).toEqual(["no"]);
    const { hooks } = readForCall((drafts) => {
      writeFileSync(file, "");
      const loaded = loadLayers(root, { drafts });
      writeFileSync(file, GOOD);
      return loaded;
    });
    expect(hooks.map(({ name }) => name)).toEqual(["no"]);
  });

  it("that was never there has none", () => {
    rmSync(file);
    expect(names()).toEqual([]);
  });
});

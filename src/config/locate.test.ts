import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { LAYERS } from "../hook/hook.ts";
import { configHome, locate, lookalikes } from "./locate.ts";

const where = { managedDir: "/managed", env: { XDG_CONFIG_HOME: "/xdg" }, home: "/home/me" };

describe("where hooks lie", () => {
  test("the layers are read from managed to local, each in its own order", () => {
    expect(locate("/p", LAYERS, where).map(({ layer, path }) => `${layer} ${path}`)).toEqual([
      "managed /managed/hooks.yaml",
      "managed /managed/hooks.json",
      "user /xdg/sluice/hooks.yaml",
      "user /xdg/sluice/hooks.json",
      "user /xdg/forge/hooks.json",
      "user /xdg/opencode/hooks.json",
      "project /p/.sluice/hooks.yaml",
      "project /p/.sluice/hooks.json",
      "project /p/.src/opencode/hooks.json",
      "project /p/.src/forge/hooks.json",
      "project /p/.opencode/hooks.json",
      "project /p/.forge/hooks.json",
      "local /p/.sluice/hooks.local.yaml",
      "local /p/.sluice/hooks.local.json",
    ]);
  });

  test("managed files lie in /etc/sluice", () => {
    expect(locate(undefined, ["managed"])[0]?.path).toBe("/etc/sluice/hooks.yaml");
  });

  test("without a project there are only managed and user files", () => {
    expect(new Set(locate(undefined, LAYERS, where).map(({ layer }) => layer))).toEqual(new Set(["managed", "user"]));
  });

  test.each([
    [{ XDG_CONFIG_HOME: "/xdg" }, "/xdg"],
    [{ XDG_CONFIG_HOME: "relative" }, "/home/me/.config"],
    [{ XDG_CONFIG_HOME: "" }, "/home/me/.config"],
    [{}, "/home/me/.config"],
  ])("XDG_CONFIG_HOME counts only when absolute: %o is %s", (env, expected) => {
    expect(configHome({ env, home: "/home/me" })).toBe(expected);
  });
});

test.each([
  ["project/.sluice/hooks.yml", "project/.sluice/hooks.yaml"],
  ["project/.sluice/hooks.jsonc", "project/.sluice/hooks.json"],
  ["project/.sluice/hooks.local.yml", "project/.sluice/hooks.local.yaml"],
  ["config/sluice/hooks.yml", "config/sluice/hooks.yaml"],
  ["managed/hooks.yml", "managed/hooks.yaml"],
  ["project/.sluice/hook.yaml", "project/.sluice/hooks.yaml"],
  ["project/.sluice/hook.yml", "project/.sluice/hooks.yaml"],
  ["project/.sluice/hook.json", "project/.sluice/hooks.json"],
  ["config/sluice/hook.yaml", "config/sluice/hooks.yaml"],
  ["project/hooks.yaml", "project/.sluice/hooks.yaml", " Leave it if it is another program's."],
  ["project/hooks.yml", "project/.sluice/hooks.yaml", " Leave it if it is another program's."],
  ["project/hooks.json", "project/.sluice/hooks.json", " Leave it if it is another program's."],
])("%s is not read, and the warning names %s", (file, right, doubt = "") => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-locate-"));
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), "hooks: []\n");
  const options = { managedDir: join(folder, "managed"), env: { XDG_CONFIG_HOME: join(folder, "config") } };
  const found = lookalikes(join(folder, "project"), LAYERS, options);
  expect(found.map(({ code, place, fix }) => [code, place?.file, fix])).toEqual([
    ["config/lookalike", join(folder, file), `Rename it to ${join(folder, right)}.${doubt}`],
  ]);
});

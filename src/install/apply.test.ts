import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Household } from "../../tests/install/household.ts";
import { apply } from "./apply.ts";
import { noteDown, wroteLast } from "./ledger.ts";

const FILE = ".claude/settings.json";
const TEXT = '{\n  "model": "opus"\n}\n';

describe("a file that is not there", () => {
  it("is written with its folders, and both go again", () => {
    const house = Household.ofHooks();
    const before = house.everything();
    house.install("claude-code");
    expect(JSON.parse(house.read(FILE) ?? "")).toHaveProperty("hooks.PreToolUse");
    house.uninstall("claude-code");
    expect(house.everything()).toEqual(before);
  });

  it("goes again without the backup; the folder stays, because its maker is unknown", () => {
    const house = Household.ofHooks();
    house.install("claude-code");
    house.forgetBackups();
    house.uninstall("claude-code");
    expect(house.read(FILE)).toBeUndefined();
    expect(existsSync(join(house.home, ".claude"))).toBe(true);
  });

  it("leaves a folder that somebody else uses by now", () => {
    const house = Household.ofHooks();
    house.install("claude-code");
    house.write(".claude/CLAUDE.md", "mine");
    house.uninstall("claude-code");
    expect(house.read(FILE)).toBeUndefined();
    expect(house.read(".claude/CLAUDE.md")).toBe("mine");
  });
});

describe("links", () => {
  it("a linked file stays a link, and what it leads to gets back its bytes", () => {
    const house = Household.ofHooks();
    house.write("dotfiles/claude.json", TEXT);
    mkdirSync(join(house.home, ".claude"));
    symlinkSync("../dotfiles/claude.json", join(house.home, FILE));
    house.install("claude-code");
    expect(readlinkSync(join(house.home, FILE))).toBe("../dotfiles/claude.json");
    expect(house.read("dotfiles/claude.json")).toContain("sluice.cjs run claude-code");
    house.uninstall("claude-code");
    expect(readlinkSync(join(house.home, FILE))).toBe("../dotfiles/claude.json");
    expect(house.read("dotfiles/claude.json")).toBe(TEXT);
  });

  it("a linked folder is followed", () => {
    const house = Household.ofHooks();
    house.write("dotfiles/claude/settings.json", TEXT);
    symlinkSync("dotfiles/claude", join(house.home, ".claude"));
    house.install("claude-code");
    expect(house.read("dotfiles/claude/settings.json")).toContain("sluice.cjs run claude-code");
    house.uninstall("claude-code");
    expect(house.read("dotfiles/claude/settings.json")).toBe(TEXT);
    expect(lstatSync(join(house.home, ".claude")).isSymbolicLink()).toBe(true);
  });

  it("a link to nothing leads to nothing again afterwards", () => {
    const house = Household.ofHooks();
    mkdirSync(join(house.home, "dotfiles"));
    mkdirSync(join(house.home, ".claude"));
    symlinkSync("../dotfiles/claude.json", join(house.home, FILE));
    const before = house.everything();
    house.install("claude-code");
    expect(house.read("dotfiles/claude.json")).toContain("sluice.cjs run claude-code");
    house.uninstall("claude-code");
    expect(house.everything()).toEqual(before);
  });

  it("a link to itself is a problem with its place", () => {
    const house = Household.ofHooks();
    mkdirSync(join(house.home, ".claude"));
    symlinkSync("settings.json", join(house.home, FILE));
    const { problems, changes } = house.install("claude-code");
    expect(problems.map(({ code }) => code)).toEqual(["install/unreadable"]);
    expect(changes).toEqual([]);
  });
});

describe("files that are left alone", () => {
  const refused: Record<string, readonly [text: string | Uint8Array, code: string, line?: number]> = {
    "bytes that are no UTF-8": [Uint8Array.of(0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d), "install/no-text"],
    "UTF-16": [Buffer.from('{"a":1}', "utf16le"), "install/uneditable"],
    "broken JSON": ['{\n  "model": "opus",\n  "hooks": {\n', "install/uneditable", 4],
    "a missing comma": ['{\n  "a": 1\n  "b": 2\n}\n', "install/uneditable", 3],
    "a list": ["[]\n", "install/uneditable", 1],
    "hooks that are a list": ['{"hooks": []}', "install/uneditable", 1],
    "hooks that are a text": ['{"hooks": "none"}', "install/uneditable", 1],
    "a list of hooks that is an object": ['{\n"hooks": {\n"PreToolUse": {}}}', "install/uneditable", 3],
    "hooks twice": ['{"hooks": {},\n "hooks": {}}', "install/uneditable", 2],
    "one of our lists twice": ['{"hooks": {"Stop": [],\n "Stop": []}}', "install/uneditable", 2],
  };

  it.each(Object.entries(refused))("%s", (_, [text, code, line]) => {
    const house = Household.ofHooks();
    house.write(FILE, text);
    const before = house.everything();
    const { problems, changes } = house.install("claude-code");
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(problems[0]?.place?.file).toBe(join(house.home, FILE));
    expect(problems[0]?.place?.line).toBe(line ?? problems[0]?.place?.line);
    expect(changes).toEqual([]);
    expect(house.everything()).toEqual(before);
  });

  it("a folder in the place of the file", () => {
    const house = Household.ofHooks();
    mkdirSync(join(house.home, FILE), { recursive: true });
    expect(house.install("claude-code").problems.map(({ code }) => code)).toEqual(["install/unreadable"]);
    expect(house.uninstall("claude-code").problems.map(({ code }) => code)).toEqual(["install/unreadable"]);
    expect(statSync(join(house.home, FILE)).isDirectory()).toBe(true);
  });

  it("a file in the place of the folder: nothing is written and nothing is noted", () => {
    const house = Household.ofHooks();
    house.write(".claude", "no folder");
    const before = house.everything();
    expect(() => {
      const { problems } = house.install("claude-code");
      if (problems[0] !== undefined) throw problems[0];
    }).toThrow();
    expect(house.everything()).toEqual(before);
  });

  it("somebody else's program under the name that ours has to have", () => {
    const house = Household.ofHooks();
    house.write(".cline/hooks/PreToolUse", "#!/bin/sh\nexit 0\n");
    const { problems } = house.install("cline");
    expect(problems.map(({ code }) => code)).toEqual(["install/not-ours"]);
    expect(house.read(".cline/hooks/PreToolUse")).toBe("#!/bin/sh\nexit 0\n");
    house.uninstall("cline");
    expect(house.read(".cline/hooks/PreToolUse")).toBe("#!/bin/sh\nexit 0\n");
  });
});

describe("a file of our own that somebody has changed", () => {
  it("is not removed", () => {
    const house = Household.ofHooks();
    house.install("cline");
    const mine = `${house.read(".cline/hooks/PreToolUse")}./mine.sh\n`;
    house.write(".cline/hooks/PreToolUse", mine);
    expect(house.uninstall("cline").problems.map(({ code }) => code)).toEqual(["install/changed"]);
    expect(house.read(".cline/hooks/PreToolUse")).toBe(mine);
    expect(house.install("cline").problems).toEqual([]);
    expect(house.uninstall("cline").problems).toEqual([]);
    expect(existsSync(join(house.home, ".cline"))).toBe(false);
  });
});

describe("the backup", () => {
  it("can be read by no other user", () => {
    const house = Household.ofHooks();
    house.write(FILE, TEXT);
    house.install("claude-code");
    const folder = join(house.state, "sluice", "installed");
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it("stays as it was when a file cannot be written, and so do the folders", () => {
    const house = Household.ofHooks();
    // No draft of a file with such a name can be made, not even by root.
    const path = join(house.home, "made", "n".repeat(250));
    const change = { agent: "x", path, before: undefined, after: "two", isProgram: false, original: undefined };
    expect(() => apply(change, house.around)).toThrow("ENAMETOOLONG");
    expect(existsSync(join(house.home, "made"))).toBe(false);
    noteDown(path, { original: "original", text: "one" }, house.around.env);
    expect(() => apply(change, house.around)).toThrow("ENAMETOOLONG");
    expect(wroteLast(path, "one", house.around.env)?.original).toBe("original");
  });

  it("keeps the rights of the file", () => {
    const house = Household.ofHooks();
    house.write(FILE, TEXT);
    const { mode } = statSync(join(house.home, FILE));
    house.install("claude-code");
    expect(statSync(join(house.home, FILE)).mode).toBe(mode);
    expect(readFileSync(join(house.home, FILE), "utf8")).not.toBe(TEXT);
  });
});

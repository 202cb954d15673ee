import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { judged } from "./judged.ts";

let project: string;

beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), "sluice-on-disk-")));
  mkdirSync(join(project, "src"));
  writeFileSync(join(project, "src", "a.ts"), "a");
  symlinkSync("src", join(project, "alias"));
  symlinkSync(join(homedir(), ".ssh"), join(project, "keys"));
  symlinkSync("/etc/ssl", join(project, "far"));
});

afterAll(() => rmSync(project, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

describe("a path counts where it leads", () => {
  test.each([
    ["cat keys/id_rsa", "deny"],
    ["rm keys/id_rsa", "deny"],
    ["echo key >> keys/authorized_keys", "deny"],
    ["echo x > far/cert.pem", "deny"],
    ["rm far/../hosts", "deny"],
    ["rm keys", "continue"],
    ["cat alias/a.ts", "continue"],
    ["rm -f alias/a.ts", "continue"],
    ["sed -i s/a/b/ alias/a.ts", "continue"],
  ])("%s: %s", async (command, action) => {
    expect((await judged("standard", command, project)).action).toBe(action);
  });

  test("for tools for files too", async () => {
    const call = { tool: "Read", args: { file_path: "keys/id_rsa" } };
    expect((await judged("standard", call, project)).action).toBe("deny");
  });
});

describe("a file that is not there has nothing to lose", () => {
  test.each([
    ["> out.txt", "continue"],
    ["truncate -s 10M new.db", "continue"],
    ["dd if=/dev/zero of=new.db bs=1M count=1", "continue"],
    ["truncate -s 0 src/a.ts", "deny"],
    ["dd if=/dev/zero of=src/a.ts bs=1M count=1", "deny"],
    [": > src/new.ts", "continue"],
    ["> src/a.ts", "deny"],
    ["cp src/a.ts b.ts; > b.ts", "deny"],
    ["> not-there/x", "deny"],
    ["> ~/.not-there_history; > ~/.zsh_history", "deny"],
  ])("%s: %s", async (command, action) => {
    expect((await judged("standard", command, project)).action).toBe(action);
  });
});

describe("a folder for temporary files that is not set", () => {
  test.each([
    ['rm -rf "$TMPDIR/x"', "continue"],
    ['rm -rf "${TMPDIR}/build-cache"', "continue"],
    ['rm -rf "${TMPDIR:-/tmp}/x"', "continue"],
    ['rm -rf "$TMPDIR"/*', "deny"],
    ['rm -rf "$TMPDIR/"', "deny"],
    ["rm -rf $TMPDIR/etc", "deny"],
  ])("%s: %s", async (command, action) => {
    vi.stubEnv("TMPDIR", undefined);
    expect((await judged("standard", command, project)).action).toBe(action);
  });
});

test.each([
  ["mcp__docs__search", { path: "/etc/hosts", text: "rm" }, "continue"],
  ["mcp__fs__find_text", { path: "~/.bashrc", text: "alias" }, "continue"],
  ["mcp__notes__put", { path: "~/.bashrc", text: "alias" }, "deny"],
])("a tool that looks for a text does not write it: %s %j is %s", async (tool, args, action) => {
  expect((await judged("standard", { tool, args }, project)).action).toBe(action);
});

describe("a pattern for the files of one kind means that kind", () => {
  test.each([
    ["cat src/*.json", "continue"],
    ["grep -rn x src --include=*.json", "continue"],
    ["find . -name '*.env*' -exec cat {} +", "ask"],
    ["cat config/*.pem", "deny"],
  ])("%s: %s", async (command, action) => {
    const { action: said } = await judged("standard", command, project);
    expect(action === "continue" ? said === "continue" : said !== "continue").toBe(true);
  });
});

describe("settings of the project hold keys when a login stands in them", () => {
  test.each([
    [".npmrc", "save-exact=true\n//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n", "continue"],
    [".npmrc", "//registry.npmjs.org/:_authToken=npm_a1b2c3\n", "ask"],
    [".yarnrc.yml", "nodeLinker: node-modules\n", "continue"],
    [".yarnrc.yml", 'npmAuthToken: "a1b2c3"\n', "ask"],
    [".env.test", "PORT=3000\nDB_PASSWORD=test\n", "continue"],
    [".env.test", `STRIPE_KEY=sk_live_${"a1".repeat(12)}\n`, "ask"],
  ])("%s with %j: %s", async (name, text, action) => {
    const folder = mkdtempSync(join(project, "settings-"));
    writeFileSync(join(folder, name), text);
    expect((await judged("standard", `cat ${name}`, folder)).action).toBe(action);
    const call = { tool: "Read", args: { file_path: join(folder, name) } };
    expect((await judged("standard", call, folder)).action).toBe(action);
  });
});

import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { callFiles } from "../../src/effects/call-files.ts";
import { Hook, HookEvent, HookExecutor, HookRegistry } from "../../src/index.ts";
import { diskLookups } from "../../src/runners/disk-lookups.ts";
import { cases, seedOr } from "../cases.ts";

/** Globs of the shell name the files that bash names, for every part of the house that compares files. */

const folder = realpathSync(mkdtempSync(join(tmpdir(), "globs-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NAME = fc
  .oneof(
    fc.constantFrom(
      "a",
      "b",
      "ab",
      "A",
      "a.ts",
      "b.ts",
      ".env",
      ".env.ts",
      "a.test.ts",
      "[id]",
      "x y",
      "a*b",
      "-x",
      "1",
      "_",
    ),
    fc.string({ unit: fc.constantFrom(..."ab.A1-_[]!^ é"), minLength: 1, maxLength: 4 }),
  )
  .filter((name) => name !== "." && name !== ".." && !name.startsWith("-"));

const TREE = fc.record({
  files: fc.array(fc.array(NAME, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 9 }),
  link: fc.option(fc.tuple(NAME, NAME)),
});

const PIECE = fc.constantFrom(
  ..."*|?|a|b|.|ts|[ab]|[!a]|[^b]|[a-c]|[A-Z]|[[:alpha:]]|[]a]|[!]]|.ts|.env|*.ts|\\*|\\[|'['|\"*\"|[|]|1|-|é".split(
    "|",
  ),
);
const PART = fc.array(PIECE, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(""));
const GLOB = fc
  .tuple(
    fc.array(fc.oneof({ weight: 4, arbitrary: PART }, { weight: 1, arbitrary: fc.constant("**") }), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.boolean(),
  )
  .map(([parts, isFolder]) => parts.join("/") + (isFolder && parts.length > 1 ? "/" : ""))
  .filter((glob) => !/^[-#]/.test(glob) && !glob.includes("**/**") && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(glob));

const OPTIONS = fc.constantFrom("", "", "", "shopt -s dotglob", "shopt -s globstar", "shopt -s dotglob globstar");

function grow(at: string, { files, link }: { files: string[][]; link: [string, string] | null }) {
  mkdirSync(at);
  const put = (act: () => void) => {
    try {
      act();
    } catch {
      // A name that a folder has already.
    }
  };
  for (const path of files)
    put(() => {
      const whole = join(at, ...path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, "x");
    });
  if (link !== null) put(() => symlinkSync(link[1], join(at, link[0])));
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

describe("a glob in a command", () => {
  it("names the files that bash names, in every generated tree", () => {
    const sampled = fc.sample(fc.tuple(TREE, GLOB, OPTIONS), { numRuns: cases(500, 20_000), seed: seedOr(42) });
    const asked = sampled.map(([tree, glob, options], at) => {
      const cwd = join(folder, String(at));
      grow(cwd, tree);
      return { cwd, glob, options };
    });
    // One process of bash for all: each tree in a subshell of its own, names that are not there left out.
    const script = asked
      .map(
        ({ cwd, glob, options }) =>
          `(cd ${cwd}; ${options}\nfor f in ${glob}; do [ -e "$f" -o -L "$f" ] && printf '%s\\0' "$f"; done; printf '\\n\\0')`,
      )
      .join("\n");
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", 'eval "$(cat)"'], {
      input: script,
      encoding: "utf8",
      env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
      maxBuffer: 2 ** 26,
    });
    expect(stderr).toBe("");
    const named = stdout
      .split("\n\0")
      .slice(0, -1)
      .map((text) => text.split("\0").filter(Boolean));
    expect(named).toHaveLength(asked.length);
    const wrong = asked.flatMap(({ cwd, glob, options }, at) => {
      const command = `${options === "" ? "" : `${options}; `}rm -r ${glob}`;
      const event = HookEvent.toolPreExecute("Bash", { command }, { cwd });
      const { deleted } = callFiles(event, diskLookups);
      const there = deleted.filter(({ absolute, isGlob }) => isGlob || isThere(absolute));
      const seen = new Set(there.map(({ absolute, isGlob }) => (isGlob ? `? ${absolute}` : absolute)));
      const wanted = new Set(named[at]?.map((name) => join(cwd, name)));
      const isSame = seen.size === wanted.size && [...wanted].every((path) => seen.has(path.replace(/\/$/, "")));
      return isSame ? [] : [{ command, seen: [...seen], wanted: [...wanted] }];
    });
    expect(wrong).toEqual([]);
  });
});

describe("a folder that a call touches with everything in it", () => {
  const root = join(folder, "whole");
  const FILES = ["src/a.ts", "src/deep/a.test.ts", "certs/server.key", "lib/.env", "node_modules/x/x.test.ts"];
  const stops = async (rule: string, command: string, timestamp?: number) => {
    for (const file of FILES) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), "x");
    }
    const registry = new HookRegistry();
    registry.register(Hook.fromJSON({ event: "tool:pre_execute", rules: `${rule} -> deny("no")` }));
    const about = { cwd: root, ...(timestamp !== undefined && { timestamp }) };
    const event = HookEvent.toolPreExecute("Bash", { command }, about);
    return (await new HookExecutor({ registry }).decide(event)).action === "deny";
  };

  it.each([
    ['call deletes "*.test.ts"', "rm -rf src", true],
    ['call deletes "*.test.ts"', "rm -rf s*", true],
    ['call deletes "*.test.ts"', "mv src /tmp/elsewhere", true],
    ['call deletes "*.test.ts"', "rm -rf certs", false],
    ['call deletes "*.test.ts"', "rm -rf node_modules", false],
    ['call deletes ".env"', "rm -rf lib", true],
    ['call reads "*.key"', "tar czf /tmp/x.tgz certs", true],
    ['call reads "*.key"', "grep -r PRIVATE .", true],
    ['call reads "*.key"', "grep -r PRIVATE src", false],
    ['call reads "*.key"', "find . -name '*.key'", false],
    ['call reads "*.key"', "ls -R certs", false],
    ['call reads ".env"', "cp -r lib /tmp/elsewhere", true],
    ['call reads ".env"', "grep -r x src", false],
    ['call reads ".env"', "rg x", false],
    ['call reads ".env"', "rg --hidden x", true],
    ['call reads ".env"', "eslint .", false],
    ['call writes "*.test.ts"', "prettier --write src", true],
    ['call writes "*.test.ts"', "prettier --write certs", false],
  ])("%s: %s is %s, by the files that are in it", async (rule, command, isStopped) => {
    expect(await stops(rule, command)).toBe(isStopped);
  });

  it("is looked up whatever time the event has, as an agent states it", async () => {
    expect(await stops('call reads "*.key"', "cat src/*", 1_700_000_000)).toBe(false);
    expect(await stops('call reads "*.key"', "cat certs/*", 1_700_000_000)).toBe(true);
  });
});

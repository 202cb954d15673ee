import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Lookups, SimpleCommand, Word } from "../../src/effects/parse/command.ts";
import { readCommandLine } from "../../src/effects/parse/read-command-line.ts";
import { patternTest } from "../../src/effects/parse/words/pattern.ts";

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly command: string;
  readonly setup: string;
}

const FILE = fileURLToPath(new URL("../../fixtures/shell/bypass.jsonl", import.meta.url));
const ROWS = readFileSync(FILE, "utf8")
  .trim()
  .split("\n")
  .map((line): Row => JSON.parse(line));

/** They empty the whole folder and never name what is in it. */
const UNNAMED = ["B135", "B136", "B137", "B138"];
/** Not seen, and why. */
const UNSEEN: Readonly<Record<string, string>> = {};

describe("a command that removes the victim", () => {
  it("is known in 183 forms, each run once for real", () => expect(ROWS).toHaveLength(183));

  it.each(ROWS)("is seen as $kind ($id)", ({ id, command, setup }) => {
    const { commands } = readCommandLine(command, surroundings(setup));
    const isSeen = commands.some((one) => touchesVictim(one) || (UNNAMED.includes(id) && cleans(one)));
    expect(isSeen, show(commands)).toBe(!(id in UNSEEN));
  });

  it("is missed in at most four forms", () => expect(Object.keys(UNSEEN).length).toBeLessThanOrEqual(4));
});

/** The folder that the command would run in. */
function surroundings(setup: string): Lookups {
  if (setup === "") return {};
  const folder = mkdtempSync(join(tmpdir(), "victim-"));
  execFileSync("bash", ["-c", `mkdir victim; ${setup}`], { cwd: folder, stdio: "ignore", timeout: 10_000 });
  const read = (path: string) => {
    const file = join(folder, path);
    return existsSync(file) && statSync(file).isFile() ? readFileSync(file, "utf8") : undefined;
  };
  return {
    script: read,
    task: (runner, name) => {
      if (runner === "npm") return JSON.parse(read("package.json") ?? "{}").scripts?.[name];
      return new RegExp(`^${name}:\\n\\t(.*)`, "m").exec(read("Makefile") ?? "")?.[1];
    },
  };
}

const HARMLESS = ["echo", "printf", "cat", "sh", "bash", "python3", "eval", "set", "read", undefined];

function touchesVictim({ program, args, redirects }: SimpleCommand): boolean {
  const isWritten = redirects.some(({ way, target }) => way !== "read" && isVictim(target));
  return isWritten || (!HARMLESS.includes(program?.text) && args.some(isVictim));
}

function isVictim({ text, isGlob }: Word): boolean {
  const path = text.replace(/^of=/, "").replace(/\/f?$/, "");
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name === "victim" || (isGlob && patternTest(name)?.("victim") === true);
}

function cleans({ program, args }: SimpleCommand): boolean {
  return program?.text === "git" && args.some(({ text }) => text === "clean");
}

function show(commands: readonly SimpleCommand[]): string {
  return commands
    .map(({ program, args }) => [program, ...args].map((word) => word?.text).join(" "))
    .join("\n")
    .slice(0, 2000);
}

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EVENTS } from "../../src/index.ts";
import { ROOT } from "./workshop.ts";

/** A line of each table. */
const SHOWN: Readonly<Record<string, string>> = {
  "tool-kinds": "| `@mcp` | calls a tool of an MCP server | `mcp__…`",
  environment: "| `SLUICE_TOOL_ARGS` | the tool's input, as JSON |",
  "hook-fields": "| `working_dir` | `command` |",
  failures: '| `timeout` | hook "fmt" did not finish within 1.5 s |',
  templates: "| `block_sudo` | `tool:pre_execute:bash` |",
  commands: "| `sluice check",
  "exit-codes": "| `0` |",
};

const STALE = "<!-- table:failures -->\n<!-- /table:failures -->\n";

/** Markers that are refused, with the complaint. */
const WRONG: Readonly<Record<string, readonly [text: string, complaint: string]>> = {
  "a table that does not exist": [
    "\n<!-- table:evnts -->\n<!-- /table:evnts -->",
    'FILE:2 wants the table "evnts"; there are api, events,',
  ],
  "a marker without an end": [
    "<!-- table:events -->\ntext",
    'FILE:1 has a marker of the table "events" without its other half',
  ],
  "an end without a marker": [
    "<!-- /table:events -->",
    'FILE:1 has a marker of the table "events" without its other half',
  ],
  "markers that cross": [
    "<!-- table:events -->\n<!-- /table:failures -->",
    'FILE:2 has a marker of the table "failures" without its other half',
  ],
};

let folder: string;
/** One run fills them all: most of its time goes into reading the source. */
let filled: ReturnType<typeof docs>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-tables-"));
  const pages = Object.keys(SHOWN).map((name) =>
    write(`${name}.md`, `<!-- table:${name} -->\n<!-- /table:${name} -->\n`),
  );
  const around = write("around.md", "before\n<!-- table:events -->\nold\n<!-- /table:events -->\nafter\n");
  filled = docs(around, ...pages);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("the tables of the pages", () => {
  it("are filled from the source, and what stands around them stays", () => {
    expect(filled.status).toBe(0);
    const lines = readFileSync(join(folder, "around.md"), "utf8").split("\n");
    expect([lines[0], lines.at(-2)]).toEqual(["before", "after"]);
    expect(lines).toHaveLength(Object.keys(EVENTS).length + 7);
    expect(lines).toContain(
      "| `session:end` | `SessionEnd` |  |  | the session closes; nothing can be stopped any more |",
    );
  });

  it("can show everything that has a row per thing", () => {
    expect(filled.stderr).toBe("");
    for (const [name, line] of Object.entries(SHOWN))
      expect(readFileSync(join(folder, `${name}.md`), "utf8")).toContain(`\n${line}`);
    expect(docs("--check", ...Object.keys(SHOWN).map((name) => join(folder, `${name}.md`))).status).toBe(0);
  });

  it("are fresh after filling, and named when they are stale", () => {
    const stale = write("stale.md", STALE);
    const { status, stderr } = docs("--check", join(folder, "failures.md"), stale);
    expect(status).toBe(1);
    expect(stderr).toBe("stale.md has stale tables; npm run docs fills them\n");
    expect(readFileSync(stale, "utf8")).toBe(STALE);
  });

  it("refuse markers that are wrong, each with its place, and fill no page then", () => {
    const pages = Object.entries(WRONG).map(([what, [text, complaint]], index) => {
      const name = `wrong-${index}.md`;
      return { what, text, path: write(name, text), complaint: complaint.replace("FILE", name) };
    });
    const right = write("right.md", STALE);
    const { status, stderr } = docs(right, ...pages.map(({ path }) => path));
    expect(status).toBe(1);
    for (const { what, text, path, complaint } of pages) {
      expect(stderr, what).toContain(complaint);
      expect(readFileSync(path, "utf8"), what).toBe(text);
    }
    expect(readFileSync(right, "utf8")).toBe(STALE);
  });
});

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function docs(...args: string[]) {
  return spawnSync(process.execPath, [join(ROOT, "scripts/docs.mjs"), ...args], { cwd: folder, encoding: "utf8" });
}

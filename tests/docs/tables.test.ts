import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-tables-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("the tables of the pages", () => {
  it("are filled from the source, and what stands around them stays", () => {
    const page = write("a.md", "before\n<!-- table:events -->\nold\n<!-- /table:events -->\nafter\n");
    expect(docs(page).status).toBe(0);
    const lines = readFileSync(page, "utf8").split("\n");
    expect([lines[0], lines.at(-2)]).toEqual(["before", "after"]);
    expect(lines).toHaveLength(Object.keys(EVENTS).length + 7);
    expect(lines).toContain(
      "| `session:end` | `SessionEnd` |  |  | the session closes; nothing can be stopped any more |",
    );
  });

  it("can show everything that has a row per thing", () => {
    const pages = Object.entries(SHOWN).map(([name, line]) => {
      const page = write(`${name}.md`, `<!-- table:${name} -->\n<!-- /table:${name} -->\n`);
      return { page, line };
    });
    const paths = pages.map(({ page }) => page);
    expect(docs(...paths).stderr).toBe("");
    for (const { page, line } of pages) expect(readFileSync(page, "utf8")).toContain(`\n${line}`);
    expect(docs("--check", ...paths).status).toBe(0);
  });

  it("are fresh after filling, and named when they are stale", () => {
    const text = "<!-- table:failures -->\n<!-- /table:failures -->\n";
    const [fresh, stale] = [write("fresh.md", text), write("stale.md", text)];
    docs(fresh);
    const { status, stderr } = docs("--check", fresh, stale);
    expect(status).toBe(1);
    expect(stderr).toBe("stale.md has stale tables; npm run docs fills them\n");
    expect(readFileSync(stale, "utf8")).toBe(text);
  });

  it.each([
    [
      "a table that does not exist",
      "\n<!-- table:evnts -->\n<!-- /table:evnts -->",
      'a.md:2 wants the table "evnts"; there are events,',
    ],
    [
      "a marker without an end",
      "<!-- table:events -->\ntext",
      'a.md:1 has a marker of the table "events" without its other half',
    ],
    ["an end without a marker", "<!-- /table:events -->", "without its other half"],
    ["markers that cross", "<!-- table:events -->\n<!-- /table:failures -->", "without its other half"],
  ])("refuse %s", (_, text, complaint) => {
    const page = write("a.md", text);
    const { status, stderr } = docs(page);
    expect(status).toBe(1);
    expect(stderr).toContain(complaint);
    expect(readFileSync(page, "utf8")).toBe(text);
  });
});

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function docs(...args: string[]) {
  return spawnSync(process.execPath, [join(ROOT, "scripts/docs.mjs"), ...args], { cwd: folder, encoding: "utf8" });
}

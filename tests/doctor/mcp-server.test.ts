import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { type Project, project } from "../cli/sluice.ts";

const ENFORCED = { ".sluice/hooks.yaml": "intents: { mode: enforce }\n" };
const TAKING = ADAPTERS.filter(({ recipe }) => recipe?.mcp?.files.user !== undefined);

describe("the MCP server in an agent's settings", () => {
  it("is missed with every agent that takes one", () => {
    const here = project();
    here.sluice("install", ...TAKING.map(({ id }) => id), "--yes", "--no-mcp");
    const absent = examined(here);
    for (const { id } of TAKING) {
      expect(absent.get(id), id).toContainEqual({
        state: "note",
        what: expect.stringContaining("not registered"),
        fix: `Run \`sluice install ${id} --scope user\`.`,
      });
    }
  });

  it("that is missing is wrong where intents are enforced", () => {
    const here = project(ENFORCED);
    here.sluice("install", "claude-code", "--yes", "--no-mcp");
    expect(found(here, "claude-code")).toContainEqual(
      expect.objectContaining({ state: "wrong", what: expect.stringContaining("no session can select an intent") }),
    );
  });

  it.each<[what: string, edit: (text: string) => string, says: string]>([
    ["starts a path that is gone", (text) => text.replace("sluice.cjs", "gone/sluice.cjs"), "which is not there"],
    [
      "is not what this version registers",
      (text) => text.replace('"stdio"', '"sse"'),
      "not what this version registers",
    ],
    ["is somebody else's", (text) => text.replace('"mcp"]', '"other"]'), "another MCP server has the name"],
    ["is switched off", (text) => text.replace('"type"', '"disabled": true, "type"'), "switched off"],
  ])("that %s is wrong, with its place", (_, edit, says) => {
    const here = project();
    here.sluice("install", "claude-code", "--yes");
    const path = join(here.home, ".claude.json");
    writeFileSync(path, edit(readFileSync(path, "utf8")));
    expect(found(here, "claude-code")).toContainEqual(
      expect.objectContaining({ state: "wrong", what: expect.stringContaining(says), place: { file: path } }),
    );
  });

  it("has to be registered by hand where an agent takes none from a file", () => {
    const here = project();
    here.sluice("install", "windsurf", "--scope", "project", "--yes");
    const note = found(here, "windsurf").find(({ what }) => what.includes("not registered"));
    expect(note?.fix).toMatch(/^Register `.*sluice\.cjs mcp` .* by hand, or install with --scope user instead\.$/);
  });
});

describe("intents", () => {
  it("that cannot be used are wrong, with their line, for doctor and for check", () => {
    const here = project({ ...ENFORCED, ".orchestration/active_intents.yaml": "active_intents: 7\n" });
    expect(found(here, "Intents")).toContainEqual(
      expect.objectContaining({ state: "wrong", place: expect.objectContaining({ line: 1 }) }),
    );
    const { out, code } = here.sluice("check");
    expect(code).toBe(1);
    expect(out).toMatch(/intent\/no-list {2}\.orchestration\/active_intents\.yaml:1/);
  });

  it("that are enforced while none is in progress are said, and stop no check", () => {
    const here = project(ENFORCED);
    const { out, code } = here.sluice("check");
    expect(code).toBe(0);
    expect(out).toContain("intent/nothing-declared");
    expect(found(here, "Intents")).toContainEqual(
      expect.objectContaining({ state: "note", what: expect.stringContaining("has declared none") }),
    );
  });
});

interface Finding {
  readonly state: string;
  readonly what: string;
  readonly fix?: string;
}

function found(here: Project, subject: string): Finding[] {
  return examined(here).get(subject) ?? [];
}

function examined(here: Project): ReadonlyMap<string, Finding[]> {
  const said = JSON.parse(here.sluice("doctor", "--json").out) as {
    examined: { subject: string; findings: Finding[] }[];
  };
  return new Map(said.examined.map(({ subject, findings }) => [subject, findings]));
}

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { examineServer } from "../../src/doctor/server.ts";
import { type Project, project } from "../cli/sluice.ts";
import { COMMAND } from "../command-server/run-command.ts";

const ENFORCED = { ".sluice/hooks.yaml": "intents: { mode: enforce }\n" };
const TAKING = ADAPTERS.filter(({ recipe }) => recipe?.mcp?.files.user !== undefined);

describe("the MCP server in an agent's settings", () => {
  it("is missed with every agent that takes one", () => {
    const here = project();
    here.sluice("install", ...TAKING.map(({ id }) => id), "--yes", "--no-mcp");
    for (const { id } of TAKING) {
      expect(registration(here, id), id).toEqual([
        {
          state: "note",
          what: expect.stringContaining("not registered"),
          fix: `Run \`sluice install ${id} --scope user\`.`,
        },
      ]);
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
    expect(registration(here, "claude-code")).toEqual([{ state: "fine", what: "your MCP servers hold Sluice's" }]);
    writeFileSync(path, edit(readFileSync(path, "utf8")));
    expect(registration(here, "claude-code")).toEqual([
      expect.objectContaining({ state: "wrong", what: expect.stringContaining(says), place: { file: path } }),
    ]);
  });

  it("is among what doctor says about its agent", () => {
    const here = project();
    here.sluice("install", "claude-code", "--yes");
    const path = join(here.home, ".claude.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"type"', '"disabled": true, "type"'));
    const [wrong] = registration(here, "claude-code");
    expect(found(here, "claude-code")).toContainEqual({ ...wrong, what: expect.stringContaining("switched off") });
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

/** What doctor finds about the server in the user's settings of an agent, without a call through all of those settings. */
function registration({ home, root }: Project, id: string) {
  const adapter = ADAPTERS.find((one) => one.id === id);
  if (adapter === undefined) throw new Error(`no agent ${id}`);
  const sluice = [process.execPath, COMMAND];
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, ".config") };
  const around = { home, root, env, sluice, mcp: [...sluice, "mcp"], isMatched: () => true };
  return examineServer(adapter, ["user"], around, { isNeeded: false });
}

function found(here: Project, subject: string): Finding[] {
  const said = JSON.parse(here.sluice("doctor", "--json").out) as {
    examined: { subject: string; findings: Finding[] }[];
  };
  return said.examined.find((one) => one.subject === subject)?.findings ?? [];
}

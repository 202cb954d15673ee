import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { type Project, project } from "../cli/sluice.ts";
import { COMMAND } from "../command-server/run-command.ts";

const IDS = ADAPTERS.filter(({ recipe }) => recipe !== undefined).map(({ id }) => id);

describe("sluice doctor runs no line that this installation did not write", () => {
  it("a cloned project's line that starts a program of the project is reported and not run", () => {
    const here = clone((text) => text.replaceAll("node_modules/.bin/sluice", "sluice"));
    program(here, "sluice");
    const agents = examined(here);
    expect(existsSync(join(here.root, "ran"))).toBe(false);
    for (const id of IDS)
      expect(agents[id], id).toMatchObject({
        installed: true,
        denies: false,
        protected: false,
        findings: expect.arrayContaining([
          expect.objectContaining({
            state: "wrong",
            what: expect.stringContaining("did not write, so it was not run"),
          }),
        ]),
      });
  });

  it("the very line that Sluice would write is not run in a clone: what it starts came with the clone", () => {
    const here = clone((text) => text);
    program(here, "node_modules/.bin/sluice");
    const agents = examined(here);
    expect(existsSync(join(here.root, "ran"))).toBe(false);
    for (const id of IDS) expect(agents[id], id).toMatchObject({ installed: true, denies: false, protected: false });
  });

  it("a line of this installation is not run when the project's command is another program", () => {
    const here = project();
    here.sluice("install", "claude-code", "--scope", "project", "--yes");
    program(here, "node_modules/.bin/sluice");
    expect(examined(here)["claude-code"]).toMatchObject({
      denies: false,
      findings: expect.arrayContaining([
        expect.objectContaining({
          what: expect.stringContaining("node_modules/.bin/sluice is not the command that runs now"),
        }),
      ]),
    });
    expect(existsSync(join(here.root, "ran"))).toBe(false);
  });

  it("a line that was changed since it was written is not run, and other changes of the file are nothing to it", () => {
    const here = project();
    here.sluice("install", "claude-code", "--yes");
    const settings = join(here.home, ".claude/settings.json");
    const text = readFileSync(settings, "utf8");
    writeFileSync(settings, text.replace("{", '{ "model": "other",'));
    expect(examined(here)["claude-code"]).toMatchObject({ installed: true, denies: true });
    writeFileSync(settings, text.replaceAll(/"command": "/g, `"command": "touch ${join(here.root, "ran")}; `));
    expect(examined(here)["claude-code"]).toMatchObject({ installed: true, denies: false });
    expect(existsSync(join(here.root, "ran"))).toBe(false);
  });

  it("`sluice install` records a line that was there already, and doctor runs it then", () => {
    const here = clone((text) => text, ["claude-code"]);
    mkdirSync(join(here.root, "node_modules/.bin"), { recursive: true });
    symlinkSync(COMMAND, join(here.root, "node_modules/.bin/sluice"));
    const before = examined(here)["claude-code"];
    expect(before).toMatchObject({ installed: true, denies: false });
    expect(before?.findings).toContainEqual(
      expect.objectContaining({
        state: "note",
        fix: expect.stringContaining("sluice install claude-code --scope project"),
      }),
    );
    expect(here.sluice("install", "claude-code", "--scope", "project", "--yes").code).toBe(0);
    expect(examined(here)["claude-code"]).toMatchObject({ installed: true, denies: true });
  });

  it("asks no program of the project for its version", () => {
    const here = project();
    program(here, "node_modules/.bin/codex");
    const path = `${join(here.root, "node_modules/.bin")}:${process.env.PATH}`;
    const { out } = here.with({ PATH: path })("doctor", "--json");
    expect(existsSync(join(here.root, "ran"))).toBe(false);
    expect(out).toContain("is in this project, so it was not run to ask for its version");
  });
});

/** A project with the settings that another user's `sluice install --scope project` wrote, changed on the way. */
function clone(change: (text: string) => string, ids: readonly string[] = IDS): Project {
  const [theirs, here] = [project(), project()];
  expect(theirs.sluice("install", ...ids, "--scope", "project", "--yes").code).toBe(0);
  cpSync(theirs.root, here.root, { recursive: true });
  for (const name of readdirSync(here.root, { recursive: true, encoding: "utf8" })) {
    const path = join(here.root, name);
    if (statSync(path).isFile()) writeFileSync(path, change(readFileSync(path, "utf8")));
  }
  rmSync(join(here.root, "ran"), { force: true });
  return here;
}

/** A program of the project that leaves a mark when it runs. */
function program({ root }: Project, path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `#!/bin/sh\ntouch "${join(root, "ran")}"\nexit 2\n`, { mode: 0o755 });
}

interface AgentReport {
  readonly findings: readonly object[];
}

function examined(here: Project): Readonly<Record<string, AgentReport>> {
  return JSON.parse(here.sluice("doctor", "--json").out).agents;
}

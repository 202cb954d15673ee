import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { builtFile } from "../built-file.ts";
import { type Project, project } from "../cli/sluice.ts";
import { called, warmProjects } from "./warm-project.ts";

const warmProject = warmProjects();
const INSTALLABLE = ADAPTERS.filter(({ recipe }) => recipe !== undefined);
/** One of the tests starts a process for every agent. */
const LONG = { timeout: 120_000 };
const TAKING_MCP = ADAPTERS.filter(({ recipe }) => recipe?.mcp?.files.user !== undefined);

describe("sluice doctor", () => {
  it.each(INSTALLABLE.map(({ id }) => id))("fires a canary through the settings of %s", LONG, async (id) => {
    const { found, code } = await withEveryAgent();
    expect(found(id)).toContainEqual({ state: "fine", what: expect.stringMatching(/^canary: denied in \d+ ms/) });
    // Where an agent runs no hook before its user has trusted it, that is noted; its program is not on this machine.
    expect(found(id).filter(({ state }) => state === "wrong")).toEqual([]);
    expect(code).toBe(0);
  });

  it.each(TAKING_MCP.map(({ id }) => id))("sees the MCP server in the settings of %s", LONG, async (id) => {
    expect((await withEveryAgent()).found(id)).toContainEqual({
      state: "fine",
      what: "your MCP servers hold Sluice's",
    });
  });

  it("says what is wrong when the command in an agent's settings is gone", () => {
    const here = project();
    here.sluice("install", "claude-code", "--yes");
    change(here, ".claude/settings.json", (text) => text.replaceAll("sluice.cjs", "gone/sluice.cjs"));
    const { found, code } = doctor(here);
    const wrong = found("claude-code").filter(({ state }) => state === "wrong");
    expect(wrong.map(({ what }) => what)).toEqual([
      expect.stringMatching(/start .*gone\/sluice\.cjs, which is not there/),
      expect.stringContaining("not what this version writes"),
      expect.stringContaining("did not write, so it was not run"),
    ]);
    expect(wrong[0]?.fix).toContain("sluice install claude-code");
    expect(code).toBe(1);
  });

  it("knows the denial of its canary also where other hooks add words to it", async () => {
    const agents = ["claude-code", "codex", "gemini-cli", "cursor"];
    const here = await warmProject({
      ".sluice/hooks.yaml":
        'hooks:\n  - { name: gate, event: "tool:pre_execute:@shell", command: ./gate.sh }\n  - { name: no, event: "tool:pre_execute:@shell", rules: "tool exists -> deny(\\"never\\")" }\n',
      "gate.sh": "exit 0\n",
    });
    here.sluice("install", ...agents, "--yes");
    here.sluice("trust", "--yes");
    writeFileSync(join(here.root, "gate.sh"), "exit 1\n");
    const { found } = doctor(here);
    for (const id of agents)
      expect(found(id), id).toContainEqual({ state: "fine", what: expect.stringMatching(/^canary: denied/) });
  });

  it("knows an answer that an agent would not obey", async () => {
    const here = await warmProject();
    here.sluice("install", "codex", "--yes");
    // As if this installation had written such lines: no other line is run.
    const noisy = (line: string) => `echo starting; ${line}`;
    change(here, ".codex/hooks.json", (text) => text.replaceAll(/(?<="command": ")/g, noisy("")));
    for (const name of readdirSync(join(here.home, ".s/sluice/installed")))
      change(here, join(".s/sluice/installed", name), (text) => {
        const note: { lines: string[] } = JSON.parse(text);
        return JSON.stringify({ ...note, lines: note.lines.map(noisy) });
      });
    expect(doctor(here).found("codex")).toContainEqual(
      expect.objectContaining({ state: "wrong", what: expect.stringContaining("the denial did not come through") }),
    );
  });

  it("sees a time limit in another unit, and that an agent's own settings switch hooks off", async () => {
    const here = await warmProject();
    here.sluice("install", "claude-code", "gemini-cli", "--yes");
    change(here, ".gemini/settings.json", (text) => text.replaceAll("120000", "120"));
    change(here, ".claude/settings.json", (text) => text.replace("{", '{ "disableAllHooks": true,'));
    const { found } = doctor(here);
    expect(found("gemini-cli")).toContainEqual(
      expect.objectContaining({ state: "wrong", what: expect.stringContaining("another time limit") }),
    );
    const said = found("claude-code").map(({ what }) => what);
    expect(said).toContainEqual(expect.stringContaining("`disableAllHooks` switches all hooks off"));
    expect(said).not.toContainEqual(expect.stringContaining("another time limit"));
  });

  it("sees lines in both settings, where each call is decided once, and install says so when it writes the second", async () => {
    const here = await warmProject();
    here.sluice("install", "codex", "--yes");
    const again = here.sluice("install", "codex", "--scope", "project", "--yes");
    expect(again.code).toBe(0);
    expect(again.err).toContain("Codex calls Sluice from your own settings too");
    const said = doctor(here)
      .found("codex")
      .map(({ what }) => what);
    expect(said).toContainEqual(expect.stringContaining("each call is decided once"));
    const path = join(here.root, ".codex/hooks.json");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("export SLUICE_SCOPE=project; ", ""));
    const older = doctor(here).found("codex");
    expect(older.map(({ what }) => what)).toContainEqual(expect.stringContaining("each hook fires twice"));
  });

  it("names hooks that no agent here ever calls", async () => {
    const here = await warmProject({
      ".sluice/hooks.yaml": "hooks: [{ name: quiet, event: session:checkpoint, rules: error exists -> deny }]\n",
    });
    here.sluice("install", "windsurf", "--yes");
    expect(doctor(here).found("Agents together")).toContainEqual(
      expect.objectContaining({
        state: "wrong",
        what: expect.stringContaining('hook "quiet" matches session:checkpoint'),
      }),
    );
  });

  it("tells which version of an agent is here, beside the one that is known", () => {
    const here = project();
    mkdirSync(join(here.home, "bin"));
    writeFileSync(join(here.home, "bin/codex"), "#!/bin/sh\necho codex-cli 9.9.9\n", { mode: 0o755 });
    const { found } = doctor(here, { PATH: `${join(here.home, "bin")}:${process.env.PATH}` });
    expect(found("codex")[0]).toMatchObject({
      state: "wrong",
      what: expect.stringContaining("no call of Codex reaches"),
    });
    expect(found("codex")[1]?.what).toMatch(
      /^version 9\.9\.9; (?:this adapter was written from|the last real run that)/,
    );
  });

  it("brings up hooks that wait for an approval, and what fails in the configuration", () => {
    const here = project({ ".sluice/hooks.yaml": "hooks: [{ event: Stop, command: 'true' }, { evnt: x }]\n" });
    const { found, code } = doctor(here);
    expect(found("Trust")).toContainEqual(
      expect.objectContaining({ state: "wrong", what: expect.stringContaining("Run `sluice trust`") }),
    );
    expect(found("Configuration")).toContainEqual(
      expect.objectContaining({ state: "wrong", place: expect.objectContaining({ line: 1 }) }),
    );
    expect(code).toBe(1);
  });

  it("reads like a list for a person, and ends with a sentence", async () => {
    const here = await warmProject();
    here.sluice("install", "claude-code", "--yes");
    const { out } = here.sluice("doctor");
    expect(out).toMatch(
      /^Configuration\n {2}✓ \d+ guards in 1 file\nClaude Code\n {2}✓ your settings call Sluice\n {2}✓ canary: denied/,
    );
    expect(out).toMatch(
      /\nInstalled, not seen working yet: Claude Code\. The lines with a dot name the next step\.\n$/,
    );
    called(here, "claude-code");
    expect(here.sluice("doctor").out).toMatch(/\nProtected here: Claude Code\. Nothing is wrong\.\n$/);
  });

  it("is quiet about what never changes, unless it is asked", async () => {
    const here = await warmProject();
    here.sluice("install", "codex", "--yes");
    expect(here.sluice("doctor").out).not.toContain("Codex cannot ask the user");
    expect(here.sluice("doctor", "--verbose").out).toContain("Codex cannot ask the user");
  });

  it("names the agents that ask all the same, or ignore `allow`, where calls are answered with it", async () => {
    const here = await warmProject();
    for (const agent of ["claude-code", "codex"]) here.sluice("install", agent, "--yes");
    const told = () => here.sluice("doctor").out;
    expect(told()).not.toMatch(/`approve: known` spares|its own `ask` rules/);
    mkdirSync(join(here.home, ".config/sluice"), { recursive: true });
    writeFileSync(join(here.home, ".config/sluice/hooks.yaml"), "approve: known\n");
    expect(told()).toMatch(/Codex ignores `allow` before a call: `approve: known` spares no question there\./);
    expect(told()).toMatch(/Claude Code asks where one of its own `ask` rules matches/);
    expect(told()).toMatch(/`sluice approve setup` sets a PIN/);
  });

  it("fails when an agent that is here does not reach Sluice, and names every agent by its id in JSON", async () => {
    const here = await warmProject();
    here.sluice("install", "claude-code", "--yes");
    called(here, "claude-code");
    mkdirSync(join(here.home, ".gemini"));
    const { code, agents } = doctor(here);
    expect(code).toBe(1);
    expect(Object.keys(agents).sort()).toEqual(INSTALLABLE.map(({ id }) => id).sort());
    expect(agents["claude-code"]).toMatchObject({
      title: "Claude Code",
      found: true,
      installed: true,
      denies: true,
      seen: true,
      protected: true,
    });
    expect(agents["gemini-cli"]).toMatchObject({ found: true, installed: false, denies: false, protected: false });
    expect(agents["gemini-cli"]?.findings[0]).toMatchObject({
      state: "wrong",
      fix: "Run `sluice install gemini-cli`.",
    });
    expect(agents.codex).toMatchObject({ found: false, installed: false, protected: false, findings: [] });
  });

  it("fails when guards are off where an agent is", async () => {
    const here = await warmProject();
    here.sluice("install", "claude-code", "--yes");
    writeFileSync(join(here.home, ".config/sluice/hooks.yaml"), "guards: off\n");
    const { code, agents, found } = doctor(here);
    expect(code).toBe(1);
    expect(agents["claude-code"]).toMatchObject({ protected: false });
    expect(found("Configuration")).toContainEqual(
      expect.objectContaining({ state: "wrong", what: "guards are off here." }),
    );
  });

  it("says what comes next where no agent is installed", () => {
    const { code, out } = project().with({ PATH: "/nowhere" })("doctor");
    expect(code).toBe(0);
    expect(out).toMatch(
      /No agent is installed on this machine, so nothing is protected yet\. `sluice install <agent>`.*\n$/,
    );
    expect(out).not.toContain("Nothing is wrong");
  });

  it("sends the canary through a project's line, and says when the project lacks Sluice", () => {
    const here = project();
    here.sluice("install", "--scope", "user", "claude-code", "--yes");
    here.sluice("uninstall", "--yes");
    here.sluice("install", "claude-code", "opencode", "--scope", "project", "--yes");
    expect(doctor(here).found("claude-code")).toContainEqual(
      expect.objectContaining({ state: "wrong", fix: "Run `npm install --save-dev sluice`." }),
    );
    mkdirSync(join(here.root, "node_modules/.bin"), { recursive: true });
    symlinkSync(builtFile("sluice.cjs"), join(here.root, "node_modules/.bin/sluice"));
    const { code, agents } = doctor(here);
    for (const id of ["claude-code", "opencode"])
      expect(agents[id]?.findings).toContainEqual({ state: "fine", what: expect.stringMatching(/^canary: denied in/) });
    expect(code).toBe(0);
  });
});

interface Finding {
  readonly state: string;
  readonly what: string;
  readonly fix?: string;
}

/** What doctor says where every agent has Sluice in its settings; it is asked once. */
function withEveryAgent(): Promise<ReturnType<typeof doctor>> {
  everyAgent ??= warmProject().then((here) => {
    expect(here.sluice("install", ...INSTALLABLE.map(({ id }) => id), "--yes").code).toBe(0);
    return doctor(here);
  });
  return everyAgent;
}

let everyAgent: Promise<ReturnType<typeof doctor>> | undefined;

function doctor(here: Project, env: Record<string, string> = {}) {
  const { out, code } = here.with(env)("doctor", "--json");
  const { agents, examined } = JSON.parse(out) as {
    agents: Record<string, { findings: Finding[] }>;
    examined: { subject: string; findings: Finding[] }[];
  };
  const found = (subject: string) => examined.find((one) => one.subject === subject)?.findings ?? [];
  return { found, agents, code };
}

function change({ home }: Project, file: string, edit: (text: string) => string): void {
  const path = join(home, file);
  writeFileSync(path, edit(readFileSync(path, "utf8")));
}

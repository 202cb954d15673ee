import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { type Project, project } from "../cli/sluice.ts";

const INSTALLABLE = ADAPTERS.filter(({ recipe }) => recipe !== undefined);

describe("sluice doctor", () => {
  it.each(INSTALLABLE.map(({ id, title }) => [id, title]))("fires a canary through the settings of %s", (id, title) => {
    const here = project();
    expect(here.sluice("install", id, "--yes").code).toBe(0);
    const { found, code } = doctor(here);
    expect(found(title)).toContainEqual({ state: "fine", what: expect.stringMatching(/^canary: denied in \d+ ms/) });
    expect(code).toBe(0);
  });

  it("says what is wrong when the command in an agent's settings is gone", () => {
    const here = project();
    here.sluice("install", "claude-code", "--yes");
    change(here, ".claude/settings.json", (text) => text.replaceAll("sluice.cjs", "gone/sluice.cjs"));
    const { found, code } = doctor(here);
    const wrong = found("Claude Code").filter(({ state }) => state === "wrong");
    expect(wrong.map(({ what }) => what)).toEqual([
      expect.stringMatching(/start .*gone\/sluice\.cjs, which is not there/),
      expect.stringContaining("not what this version writes"),
      expect.stringContaining("the denial did not come through"),
    ]);
    expect(wrong[0]?.fix).toContain("sluice install claude-code");
    expect(code).toBe(1);
  });

  it("knows an answer that an agent would not obey", () => {
    const here = project();
    here.sluice("install", "codex", "--yes");
    change(here, ".codex/hooks.json", (text) => text.replaceAll(/"command": "/g, '"command": "echo starting; '));
    expect(doctor(here).found("Codex")).toContainEqual(
      expect.objectContaining({ state: "wrong", what: expect.stringContaining("the denial did not come through") }),
    );
  });

  it("sees a time limit in another unit", () => {
    const here = project();
    here.sluice("install", "gemini-cli", "--yes");
    change(here, ".gemini/settings.json", (text) => text.replaceAll("120000", "120"));
    expect(doctor(here).found("Gemini CLI")).toContainEqual(
      expect.objectContaining({ state: "wrong", what: expect.stringContaining("another time limit") }),
    );
  });

  it("sees hooks that fire twice, which install does not write", () => {
    const here = project();
    here.sluice("install", "codex", "--scope", "project", "--yes");
    const again = here.sluice("install", "codex", "--yes");
    expect(again.code).toBe(1);
    expect(again.err).toContain("Codex calls Sluice from its project settings already");
    mkdirSync(join(here.home, ".codex"));
    copyFileSync(join(here.root, ".codex/hooks.json"), join(here.home, ".codex/hooks.json"));
    const said = doctor(here)
      .found("Codex")
      .map(({ what }) => what);
    expect(said).toContainEqual(expect.stringContaining("each hook fires twice"));
  });

  it("sees that an agent's own settings switch hooks off", () => {
    const here = project();
    here.sluice("install", "claude-code", "--yes");
    change(here, ".claude/settings.json", (text) => text.replace("{", '{ "disableAllHooks": true,'));
    const said = doctor(here)
      .found("Claude Code")
      .map(({ what }) => what);
    expect(said).toContainEqual(expect.stringContaining("`disableAllHooks` switches all hooks off"));
  });

  it("names hooks that no agent here ever calls", () => {
    const here = project({
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
    expect(found("Codex")[0]?.what).toMatch(/^version 9\.9\.9; this adapter was written for /);
    expect(found("Codex")[1]?.what).toContain("no hook fires there");
  });

  it("says in words what each agent cannot enforce", () => {
    const here = project();
    here.sluice("install", "kiro", "--yes");
    const said = doctor(here)
      .found("Kiro")
      .map(({ what }) => what);
    expect(said).toContainEqual("ask becomes deny at PreToolUse.");
    expect(said).toContainEqual("modify becomes deny at PreToolUse.");
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

  it("reads like a list for a person, and ends with a sentence", () => {
    const here = project();
    here.sluice("install", "claude-code", "--yes");
    const { out } = here.sluice("doctor");
    expect(out).toMatch(
      /^Configuration\n {2}· there is no configuration yet\.\n {4}Run `sluice init`\.\n {2}· guards are off here\.\n.*\nClaude Code\n/,
    );
    expect(out).toMatch(/Nothing is wrong\.\n$/);
  });
});

interface Finding {
  readonly state: string;
  readonly what: string;
  readonly fix?: string;
}

function doctor(here: Project, env: Record<string, string> = {}) {
  const { out, code } = here.with(env)("doctor", "--json");
  const { examined } = JSON.parse(out) as { examined: { subject: string; findings: Finding[] }[] };
  const found = (subject: string) => examined.find((one) => one.subject === subject)?.findings ?? [];
  return { found, code };
}

function change({ home }: Project, file: string, edit: (text: string) => string): void {
  const path = join(home, file);
  writeFileSync(path, edit(readFileSync(path, "utf8")));
}

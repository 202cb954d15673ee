import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { examineTrust } from "../../src/doctor/agent-trust.ts";
import { type Project, project } from "../cli/sluice.ts";
import { COMMAND } from "../command-server/run-command.ts";
import { called, warmProjects } from "./warm-project.ts";

const warmProject = warmProjects();

describe("sluice doctor claims no protection that an agent's own trust withholds", () => {
  it("Codex skips hooks that were not trusted in `/hooks`", async () => {
    const here = await installed("codex");
    const { code, out } = here.sluice("doctor");
    expect(out).toContain("✗ Codex skips hooks that its user has not trusted as they are now: SessionStart, ");
    expect(out).toContain("Open `/hooks` in Codex and trust them.");
    expect(out).not.toContain("Protected here: Codex");
    expect(code).toBe(1);

    trustInCodex(here);
    const trusted = here.sluice("doctor");
    expect(trusted.out).toContain("Protected here: Codex. Nothing is wrong.");
    expect(trusted.code).toBe(0);
  });

  it("where an agent's program is not on this machine, it is only noted, and the agent is named at the end", async () => {
    const here = await warmProject();
    here.sluice("install", "claude-code", "codex", "--yes");
    called(here, "claude-code");
    const { out, code } = here.sluice("doctor");
    expect(out).toContain("· Codex skips hooks that its user has not trusted as they are now");
    expect(out).toContain("Protected here: Claude Code. Installed, not seen working yet: Codex.");
    expect(out).not.toContain("Nothing is wrong");
    expect(code).toBe(0);
  });

  it("Codex skips hooks that were switched off, or changed after they were trusted", async () => {
    const here = await installed("codex");
    trustInCodex(here);
    const config = join(here.home, ".codex/config.toml");
    const said = readFileSync(config, "utf8");
    const settings = join(here.home, ".codex/hooks.json");
    expect(trust(here, "codex", settings)).toEqual([
      { state: "fine", what: expect.stringContaining("trusts these"), isListed: true },
    ]);
    writeFileSync(config, said.replace(/(pre_tool_use:0:0"\]\n)/, "$1enabled = false\n"));
    expect(trust(here, "codex", settings)).toMatchObject([
      { state: "wrong", what: expect.stringContaining("has not trusted as they are now: PreToolUse.") },
    ]);
    writeFileSync(config, said.replace(/(stop:0:0"\]\ntrusted_hash = "sha256:)./, "$1x"));
    expect(trust(here, "codex", settings)).toMatchObject([
      { state: "wrong", what: expect.stringMatching(/has not trusted as they are now: (Stop|SubagentStop)\./) },
    ]);
  });

  it("Codex reads hooks of trusted projects only", async () => {
    const here = await withProgram("codex");
    here.sluice("install", "codex", "--scope", "project", "--yes");
    expect(here.sluice("doctor").out).toContain("Codex does not trust this project yet");
  });

  it("Gemini CLI runs no hook in a folder that it does not trust", async () => {
    const here = await installed("gemini-cli");
    write(here, ".gemini/trustedFolders.json", "{}");
    const { out, code } = here.sluice("doctor");
    expect(out).not.toContain("Protected here: Gemini CLI");
    expect(out).toContain("✗ Gemini CLI does not run any hook here");
    expect(code).toBe(1);

    write(here, ".gemini/trustedFolders.json", JSON.stringify({ [here.root]: "TRUST_FOLDER" }));
    called(here, "gemini-cli");
    const trusted = here.sluice("doctor");
    expect(trusted.out).toContain("Protected here: Gemini CLI");
    expect(trusted.out).not.toContain("does not run any hook here");
    expect(trusted.code).toBe(0);
  });

  it.each([
    ["without a word about the folder", "{}", false],
    ["trusted", `{"HERE": "TRUST_FOLDER"}`, true],
    ["below a trusted one", `{"HERE/../other": "TRUST_PARENT"}`, true],
    ["refused below a trusted one", `{"HERE/..": "TRUST_FOLDER", "HERE": "DO_NOT_TRUST"}`, false],
  ])("Gemini CLI trusts folders by their levels: %s", async (_, levels, isTrusted) => {
    const here = await installed("gemini-cli");
    write(
      here,
      ".gemini/trustedFolders.json",
      levels.replaceAll("HERE/..", dirname(here.root)).replaceAll("HERE", here.root),
    );
    expect(trust(here, "gemini-cli", join(here.home, ".gemini/settings.json"))).toMatchObject([
      isTrusted
        ? { state: "fine" }
        : { state: "wrong", what: expect.stringContaining("Gemini CLI does not run any hook here"), isUntrusted: true },
    ]);
  });

  it("Gemini CLI trusts every folder where its user has switched the question off", async () => {
    const here = await installed("gemini-cli");
    const path = join(here.home, ".gemini/settings.json");
    expect(trust(here, "gemini-cli", path)).toMatchObject([{ state: "wrong" }]);
    const settings = JSON.parse(readFileSync(path, "utf8")) as object;
    write(
      here,
      ".gemini/settings.json",
      JSON.stringify({ ...settings, security: { folderTrust: { enabled: false } } }, null, 2),
    );
    expect(trust(here, "gemini-cli", path)).toMatchObject([{ state: "fine" }]);
  });

  it("Copilot runs a project's hooks only in a trusted folder, and the user's own everywhere", async () => {
    const here = await withProgram("copilot");
    here.sluice("install", "copilot", "--scope", "project", "--yes");
    expect(here.sluice("doctor").out).toContain("✗ Copilot CLI does not run a project's hooks here");
    here.sluice("install", "copilot", "--yes");
    const both = here.sluice("doctor").out;
    expect(both).toContain("· Copilot CLI does not run a project's hooks here");
    write(here, ".copilot/config.json", JSON.stringify({ trusted_folders: [dirname(here.root)] }));
    expect(here.sluice("doctor").out).toContain("✓ its own files state that it trusts these hooks");
  });

  it("install says what is left to do", () => {
    expect(project().sluice("install", "codex", "--yes").err).toContain("Codex: Open `/hooks` in Codex");
    expect(project().sluice("install", "gemini-cli", "--yes").err).toContain(
      "Gemini CLI: Start `gemini` in each project",
    );
    const copilot = project().sluice("install", "copilot", "--scope", "project", "--yes").err;
    expect(copilot).toContain("Copilot runs a project's hooks only in a folder that you trust");
  });
});

/** What doctor finds about the trust in the user's settings of an agent, without a call through those settings. */
function trust({ home, root }: Project, agent: keyof typeof PROGRAMS, path: string) {
  const adapter = ADAPTERS.find(({ id }) => id === agent);
  if (adapter === undefined) throw new Error(`no agent ${agent}`);
  const sluice = [process.execPath, COMMAND];
  const around = { home, root, env: { PATH: join(home, "programs") }, sluice, mcp: [], isMatched: () => true };
  return examineTrust(adapter, [{ scope: "user", path }], around);
}

/** A home with the agent's program, and Sluice in its settings. */
async function installed(agent: keyof typeof PROGRAMS): Promise<Project> {
  const here = await withProgram(agent);
  here.sluice("install", agent, "--yes");
  return here;
}

/** A project on a machine that has the agent's program. */
async function withProgram(agent: keyof typeof PROGRAMS): Promise<Project> {
  const here = await warmProject();
  const bin = join(here.home, "programs");
  mkdirSync(bin);
  writeFileSync(join(bin, PROGRAMS[agent]), "#!/bin/sh\necho 1.0.0\n", { mode: 0o755 });
  return { ...here, sluice: here.with({ PATH: `${bin}:${process.env.PATH}` }) };
}

const PROGRAMS = { codex: "codex", "gemini-cli": "gemini", copilot: "copilot" } as const;

function write({ home }: Project, file: string, text: string): void {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
}

/** What Codex writes when its user trusts all hooks, hash by hash. */
function trustInCodex(here: Project): void {
  const file = join(here.home, ".codex/hooks.json");
  const { hooks } = JSON.parse(readFileSync(file, "utf8")) as {
    hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]>;
  };
  const states = Object.entries(hooks).map(([name, [group]]) => {
    const event = name.replace(/\B[A-Z]/g, "_$&").toLowerCase();
    const { command, timeout } = group?.hooks[0] ?? {};
    const identity = `{"event_name":"${event}","hooks":[{"async":false,"command":${JSON.stringify(command)},"timeout":${timeout},"type":"command"}]}`;
    const hash = createHash("sha256").update(identity).digest("hex");
    return `[hooks.state."${file}:${event}:0:0"]\ntrusted_hash = "sha256:${hash}"\n`;
  });
  const config = join(here.home, ".codex/config.toml");
  writeFileSync(config, `${readFileSync(config, "utf8")}\n${states.join("\n")}`);
}

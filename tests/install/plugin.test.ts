import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCode } from "../../src/adapters/claude-code.ts";
import { geminiCli } from "../../src/adapters/gemini-cli.ts";
import { starterOf } from "../../src/doctor/canary-flight.ts";
import { PLUGIN_HOOKS, PLUGIN_STARTER, pluginHooks } from "../../src/install/own-plugin.ts";
import { builtFile } from "../built-file.ts";
import { type Project, project } from "../cli/sluice.ts";

const CLAUDE = ".claude/plugins/cache/sluice/sluice/0.1.0";
const GEMINI = ".gemini/extensions/sluice";

describe("Sluice as a plugin of an agent", () => {
  it.each(["claude-code", "gemini-cli"])("doctor sends its canary through the plugin of %s", (id) => {
    const here = plugged();
    const { agents } = JSON.parse(here.sluice("doctor", "--json").out);
    expect(agents[id]).toMatchObject({ installed: true, denies: true, seen: false });
    expect(agents[id].findings).toContainEqual({ state: "fine", what: "its plugin calls Sluice" });
  });

  it("doctor reports a plugin that is switched off", () => {
    const here = plugged();
    write(here, ".claude/settings.json", JSON.stringify({ enabledPlugins: { "sluice@sluice": false } }));
    write(here, ".gemini/extensions/extension-enablement.json", '{"sluice":{"overrides":["/*","!/*"]}}');
    const { agents } = JSON.parse(here.sluice("doctor", "--json").out);
    for (const id of ["claude-code", "gemini-cli"]) {
      expect(agents[id], id).toMatchObject({ denies: false, protected: false });
      expect(agents[id].findings, id).toContainEqual(
        expect.objectContaining({ state: "wrong", what: "its plugin Sluice is switched off." }),
      );
    }
  });

  it.each([
    [PLUGIN_HOOKS, '"command":"', '"command":"touch ../ran; '],
    ["bin/sluice", "own=", "touch ../ran\nown="],
  ])("doctor does not run a plugin whose %s was changed", (file, before, after) => {
    const here = plugged();
    const path = join(here.home, CLAUDE, file);
    const ran = join(here.home, "ran");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(before, after));
    const { agents } = JSON.parse(here.sluice("doctor", "--json").out);
    expect(agents["claude-code"]).toMatchObject({ installed: true, denies: false, protected: false });
    expect(agents["claude-code"].findings).toContainEqual(
      expect.objectContaining({ what: expect.stringContaining("is not what this version of Sluice has there") }),
    );
    expect(existsSync(ran)).toBe(false);
  });

  it("doctor reports that settings and plugin together fire each hook twice", () => {
    const here = plugged();
    here.sluice("install", "claude-code", "--yes");
    expect(here.sluice("doctor").out).toContain("calls Sluice from its plugin and from its settings");
  });

  it("setup leaves an agent with the plugin as it is, and uninstall names the command that removes the plugin", () => {
    const here = plugged();
    const settings = readFileSync(join(here.home, ".claude/settings.json"), "utf8");
    const set = here.sluice("setup", "--yes");
    expect(set.out).toContain("Claude Code calls Sluice through its plugin already.");
    expect(set.out).toContain("✓ Gemini CLI: the canary was denied");
    expect(readFileSync(join(here.home, ".claude/settings.json"), "utf8")).toBe(settings);
    expect(here.sluice("uninstall", "--yes").out).toContain("`claude plugin uninstall sluice@sluice` removes it.");
  });

  it.each([
    `echo > ~/${CLAUDE}/hooks/hooks.json`,
    `rm -rf ~/.claude/plugins`,
    "echo '{}' > ~/.claude/plugins/installed_plugins.json",
    `rm -r ~/${GEMINI}`,
    `sed -i s/sluice/true/ ~/${GEMINI}/hooks/hooks.json`,
    "echo '{}' > ~/.gemini/extensions/extension-enablement.json",
  ])("an agent cannot run `%s`", (line) => {
    const { out, code } = plugged().sluice("fire", line);
    expect(out).toContain("self-protection");
    expect(code).toBe(2);
  });
});

it("on Windows the canary starts a plugin's words without a shell, and a script with sh", () => {
  expect(starterOf("node C:/x/sluice.cjs run codex", "win32")).toEqual([
    "cmd.exe",
    "/d",
    "/c",
    "node C:/x/sluice.cjs run codex",
  ]);
  expect(starterOf("'C:\\node.exe' 'C:\\s.cjs' run amp", "win32")).toEqual(["C:\\node.exe", "C:\\s.cjs", "run", "amp"]);
  expect(starterOf("'C:\\Users\\a b\\hook.sh'", "win32")).toEqual(["sh", "C:\\Users\\a b\\hook.sh"]);
  expect(starterOf("'/x/hook.sh'", "linux")).toEqual(["/bin/sh", "-c", "'/x/hook.sh'"]);
});

/** A home as the installers of both agents leave it. */
function plugged(): Project {
  const here = project();
  for (const [adapter, folder] of [
    [claudeCode, CLAUDE],
    [geminiCli, GEMINI],
  ] as const) {
    write(here, `${folder}/${PLUGIN_HOOKS}`, JSON.stringify({ hooks: pluginHooks(adapter) }));
    write(here, `${folder}/bin/sluice`, PLUGIN_STARTER);
    symlinkSync(dirname(builtFile("sluice.cjs")), join(here.home, folder, "dist"));
  }
  const copy = { scope: "user", installPath: join(here.home, CLAUDE), version: "0.1.0" };
  write(
    here,
    ".claude/plugins/installed_plugins.json",
    JSON.stringify({ version: 2, plugins: { "sluice@sluice": [copy] } }),
  );
  write(here, ".claude/settings.json", JSON.stringify({ enabledPlugins: { "sluice@sluice": true } }));
  write(here, `${GEMINI}/gemini-extension.json`, '{"name":"sluice"}');
  write(here, ".gemini/extensions/extension-enablement.json", '{"sluice":{"overrides":["/*"]}}');
  write(here, ".gemini/settings.json", '{"security":{"folderTrust":{"enabled":false}}}');
  write(here, ".config/sluice/hooks.yaml", "guards: standard\n");
  return here;
}

function write({ home }: Project, path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text, { mode: 0o755 });
}

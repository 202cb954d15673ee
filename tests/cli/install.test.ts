import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { household } from "../protect/household.ts";
import { project } from "./sluice.ts";

const SETTINGS = '{\n  // mine\n  "model": "opus",\n}\n';

function withSettings() {
  const here = project();
  mkdirSync(join(here.home, ".claude"));
  const path = join(here.home, ".claude/settings.json");
  writeFileSync(path, SETTINGS);
  return { ...here, path, now: () => readFileSync(path, "utf8") };
}

describe("sluice install", () => {
  it("shows what would change and writes nothing without a terminal and without --yes", () => {
    const { sluice, now } = withSettings();
    const { code, out, err } = sluice("install", "claude-code");
    expect([code, now()]).toEqual([1, SETTINGS]);
    expect(out).toMatch(/claude-code: ~\/\.claude\/settings\.json changes\n[\s\S]*\+ .*sluice\.cjs run claude-code/);
    expect(err).toContain("--yes");
  });

  it("only shows with --dry-run, and that is no failure", () => {
    const { sluice, now } = withSettings();
    expect(sluice("install", "claude-code", "--dry-run", "--yes").code).toBe(0);
    expect(now()).toBe(SETTINGS);
  });

  it("writes with --yes, says where the backup is, has nothing to do the second time, and takes all of it back", () => {
    const { sluice, now } = withSettings();
    const first = sluice("install", "claude-code", "--yes");
    expect([first.code, first.out]).toEqual([0, expect.stringContaining("what was there: ~/.state/sluice/installed/")]);
    const once = now();
    expect(once.startsWith('{\n  // mine\n  "model": "opus",\n  "hooks": {')).toBe(true);
    const second = sluice("install", "claude-code", "--yes");
    expect([second.code, second.out, now()]).toEqual([0, expect.stringContaining("Nothing to do"), once]);
    const gone = sluice("uninstall", "--yes");
    expect([gone.code, now()]).toEqual([0, SETTINGS]);
    expect(sluice("uninstall", "--yes").out).toContain("Nothing to do");
  });

  it("tells programs what it did", () => {
    const { sluice, path, now } = withSettings();
    const shown = JSON.parse(sluice("install", "claude-code", "--json").out);
    const server = { type: "stdio", command: process.execPath, args: [expect.stringMatching(/sluice\.cjs$/), "mcp"] };
    expect(shown).toMatchObject({
      written: false,
      changes: [
        { agent: "claude-code", path, change: "changed" },
        { agent: "claude-code", path: expect.stringMatching(/\/\.claude\.json$/), change: "new", server },
      ],
    });
    expect(now()).toBe(SETTINGS);
    const done = sluice("install", "claude-code", "--json", "--yes");
    expect([done.code, JSON.parse(done.out)]).toEqual([0, expect.objectContaining({ written: true, problems: [] })]);
    expect(JSON.parse(done.out).changes[0].after).toBe(now());
  });

  it("leaves the MCP server out where it is told to, and names agents that take none", () => {
    const { sluice, home } = withSettings();
    expect(sluice("install", "claude-code", "--dry-run").out).toMatch(
      /\.claude\.json is new\n {2}\+ MCP server `sluice`\n/,
    );
    expect(sluice("install", "claude-code", "--yes", "--no-mcp").code).toBe(0);
    expect(existsSync(join(home, ".claude.json"))).toBe(false);
    expect(sluice("install", "windsurf", "--scope", "project", "--yes").err).toContain(
      "Windsurf: no file for MCP servers is known in this scope",
    );
  });

  it("says so when another MCP server has its name, and installs the hooks all the same", () => {
    const { sluice, home, now } = withSettings();
    const other = '{"mcpServers":{"sluice":{"command":"theirs"}}}';
    writeFileSync(join(home, ".claude.json"), other);
    const { code, err } = sluice("install", "claude-code", "--yes");
    expect(code).toBe(1);
    expect(err).toMatch(/install\/other-server {2}\S*\.claude\.json/);
    expect(readFileSync(join(home, ".claude.json"), "utf8")).toBe(other);
    expect(now()).toContain("run claude-code");
  });

  it("writes several agents into the project, and a file that cannot be edited stops no other", () => {
    const { sluice, root } = project({ ".codex/hooks.json": "{ broken", ".cursor/hooks.json": '{"version":1}' });
    const { code, err } = sluice("install", "codex", "cursor", "auggie", "--scope", "project", "--yes");
    expect(code).toBe(1);
    expect(err).toMatch(/install\/uneditable {2}\S*\.codex\/hooks\.json:1:\d+/);
    expect(readFileSync(join(root, ".codex/hooks.json"), "utf8")).toBe("{ broken");
    expect(JSON.parse(readFileSync(join(root, ".cursor/hooks.json"), "utf8"))).toHaveProperty("hooks.preToolUse");
    expect(existsSync(join(root, ".augment/hooks/sluice.sh"))).toBe(true);
  });

  it("knows its agents, its scopes, and when there is none", () => {
    const { sluice } = project();
    expect(sluice("install", "claude-cod", "--yes")).toMatchObject({
      code: 64,
      err: expect.stringContaining("claude-code"),
    });
    expect(sluice("install", "codex", "--scope", "all")).toMatchObject({ code: 64 });
    expect(sluice("install", "json", "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("sluice run json"),
    });
  });
});

describe("what sluice install shows", () => {
  it("fits a screen: a line for each file and what changes in it; --diff has every line", () => {
    const { sluice } = withSettings();
    const { out } = sluice("install", "claude-code", "codex", "gemini-cli", "--dry-run");
    expect(out.split("\n").length).toBeLessThan(24);
    expect(out).toMatch(
      /settings\.json changes\n {2}\+ \d+ hook events start .* run claude-code \|\| exit 2\n {2}\+ .*PreToolUse/,
    );
    expect(out).toContain("--diff shows every line.");
    const whole = sluice("install", "claude-code", "--dry-run", "--diff").out;
    expect(whole).toContain('"PreToolUse": [');
    expect(whole).not.toContain("more lines");
  });
});

describe("sluice install for a user", () => {
  const config = (home: string) => join(home, ".config/sluice/hooks.yaml");

  it("turns the standard guards on in all projects, where the user has no configuration", () => {
    const { sluice, home, root } = withSettings();
    expect(sluice("install", "claude-code", "--dry-run").out).toMatch(
      /^sluice: ~\/\.config\/sluice\/hooks\.yaml is new\n {2}\+ guards: standard\n/,
    );
    expect(existsSync(config(home))).toBe(false);
    expect(sluice("install", "claude-code", "--yes").code).toBe(0);
    expect(readFileSync(config(home), "utf8")).toMatch(/^guards: standard$/m);
    expect(existsSync(join(root, ".sluice"))).toBe(false);
    expect(sluice("explain", "git push --force origin main", "--json").out).toContain("deny");
    expect(sluice("check").code).toBe(0);
    expect(sluice("install", "claude-code", "--yes").out).toContain("Nothing to do");
  });

  it("leaves a configuration of the user's as it is, and says which line turns guards on", () => {
    const { sluice, home } = withSettings();
    mkdirSync(join(home, ".config/sluice"), { recursive: true });
    writeFileSync(config(home), "hooks: []\n");
    expect(sluice("install", "claude-code", "--yes").err).toContain(
      "Write `guards: standard` into ~/.config/sluice/hooks.yaml.",
    );
    expect(readFileSync(config(home), "utf8")).toBe("hooks: []\n");
    writeFileSync(config(home), "guards: strict\n");
    expect(sluice("install", "claude-code", "--yes").err).not.toContain("guards");
  });

  it("is taken back without it, says what is left, and takes it too with --purge while it is unchanged", () => {
    const { sluice, home } = withSettings();
    sluice("install", "claude-code", "--yes");
    const gone = sluice("uninstall", "--yes").out;
    expect(gone).toContain("Left as it is: ~/.config/sluice/hooks.yaml, your own configuration.");
    expect(gone).toContain("Left as it is: ~/.state/sluice, with the journal");
    expect(sluice("uninstall", "--purge", "--yes").code).toBe(0);
    expect(existsSync(config(home))).toBe(false);
    sluice("install", "claude-code", "--yes");
    writeFileSync(config(home), "guards: strict\n");
    expect(sluice("uninstall", "--purge", "--yes").out).toContain("your own configuration (you have changed it)");
    expect(existsSync(config(home))).toBe(true);
  });

  it("is not for a project: there it says what every clone needs", () => {
    const { sluice, home } = withSettings();
    const { code, err } = sluice("install", "claude-code", "--scope", "project", "--yes");
    expect([code, existsSync(config(home))]).toEqual([0, false]);
    expect(err).toContain(
      "Sluice is not installed in this project yet, and its agents are stopped until it is: run `npm install --save-dev sluice`.",
    );
  });
});

describe("sluice import", () => {
  const FILES = {
    ".claude/settings.json": JSON.stringify({
      hooks: {
        PreToolUse: [
          {
            matcher: "Bash",
            hooks: [
              { type: "command", command: "grep -q rm && exit 2; exit 0" },
              { type: "prompt", prompt: "is it safe?" },
            ],
          },
        ],
      },
    }),
    ".sluice/hooks.yaml":
      "# ours\nhooks:\n  - name: first # stays\n    event: session:start\n    command: echo hello\n",
  };

  it("shows hooks first, adds them with --yes, never twice, and names what is left", () => {
    const { sluice, root } = project(FILES);
    const now = () => readFileSync(join(root, ".sluice/hooks.yaml"), "utf8");
    const shown = sluice("import", "claude-code");
    expect([shown.code, now()]).toEqual([1, FILES[".sluice/hooks.yaml"]]);
    expect(shown.out).toContain("+   - name: claude-code-PreToolUse-grep");
    const done = sluice("import", "claude-code", "--yes", "--json");
    expect([done.code, JSON.parse(done.out)]).toEqual([
      0,
      expect.objectContaining({
        written: true,
        imported: [expect.objectContaining({ name: "claude-code-PreToolUse-grep" })],
        left: [expect.objectContaining({ what: "PreToolUse: is it safe?", why: expect.stringContaining("model") })],
      }),
    ]);
    expect(now().startsWith(FILES[".sluice/hooks.yaml"])).toBe(true);
    const text = now();
    expect(sluice("import", "--yes")).toMatchObject({ code: 0, out: expect.stringContaining("here already") });
    expect(now()).toBe(text);
    expect(sluice("check").code).toBe(0);
    expect(readFileSync(join(root, ".claude/settings.json"), "utf8")).toBe(FILES[".claude/settings.json"]);
  });

  it("reads a file that is named, and writes for the user where that is wanted", () => {
    const { sluice, home } = project({ "copy.json": FILES[".claude/settings.json"] });
    expect(sluice("import", "copy.json", "--scope", "user", "--yes").code).toBe(0);
    expect(readFileSync(join(home, ".config/sluice/hooks.yaml"), "utf8")).toContain("exit_codes: claude");
    expect(sluice("import", "nothing-there")).toMatchObject({ code: 64 });
    expect(sluice("import", "codex").out).toContain("no hooks were found");
  });
});

it("a user who answers no at a terminal is told that nothing was written", () => {
  const { atTerminal, home } = household();
  const { code, out } = atTerminal(["install", "claude-code"], "n\n");
  expect([code, existsSync(join(home, ".claude"))]).toEqual([1, false]);
  expect(out).toContain("Nothing was written.");
});

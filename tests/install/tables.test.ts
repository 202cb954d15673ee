import { describe, expect, it } from "vitest";
import { Household } from "./household.ts";

const FILE = ".codex/config.toml";
const HOOKS = ".codex/hooks.json";

const TABLES = `model = "gpt-5"
approval_policy = "on-request"

[projects."/home/me/work"]
trust_level = "trusted"

[[hooks.PreToolUse]]
matcher = "Bash"

[[hooks.PreToolUse.hooks]]
type = "command"
command = "./check.sh"

[hooks.state."/home/me/.codex/config.toml:pre_tool_use:0"]
trusted_hash = "sha256:abc"
`;

describe("hooks that stand in config.toml", () => {
  const files: Record<string, string> = {
    usual: TABLES,
    "without a final newline": TABLES.trimEnd(),
    "with Windows lines": TABLES.replaceAll("\n", "\r\n"),
    "with Windows lines and no final one": TABLES.trimEnd().replaceAll("\n", "\r\n"),
    "with hooks inside the group": '[[hooks.Stop]]\nhooks = [{ type = "command", command = "a" }]\n',
    "with blanks and comments": '# mine\n [[ hooks.Stop ]] # here\n[[hooks.Stop.hooks]]\ncommand = "a"\n\n\n',
  };

  it.each(Object.entries(files))("get ours beside them: %s", (_, text) => {
    for (const keepsBackup of [true, false]) {
      const house = Household.ofHooks();
      house.write(FILE, text);
      expect(house.install("codex").problems).toEqual([]);
      const once = house.read(FILE) ?? "";
      expect(once.startsWith(text)).toBe(true);
      expect(once.slice(text.length)).toMatch(/^\r?\n# >>> sluice\r?\n\[\[hooks\.\w+\]\]\r?\n/);
      expect(once).toMatch(/# <<< sluice\r?\n$/);
      expect(house.read(HOOKS)).toBeUndefined();
      expect(house.install("codex").changes).toEqual([]);
      if (!keepsBackup) house.forgetBackups();
      house.uninstall("codex");
      expect(house.read(FILE)).toBe(text);
    }
  });

  it("get tables of the shape that Codex reads", () => {
    const house = Household.ofHooks();
    house.write(FILE, TABLES);
    house.install("codex");
    expect(house.read(FILE)).toMatch(
      /\[\[hooks\.PreToolUse\]\]\n\[\[hooks\.PreToolUse\.hooks\]\]\ntype = "command"\ncommand = "exec \/bin\/sh -c .*; \/usr\/bin\/node \/opt\/sluice\/dist\/sluice\.cjs run codex \|\| exit 2'"\ntimeout = \d+\n/,
    );
  });

  it("keep what Codex writes between our marks", () => {
    const house = Household.ofHooks();
    house.write(FILE, TABLES);
    house.install("codex");
    const state = '[hooks.state."mine"]\ntrusted_hash = "sha256:def"\n';
    house.write(FILE, (house.read(FILE) ?? "").replace("# <<< sluice", `${state}# <<< sluice`));
    house.uninstall("codex");
    expect(house.read(FILE)).toBe(`${TABLES}\n${state}`);
  });

  it("keep what a user writes behind our block", () => {
    const house = Household.ofHooks();
    house.write(FILE, TABLES);
    house.install("codex");
    house.write(FILE, `${house.read(FILE)}\n[tui]\ntheme = "dark"\n`);
    house.install("codex", "user", { sluice: ["/new/node", "/new/sluice.cjs"] });
    expect(house.read(FILE)).not.toContain("/opt/sluice");
    house.uninstall("codex");
    expect(house.read(FILE)).toBe(`${TABLES}\n[tui]\ntheme = "dark"\n`);
  });
});

describe("config.toml is left alone", () => {
  const others: Record<string, string> = {
    "without hooks": 'model = "gpt-5"\n',
    "with notes about trust only": '[hooks.state."x"]\ntrusted_hash = "sha256:abc"\n',
    "with lists that take no more tables": "[hooks]\nStop = [{ hooks = [] }]\n",
    "with hooks in one line": "hooks.Stop = [{ hooks = [] }]\n",
    "with hooks in a text": "instructions = '''\n[[hooks.Stop]]\n'''\n",
  };

  it.each(Object.entries(others))("%s", (_, text) => {
    const house = Household.ofHooks();
    house.write(FILE, text);
    house.install("codex");
    expect(house.read(FILE)).toBe(text);
    expect(house.read(HOOKS)).toContain("sluice.cjs run codex");
    house.uninstall("codex");
    expect(house.read(HOOKS)).toBeUndefined();
    expect(house.read(FILE)).toBe(text);
  });

  it("when hooks.json is there too; a block of ours moves over", () => {
    const house = Household.ofHooks();
    house.write(FILE, TABLES);
    house.install("codex");
    house.write(HOOKS, '{\n  "hooks": {}\n}\n');
    house.install("codex");
    expect(house.read(FILE)).toBe(TABLES);
    expect(house.read(HOOKS)).toContain("sluice.cjs run codex");
    house.uninstall("codex");
    expect(house.read(HOOKS)).toBe('{\n  "hooks": {}\n}\n');
  });
});

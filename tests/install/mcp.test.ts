import { existsSync, readFileSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import type { Scope } from "../../src/adapters/recipe.ts";
import { apply } from "../../src/install/apply.ts";
import { planInstall, serverPlace } from "../../src/install/plan.ts";
import { isOurServer, serverFile } from "../../src/install/server-file.ts";
import { Problem } from "../../src/problem/problem.ts";
import { Household } from "./household.ts";

const SCOPES: readonly Scope[] = ["user", "project"];
const ROWS = ADAPTERS.flatMap(({ id, recipe }) =>
  SCOPES.filter((scope) => recipe?.mcp?.files[scope] !== undefined).map((scope) => [id, scope] as const),
);

describe.each(ROWS)("the MCP server of %s, %s", (agent, scope) => {
  it("is registered under the name sluice with the words that start it", () => {
    const house = new Household();
    house.install(agent, scope);
    expect(registered(house, agent, scope)).toEqual(
      scope === "user" ? startedBy("/usr/bin/node", "/opt/sluice/dist/sluice.cjs") : IN_EVERY_CLONE,
    );
  });

  it("leaves other servers, and every byte around it, as they were", () => {
    for (const keepsBackup of [true, false]) {
      const house = new Household();
      const { path, text } = withOther(house, agent, scope);
      house.write(path, text);
      house.install(agent, scope);
      const once = house.read(path) ?? "";
      expect(once).not.toBe(text);
      expect(isOurServer(registered(house, agent, scope))).toBe(true);
      expect(house.install(agent, scope).changes).toEqual([]);
      if (!keepsBackup) house.forgetBackups();
      house.uninstall(agent, scope);
      expect(house.read(path)).toBe(text);
    }
  });

  it("is never put in the place of somebody else's server of that name", () => {
    const house = new Household();
    const { path, text } = withOther(house, agent, scope, "sluice");
    house.write(path, text);
    const { problems } = house.install(agent, scope);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("knows another MCP server")]);
    house.uninstall(agent, scope);
    expect(house.read(path)).toBe(text);
  });

  it("follows the command to another place, and keeps what its user added", () => {
    const house = new Household();
    const { path, text } = withOther(house, agent, scope);
    house.write(path, text);
    house.install(agent, scope);
    const isToml = extname(path) === ".toml";
    const added = isToml ? ['"mcp"]', '"mcp"]\nstartup_timeout_sec = 9'] : ['"sluice": {', '"sluice": { "timeout": 9,'];
    house.write(path, (house.read(path) ?? "").replace(added[0] ?? "", added[1] ?? ""));
    house.install(agent, scope, { sluice: ["/new/node", "/new/sluice.cjs"] });
    expect(house.read(path)).not.toContain("/opt/sluice");
    expect(house.read(path)).toMatch(isToml ? /startup_timeout_sec = 9/ : /"timeout": 9/);
    expect(registered(house, agent, scope)).toEqual(
      scope === "user" ? startedBy("/new/node", "/new/sluice.cjs") : IN_EVERY_CLONE,
    );
    house.uninstall(agent, scope);
    expect(house.read(path)).toBe(text);
  });

  it("is left out, and taken out again, where it is not wanted", () => {
    const house = new Household();
    house.mcp = false;
    house.install(agent, scope);
    expect(registered(house, agent, scope)).toBeUndefined();
    house.mcp = true;
    house.install(agent, scope);
    expect(registered(house, agent, scope)).toBeDefined();
    house.mcp = false;
    house.install(agent, scope);
    expect(registered(house, agent, scope)).toBeUndefined();
  });

  it("is named by the documentation", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/install.md"), "utf8");
    const row = page.split("\n").filter((line) => line.startsWith(`| \`${agent}\` |`))[1] ?? "";
    const house = new Household();
    expect(row).toContain(basename(placeOf(house, agent, scope).path));
  });
});

describe("a big file that the agent writes itself", () => {
  const FILE = ".claude.json";
  const big = `${JSON.stringify({ numStartups: 7, projects: { "/a": { mcpServers: {} } }, tips: ["x"] }, null, 2)}\n`;

  it("gets one member more, and loses it after the agent has rewritten it", () => {
    const house = new Household();
    house.write(FILE, big);
    house.install("claude-code");
    const written = { ...JSON.parse(house.read(FILE) ?? ""), numStartups: 8 };
    expect(written.mcpServers.sluice).toMatchObject({ type: "stdio" });
    house.write(FILE, JSON.stringify(written, null, 2));
    house.uninstall("claude-code");
    expect(house.read(FILE)).toBe(big.replace("7", "8").trimEnd());
  });

  it("is not written when it changed after the plan was made", () => {
    const house = new Household();
    house.write(FILE, big);
    const adapter = named("claude-code");
    const planned = planInstall(adapter, "user", house.around).find(
      (one) => !(one instanceof Problem) && one.path.endsWith(FILE),
    );
    if (planned === undefined || planned instanceof Problem) throw new TypeError("nothing is planned");
    house.write(FILE, big.replace("7", "8"));
    expect(() => apply(planned, house.around)).toThrow(/while the command ran/);
    expect(house.read(FILE)).toBe(big.replace("7", "8"));
  });
});

describe("a file that takes no server", () => {
  const files: Record<string, [agent: string, file: string, text: string, why: string]> = {
    "that is no JSON": ["cursor", ".cursor/mcp.json", '{ "mcpServers": ', "it is not JSON"],
    "with servers in a list": ["cursor", ".cursor/mcp.json", '{ "mcpServers": [] }', "not an object"],
    "with servers twice": ["cursor", ".cursor/mcp.json", '{ "mcpServers": {}, "mcpServers": {} }', "twice"],
    "with all tables in one value": ["codex", ".codex/config.toml", "mcp_servers = { a = {} }\n", "no more tables"],
  };

  it.each(Object.entries(files))("%s is left alone, and hooks are installed all the same", (_, row) => {
    const [agent, file, text, why] = row;
    const house = new Household();
    house.write(file, text);
    const { problems, changes } = house.install(agent);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(why)]);
    expect(changes).toHaveLength(1);
    expect(house.read(file)).toBe(text);
  });
});

describe("tables of TOML that others wrote", () => {
  const FILE = ".codex/config.toml";

  it.each([
    ["in one line", '[mcp_servers]\nsluice = { command = "x" }\n'],
    ["in dotted keys", 'mcp_servers.sluice.command = "x"\n'],
    ["with a quoted name", '[mcp_servers."sluice"]\ncommand = "x"\n'],
    ["with something that is no text", "[mcp_servers.sluice]\ncommand = 7\n"],
  ])("a server %s is somebody else's", (_, text) => {
    const house = new Household();
    house.write(FILE, text);
    expect(house.install("codex").problems).toHaveLength(1);
    expect(house.read(FILE)).toBe(text);
  });

  it("a server of ours that somebody registered by hand is right as it is, and goes with the rest", () => {
    const house = new Household();
    const text = 'model = "x"\n\n[mcp_servers.sluice]\ncommand = "sluice"\nargs = ["mcp"]\n\n# mine\n[tui]\na = 1\n';
    house.write(FILE, text);
    house.install("codex");
    expect(house.read(FILE)).toBe(
      text.replace('"sluice"', '"/usr/bin/node"').replace('["mcp"]', '["/opt/sluice/dist/sluice.cjs", "mcp"]'),
    );
    house.forgetBackups();
    house.uninstall("codex");
    expect(house.read(FILE)).toBe('model = "x"\n\n\n# mine\n[tui]\na = 1\n');
  });

  it("keep what the agent writes between our marks", () => {
    const house = new Household();
    house.write(FILE, 'model = "x"\n');
    house.install("codex");
    const other = '[projects."/a"]\ntrust_level = "trusted"\n';
    house.write(FILE, (house.read(FILE) ?? "").replace("# <<< sluice mcp", `${other}# <<< sluice mcp`));
    house.uninstall("codex");
    expect(house.read(FILE)).toBe(`model = "x"\n\n${other}`);
  });

  it("hooks and the server stand side by side, and nothing is to do the second time", () => {
    const house = new Household();
    const text = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = "a"\n';
    house.write(FILE, text);
    house.install("codex");
    expect(house.read(FILE)).toMatch(
      /# >>> sluice\n[\s\S]*# <<< sluice\n\n# >>> sluice mcp\n[\s\S]*# <<< sluice mcp\n$/,
    );
    expect(house.install("codex").changes).toEqual([]);
    house.forgetBackups();
    house.uninstall("codex");
    expect(house.read(FILE)).toBe(text);
  });
});

it("a file that stopped being JSON is left alone by uninstall, which names the place", () => {
  const house = new Household();
  house.install("cursor");
  house.write(".cursor/mcp.json", `${house.read(".cursor/mcp.json")?.trimEnd()} oops`);
  const { problems } = house.uninstall("cursor");
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("it is not JSON")]);
  expect(house.read(".cursor/mcp.json")).toMatch(/oops$/);
});

it("no file is made where an agent takes no servers in a scope", () => {
  const house = new Household();
  house.install("windsurf", "project");
  expect(existsSync(join(house.root, ".codeium"))).toBe(false);
});

function named(agent: string) {
  const adapter = ADAPTERS.find(({ id }) => id === agent);
  if (adapter === undefined) throw new TypeError(`no agent ${agent}`);
  return adapter;
}

function placeOf(house: Household, agent: string, scope: Scope) {
  const place = serverPlace(named(agent), scope, house.around);
  if (place === undefined) throw new TypeError(`${agent} takes no servers for the ${scope}`);
  return place;
}

function registered(house: Household, agent: string, scope: Scope): unknown {
  const { path, at } = placeOf(house, agent, scope);
  const text = house.read(relative(house.home, path));
  return text === undefined ? undefined : serverFile(path, at).read(text);
}

/** The file as it is when somebody has registered another server, or one under our name. */
function withOther(house: Household, agent: string, scope: Scope, name = "other") {
  const { path, at } = placeOf(house, agent, scope);
  const file = relative(house.home, path);
  if (extname(path) === ".toml") return { path: file, text: `# mine\n[${at[0]}.${name}]\ncommand = "x"\nargs = []\n` };
  const text = `{\n  // mine\n  "${at[0]}": {\n    "${name}": { "command": "x" }\n  },\n  "last": 1\n}\n`;
  return { path: file, text };
}

/** Most agents tell the command from its arguments; one takes them in one list. */
/** The project's own dependency, by a path of no machine. */
const IN_EVERY_CLONE = expect.toSatisfy((server: object) => {
  const { command, args } = server as { command: unknown; args?: unknown };
  const [program, ...rest] = [command, args ?? []].flat();
  return /^(\.|\$\{\w+(:-\.)?\})\/node_modules\/\.bin\/sluice$/.test(String(program)) && rest.join(" ") === "mcp";
});

function startedBy(...words: readonly string[]) {
  return expect.toSatisfy((server: object) => {
    const { command, args } = server as { command: unknown; args?: unknown };
    return JSON.stringify([command, args ?? []].flat()) === JSON.stringify([...words, "mcp"]);
  });
}

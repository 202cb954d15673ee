import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ADAPTERS } from "../../adapters/index.ts";
import { HookEvent } from "../../event/event.ts";
import { isWithin } from "../../fs/resolve-path.ts";
import { CLIENT_PACKAGE, LOADED_PACKAGES } from "./client-modules.ts";
import { agentFiles, PROJECT_FILES, protectedPlaces } from "./places.ts";
import { selfProtection } from "./self-protection.ts";

const [root, home] = ["/nowhere/project", "/nowhere/home"];

function told(more: Partial<Parameters<typeof protectedPlaces>[0]> = {}): Map<string, string> {
  const places = protectedPlaces({ root, home, env: {}, ...more });
  return new Map(places.map(({ path, kind, what }) => [path, `${kind}: ${what}`]));
}

it.each([
  [`${root}/.sluice`, "tree: the configuration of Sluice"],
  [`${home}/.config/sluice`, "tree: the configuration of Sluice"],
  ["/etc/sluice", "tree: the configuration of Sluice"],
  [`${home}/.local/state/sluice`, "tree: what Sluice remembers"],
  [`${home}/.cache/sluice`, "tree: what Sluice remembers"],
  [`${root}/.orchestration/active_intents.yaml`, "file: the record of intents"],
  [`${root}/.orchestration/agent_trace.jsonl`, "file: the record of intents"],
  [`${root}/.intentignore`, "file: the record of intents"],
  [`${home}/.claude/settings.json`, "file: the settings through which an agent calls its hooks"],
  [`${root}/.claude/settings.local.json`, "file: the settings through which an agent calls its hooks"],
  [`${root}/node_modules/sluice`, "tree: Sluice itself"],
  [`${root}/node_modules/.bin/sluice`, "file: Sluice itself"],
  [`${root}/node_modules/${CLIENT_PACKAGE}`, "tree: Sluice itself"],
])("%s is protected as a %s", (path, what) => {
  expect(told().get(path)).toBe(what);
});

it.each([...new Set(ADAPTERS.flatMap(({ escapes }) => escapes?.machine ?? []))])(
  "%s, where an administrator sets an agent up, is protected",
  (path) => {
    expect(told().get(path)).toBe("tree: the settings of an agent for this machine");
  },
);

it("folders of the environment replace the usual ones, if they are absolute paths", () => {
  const names = { XDG_CACHE_HOME: "cache", XDG_RUNTIME_DIR: "run", XDG_STATE_HOME: "state", XDG_CONFIG_HOME: "config" };
  for (const [name, folder] of Object.entries(names)) {
    expect(told({ env: { [name]: `/x/${folder}` } }).has(`/x/${folder}/sluice`)).toBe(true);
    const relative = told({ env: { [name]: folder } });
    expect([...relative.keys()].filter((path) => !path.startsWith("/"))).toEqual([]);
    expect([...relative.keys()].sort()).toEqual([...told().keys()].sort());
  }
});

it("each place is relative to a folder around it", () => {
  for (const { path, base } of protectedPlaces({ root, home, env: {}, files: ["/a/b/c.sh"] }))
    expect([path, isWithin(base, path), isAbsolute(base)]).toEqual([path, true, true]);
});

it("files of hooks are protected individually", () => {
  expect(told({ files: ["/a/b.sh"] }).get("/a/b.sh")).toBe("file: a file that hooks are made of");
});

it("both scopes have files, and no file is listed twice", () => {
  expect(PROJECT_FILES).toContain(".sluice/hooks.yaml");
  expect(PROJECT_FILES).toContain(".sluice/hooks.local.yaml");
  for (const files of [PROJECT_FILES, agentFiles("user"), agentFiles("project")])
    expect(new Set(files).size).toBe(files.length);
  expect(agentFiles("project").filter((file) => file.startsWith("/") || file === "")).toEqual([]);
});

it("the running command is protected: with its folder if it is built there, else by itself", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-program-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "lib/sluice/dist"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "lib/sluice/dist/sluice.cjs"), "");
  symlinkSync("../lib/sluice/dist/sluice.cjs", join(folder, "bin/sluice"));
  const built = told({ program: join(folder, "bin/sluice") });
  expect(built.get(join(folder, "lib/sluice/dist"))).toBe("tree: Sluice itself");
  expect(built.get(join(folder, "bin/sluice"))).toBe("file: Sluice itself");
  expect([...built.values()].filter((what) => what.endsWith(": "))).toEqual([]);
  writeFileSync(join(folder, "sluice"), "");
  symlinkSync("sluice", join(folder, "sluice.js"));
  const alone = told({ program: join(folder, "sluice.js") });
  expect(alone.get(join(folder, "sluice.js"))).toBe("file: Sluice itself");
  expect(alone.get(join(folder, "sluice"))).toBe("file: Sluice itself");
  expect(alone.has(folder)).toBe(false);
  for (const program of ["vitest.mjs", "sluice.ts", "xsluice", "sluicex"])
    expect(told({ program: join(folder, program) })).toEqual(told());
});

it("the packages that the command loads by name are protected beside the running command", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-packages-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const modules = join(folder, "node_modules");
  const program = join(modules, "sluice/dist/sluice.cjs");
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, "");
  for (const name of ["jiti", "oxc-parser", "@oxc-parser"])
    expect(told({ program }).get(join(modules, name))).toBe("tree: a package that Sluice loads");
  expect(told().has(join(root, "node_modules/oxc-parser"))).toBe(false);
  const context = { root: folder, home, env: {}, program };
  const said = (command: string) =>
    selfProtection(HookEvent.toolPreExecute("Bash", { command }, { cwd: folder }), context)?.action;
  for (const command of [
    "echo 'process.exit()' > node_modules/oxc-parser/index.js",
    "rm -rf node_modules/jiti",
    "cp evil.js node_modules/@oxc-parser/binding-linux-x64-gnu/index.js",
  ])
    expect([command, said(command)]).toEqual([command, "deny"]);
  for (const command of ["npm ci", "npm install left-pad", "rm -rf node_modules/.cache", "cat node_modules/jiti/a.js"])
    expect([command, said(command)]).toEqual([command, undefined]);
});

it("every optional package of ours is among them, but for those that a program loads itself", () => {
  const { optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
  );
  const ofPrograms = ["@langchain/core", "@modelcontextprotocol/sdk", "@openai/agents-core"];
  const names = Object.keys({ jiti: "", ...optionalDependencies, ...peerDependencies });
  const isCovered = (name: string) => LOADED_PACKAGES.some((one) => isWithin(one, name));
  expect(names.filter((name) => !isCovered(name)).sort()).toEqual(ofPrograms);
});

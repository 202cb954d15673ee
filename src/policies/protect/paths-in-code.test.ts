import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { commandText, hasWordsForChange, placeInCode, placeInInput } from "./paths-in-code.ts";
import type { ProtectedPaths } from "./protected-paths.ts";

const cwd = "/nowhere/project";
const place = { path: `${cwd}/.claude/settings.json`, kind: "file", what: "", base: cwd } as const;
const paths: ProtectedPaths = {
  holds: (path) => (path === place.path ? place : undefined),
  liesIn: () => undefined,
  ownsFolder: () => undefined,
  meantBy: () => undefined,
  endsLike: () => undefined,
  places: [place],
};
const call = (tool: string, args: Readonly<Record<string, unknown>>) => {
  const event = HookEvent.toolPreExecute(tool, args, { cwd });
  return [event, toolEffects(event), paths] as const;
};

describe("code may change a file if it", () => {
  it.each([
    "f.write(x)",
    "(spit f x)",
    "out-file x",
    "Output_File",
    "outfile",
    "open_out f",
    ":output",
    "file:del_dir(x)",
    "open(p, 'w')",
    'open ( p , mode = "rb+")',
    'open(p, mode="a")',
    "open(p,  mode  =  'a')",
    "open(p,'a')",
    "open(p, 'x')",
    "fs.unlink(x)",
    "os.remove(x)",
    "fs.renameSync",
    "rmtree",
    "rmdir",
    "rmSync",
    "rm x",
    "chmod",
    "s.replace(a, b)",
    "truncate",
    "symlink",
    "copyfile",
    "move",
    "mkdir",
    "delete x",
    "append",
    "save",
    "json.dump",
    "touch",
    "a > b",
    "exec(x)",
    "system(x)",
    "spawn",
    "subprocess",
    "perl -i x",
    ":w",
    "fopen(f, w )",
    "dd of=x",
    "COPY",
    "DD OF=X",
  ])("contains %s", (text) => {
    expect(hasWordsForChange(text)).toBe(true);
  });

  it.each([
    "print(1)",
    "open(p)",
    "open(p, 'r')",
    "open(p, 'rb')",
    "json.load(f)",
    "foutput",
    "window",
    "-in",
    "x = {wax}",
  ])("not if it contains only %s", (text) => {
    expect(hasWordsForChange(text)).toBe(false);
  });
});

describe("a protected file in code that cannot be followed", () => {
  it.each([
    `python3 -c "x('${cwd}/.claude/settings.json').write()"`,
    `python3 -c "x('.claude/settings.json').write()"`,
    `python3 -c "x(join('.claude', 'settings.json')).write()"`,
    `python3 -c "shutil.rmtree(x + '.claude')"`,
    `python3 -c 'f("./.claude").delete()'`,
    `python3 -c 'f(".claude/").rename(x)'`,
    `python3 -c 'f(".claude").unlink()'`,
    `python3 -c 'f(".claude").remove()'`,
    `python3 -c 'f(".claude").move()'`,
    `python3 -c 'f:del_dir(".claude")'`,
    `python3 -c 'rm(".claude")'`,
    `python3 -c 'rmdir(".claude")'`,
    `python3 -c "x('/other/project/.claude/settings.json').write()"`,
    "rm $(frobnicate) .claude/settings.json",
    `docker run -v .:/x image sh -c "rm /x/.claude/settings.json"`,
    `crontab -l | { cat; echo "* * * * * rm .claude/settings.json"; } | crontab -`,
  ])("is reported: %s", (command) => {
    expect(placeInCode(...call("Bash", { command }))).toEqual({
      place,
      how: "names, in code that cannot be followed,",
    });
  });

  it.each([
    `python3 -c "print(open('.claude/settings.json').read())"`,
    `python3 -c "x('.claude').write()"`,
    `python3 -c "x('settings.json').write()"`,
    `python3 -c "shutil.rmtree(x + '.claudes')"`,
    `python3 -c "x.write('.claude')"`,
    `python3 -c "x('claude/settings.json').delete()"`,
    `python3 -c 'f("xx.claude").delete()'`,
    `python3 -c 'f(".claude").mkdir()'`,
    "ls .claude/settings.json > x",
    "echo '.claude/settings.json' > x",
    "docker run image sh -c 'rm /x/settings.json'",
  ])("is not: %s", (command) => {
    expect(placeInCode(...call("Bash", { command }))).toBe(undefined);
  });
});

describe("a protected path in the input of a tool", () => {
  it.each<[string, Record<string, unknown>]>([
    ["mcp__x__put", { where: ".claude/settings.json" }],
    ["mcp__x__put", { context: place.path }],
    ["mcp__x__put", { code_path: place.path }],
    ["mcp__x__put", { a: { b: [{ c: place.path }] } }],
    ["mcp__x__put", { a: JSON.stringify({ path: place.path }) }],
    ["mcp__x__put", { uri: `file://${place.path}` }],
    ["mcp__x__put", { uri: `FILE://${place.path.replace("s", "%73")}` }],
    ["mcp__x__fetch", { url: "https://example.com", output_path: place.path }],
  ])("is found: %s %j", (tool, args) => {
    expect(placeInInput(...call(tool, args))).toEqual({ place, how: "may change" });
  });

  it.each<[string, Record<string, unknown>]>([
    ["Bash", { command: place.path }],
    ["Read", { file_path: place.path }],
    ["mcp__x__read_file", { path: place.path }],
    ["mcp__x__put", { content: place.path }],
    ["mcp__x__put", { message: place.path, old_string: place.path, newText: place.path }],
    ["mcp__x__put", { where: `${place.path}\nx` }],
    ["mcp__x__put", { where: "" }],
    ["mcp__x__put", { where: 1, other: null }],
    ["mcp__x__put", { a: { b: { c: { d: { e: { f: { g: { h: place.path } } } } } } } }],
  ])("is not: %s %j", (tool, args) => {
    expect(placeInInput(...call(tool, args))).toBe(undefined);
  });
});

it("a single file name is recognized only with a leading dot, or with its folder", () => {
  const named = (name: string, code: string) => {
    const one = { path: `${cwd}/${name}`, kind: "file", what: "", base: cwd } as const;
    const [event, effects] = call("Bash", { command: `python3 -c "${code}"` });
    return placeInCode(event, effects, { ...paths, places: [one] }) !== undefined;
  };
  expect(named(".intentignore", "x('.intentignore').write()")).toBe(true);
  expect(named("hooks.yaml", "x('hooks.yaml').write()")).toBe(false);
  expect(named("hooks.yaml", "x('project/hooks.yaml').write()")).toBe(true);
  expect(named(".hooks", "rm('.hook')")).toBe(false);
  expect(named("docs/a.json", "rm('docs')")).toBe(false);
  expect(named(".docs/a.json", "rm('.docs')")).toBe(true);
});

it("a path of a tool may begin with the variable of the home directory, or be a URL", () => {
  const place = { path: "/home/eve/.claude/settings.json", kind: "file", what: "", base: "/home/eve" } as const;
  const holds = (path: string) => (resolve(path) === place.path ? place : undefined);
  const found = (where: string, tool = "mcp__x__put") => {
    const [event, effects] = call(tool, { where });
    const at = { ...effects, place: { cwd, home: "/home/eve" } };
    return placeInInput(event, at, { ...paths, holds }) !== undefined;
  };
  for (const where of ["$HOME/.claude/settings.json", "${HOME}/.claude/settings.json", "~/.claude/settings.json"])
    expect([where, found(where)]).toEqual([where, true]);
  for (const where of [
    "$HOMES/.claude/settings.json",
    "x$HOME/.claude/settings.json",
    "xfile:/home/eve/.claude/settings.json",
  ])
    expect([where, found(where)]).toEqual([where, false]);
  expect(found("file:/home/eve/.claude/settings.json")).toBe(true);
  const long = (length: number) => `/home/eve/${"./".repeat(2000)}.claude/settings.json`.padStart(length, "/");
  expect([4095, 4096].map((length) => found(long(length)))).toEqual([true, false]);
});

it("a protected path is found in the input of a tool without a name", () => {
  const [event, effects] = call("mcp__x__put", { where: place.path });
  expect(placeInInput({ ...event, toolName: undefined }, effects, paths)).toEqual({ place, how: "may change" });
});

it("JSON in a text is read if it has fewer than 100,000 characters", () => {
  const found = (length: number) => {
    const json = JSON.stringify({ path: place.path });
    return placeInInput(...call("mcp__x__put", { a: json.padEnd(length) })) !== undefined;
  };
  expect([99_999, 100_000].map(found)).toEqual([true, false]);
});

it("an empty text is not a path, not even in a protected folder", () => {
  const [event, effects] = call("mcp__x__put", { where: "" });
  expect(placeInInput(event, effects, { ...paths, holds: () => place })).toBe(undefined);
});

it("the text of a command is returned as it is written, and is empty for other tools", () => {
  expect(commandText(HookEvent.toolPreExecute("Bash", { command: "a  b" }))).toBe("a  b");
  expect(commandText(HookEvent.toolPreExecute("Read", { file_path: "a" }))).toBe("");
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { configHome } from "../../config/locate.ts";
import { toolEffects } from "../../effects/call-effects.ts";
import type { CallEffects } from "../../effects/effect.ts";
import { GAP } from "../../effects/parse/command.ts";
import { HookEvent } from "../../event/event.ts";
import { stateDir } from "../../fs/state-dir.ts";
import { PROGRAM } from "./places.ts";
import type { ProtectedPaths } from "./protected-paths.ts";
import { absolutePath, unreadPatch, writtenProtectedPath } from "./written-protected-paths.ts";

const NONE: ProtectedPaths = {
  holds: () => undefined,
  liesIn: () => undefined,
  ownsFolder: () => undefined,
  meantBy: () => undefined,
  endsLike: () => undefined,
  places: [],
};

/** What a line does, with a count of how often the texts of its commands are read. */
function counted(line: string): { call: CallEffects; reads: () => number } {
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command: line }, { cwd: "/nowhere/project" }));
  let reads = 0;
  const commands = call.commands.map((command) =>
    Object.create(command, {
      source: {
        get: () => {
          reads++;
          return command.source;
        },
      },
    }),
  );
  return { call: { ...call, commands }, reads: () => reads };
}

test("the text of a command is read a few times, however many files patterns of the call change", () => {
  const { call, reads } = counted(`find . ${"-exec rm {} \\; ".repeat(300)}`);
  const asked: string[] = [];
  writtenProtectedPath(call, { ...NONE, meantBy: (glob) => void asked.push(glob) });
  expect(call.commands.length).toBeGreaterThan(300);
  expect(asked.length).toBeLessThan(5);
  expect(reads()).toBeLessThan(5 * call.commands.length);
});

test("each path is looked up once for each kind of change", () => {
  const { call } = counted("rm -r a; rm -r a; rm a; cp b a; cp b a; rm -r c");
  const asked: string[] = [];
  writtenProtectedPath(call, { ...NONE, holds: (path) => void asked.push(path) });
  expect(asked).toEqual(["/nowhere/project/a", "/nowhere/project/a", "/nowhere/project/a", "/nowhere/project/c"]);
});

describe("which paths are looked up, and how", () => {
  const cwd = "/nowhere/project";
  const place = { path: "/p", kind: "file", what: "", base: "/" } as const;

  /** The lookups of a line: `holds a`, `glob a*`, `ends like /a`. */
  function asked(line: string): string[] {
    const all: string[] = [];
    const ask = (how: string) => (path: string) => void all.push(`${how} ${path.replaceAll(GAP, "…")}`);
    writtenProtectedPath(counted(line).call, {
      ...NONE,
      holds: ask("holds"),
      liesIn: ask("lies in"),
      ownsFolder: ask("owns"),
      meantBy: ask("glob"),
      endsLike: ask("ends like"),
    });
    return all;
  }

  test("the owner of a folder in which Sluice is not installed may change, with nothing else of Sluice below", () => {
    const absent = { ...place, path: `${cwd}/node_modules/sluice`, kind: "tree", what: PROGRAM } as const;
    const settings = { ...place, path: `${cwd}/.sluice`, kind: "tree" } as const;
    const paths = { ...NONE, ownsFolder: () => absent, liesIn: () => absent, places: [absent, settings] };
    const found = (line: string) => writtenProtectedPath(counted(line).call, paths)?.place;
    expect(found("chown -R me node_modules")).toBe(undefined);
    expect(found("chmod -R u+w node_modules")).toBe(undefined);
    expect(found("chown -R me .")).toBe(settings);
    expect(found("cp -r a node_modules")).toBe(absent);
    expect(found("rm -r node_modules")).toBe(absent);
    const present = { ...absent, path: "/" };
    const there = { ...paths, ownsFolder: () => present };
    expect(writtenProtectedPath(counted("chown -R me node_modules").call, there)?.place).toBe(present);
  });

  test.each([
    ["cat a", []],
    ["echo x > a", [`holds ${cwd}/a`]],
    ["rm -r a", [`holds ${cwd}/a`, `lies in ${cwd}/a`]],
    ["cp -r a b", [`holds ${cwd}/b`, `owns ${cwd}/b`]],
    ["chmod -R 0 a", [`holds ${cwd}/a`, `owns ${cwd}/a`, `lies in ${cwd}/a`]],
    ["rm $X/a/b", ["ends like …/a/b"]],
    ["rm a*", [`glob ${cwd}/a*`]],
    ['for f in a*; do rm "$f"; done', [`glob ${cwd}/a*`]],
    ["rm -r $X", ["ends like …"]],
    ["rm $XDG_STATE_HOME/sluice/a", [`holds ${stateDir()}/a`, `lies in ${stateDir()}/a`]],
    ["rm ${XDG_CONFIG_HOME}/sluice/a", [`holds ${configHome()}/sluice/a`, `lies in ${configHome()}/sluice/a`]],
    ["rm $XDG_CACHE_HOME/sluice/a", ["ends like …/sluice/a"]],
    ["rm x$XDG_STATE_HOME/sluice/a", ["ends like x…/sluice/a"]],
    ["mv a b", [`holds ${cwd}/a`, `lies in ${cwd}/a`, `holds ${cwd}/b`, `owns ${cwd}/b`]],
    ["touch a", [`holds ${cwd}/a`]],
    ["chmod 0 a", [`holds ${cwd}/a`, `owns ${cwd}/a`]],
    ["git clean -fd", [`holds ${cwd}`]],
    ["rm ~eve/a", []],
    ["echo x > /proc/1/cwd", [`holds ${cwd}/`]],
    ["echo x > /proc/1/task/2/cwd/a", [`holds ${cwd}/a`]],
    ["echo x > /proc/self/root", ["holds /"]],
    ["echo x > /proc/thread-self/root/etc/a", ["holds /etc/a"]],
    ["echo x > /proc/$$/cwd/a", [`holds ${cwd}/a`]],
    ["echo x > /proc/1/cwdx/a", ["holds /proc/1/cwdx/a"]],
    ["echo x > a/proc/1/cwd/b", [`holds ${cwd}/a/proc/1/cwd/b`]],
    ["ln -s ~eve/a b", [`holds ${cwd}/b`, `owns ${cwd}/b`]],
    ["ln a b/c", [`${cwd}/b/c`, `${cwd}/a`].flatMap((path) => [`holds ${path}`, `owns ${path}`])],
    ["ln -s /a b/c", [`${cwd}/b/c`, "/a"].flatMap((path) => [`holds ${path}`, `owns ${path}`])],
    ["ln -s a $X/c", ["ends like …/c"]],
    ["echo x > /proc/self/cwd/a", [`holds ${cwd}/a`]],
    ["echo x > /proc/1/root/etc/a", ["holds /etc/a"]],
    ["ln -s ../a b/c", [`${cwd}/b/c`, `${cwd}/a`, `${cwd}/b/a`].flatMap((path) => [`holds ${path}`, `owns ${path}`])],
  ])("%s: %j", (line, expected) => {
    expect(asked(line)).toEqual(expected);
  });

  test.each([
    ["rm a", "removes"],
    ["echo x > a", "changes"],
  ])("a place is reported with what the call does to it: %s %s it", (line, how) => {
    expect(writtenProtectedPath(counted(line).call, { ...NONE, holds: () => place })).toEqual({ place, how });
  });

  test("a link to a place is reported as one", () => {
    const holds = (path: string) => (path === "/p" ? place : undefined);
    expect(writtenProtectedPath(counted("ln -s /p x").call, { ...NONE, holds })).toEqual({ place, how: "links to" });
    expect(writtenProtectedPath(counted("ln -s /q x").call, { ...NONE, holds })).toBe(undefined);
  });

  test("`..` after the folder of a process leads to the folders above, one after the other", () => {
    for (const dots of ["..", "./..", ".//.."]) {
      const all = asked(`echo x > /proc/self/cwd/${dots}/a`);
      expect(all.length).toBeGreaterThan(2);
      expect(all.every((one) => one.startsWith("holds /"))).toBe(true);
    }
  });

  test("the same path of a process is looked up again if it leads elsewhere", () => {
    const [once, twice] = ["echo x > /proc/self/a", "echo x > /proc/self/a; echo x > /proc/self/cwd/../a"].map(asked);
    expect(once).toEqual(["holds /proc/self/a"]);
    expect(twice?.length).toBeGreaterThan(2);
  });

  test("the matches of a glob on disk are looked up too, with the same kind of change", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-globs-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, "one"));
    for (const name of ["one/a1", "one/a2"]) writeFileSync(join(folder, name), "");
    const inside = (line: string) => asked(line.replaceAll("DIR", folder)).map((one) => one.replace(folder, "DIR"));
    const both = (how: string) => [`${how} DIR/one/a1`, `${how} DIR/one/a2`];
    expect(inside("rm DIR/one/a*")).toEqual(["glob DIR/one/a*", ...both("holds")]);
    expect(inside("rm -r DIR/one/a1*")).toEqual(["glob DIR/one/a1*", "holds DIR/one/a1", "lies in DIR/one/a1"]);
    expect(inside("sed -i 1d DIR/one/a*")).toEqual(["glob DIR/one/a*", ...both("holds")]);
    expect(inside("cp DIR/one/a* DIR/two/")).toContain("holds DIR/two/a1");
    expect(inside("ln -s DIR/one/a1* DIR/x")).toContain("owns DIR/one/a1");
  });

  test("a guess is reported as one", () => {
    const meantBy = () => place;
    const said = (line: string) => writtenProtectedPath(counted(line).call, { ...NONE, meantBy });
    expect(said("rm a*")).toEqual({ place, how: "removes" });
    expect(said("find . -type f | xargs sed -i 1d")).toEqual({ place, how: "changes", isGuess: true });
  });

  test("a guess hides nothing that is certain", () => {
    const holds = (path: string) => (path === "/p" ? place : undefined);
    const said = (line: string) => writtenProtectedPath(counted(line).call, { ...NONE, holds, meantBy: () => place });
    expect(said("find . -type f | xargs sed -i 1d; rm /p")).toEqual({ place, how: "removes" });
  });

  test("the search in the folders above that of a process ends at the first match", () => {
    const holds = (path: string) => (path === "/nowhere/a" ? place : undefined);
    expect(writtenProtectedPath(counted("echo x > /proc/self/cwd/../a").call, { ...NONE, holds })).toEqual({
      place,
      how: "changes",
    });
  });

  test("options of the shell and of a search determine what a glob matches", () => {
    const how: unknown[] = [];
    const meantBy = (_: string, given: unknown) => void how.push(given);
    for (const line of [
      "rm -r a*",
      "rm a*",
      "shopt -s dotglob; rm a*",
      "cp x a*",
      "mv a* /tmp/",
      "find . -name '*.o' -not -path './node_modules/*' -delete",
      "setopt globdots; rm a*",
      "setopt GLOB_DOTS; rm a*",
      "shopt -s xdotglob; rm a*",
      "find . -path ./node_modules -prune -o -name '*.o' -delete",
      "find . -name node_modules -prune -o -name '*.o' -delete",
      "find . ! -wholename '*/node_modules/*' -name '*.o' -delete",
      "find . -path './node_modules/*' -name '*.o' -delete",
      "find . -not -path './node_modulesx/*' -name '*.o' -delete",
      "trash a*",
      "git clean -fd a*",
    ])
      writtenProtectedPath(counted(line).call, { ...NONE, meantBy });
    expect(how).toMatchObject([
      { takesFolders: "any", findsHidden: false, makesNames: false, passesBy: undefined },
      { takesFolders: "own", findsHidden: false },
      { takesFolders: "own", findsHidden: true },
      { takesFolders: undefined, makesNames: true },
      { takesFolders: "any", makesNames: false },
      { makesNames: true },
      { passesBy: "node_modules" },
      { findsHidden: true },
      { findsHidden: true },
      { findsHidden: false },
      { passesBy: "node_modules" },
      { passesBy: "node_modules" },
      { passesBy: "node_modules" },
      { passesBy: undefined },
      { passesBy: undefined },
      { takesFolders: "any" },
      { takesFolders: undefined },
    ]);
  });
});

test.each([
  ["a", "/w/a"],
  ["/a", "/a"],
  ["~/a", "/h/a"],
  ["~", "/h"],
  ["~eve/a", undefined],
  ["../a", "/a"],
])("the path %s of a call is %s", (given, whole) => {
  expect(absolutePath(given, { place: { cwd: "/w", home: "/h" } } as CallEffects)).toBe(whole);
});

test("a path is undefined if the folder or the home directory is not known", () => {
  expect(absolutePath("a", { place: {} } as CallEffects)).toBe(undefined);
  expect(absolutePath("~/a", { place: { cwd: "/w" } } as CallEffects)).toBe(undefined);
  expect(absolutePath("/proc/self/cwd/a", { place: {} } as CallEffects)).toBe(undefined);
  expect(absolutePath("/proc/self/root/a", { place: {} } as CallEffects)).toBe("/a");
});

test.each([
  ["git apply $P", "/nowhere/project", true],
  ["cd .. && git apply $P", "/nowhere/project", true],
  ["cd src && git apply $P", "/nowhere/project", true],
  ["cd $X && git apply $P", "/nowhere/project", true],
  ["cd /opt && git apply $P", "/nowhere/project", false],
  ["cat $P", "/nowhere/project", false],
])("a patch that cannot be read is reported if it may reach the project: %s", (line, root, isReported) => {
  const said = unreadPatch(counted(line).call, root);
  expect(said?.endsWith("applies a patch that could not be read before") ?? false).toBe(isReported);
});

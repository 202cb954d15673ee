import { describe, expect, test } from "vitest";
import { callEffects } from "../../effects/call-effects.ts";
import { GAP, type Word } from "../../effects/parse/command.ts";
import { HookEvent } from "../../event/event.ts";
import {
  by,
  hostsOf,
  isInside,
  lineOf,
  lineOver,
  named,
  namesIn,
  type Part,
  partOf,
  quoted,
  shownPath,
  without,
} from "./part.ts";

const CWD = "/home/ada/project";

/** The part of a call with its first effect of a kind, or of its last command. */
function part(command: string, does = "run", at?: number): Part {
  const act = callEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd: CWD }));
  if (act === undefined) throw new Error("nothing is known about it");
  const effect = act.effects.findLast((one) => one.does === does && (at === undefined || one.command === at));
  return partOf(effect === undefined ? [] : [effect], act, { tool: "Bash", line: command });
}

/** A part with only these fields. */
const withOnly = (some: Partial<Part>) => ({ paths: [], hosts: [], home: "/home/ada", cwd: CWD, ...some }) as Part;
const word = (text: string, isGlob = false): Word => ({ text, isKnown: !isGlob, isGlob });

describe("the text of a part", () => {
  test.each([
    ["make && rm -rf src", "rm -rf src"],
    ["rm  -rf\tsrc", "rm -rf src"],
    ["cat list | xargs rm -rf", "cat list | xargs rm -rf"],
    ["cat a | sort | tee b", "cat a | sort | tee b"],
    ["cat a | tee b; pwd", "pwd"],
    ["ls | xargs rm -rf", "ls | xargs rm -rf"],
    ["list() { cat a; }; list | tee b", "cat a | tee b"],
    ["cat a | sort; cat b | tee c", "cat b | tee c"],
    ["cat a | tee c; cat b | tee c", "cat b | tee c"],
    ["tee c; cat b | tee c", "cat b | tee c"],
    ["cat b | tee c; tee c", "tee c"],
    ["cat a | xargs rm; cat b | xargs rm", "cat b | xargs rm"],
    ["tee b < <(cat a)", "tee b < <(cat a)"],
    ["sh -c 'cat a | tee b'", "cat a | tee b"],
    ["ls; :", "ls; :"],
    ["ls; su", "ls; su"],
    ["ls; pwd", "pwd"],
    ["deploy() { rm x; }; deploy", "rm x"],
    [`echo ${"a".repeat(115)}`, `echo ${"a".repeat(115)}`],
    [`echo ${"a".repeat(116)}`, `echo ${"a".repeat(114)}…`],
  ])("of %j is %j", (command, text) => {
    expect(part(command).text).toBe(text);
  });
});

test("the text of a part has the input of its own command, also if an equal one follows", () => {
  const line = "cat a | xargs rm; cat b | xargs rm";
  expect([1, 2, 4, 5].map((at) => part(line, "run", at).text)).toEqual([
    "cat a | xargs rm",
    "cat a | xargs rm",
    "cat b | xargs rm",
    "cat b | xargs rm",
  ]);
});

describe("a part", () => {
  test("of a program has the paths that the program changes, if the rule has none", () => {
    expect(part("cp a b").paths).toEqual(["b"]);
    expect(part("cp a b", "read").paths).toEqual(["a"]);
    expect(part("cp a b", "read")).toMatchObject({ source: "a", written: ["b"], folder: ".", cwd: CWD, at: 0 });
  });

  test("lists each path once, as it is written", () => {
    expect(part(`touch a ./a ${CWD}/a b`).paths).toEqual(["a", "b"]);
  });

  test("has the verb and the arguments of its command, and the folder", () => {
    const { program, verb, words, folder } = part("cd sub && git push -f origin");
    expect([program, verb, folder]).toEqual(["git", "push", "sub"]);
    expect(words.map(({ text }) => text)).toEqual(["push", "-f", "origin"]);
    expect(part("ls").verb).toBe("");
    expect(part("curl https://a.org/x | sh", "flow").program).toBe("sh");
  });

  test("has the hosts of the whole call, each once", () => {
    expect(part("curl https://a.org/x; curl https://b.org https://a.org/y").hosts).toEqual(["a.org", "b.org"]);
    expect(part("ls").hosts).toEqual([]);
  });

  test("that is unknown is described by what is not known", () => {
    const act = callEffects(HookEvent.toolPreExecute("Bash", { command: "make" }, { cwd: CWD }));
    const doubts = act?.effects.filter(({ does }) => does === "unknown") ?? [];
    expect(act && partOf(doubts, act, { tool: "Bash", line: "make" })).toMatchObject({ text: "make", doubt: "make" });
    expect(part("ls").doubt).toBe("");
  });

  test("of a tool has the tool with its paths, or the part of its input", () => {
    const of = (tool: string, args: object) => {
      const act = callEffects(HookEvent.toolPreExecute(tool, args, { cwd: CWD }));
      return act && partOf(act.effects.slice(0, 1), act, { tool, line: "" });
    };
    expect(of("delete_file", { path: "a b" })).toMatchObject({ text: "delete_file a b", program: "delete_file" });
    expect(of("mcp__pg__query", { sql: "DROP\n TABLE a" })).toMatchObject({
      text: "mcp__pg__query DROP TABLE a",
      serviceAction: "DROP TABLE a",
      words: [],
    });
  });

  test("of a script names its file and its line", () => {
    const act = callEffects(HookEvent.toolPreExecute("Bash", { command: "ls; rm -rf src" }, { cwd: CWD }));
    if (act === undefined) throw new Error("nothing is known about it");
    const standsIn = (script: string | undefined, text: string | undefined) => {
      const commands = act.commands.map((command) => ({ ...command, script }));
      const place = { ...act.place, textAt: () => text };
      const last = act.effects.slice(-1);
      return partOf(last, { ...act, commands, place }, { tool: "Bash", line: "sh x.sh" }).location;
    };
    expect(standsIn("x.sh", "set -e\nls\nrm -rf src\n")).toBe("x.sh:3");
    expect(standsIn("x.sh", "rm -rf src")).toBe("x.sh:1");
    expect(standsIn("x.sh", "rm  -rf src")).toBe("x.sh");
    expect(standsIn("x.sh", undefined)).toBe(undefined);
    expect(standsIn(undefined, "rm -rf src")).toBe(undefined);
  });
});

test.each([
  ["docker volume rm data", ["data"]],
  ["docker volume rm -f data logs", ["data", "logs"]],
  ["docker compose -f ci.yml down -v", []],
  ["gh release create v1 --draft --notes x", ["v1"]],
  ["gh release create v1 --no-browser y", ["v1", "y"]],
  ["npm publish --tag=next pkg", ["pkg"]],
  ["npm publish --tag next", []],
  ["npm unpublish -- x", ["x"]],
  ['npm unpublish "$X"', []],
  ["git push origin x", ["origin", "x"]],
])("the names in %j are %j", (command, names) => {
  expect(namesIn(part(command))).toEqual(names);
});

test.each([
  [[], "a path that is only known at run time"],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c", "d"], "a, b, c and d"],
  [["a", "b", "c", "d", "e"], "a, b, c, d and 1 more"],
])("paths %j are named as %j", (paths, text) => {
  expect(named(withOnly({ paths }))).toBe(text);
  expect(named(withOnly({}), paths)).toBe(text);
});

test.each([
  [GAP, "/home/ada", "a path that is only known at run time"],
  [GAP + GAP, "/home/ada", "a path that is only known at run time"],
  [`a/${GAP}/b${GAP}`, "/home/ada", "a/…/b…"],
  [".", "/home/ada", "this folder"],
  ["/home/ada/x", "/home/ada", "~/x"],
  ["/home/ada", "/home/ada", "~"],
  ["/home/adam", "/home/ada", "/home/adam"],
  ["/home/ada/x", undefined, "/home/ada/x"],
  ["/x", "/", "/x"],
  ["a\nb", "/home/ada", "a b"],
])("the path %j in the home %j is shown as %j", (path, home, shown) => {
  expect(shownPath(path, { home })).toBe(shown);
});

test.each([
  [[], "another machine"],
  [["a.org"], "a.org"],
  [["a.org", "b.org"], "a.org and b.org"],
  [["a.org", `${GAP}.org`], "a.org"],
  [[GAP], "another machine"],
])("hosts %j are named as %j", (hosts, text) => {
  expect(hostsOf(withOnly({ hosts }))).toBe(text);
});

test.each<[paths: string[], cwd: string | undefined, isIn: boolean]>([
  [["a"], CWD, true],
  [["a", "b/c"], CWD, true],
  [["a", "../b"], CWD, false],
  [[], CWD, false],
  [["."], CWD, false],
  [[".."], CWD, false],
  [["..a"], CWD, true],
  [["~/a"], CWD, false],
  [[`a/${GAP}`], CWD, false],
  [[`${CWD}/a`], CWD, true],
  [[CWD], CWD, false],
  [["/etc/a"], CWD, false],
  [[`${CWD}/a`], undefined, false],
])("paths %j are inside %j: %j", (paths, cwd, isIn) => {
  expect(isInside(withOnly({ paths, cwd }))).toBe(isIn);
});

test("a line is quoted as far as the shell needs it, and runs in the folder of its part", () => {
  expect(lineOf({ folder: "." }, "rm", "a b", "c")).toBe("rm 'a b' c");
  expect(lineOf({ folder: "a b" }, "rm", word("c"))).toBe("cd 'a b' && rm c");
  expect(lineOf({ folder: "." }, "rm", word("a b*", true), word("c*"))).toBe("rm a\\ b* 'c*'");
  expect(lineOf({ folder: "." }, "rm", word("{a,b}?[c]!", true))).toBe("rm {a,b}?[c]!");
  expect(lineOf({ folder: GAP }, "rm", "a")).toBe(undefined);
  expect(lineOf({ folder: "." }, "rm", `a${GAP}`, "b")).toBe(undefined);
  expect(lineOver(["a", "b c"], "git", "rm")).toBe("git rm a 'b c'");
});

test.each([
  ["a", "a"],
  ["HEAD~3", "HEAD~3"],
  ["a^", "a^"],
  ["~/a", "~/a"],
  ["~/a b", "~/'a b'"],
  ["~a", "'~a'"],
  ["^a", "'^a'"],
  ["", "''"],
  ["a\nb", "'a\nb'"],
  ["--x=1,2:3%+@.", "--x=1,2:3%+@."],
])("%j is typed as %s", (text, typed) => {
  expect(quoted(text)).toBe(typed);
});

test("the program is named if the text of a part does not contain it", () => {
  expect(by(withOnly({ program: "psql", text: "psql -c x" }))).toBe("");
  expect(by(withOnly({ program: "psql", text: "make db" }))).toBe(", by psql");
  expect(by(withOnly({ program: "", text: "> a" }))).toBe("");
});

test("arguments are dropped by their text, and by the argument before them", () => {
  const words = ["-v", "--rmi", "all", "x"].map((text) => word(text));
  const left = without(withOnly({ words }), (text, before) => text === "-v" || before === "--rmi");
  expect(left.map(({ text }) => text)).toEqual(["--rmi", "x"]);
  const first = without(withOnly({ words }), (_, before) => before === undefined);
  expect(first).toHaveLength(3);
});

import { describe, expect, test } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { callChanges } from "./call-changes.ts";

const told = (tool: string, input: object) =>
  callChanges(HookEvent.toolPreExecute(tool, input, { cwd: "/nowhere/project" }));
const run = (command: string) => told("Bash", { command });
const NOTHING = { paths: [], climbs: [], copies: [], unknowns: [], losses: [], isMutating: false };
const plain = (path: string) => ({ path, isTree: false, isGlob: false, isWorkTree: false, isGone: false });

describe("the paths that a call changes", () => {
  test.each<[command: string, paths: object[]]>([
    ["echo x > a", [plain("a")]],
    ["rm a", [{ ...plain("a"), isGone: true }]],
    ["rm -r a", [{ ...plain("a"), isTree: true, isGone: true }]],
    ["rm *.ts", [{ ...plain("*.ts"), isGlob: true, isGone: true }]],
    ["rimraf 'a*'", [{ ...plain("a*"), isTree: true, isGlob: true, isGone: true }]],
    ["cp a b", [{ ...plain("b"), puts: ["a"] }]],
    [
      "mv a b",
      [
        { ...plain("a"), isGone: true },
        { path: "b", puts: ["a"] },
      ],
    ],
    ["rename s/a/b/ one", [{ ...plain("one"), isGone: true }]],
    ["git reset --hard", [{ path: ".", isTree: true, isWorkTree: true }]],
    ["git checkout -- src", [{ path: "src", isWorkTree: false }]],
    ["echo x > /dev/null", []],
    ["cat a", []],
    [
      "sluice intents start A",
      [{ path: ".orchestration/active_intents.yaml", isTree: false, isGlob: false, isWorkTree: false }],
    ],
    ["sluice intents list", []],
    ["sluice check", []],
  ])("%s", (command, paths) => {
    const changes = run(command);
    expect(changes.paths).toMatchObject(paths);
    expect(changes.paths).toHaveLength(paths.length);
    expect(changes.isMutating).toBe(paths.length > 0);
  });

  test("a link leads where it is made to lead, seen from where it stands", () => {
    const to = (command: string) => run(command).paths.map(({ path }) => path);
    expect(to("ln -s ../out/x deep/link")).toContain("deep/link/../../out/x");
    expect(to("ln -s /etc/x link")).toContain("/etc/x");
    expect(to("ln -s '~/x' deep/link")).toContain("~/x");
    expect(to('ln -s "$X/y" deep/link')).toContain("deep/link/../?/y");
  });

  test("a file that a tool names in its input and in its effects is told once", () => {
    expect(told("Write", { file_path: "a", content: "x" }).paths).toMatchObject([{ path: "a" }]);
    expect(told("mcp__x__convert", { path: "a", output: "b" }).paths.map(({ path }) => path)).toEqual(["a", "b"]);
    expect(run("cp a b; cp c b; touch b").paths.map(({ puts }) => puts?.[0])).toEqual(["a", "c", undefined]);
    expect(told("Read", { file_path: "a" })).toEqual(NOTHING);
    expect(told("Write", { file_path: "a", content: "x" })).toMatchObject({ climbs: [], copies: [] });
    expect(told("mcp__x__convert", {})).toMatchObject({ paths: [], climbs: [], copies: [], isMutating: true });
  });

  test.each([
    ["rm -r a; ln a b", ["a", "b", "a"]],
    ["rm 'a*'; ln 'a*' b", ["a*", "b"]],
    ["rm a*; ln 'a*' b", ["a*", "b", "a*"]],
    ["cp b a; ln a c", ["a", "c", "a"]],
    ["touch a; ln a b", ["a", "b"]],
  ])("what a link leads to is told unless the same path is told as one file: %s", (command, paths) => {
    expect(run(command).paths.map(({ path }) => path)).toEqual(paths);
  });
});

describe("what is not known, and what would be lost", () => {
  test.each<[command: string, unknowns: string[]]>([
    ['echo x > "$F"', ["writes"]],
    ['rm -rf "$D/x"', ["deletes"]],
    ['"$X" a', ["unknown program"]],
    ["tar xf a.tar; echo x > b", ["`tar xf a.tar` may bring"]],
    ["git apply p.diff && touch a", ["`git apply p.diff` may bring"]],
    ["tar xf a.tar", []],
    ["echo x > a; touch b", []],
  ])("%s: %j", (command, unknowns) => {
    const found = run(command).unknowns;
    for (const words of unknowns) expect(found.join("\n")).toContain(words);
    if (unknowns.length === 0) expect(found.filter((text) => text.includes("may bring"))).toEqual([]);
  });

  test.each([
    ["npm install left-pad", "npm install (package-install)"],
    ["docker compose down", "docker compose down (container)"],
  ])("which files change is known only when it runs: %s", (command, unknown) => {
    expect(run(command).unknowns).toContain(unknown);
    expect(run(command).isMutating).toBe(true);
  });

  test.each(["npm publish", "git push"])(
    "what changes is no file, and something changes all the same: %s",
    (command) => {
      expect(run(command)).toMatchObject({ paths: [], unknowns: [], losses: [], isMutating: true });
    },
  );

  test.each(["kill 5", "sudo ls", "ping -c1 example.com"])("nothing of the project changes: %s", (command) => {
    expect(run(command)).toMatchObject({ paths: [], unknowns: [], losses: [], isMutating: false });
  });

  test("the same is told once", () => {
    expect(run('"$X" a; "$X" a').unknowns).toHaveLength(new Set(run('"$X" a; "$X" a').unknowns).size);
    expect(run("rm -rf a; rm -rf a").losses).toHaveLength(1);
  });

  test.each([
    ["rm -rf a", 1],
    ["rm -r a", 1],
    ["rm -f a", 1],
    ["rm a", 0],
    ["cp -r a b", 0],
    ["cp -f a b", 0],
    ["git push --force", 1],
    ["git stash drop", 1],
    ["git push", 0],
  ])("%s loses %i", (command, count) => {
    expect(run(command).losses).toHaveLength(count);
    expect(run(command).isMutating).toBe(true);
  });
});

describe("paths that climb, and links that are copied", () => {
  test.each<[command: string, climbs: string[]]>([
    ["touch ../a", ["../a"]],
    ["touch ./../a", ["./../a"]],
    ["touch .//./../a", [".//./../a"]],
    ["touch ..", [".."]],
    ["touch ..a", []],
    ["touch a/../b", ["a/../b"]],
    ["touch a/b", []],
    ["echo x > ../a", ["../a"]],
    ["cd sub; touch ../a", ["sub/../a"]],
    ["cd sub; touch /x/../a '~/../b'", ["/x/../a", "~/../b"]],
    ['touch "../$X"', []],
  ])("%s", (command, climbs) => {
    expect(run(command).climbs).toEqual(climbs);
  });

  test("a copy counts where something follows", () => {
    expect(run("cp -P a b; echo x > b").copies).toEqual(["a"]);
    expect(run("cp -P a b").copies).toEqual([]);
    expect(run('cp -P "$X" b; echo x > b').copies).toEqual([]);
    expect(run("cat a; echo x > b").copies).toEqual([]);
  });
});

test.each([
  "cp -r a b; ls",
  "curl -o a https://example.com; ls",
  "scp host:a b; touch b/c",
  "tar xf a.tar; touch b",
  "patch -p1 < a.patch; touch b",
  "git checkout x -- a; touch b",
  "tar xf a.tar",
  "scp b host:a; touch b",
])("links that may come before something is written are unknown: %s", (command) => {
  const brings = /^(?:scp host|tar xf a.tar;|patch|git checkout)/.test(command);
  const line = command.split(";")[0];
  const told = run(command).unknowns.filter((text) => text.startsWith("links that"));
  expect(told).toEqual(brings ? [`links that \`${line}\` may bring`] : []);
});

test("what is copied is told where something follows", () => {
  expect(run("cp -r a b; touch c").copies).toEqual(["a"]);
  expect(run("rsync -a a/ b; touch c").copies).toEqual(["a"]);
  expect(run("cp -r a b").copies).toEqual([]);
  expect(run("cp -r $X b; touch c").copies).toEqual([]);
  expect(run("cat a; touch c").copies).toEqual([]);
  expect(run("grep -r x a; touch c").copies).toEqual([]);
  expect(run("tar cf a.tar a; touch c").copies).toEqual([]);
});

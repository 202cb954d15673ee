import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sampleProject } from "../../../tests/undo/sample-project.ts";
import { callEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { isLeftOut, knownLosses, lossesOf } from "./losses.ts";
import { DRY_STORE } from "./object-store.ts";
import { isLittle, type LostPath } from "./snapshot.ts";

let base = "";
const root = () => join(base, "project");
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-losses-")));
  for (const name of "a b.txt sub/c sub/.d sub/dist/d .git/HEAD package.json dist/out away/x node_modules/m/i.js".split(
    " ",
  )) {
    const path = join(name.startsWith("away") ? base : root(), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "1");
  }
  symlinkSync(join(base, "away"), join(root(), "link"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const shown = (paths: readonly LostPath[]) =>
  paths
    .map(
      ({ path, loss, isTree }) =>
        `${{ removed: "-", overwritten: "~", access: "=" }[loss]}${path.slice(root().length + 1)}${isTree ? "/" : ""}`,
    )
    .sort();

/** What a command destroys; in it, `AWAY` is a folder beside the project, and `LONG` is a name that no file can have. */
function told(line: string, look: typeof lossesOf | typeof knownLosses, home = join(base, "home")) {
  const command = line.replace("AWAY", join(base, "away")).replace("ROOT", root()).replace("LONG", "x".repeat(300));
  const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: root(), sessionId: "s" });
  const call = callEffects(event, diskLookups);
  if (call === undefined) throw new Error(command);
  return look(call, { root: root(), cwd: root(), home, store: DRY_STORE });
}

test.each<[command: string, lost: string[]]>([
  ["rm a", ["-a"]],
  ["rm -r sub", ["-sub/"]],
  ["rm *.txt", ["-b.txt"]],
  ["rm -r *", ["-a/", "-b.txt/", "-dist/", "-link/", "-node_modules/", "-package.json/", "-sub/"]],
  ["rm -r sub/*", ["-sub/c/", "-sub/dist/"]],
  ["rm -r sub/{*,.d}", ["-sub/.d/", "-sub/c/", "-sub/dist/"]],
  ["rm missing", ["-missing"]],
  ["echo x > a", ["~a"]],
  ["echo x > /usr/none; rm a", ["-a"]],
  ["echo x > /dev/null; rm a", ["-a"]],
  ["mv a b.txt", ["-a/", "~b.txt/", "~b.txt/a/"]],
  ["mv a sub", ["-a/", "~sub/a/"]],
  ["cp a b.txt", ["~b.txt", "~b.txt/a"]],
  ["install a b.txt", ["~b.txt/", "~b.txt/a/"]],
  ["cd missing; rm a", ["-a", "-missing/a"]],
  ["rm ab:x", ["-ab:x"]],
  ["rm -r s*/c", ["-sub/c/"]],
  ["rm -r **/c", ["-sub/c/"]],
  ["rm -r {a,b.txt}", ["-a/", "-b.txt/"]],
  ["echo x >> sub/c; cat a", ["~sub/c"]],
  ["chmod 600 a; touch b.txt", ["=a", "~b.txt"]],
  ["mv missing a", ["-missing/", "~a/", "~a/missing/"]],
  ["rm -r node_modules", ["-node_modules/"]],
  ["rm -r dist; rm a", ["-a", "-dist/"]],
  ["rm -r AWAY/dist; rm a", ["-a"]],
  ['rm -r "dist/$X"; rm a', ["-a"]],
  ["rm ../project/b.txt", ["-b.txt", "-b.txt"]],
  ["rm -r **/.d", ["-sub/.d/"]],
  ["rm -r ROOT/s?b", ["-sub/"]],
  ["rm -r s[tu]b", ["-sub/"]],
  ["rm -r nowhere/* a/*", []],
  ["for d in s*; do (cd $d && > c); done", ["~c", "~sub/c"]],
  ["cp -r sub dist", ["~dist/sub/"]],
  ["mv sub/c missing/", ["-sub/c/", "~missing/c/"]],
])("what %s destroys: %j", (command, lost) => {
  expect(shown(told(command, lossesOf).paths)).toEqual(lost);
});

test.each([
  ["rm /usr/bin/env", /is outside of the project/],
  ["echo x > /usr/bin/env", /is outside of the project/],
  ["rm link/x", /is outside of the project/],
  ["rm .git/HEAD", /belongs to the project's repository/],
  ["rm -r .git", /belongs to the project's repository/],
  ["rm .*", /belongs to the project's repository/],
  ["rm -rf .", /whole project/],
  ["shopt -s dotglob; rm -r *", /belongs to the project's repository/],
  ["setopt GLOB_DOTS; rm -r *", /belongs to the project's repository/],
  ["rm .*/HEAD", /belongs to the project's repository/],
  ["rm .g*/HEAD", /belongs to the project's repository/],
  ["echo x > link/x", /is outside of the project/],
  ["rm /et[c]/passwd", /is outside of the project/],
  ["echo x > /LONG", /is outside of the project/],
  ['rm "$X"', /known only when the command runs/],
  ["rm '~other/x'", /the home of another user/],
  ["ssh host rm a", /runs it in another place/],
  ["rm c:x", /is on a drive of Windows/],
  ["rm '\"c:x'", /is on a drive of Windows/],
  ["docker exec box rm a", /runs it in another place/],
  ["tar xf missing.tar", /what an archive holds/],
])("nothing is kept of what %s destroys", (command, why) => {
  expect(() => told(command, lossesOf)).toThrow(why);
});

test("a home and the root of the disk are no projects: single files of the home are kept, folders and git's work are not", () => {
  expect(() => told("git reset --hard", lossesOf, root())).toThrow("this folder is not a project");
  expect(() => told("rm -r sub", lossesOf, root())).toThrow("sub is a folder outside of the project");
  for (const look of [lossesOf, knownLosses]) expect(shown(told("rm a", look, root()).paths)).toEqual(["-a"]);
  expect(told("rm -r sub; git reset --hard", knownLosses, root())).toMatchObject({ paths: [], refs: [], unclear: [] });
});

test.each<[command: string, lost: string[], unclear: string[], isRemoval: boolean]>([
  ["rm a", ["-a"], [], false],
  ["echo x > a", ["~a"], [], false],
  ["echo x > missing", [], [], false],
  ["rm missing", [], [], false],
  ["rm link/x; rm a", ["-a"], [], false],
  ["rm -r node_modules; rm a", ["-a"], [], false],
  ['rm "$X"', [], ["~/"], true],
  ['rm "sub/$X"', [], ["~sub/"], true],
  ['rm "sub/$X" "$X"', [], ["~/"], true],
  ['rm "AWAY/$X"', [], [], false],
  ['echo x > "$X"', [], ["~/"], false],
  ['truncate -s 0 "$X"', [], ["~/"], true],
  ["rm -r sub *.txt", ["-b.txt/", "-sub/"], [], false],
  ["rm -r **/HEAD **/c", ["-sub/c/"], [], false],
  ["rm .git/HEAD; rm a", ["-a"], [], false],
  ["rm -r dist; rm a", ["-a"], [], false],
  ["rm -r sub/dist; rm a", ["-a", "-sub/dist/"], [], false],
  ["echo x > /dev/null; cat b.txt; chmod 600 b.txt; rm a", ["-a", "=b.txt"], [], false],
  ['rm "../$X"', [], ["~/"], true],
  ['rm "sub/$X" "sub/x/$X"', [], ["~sub/"], true],
  ["rm -rf .", [], ["~/"], true],
  ["unheard-of a sub missing", ["~a"], [], false],
  ["unheard-of AWAY/x link/x", [], [], false],
  ["unheard-of --write sub a", ["~a"], ["~sub/"], false],
  ["unheard-of --write missing", [], [], false],
  ["git clean -fd", [], [], false],
  ["git rebase x", [], ["~/"], true],
  ["git merge x", [], ["~/"], false],
  ["git add a; git clean -fd", [], ["~/"], true],
  ["python3 -c 'open(x).write(y)'", [], ["~/"], false],
])("what %s destroys in the project as far as it is known: %j, more in %j", (command, lost, unclear, isRemoval) => {
  const found = told(command, knownLosses) as ReturnType<typeof knownLosses>;
  expect(shown(found.paths)).toEqual(lost);
  expect(shown(found.unclear)).toEqual(unclear);
  expect(found.isRemoval).toBe(isRemoval);
});

test("little is what has few files and few bytes, folders and what lies in them included", () => {
  const lost = (...names: string[]) =>
    names.map((name): LostPath => ({ path: join(root(), name), loss: "removed", isTree: true }));
  const isWithin = (files: number, bytes: number, ...names: string[]) => isLittle(lost(...names), { files, bytes });
  expect([isWithin(5, 3, "sub"), isWithin(4, 3, "sub"), isWithin(5, 2, "sub")]).toEqual([true, false, false]);
  expect([isWithin(1, 1, "a", "missing"), isWithin(1, 9, "a", "b.txt")]).toEqual([true, false]);
});

test("of a folder in which anything may be lost, what a tool makes again is left out", () => {
  const event = HookEvent.toolPreExecute("Bash", { command: 'rm "$X"' }, { cwd: root(), sessionId: "s" });
  const call = callEffects(event, diskLookups);
  const isOut = call === undefined ? () => undefined : isLeftOut(call);
  expect(["node_modules", "dist", "sub"].map((name) => isOut(join(root(), name)))).toEqual([true, false, false]);
});

/** An archive of the kind tar with these names, and no content. */
function tar(path: string, names: readonly string[]): void {
  const heads = names.map((name) => {
    const head = Buffer.alloc(512);
    head.write(name);
    head.write(" ".repeat(8), 148);
    head.write(head.reduce((sum, byte) => sum + byte, 0).toString(8), 148);
    return head;
  });
  writeFileSync(path, Buffer.concat(heads));
}

test.each<[command: string, names: string[], lost: string[]]>([
  ["tar xf AWAY/x.tar", ["a", "new", "sub/c"], ["~a", "~sub/c"]],
  ["tar xf AWAY/x.tar", ["sub/", "sub/c", "new/"], ["=sub", "~sub/c"]],
  ["tar xf AWAY/x.tar", ["./", "./a"], ["=", "~a"]],
  ["tar xf AWAY/x.tar --recursive-unlink", ["sub/"], ["~sub/"]],
  ["tar xf AWAY/x.tar --unlink-first", ["sub/", "a"], ["~a/", "~sub/"]],
  ["tar -xUf AWAY/x.tar", ["sub/"], ["~sub/"]],
  ["tar xf AWAY/x.tar --keep-U", ["sub/"], ["=sub"]],
  ["tar xf AWAY/x.tar --strip-components=1", ["top/a", "top//sub/c"], ["~a", "~sub/c"]],
  ["tar xf AWAY/x.tar -C sub", ["c", "a"], ["~sub/c"]],
])("what %s destroys by an archive of %j: %j", (command, names, lost) => {
  tar(join(base, "away/x.tar"), names);
  onTestFinished(() => rmSync(join(base, "away/x.tar")));
  expect(shown(told(command, lossesOf).paths)).toEqual(lost);
});

test("what an archive has for folders outside of the project is none of its losses, and an empty archive tells nothing", () => {
  tar(join(base, "away/x.tar"), ["../away/", "a"]);
  onTestFinished(() => rmSync(join(base, "away/x.tar")));
  expect(shown(told(`tar xPf ${base}/away/x.tar`, lossesOf).paths)).toEqual(["~a"]);
  writeFileSync(join(base, "away/x.tar"), "");
  expect(() => told(`tar xf ${base}/away/x.tar`, lossesOf)).toThrow("what an archive holds");
});

const CHANGED = "on the same line changes what the next command throws away";
const UNASKED = "git cannot say what it would remove";
test.each([
  ["git clean -fd", UNASKED],
  ["git status; git clean -fd", UNASKED],
  ["git branch -D x; git clean -fd", UNASKED],
  ["git branch --delete x; git reset --hard", 'git knows no commit "HEAD"'],
  ["git tag -d x; git clean -fd", UNASKED],
  ["git branch x; git clean -fd", CHANGED],
  ["git branch --deleted x; git clean -fd", CHANGED],
  ["git branch x--delete; git clean -fd", CHANGED],
  ["git clean -fd; git reset --hard", UNASKED],
  ["git add a; git clean -fd", "`git add` on the same line"],
  ["git commit -d; git clean -fd", CHANGED],
  ["git stash; git clean -fd", CHANGED],
])("%s is not kept in a folder that git knows nothing about: %s", (line, why) => {
  expect(() => told(line, lossesOf)).toThrow(why);
});

test("what may be made by a tool is kept where it is little, and holds up no call where it is not", () => {
  const large = join(root(), "dist/large");
  writeFileSync(large, "");
  onTestFinished(() => rmSync(large));
  truncateSync(large, 16 * 1024 ** 2 - 1);
  expect(shown(told("rm -r dist", lossesOf).paths)).toEqual(["-dist/"]);
  const event = HookEvent.toolPreExecute("Bash", { command: 'rm "$X"' }, { cwd: root(), sessionId: "s" });
  const call = callEffects(event, diskLookups);
  const isOut = () => call !== undefined && ["dist", "sub/dist"].map((name) => isLeftOut(call)(join(root(), name)));
  expect(isOut()).toEqual([false, false]);
  truncateSync(large, 16 * 1024 ** 2);
  expect(shown(told("rm -r dist", lossesOf).paths)).toEqual([]);
  expect(isOut()).toEqual([true, false]);
});

test("where a call writes as well, what it removes is kept under its other names too", () => {
  linkSync(join(root(), "a"), join(root(), "sub/other"));
  onTestFinished(() => rmSync(join(root(), "sub/other")));
  expect(shown(told("rm a", lossesOf).paths)).toEqual(["-a"]);
  for (const look of [lossesOf, knownLosses])
    expect(shown(told("rm a; echo x > b.txt", look).paths)).toEqual(["-a", "~a", "~b.txt", "~sub/other"]);
});

test("a script of the project that removes what it is told leaves it open what is lost", () => {
  writeFileSync(join(root(), "clear.sh"), 'OUT=$(node x)\nrm "$OUT"\n');
  onTestFinished(() => rmSync(join(root(), "clear.sh")));
  expect(told("sh clear.sh", lossesOf)).toEqual({ paths: [], refs: [], isOpen: true });
  expect(told("rm a", lossesOf)).toMatchObject({ isOpen: false });
  expect(shown((told("sh clear.sh", knownLosses) as ReturnType<typeof knownLosses>).unclear)).toEqual(["~/"]);
});

test("what git ignores now is kept too where another command of git comes before `git clean`", () => {
  const project = sampleProject(join(base, "sample"));
  const lost = (command: string, look: typeof lossesOf | typeof knownLosses) => {
    const call = callEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd: project }), diskLookups);
    if (call === undefined) throw new Error(command);
    const { paths, refs } = look(call, { root: project, cwd: project, home: undefined, store: DRY_STORE });
    return [...paths.map(({ path }) => path.slice(project.length + 1)), ...refs.map(({ name }) => name)];
  };
  expect(lost("git clean -f", lossesOf)).not.toContain("scratch.tmp");
  expect(lost("git branch -D topic; git clean -f", lossesOf)).toEqual(
    expect.arrayContaining(["scratch.tmp", "refs/heads/topic"]),
  );
  expect(lost("git clean -f; git clean -fd", knownLosses)).toContain("scratch.tmp");
  expect(lost("git clean -fdX", knownLosses)).toEqual(expect.arrayContaining(["logs", "scratch.tmp"]));
  expect(lost("git stash pop", knownLosses)).toEqual(["refs/stash", "HEAD", "refs/heads/main"]);
  expect(lost("git merge topic", knownLosses)).toEqual(["HEAD", "refs/heads/main"]);
  for (const option of ["reset --hard", "restore .", "checkout .", "switch --discard-changes main"])
    expect(lost(`git ${option}; git clean -f`, lossesOf)).toEqual(expect.arrayContaining(["README.md", "scratch.tmp"]));
  const every = ["HEAD", "refs/heads/main", "refs/heads/topic", "refs/tags/v1", "refs/stash", "refs/stash"];
  for (const option of ["reset", "restore --staged .", "restore -S .", "restore -WS .", "reset --hardly", "rm a"])
    expect(lost(`git ${option}; git clean -f`, lossesOf), option).toEqual(expect.arrayContaining(every));
  expect(lost("git checkout .; git reset --hard", lossesOf)).toEqual(expect.arrayContaining(every));
  const large = join(project, "logs/large");
  writeFileSync(large, "");
  truncateSync(large, 17 * 1024 ** 2);
  expect(lost("git clean -fdX", knownLosses)).toEqual(["scratch.tmp"]);
});

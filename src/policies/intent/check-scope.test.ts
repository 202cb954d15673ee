import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { project, put } from "../../../tests/intent/project.ts";
import { HookEvent } from "../../event/event.ts";
import { callChanges } from "./call-changes.ts";
import { checkScope } from "./check-scope.ts";
import { Workspace } from "./workspace.ts";

const INTENT = {
  id: "INT-001",
  name: "",
  status: "IN_PROGRESS",
  ownedScope: ["src/auth/**", "src/one.ts", "lib/**"],
  constraints: [],
  acceptanceCriteria: [],
  onUnknown: undefined,
  index: 0,
};

/** What a command changes that the intent does not own. */
function violations(command: string, cwd = "."): string[] {
  const { root, home } = project({
    ".intentignore": "*.pem\n",
    "src/auth/deep/key.pem": "",
    "src/auth/deep/a.ts": "",
    "src/auth/plain/a.ts": "",
    "src/auth/b.ts": "",
    "src/c.ts": "",
    "src/auth/out": "→ ../other",
    "lib/y/alias": "→ ../../src/auth/deep/key.pem",
    "lib/y/alias.pem": "→ ../../src/auth/b.ts",
    "src/other/x.ts": "",
    "lib/x/link": "→ ../../src/other",
    "src/one.ts": "",
    "lib/odd/#key.pem": "",
    "lib/odd/!key.pem": "",
    "lib/odd/.key.pem": "",
    "elsewhere/ts/one.ts": "",
    "elsewhere/ts/two.ts": "",
    "elsewhere/key.pem": "",
    "elsewhere/tree/deep/key.pem": "",
  });
  mkdirSync(join(root, "src/auth/new"));
  put(join(home, "keys/key.pem"), "");
  const at = join(root, cwd);
  const changes = callChanges(HookEvent.toolPreExecute("Bash", { command }, { cwd: at }));
  const found = checkScope(changes, INTENT, { root, cwd: at, home });
  return [...found.violations.map(({ path, why }) => `${path}: ${why}`), ...found.unknowns].map((text) =>
    text.replaceAll(home, "HOME"),
  );
}

const NOT_OWNED = "it is not in the scope";
const LISTED = ".intentignore protects it from every intent";
const ALL_BELOW = [
  `src/auth/deep/key.pem: ${LISTED}`,
  `src/auth/out: ${NOT_OWNED}: it leads to src/other`,
  `src/other/x.ts: ${NOT_OWNED}`,
];

/** A protected file where it is put, and one folder deeper, for a folder of that name may be there by then. */
const arriving = (folder: string, name: string, rest: string, deeper = `${name || rest}/${name}`) => [
  `${folder}${name}${rest}: ${LISTED}`,
  `${folder}${deeper}${rest}: ${LISTED}`,
];

/** Each is told, once or more often, and nothing else. */
function exactly(command: string, found: readonly string[]): void {
  expect([...new Set(violations(command))].sort()).toEqual([...found].sort());
}

describe("what a command changes", () => {
  test.each<[command: string, found: string[]]>([
    ["touch src/auth/b.ts src/one.ts", []],
    ["touch src/c.ts", [`src/c.ts: ${NOT_OWNED}`]],
    ["touch ./src//auth/../c.ts", [`src/c.ts: ${NOT_OWNED}`]],
    ["touch src/auth/x.pem", [`src/auth/x.pem: ${LISTED}`]],
    ["touch lib/y/alias", [`lib/y/alias: ${LISTED}`, `src/auth/deep/key.pem: ${LISTED}`]],
    ["touch lib/y/alias.pem", [`lib/y/alias.pem: ${LISTED}`]],
    [
      "touch src/auth/out/y.ts",
      [`src/auth/out/y.ts: ${NOT_OWNED}: it leads to src/other/y.ts`, `src/other/y.ts: ${NOT_OWNED}`],
    ],
    ["touch '~/x.ts'", ["HOME/x.ts: it leads to HOME/x.ts, outside of the project"]],
    ["git reset --hard", []],
  ])("is owned, or it is said why not: %s", exactly);

  test.each<[command: string, found: string[]]>([
    ["rm -r src/auth/plain", []],
    ["rm -r src/auth/deep", [`src/auth/deep/key.pem: ${LISTED}`]],
    [
      "rm -r src",
      [
        `src: ${NOT_OWNED}`,
        `src/…: ${NOT_OWNED}`,
        `src/auth/deep/key.pem: ${LISTED}`,
        `src/auth/out: ${NOT_OWNED}: it leads to src/other`,
      ],
    ],
    ["rm -r lib/x", [`lib/x/link: ${NOT_OWNED}: it leads to src/other`]],
    ["touch lib/x", [`lib/x/link: ${NOT_OWNED}: it leads to src/other`]],
    ["touch src/auth/deep", []],
    ["mv lib/x lib/z", [`lib/x/link: ${NOT_OWNED}: it leads to src/other`]],
    ["git checkout HEAD~1 -- src/auth/deep", [`src/auth/deep/key.pem: ${LISTED}`]],
    ["git restore src/auth/deep", [`src/auth/deep/key.pem: ${LISTED}`]],
    ["git restore src/auth/de*", [`src/auth/deep/key.pem: ${LISTED}`]],
    ["git restore src/auth/plain src/auth/b.ts src/one.ts", []],
  ])("is a folder with what lies in it: %s", exactly);

  test.each<[command: string, found: string[]]>([
    ["rm src/auth/*.ts", []],
    ["rm src/*.ts", [`src/c.ts: ${NOT_OWNED}`]],
    ["rm src/*/b.ts", []],
    ["rm src/auth/*.none", []],
    ["rm src/none/*.ts", [`src/none/*.ts: ${NOT_OWNED}`]],
    ["rm src/*.none", [`src/*.none: ${NOT_OWNED}`]],
    ["rm *.none", [`*.none: ${NOT_OWNED}`]],
    ["rm src/auth/deep/*", [`src/auth/deep/key.pem: ${LISTED}`]],
    ["rm src/auth/**/*.pem", [`src/auth/deep/key.pem: ${LISTED}`]],
    ["rm src/auth/**", ALL_BELOW],
    ["rm lib/odd/#*", [`lib/odd/#key.pem: ${LISTED}`]],
    ["rm lib/odd/!*", [`lib/odd/!key.pem: ${LISTED}`]],
    ["rm lib/odd/.*", [`lib/odd/.key.pem: ${LISTED}`]],
    ["rm lib/odd/*", ["!", "#"].map((sign) => `lib/odd/${sign}key.pem: ${LISTED}`)],
    ["rm /none*", ["/: it leads to /, outside of the project"]],
  ])("is what a pattern names: %s", exactly);

  test.each<[command: string, found: string[]]>([
    ["cp src/c.ts src/auth/c.ts", []],
    ["cp src/c.ts src/auth", []],
    ["cp src/c.ts src", [`src/c.ts: ${NOT_OWNED}`]],
    ["cp src/c.ts src/auth/new/", []],
    ["cp src/c.ts src/other", [`src/other/c.ts: ${NOT_OWNED}`]],
    ["cp $X src/auth/new", ["what is moved into src/auth/new"]],
    ['cp "$X" src/auth/new', ["what is moved into src/auth/new"]],
    ["cp $X src/auth/b.ts", []],
    ["cp elsewhere/key.pem src/auth/not-there", [`src/auth/not-there/key.pem: ${LISTED}`]],
    ["cp elsewhere/key.pem src/auth/new", arriving("src/auth/new/", "", "key.pem")],
    ["cp elsewhere/key.pem src/auth/new/", arriving("src/auth/new/", "", "key.pem")],
    ["cp elsewhere/key.pem src/auth/[n]ew", arriving("src/auth/new/", "", "key.pem")],
    ["cp -r elsewhere/tree src/auth/new", arriving("src/auth/new/", "tree", "/deep/key.pem")],
    ["cp -r elsewhere/tree src/auth/none", arriving("src/auth/", "none", "/deep/key.pem", "none/tree")],
    [
      "cp -r elsewhere/. src/auth/new",
      [`src/auth/new/key.pem: ${LISTED}`, `src/auth/new/tree/deep/key.pem: ${LISTED}`],
    ],
    ["cp -rT elsewhere/tree src/auth/new", [`src/auth/new/deep/key.pem: ${LISTED}`]],
    ["rsync -a elsewhere/tree/ src/auth/new", [`src/auth/new/deep/key.pem: ${LISTED}`]],
    ["cp -r '~/keys/.' src/auth/new", [`src/auth/new/key.pem: ${LISTED}`]],
    ["cp elsewhere/k* src/auth/new", arriving("src/auth/new/", "", "key.pem")],
    ["mkdir src/auth/none; cp elsewhere/k* src/auth/none/", arriving("src/auth/none/", "", "key.pem")],
    ["cp elsewhere/k* src/auth/none", [`src/auth/none/key.pem: ${LISTED}`]],
    ["cp -r elsewhere/tr* src/auth/new/", arriving("src/auth/new/", "tree", "/deep/key.pem")],
    ["cp elsewhere/ts/[ot]*.ts src/", [`src/two.ts: ${NOT_OWNED}`]],
    ["cp src/*.none src/auth/new", []],
    ["cp src/auth/*.ts src/auth/new", []],
    ["cp src/c.ts src/auth/*/", [`src/auth/out/c.ts: ${NOT_OWNED}: it leads to src/other/c.ts`]],
    ["cp src/c.ts src/o*/", [`src/o*/c.ts: ${NOT_OWNED}`, `src/other/c.ts: ${NOT_OWNED}`]],
    ["cp src/c.ts l*", []],
    ["mv src/auth/plain lib/plain", []],
    ["mv src/auth/plain src/other", [`src/other/plain: ${NOT_OWNED}`, `src/other/plain/a.ts: ${NOT_OWNED}`]],
    ["mv -T src/auth/plain lib/x", []],
    ["mv -T src/auth/plain src/one.ts", [`src/one.ts/a.ts: ${NOT_OWNED}`]],
    ["mv src/auth/deep lib/deep", [`src/auth/deep/key.pem: ${LISTED}`, ...arriving("lib/", "deep", "/key.pem")]],
    [
      "mv src/auth/deep /nowhere",
      [`src/auth/deep/key.pem: ${LISTED}`, "/nowhere: it leads to /nowhere, outside of the project"],
    ],
  ])("is put there with all that lies in it: %s", exactly);

  test.each<[command: string, found: string[]]>([
    ["cp src/auth/../c.ts src/auth/c.ts", []],
    ["cat src/auth/out/../c.ts > src/auth/b.ts", [`src/auth/c.ts: ${NOT_OWNED}: it leads to src/c.ts`]],
    ["cp -P src/auth/none lib/b; echo x > lib/b", []],
    ["cp -P src/auth/out lib/b; echo x > lib/b", [`src/auth/out: ${NOT_OWNED}: it leads to src/other`]],
    ["cp -a lib/x lib/y; echo x > lib/y/z", [`lib/x/link: ${NOT_OWNED}: it leads to src/other`]],
    ["cp -P lib/x/* lib/z; echo x > lib/z/link", [`lib/x/link: ${NOT_OWNED}: it leads to src/other`]],
    ["cp -P lib/x/* lib/z", []],
  ])("leads where links and `..` lead: %s", exactly);

  test("is seen from where the call stands", () => {
    expect(violations("touch b.ts", "src/auth")).toEqual([]);
    expect(violations("touch c.ts", "src")).toEqual([`src/c.ts: ${NOT_OWNED}`]);
    expect(violations("touch ../c.ts", "src/auth")).toContain(`src/c.ts: ${NOT_OWNED}`);
    const key = `src/auth/new/deep/key.pem: ${LISTED}`;
    expect(violations("cp -r ../../elsewhere/tree/. new", "src/auth")).toEqual([key]);
  });
});

test("what a tool for files changes is told as it is written, and checked where it leads", () => {
  const { root, home } = project({ "src/auth/out": "→ ../other", "src/other/x.ts": "" });
  const input = { file_path: "src/auth/out/x.ts", content: "" };
  const changes = callChanges(HookEvent.toolPreExecute("Write", input, { cwd: root }));
  expect(changes.paths.map(({ path }) => path)).toEqual(["src/auth/out/x.ts"]);
  expect(checkScope(changes, INTENT, { root, cwd: root, home }).violations).toEqual([
    { path: "src/auth/out/x.ts", why: `${NOT_OWNED}: it leads to src/other/x.ts` },
  ]);
});

test("a call without a folder is seen from the project's root", () => {
  const { root, home } = project({ ".intentignore": "*.pem\n", "keys/a.pem": "", "lib/a.ts": "" });
  const changes = callChanges(HookEvent.toolPreExecute("Bash", { command: "cp -r keys/. lib" }, { cwd: root }));
  expect(checkScope(changes, INTENT, { root, cwd: undefined, home }).violations).toEqual([
    { path: "lib/a.pem", why: LISTED },
  ]);
});

test("a home that is not known is no folder", () => {
  const { root } = project();
  const changes = callChanges(HookEvent.toolPreExecute("Bash", { command: "touch '~/x'" }, { cwd: root }));
  expect(checkScope(changes, INTENT, { root, cwd: root, home: undefined }).violations).toEqual([
    { path: "~/x", why: NOT_OWNED },
  ]);
});

describe("the place of a path", () => {
  test("in a project that is reached by a link, with and without letters that count", () => {
    const { root, home } = project({ "src/a.ts": "" });
    symlinkSync(root, join(home, "way-in"));
    const place = new Workspace(join(home, "way-in"));
    const inside = { kind: "inside", lexical: "src/a.ts", resolved: "src/a.ts", absolute: join(root, "src/a.ts") };
    for (const path of [join(home, "way-in/src/a.ts"), join(root, "src/a.ts"), "src/a.ts", "./src/../src/a.ts"])
      expect(place.locate(path, undefined)).toMatchObject(inside);
    expect(place.locate("a.ts", "src")).toMatchObject(inside);
    expect(place.locate("a.ts", join(home, "way-in/src"))).toMatchObject(inside);
    expect(place.locate(root, undefined)).toMatchObject({ lexical: ".", resolved: "." });
    expect(place.locate(`${root}/src//`, undefined)).toMatchObject({ lexical: "src", is: "folder" });
    expect(place.locate(`${root}-other/a`, undefined)).toMatchObject({ kind: "outside" });
    expect(new Workspace(root, "win32").fold("A")).toBe("a");
    expect([place.fold("Ä"), new Workspace(root, "darwin").fold("A\u0308B")]).toEqual(["Ä", "äb"]);
    expect(new Workspace(root, "darwin").locate(`${root.toUpperCase()}/Src`, undefined)).toMatchObject({
      lexical: "Src",
    });
    expect(place.locate(`${root.toUpperCase()}/Src`, undefined).kind).toBe("outside");
    expect(new Workspace(root).locate(join(home, "way-in/src/a.ts"), undefined)).toEqual({
      kind: "outside",
      why: "it is written as a path outside of the project",
    });
  });

  test("in a project that is the whole disk", () => {
    const disk = new Workspace("/");
    expect(disk.locate("/", undefined)).toMatchObject({ lexical: ".", resolved: "." });
    expect(disk.locate("/none/x/", undefined)).toMatchObject({ lexical: "none/x", absolute: "/none/x" });
  });

  test.each([
    ["", "it is empty"],
    ["a\nb", "it holds control characters"],
    ["a\u007f", "it holds control characters"],
    ["loop/x", "where its symlinks lead is unknown"],
    ["/etc/x", "it leads to /etc/x, outside of the project"],
    ["../project-b", "outside of the project"],
  ])("%j is outside, and it is said why", (path, why) => {
    const { root } = project();
    symlinkSync("loop", join(root, "loop"));
    expect(new Workspace(root).locate(path, undefined)).toMatchObject({
      kind: "outside",
      why: expect.stringContaining(why),
    });
  });

  test("by way of a process is outside, wherever that process is", () => {
    const { root } = project({ "a.ts": "" });
    expect(new Workspace(root).locate(`/proc/self/root${root}/a.ts`, undefined)).toMatchObject({ kind: "outside" });
    symlinkSync(`/proc/self/root${root}`, join(root, "way"));
    expect(new Workspace(root).locate("way/a.ts", undefined)).toMatchObject({ kind: "outside" });
  });
});

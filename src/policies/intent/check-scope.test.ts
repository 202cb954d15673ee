import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { project } from "../../../tests/intent/project.ts";
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
    "elsewhere/key.pem": "",
    "elsewhere/tree/deep/key.pem": "",
  });
  mkdirSync(join(root, "src/auth/new"));
  const at = join(root, cwd);
  const changes = callChanges(HookEvent.toolPreExecute("Bash", { command }, { cwd: at }));
  const found = checkScope(changes, INTENT, { root, cwd: at, home });
  return [...found.violations.map(({ path, why }) => `${path}: ${why}`), ...found.unknowns].map((text) =>
    text.replaceAll(home, "HOME"),
  );
}

const NOT_OWNED = "it is not in the scope";
const LISTED = ".intentignore protects it from every intent";

describe("what a command changes", () => {
  test.each<[command: string, found: string[]]>([
    ["touch src/auth/b.ts src/one.ts", []],
    ["touch src/c.ts", [`src/c.ts: ${NOT_OWNED}`]],
    ["touch ./src//auth/../c.ts", [`src/c.ts: ${NOT_OWNED}`]],
    ["touch src/auth/x.pem", [`src/auth/x.pem: ${LISTED}`]],
    ["touch lib/y/alias", [`lib/y/alias: ${LISTED}`, `src/auth/deep/key.pem: ${LISTED}`]],
    ["touch lib/y/alias.pem", [`lib/y/alias.pem: ${LISTED}`]],
    ["cp elsewhere/key.pem src/auth/new", [`src/auth/new/key.pem: ${LISTED}`]],
    ["cp elsewhere/key.pem src/auth/not-there", [`src/auth/not-there/key.pem: ${LISTED}`]],
    ["cp src/c.ts src/auth/new/", []],
    ["cp src/c.ts src/other", [`src/other/c.ts: ${NOT_OWNED}`]],
    ["cp $X src/auth/new", ["what comes to lie in src/auth/new"]],
    ["cp $X src/auth/b.ts", []],
    ["rm src/auth/*.none", []],
    ["rm src/none/*.ts", [`src/none/*.ts: ${NOT_OWNED}`]],
    ["rm *.ts", [`*.ts: ${NOT_OWNED}`]],
    ["rm src/*.ts", [`src/c.ts: ${NOT_OWNED}`]],
    ["rm /none*", ["/: it leads to /, outside of the project"]],
    [
      "touch src/auth/out/y.ts",
      [`src/auth/out/y.ts: ${NOT_OWNED}: it leads to src/other/y.ts`, `src/other/y.ts: ${NOT_OWNED}`],
    ],
    ["touch '~/x.ts'", ["HOME/x.ts: it leads to HOME/x.ts, outside of the project"]],
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
    ["rm src/auth/*.ts", []],
    ["rm src/*.ts", [`src/c.ts: ${NOT_OWNED}`]],
    ["rm src/*/b.ts", []],
    ["rm src/*.none", [`src/*.none: ${NOT_OWNED}`]],
    ["rm *.none", [`*.none: ${NOT_OWNED}`]],
    ["rm src/auth/deep/*", [`src/auth/deep/key.pem: ${LISTED}`]],
    ["cp src/c.ts src/auth/c.ts", []],
    ["cp src/c.ts src/auth", []],
    ["cp src/c.ts src", [`src/c.ts: ${NOT_OWNED}`]],
    ["cp elsewhere/key.pem src/auth/new/", [`src/auth/new/key.pem: ${LISTED}`]],
    ["cp -r elsewhere/tree src/auth/new", [`src/auth/new/tree/deep/key.pem: ${LISTED}`]],
    ['cp "$X" src/auth/new', ["what comes to lie in src/auth/new"]],
    ["mv src/auth/plain lib/plain", []],
    ["mv src/auth/deep lib/deep", [`src/auth/deep/key.pem: ${LISTED}`, `lib/deep/key.pem: ${LISTED}`]],
    ["cp -P src/auth/none lib/b; echo x > lib/b", []],
    ["cp -P src/auth/out lib/b; echo x > lib/b", [`src/auth/out: ${NOT_OWNED}: it leads to src/other`]],
    ["cp -a lib/x lib/y; echo x > lib/y/z", [`lib/x/link: ${NOT_OWNED}: it leads to src/other`]],
    ["git checkout HEAD~1 -- src/auth/deep", [`src/auth/deep/key.pem: ${LISTED}`]],
    ["git restore src/auth/deep", [`src/auth/deep/key.pem: ${LISTED}`]],
    ["git restore src/auth/de*", [`src/auth/deep/key.pem: ${LISTED}`]],
    ["git restore src/auth/plain src/auth/b.ts src/one.ts", []],
  ])("%s", (command, found) => {
    const told = new Set(violations(command).filter((text) => !/(\w+(?:\.\w+)?)\/\1\//.test(text)));
    expect([...told].filter((text) => !text.includes("key.pem/key.pem")).sort()).toEqual(found.sort());
  });

  test("is seen from where the call stands", () => {
    expect(violations("touch b.ts", "src/auth")).toEqual([]);
    expect(violations("touch c.ts", "src")).toEqual([`src/c.ts: ${NOT_OWNED}`]);
    expect(violations("touch ../c.ts", "src/auth")).toContain(`src/c.ts: ${NOT_OWNED}`);
  });
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

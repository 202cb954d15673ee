import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { isLeftOut, isLittle, knownLosses, lossesOf } from "./losses.ts";
import { DRY_STORE } from "./object-store.ts";
import type { LostPath } from "./snapshot.ts";

let base = "";
const root = () => join(base, "project");
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-losses-")));
  for (const name of "a b.txt sub/c sub/.d .git/HEAD dist/out away/x node_modules/m/i.js".split(" ")) {
    const path = join(name.startsWith("away") ? base : root(), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "1");
  }
  symlinkSync(join(base, "away"), join(root(), "out"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const shown = (paths: readonly LostPath[]) =>
  paths
    .map(
      ({ path, loss, isTree }) =>
        `${loss === "removed" ? "-" : "~"}${path.slice(root().length + 1)}${isTree ? "/" : ""}`,
    )
    .sort();

function told(command: string, look: typeof lossesOf | typeof knownLosses, home = join(base, "home")) {
  const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: root(), sessionId: "s" });
  const call = callEffects(event, diskLookups);
  if (call === undefined) throw new Error(command);
  return look(call, { root: root(), cwd: root(), home, store: DRY_STORE });
}

test.each<[command: string, lost: string[]]>([
  ["rm a", ["-a"]],
  ["rm -r sub", ["-sub/"]],
  ["rm *.txt", ["-b.txt"]],
  ["rm -r *", ["-a/", "-b.txt/", "-dist/", "-node_modules/", "-out/", "-sub/"]],
  ["rm -r sub/*", ["-sub/.d/", "-sub/c/"]],
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
  ["chmod 600 a; touch b.txt", ["~b.txt"]],
  ["mv missing a", ["-missing/", "~a/", "~a/missing/"]],
])("what %s destroys: %j", (command, lost) => {
  expect(shown(told(command.replace("AWAY", join(base, "away")), lossesOf).paths)).toEqual(lost);
});

test.each([
  ["rm /usr/bin/env", /lies outside of the project/],
  ["echo x > /usr/bin/env", /lies outside of the project/],
  ["rm out/x", /lies outside of the project/],
  ["rm .git/HEAD", /belongs to the project's repository/],
  ["rm -r .git", /belongs to the project's repository/],
  ["rm .*", /belongs to the project's repository/],
  ["rm -rf .", /whole project/],
  ['rm "$X"', /known only when the command runs/],
  ["rm '~other/x'", /the home of another user/],
  ["ssh host rm a", /runs it in another place/],
  ["rm c:x", /lies on a drive of Windows/],
  ["rm '\"c:x'", /lies on a drive of Windows/],
  ["docker exec box rm a", /runs it in another place/],
  ["tar xf missing.tar", /what an archive holds/],
])("nothing is kept of what %s destroys", (command, why) => {
  expect(() => told(command.replace("AWAY", join(base, "away")), lossesOf)).toThrow(why);
});

test("a home and the root of the disk are no projects", () => {
  expect(() => told("rm a", lossesOf, root())).toThrow("this folder is not a project");
  expect(told("rm a", knownLosses, root()).paths).toEqual([]);
});

test.each<[command: string, lost: string[], unclear: string[], isRemoval: boolean]>([
  ["rm a", ["-a"], [], false],
  ["echo x > a", ["~a"], [], false],
  ["echo x > missing", [], [], false],
  ["rm missing", [], [], false],
  ["rm out/x; rm a", ["-a"], [], false],
  ["rm -r node_modules; rm a", ["-a"], [], false],
  ['rm "$X"', [], ["~/"], true],
  ['rm "sub/$X"', [], ["~sub/"], true],
  ['rm "sub/$X" "$X"', [], ["~/"], true],
  ['rm "AWAY/$X"', [], [], false],
  ['echo x > "$X"', [], ["~/"], false],
  ['truncate -s 0 "$X"', [], ["~/"], true],
  ["rm -r sub *.txt", ["-b.txt/", "-sub/"], [], false],
])("what %s destroys in the project as far as it is known: %j, more in %j", (command, lost, unclear, isRemoval) => {
  const found = told(command.replace("AWAY", join(base, "away")), knownLosses) as ReturnType<typeof knownLosses>;
  expect(shown(found.paths)).toEqual(lost);
  expect(shown(found.unclear)).toEqual(unclear);
  expect(found.isRemoval).toBe(isRemoval);
});

test("little is what has few files and few bytes, folders and what lies in them included", () => {
  const lost = (...names: string[]) =>
    names.map((name): LostPath => ({ path: join(root(), name), loss: "removed", isTree: true }));
  const isWithin = (files: number, bytes: number, ...names: string[]) => isLittle(lost(...names), { files, bytes });
  expect([isWithin(3, 2, "sub"), isWithin(2, 2, "sub"), isWithin(3, 1, "sub")]).toEqual([true, false, false]);
  expect([isWithin(1, 1, "a", "missing"), isWithin(1, 9, "a", "b.txt")]).toEqual([true, false]);
});

test("of a folder in which anything may be lost, what a tool makes again is left out", () => {
  const event = HookEvent.toolPreExecute("Bash", { command: 'rm "$X"' }, { cwd: root(), sessionId: "s" });
  const call = callEffects(event, diskLookups);
  const isOut = call === undefined ? () => undefined : isLeftOut(call);
  expect(["node_modules", "dist", "sub"].map((name) => isOut(join(root(), name)))).toEqual([true, false, false]);
});

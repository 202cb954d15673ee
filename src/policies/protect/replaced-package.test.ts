import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { replacedPackage } from "./replaced-package.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "sluice-package-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
};
put("ours/package.json", '{ "name": "sluice" }');
put("other/package.json", '{ "name": "sluice-x" }');
for (const name of ["a.md", "package.json.md", "my-package.json"]) put(`notes/${name}`, "");
put("broken/package.json", "{");
for (const name of ["ours", "notes"]) execFileSync("tar", ["cf", `${name}.tar`, name], { cwd });

execFileSync("tar", ["cf", "flat.tar", "-C", "ours", "package.json"], { cwd });

const said = (command: string) =>
  replacedPackage(toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd })), cwd);

describe("another package under the name of Sluice is a question", () => {
  it.each([
    "npm install sluice",
    "npm i sluice@1.0.0",
    "npm install -g sluice@latest",
    "pnpm add x@npm:sluice",
    "pnpm add x@npm:sluice@2",
    "npm i evil/sluice",
    "npm i github:evil/sluice#main",
    "npm i git+https://example.com/sluice.git",
    "npm i https://example.com/sluice.git#v1",
    "npm i ./ours",
    "npm i file:ours",
    "npm i x@file:./ours",
    "yarn add sluice@portal:ours",
    "yarn add x@link:ours",
    `npm i file://${cwd}/ours`,
    "npm i file://ours",
    `npm i ${cwd}/ours`,
    "cd ours && npm link",
    "cd ours && npm ln",
    "cd notes && npm i ../ours",
    "npm i lodash ./ours",
    "npm i ours.tar",
    "npm i flat.tar",
    "npm i ./not-there.tgz",
    "npm i not-there.tar.gz",
    "npm update sluice",
    "npm in sluice",
    "npm ins sluice",
    "npm isntall sluice",
    "npm up sluice",
    "npm upgrade sluice",
    "npm link sluice",
    "npm i sluice@npm:other",
    "npm i xyz@file:ours",
    "npm i xyz@file:./ours.tar",
    "npm i ours.tar.gz",
    "npm i --save-dev ./ours",
    "npm i ~eve/x.tgz",
  ])("%s", (command) => {
    expect(said(command)).toBe(`\`${command.replace(/^.*&& /, "")}\` installs a package that is called sluice`);
  });

  it.each([
    "npm pkg set dependencies.sluice=evil",
    "npm pkg set devDependencies.sluice=evil",
    "npm pkg set 'overrides[sluice]=x'",
    "npm pkg set pnpm.overrides.sluice=x",
    "npm pkg set 'resolutions[\"sluice\"]=x'",
  ])("%s", (command) => {
    expect(said(command)).toBe(`\`${command}\` sets which package is called sluice`);
  });

  it.each([
    ["cp x ~/.local/bin/sluice", "/.local/bin/sluice"],
    ["ln -s /tmp/x /usr/local/sbin/sluice", "/usr/local/sbin/sluice"],
    [`cp /tmp/x bin/${basename(process.execPath)}`, `bin/${basename(process.execPath)}`],
    ["cp /tmp/sluice /usr/local/bin", "/usr/local/bin"],
  ])("%s", (command, path) => {
    expect(said(command)).toContain(`${path} would be found in place of a program that Sluice needs`);
  });
});

it.each([
  "npm install",
  "npm i lodash",
  "npm i sluices",
  "npm i my-sluice",
  "npm i lodash.sluicex",
  "npm i ./other",
  "npm i ./broken",
  "npm i ./not-there",
  "npm i notes.tar",
  "cd other && npm link",
  "cd ours && npm install",
  "npm link lodash",
  "npm test sluice",
  "npm uninstall sluice",
  "npm i xfile:ours",
  "npm i ./x@file:ours",
  "npm i x/y@file:ours",
  "npm i profile:ours",
  "npm i ours",
  "npm i x.tarx",
  "npm i sluice/other",
  "npm i x@npm:sluices",
  "npm i",
  "npm i ''",
  "npm installs sluice",
  "npm reinstall sluice",
  "npm pkg set dependencies.sluices=x",
  "npm pkg set dependencies.sluice",
  "cp x bin/sluicer",
  "cp x bin/sub/sluice",
  "cp x bin-old/sluice",
  "cp /tmp/sluice /usr/local/share",
  "npm links ours",
  "npm i archive.tar.gz.x",
  "npm run sluice",
  "npm pkg set name=sluice",
  "npm pkg set scripts.dependencies.sluice=x",
  "echo npm install sluice",
  "cp x src/sluice",
  "Copy-Item -Destination bin",
  "cp x cabin/sluice",
  "cat bin/sluice",
  "cp /tmp/x /usr/local/bin",
])("a command that installs something else passes: %s", (command) => {
  expect(said(command)).toBe(undefined);
});

it("a long line is reported with its beginning", () => {
  expect(said(`npm i sluice ${"x ".repeat(200)}`)).toHaveLength(
    `\`\` installs a package that is called sluice`.length + 120,
  );
});

describe("removing a pack whose hooks are used here is a question", () => {
  put("app/package.json", '{ "dependencies": { "kept-pack": "1" }, "devDependencies": { "@acme/hooks": "1" } }');
  const files = ["kept-pack", "@acme/hooks"].map((name) => join(cwd, "app/node_modules", name, "hooks.yaml"));
  const removed = (command: string, used: readonly string[] = files) =>
    replacedPackage(toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd: join(cwd, "app") })), cwd, used);

  it.each([
    "npm uninstall kept-pack",
    "npm rm -D @acme/hooks",
    "npm un x @acme/hooks@1.0.0",
    "pnpm remove @acme/hooks",
    "yarn remove kept-pack other",
    "bun remove kept-pack",
    "cd /tmp && npm --prefix /x uninstall kept-pack",
    "npm prune --production",
    "npm prune --omit=dev",
    "pnpm prune --prod",
    "npm ci --omit=dev",
    "npm install --production",
  ])("%s", (command) => expect(removed(command)).toContain("whose hooks are used here"));

  it("a pack that the project does not depend on is pruned", () => {
    expect(removed("npm prune", [join(cwd, "app/node_modules/extra/hooks.yaml")])).toContain("removes extra");
  });

  it.each(["npm uninstall other", "npm prune", "npm ci", "npm install", "npm run rm", "pnpm remove left-pad", "ls"])(
    "nothing is asked about %s",
    (command) => expect(removed(command)).toBeUndefined(),
  );
});

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Hook } from "../../hook/hook.ts";
import { protectionContext } from "./protection-context.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-governance-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
for (const name of ["guard.sh", "watch.sh"]) writeFileSync(join(root, name), "#!/bin/sh\n");

const hook = (name: string, event: string, command: string) => Hook.fromJSON({ name, event, command });
const guard = hook("guard", "tool:pre_execute", "./guard.sh");

it("the files of the configuration are protected, and the scripts of hooks that can stop a call", () => {
  const files = [{ path: join(root, "hooks.yaml") }];
  const { files: found, ...rest } = protectionContext({ root, hooks: [guard], files }, { HOME: "/home/a" });
  expect(found).toEqual([join(root, "hooks.yaml"), join(root, "guard.sh")]);
  expect(rest).toEqual({ root, env: { HOME: "/home/a" }, home: "/home/a", program: process.argv[1] });
});

it("a script that is only notified of calls is not protected, and each file is listed once", () => {
  const watch = hook("watch", "session:start", "./watch.sh");
  const again = hook("again", "tool:pre_execute", "./guard.sh");
  const { files } = protectionContext({ root, hooks: [guard, watch, again], files: [] }, {});
  expect(files).toEqual([join(root, "guard.sh")]);
});

it("files that a hook may use without naming them are not protected", () => {
  const typed = hook("typed", "tool:pre_execute", "npm run lint");
  writeFileSync(join(root, "package.json"), '{ "scripts": { "lint": "true" } }');
  expect(protectionContext({ root, hooks: [typed], files: [] }, {}).files).toEqual([]);
});

it.each([[{}], [{ HOME: "" }]])("without a variable, the home directory is the one of the user", (env) => {
  expect(protectionContext({ root, hooks: [], files: [] }, env).home).toBe(homedir());
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { commandEnded, commandReply, runCommand } from "./run-command.ts";

function folder(): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } {
  const cwd = mkdtempSync(join(tmpdir(), "sluice-commands-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return { cwd, env: { HOME: cwd } };
}

function moduleOf(cwd: string, text: string): string {
  const path = join(cwd, "module.mjs");
  writeFileSync(path, text);
  return path;
}

it("a command that waits behind one that ends their process is run in another", async () => {
  const here = folder();
  const module = moduleOf(here.cwd, "process.exit(3);");
  const [first, second] = await Promise.all([
    commandEnded([], { ...here, module }),
    commandEnded(["--version"], { ...here }),
  ]);
  expect([first.code, second.code, second.out]).toEqual([3, 0, expect.stringMatching(/^\d+\.\d+\.\d+/)]);
});

it("a command whose process was ended by what an earlier one has left is run in another", () => {
  const here = folder();
  const module = moduleOf(
    here.cwd,
    "setImmediate(() => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20).unref());",
  );
  expect(runCommand([], { ...here, module }).code).toBe(0);
  for (const _ of [1, 2, 3]) expect(runCommand(["--version"], here).code).toBe(0);
});

it("what is printed comes in its order", async () => {
  const here = folder();
  const module = moduleOf(here.cwd, "process.stdout.write('a'); process.stderr.write('b'); process.stdout.write('c');");
  const { printed } = await commandReply([], { ...here, module });
  expect(printed).toEqual([
    [1, "a"],
    [2, "b"],
    [1, "c"],
  ]);
});

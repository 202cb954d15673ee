import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Hook, HooksManager } from "../../src/index.ts";

/** A project, and a symlink to its folder: `/tmp` of a Mac is one too. */
const names = { real: "", link: "" };
let base = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-names-")));
  Object.assign(names, { real: join(base, "real"), link: join(base, "link") });
  mkdirSync(join(names.real, "src"), { recursive: true });
  symlinkSync(names.real, names.link);
  vi.stubEnv("HOME", join(base, "home"));
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

const event = "tool:pre_execute";
const HOOKS: Readonly<Record<string, [hook: object, action: "deny" | "continue"]>> = {
  "path glob": [{ event, rules: 'path glob "src/**" -> deny("x")' }, "deny"],
  "path equals": [{ event, rules: 'path equals "src/a.ts" -> deny("x")' }, "deny"],
  "a path from the root of the disk": [{ event, rules: 'path starts_with "/" -> deny("x")' }, "continue"],
  "call writes": [{ event, rules: 'call writes "src/**" -> deny("x")' }, "deny"],
  "call only_writes": [{ event, rules: 'not call only_writes ["src/**"] -> deny("x")' }, "continue"],
};
const MATCHER = { matcher: { events: [event], path_patterns: ["src/**"] }, rules: 'tool exists -> deny("x")' };
const CALLS = {
  Write: (file: string) => ({ tool: "Write", args: { file_path: file, content: "" } }),
  Bash: (file: string) => ({ tool: "Bash", args: { command: `echo x > ${file}` } }),
};

async function said(hook: object, root: string, call: object): Promise<string> {
  const manager = new HooksManager({ root });
  manager.hooksConfig = { hooks: [Hook.fromJSON({ name: "h", type: "inline", ...hook })] };
  manager.load();
  return (await manager.decide({ sessionId: randomUUID() }, "PreToolUse", call)).action;
}

describe.each([
  ["real", "real"],
  ["link", "link"],
  ["link", "real"],
  ["real", "link"],
] as const)("a file of a project is in it by whichever name: the project as %s, the file as %s", (root, file) => {
  const rows = Object.entries(HOOKS).flatMap(([what, row]) =>
    Object.entries(CALLS).map(([tool, call]) => [what, tool, row, call] as const),
  );
  it.each(rows)("%s of %s", async (_what, _tool, [hook, action], call) => {
    expect(await said(hook, names[root], call(join(names[file], "src/a.ts")))).toBe(action);
  });
});

it.each(["real", "link"] as const)("path_patterns know the project's own path, and this one: %s", async (root) => {
  expect(await said(MATCHER, names[root], CALLS.Write(join(names.real, "src/a.ts")))).toBe("deny");
});

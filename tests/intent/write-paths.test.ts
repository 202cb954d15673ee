import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createHookEngine, type HookEngine } from "../../src/index.ts";
import { cases } from "../cases.ts";
import { project } from "./project.ts";
import { FILE_TOOLS, SHELL_LINES, UNCLEAR_LINES } from "./write-tools.ts";

interface Row {
  readonly what: string;
  readonly toolName: string;
  readonly toolInput: (path: string) => unknown;
}

const FILES: readonly Row[] = FILE_TOOLS.map(({ toolName, toolInput }, index) => ({
  what: `${index + 1} ${toolName}`,
  toolName,
  toolInput,
}));
const shell = (line: (path: string) => string): Row => ({
  what: line("P"),
  toolName: "Bash",
  toolInput: (path) => ({ command: line(path) }),
});
const LINES = SHELL_LINES.map(shell);
const UNCLEAR = UNCLEAR_LINES.map(shell);

/** The ways out of a scope, by what they are called. */
const WAYS_OUT: Readonly<Record<string, (root: string) => string>> = {
  beside: () => "src/other.ts",
  "up and down": () => "src/auth/../other.ts",
  absolute: (root) => join(root, "src/other.ts"),
  "outside of the project": (root) => join(root, "../outside/x"),
  "through a link": () => "src/auth/far/x",
  "through a link to a file": () => "src/auth/out.ts",
  "to a link that leads nowhere yet": () => "src/auth/dangling",
  "behind a link": () => "src/auth/far/../x",
  "behind a link and two slashes": () => "src/auth/far//../x",
  "by way of the process": () => "/proc/self/cwd/src/other.ts",
  protected: () => "src/auth/secret.pem",
  "the intents themselves": () => ".orchestration/active_intents.yaml",
};

const { root, env, home } = project({
  "src/auth/a.ts": "a\n",
  "src/other.ts": "o\n",
  ".intentignore": "*.pem\n",
  "src/auth/out.ts": "→ ../other.ts",
  "src/auth/dangling": "→ ../nothing.ts",
  where: "src/other.ts",
});
mkdirSync(join(home, "outside", "deep"), { recursive: true });
symlinkSync(join(home, "outside", "deep"), join(root, "src/auth/far"));
const engines = new Map<Row, Promise<HookEngine>>();

beforeAll(() => void Object.assign(process.env, env));

/** Nothing runs, so one project serves all calls. */
async function decide(row: Row, path: string) {
  const engine = await engineOf(row);
  return engine.preToolUse({ toolName: row.toolName, toolInput: row.toolInput(path) });
}

/** A denial is remembered for its session: each tool has one of its own. */
function engineOf(row: Row): Promise<HookEngine> {
  const known = engines.get(row) ?? started(`s${engines.size}`);
  engines.set(row, known);
  return known;
}

async function started(sessionId: string): Promise<HookEngine> {
  const engine = createHookEngine({ root, sessionId });
  await engine.selectActiveIntent("INT-001");
  return engine;
}

/** Tools and lines are tried with some ways in a test run, each with the next ones, and with all in `npm run fuzz`. */
function waysFor(row: Row): string[] {
  const all = Object.keys(WAYS_OUT);
  const count = cases(FILES.includes(row) ? 3 : 1, all.length);
  const first = [...FILES, ...LINES, ...UNCLEAR].indexOf(row) * count;
  return all.map((_, index) => all[(first + index) % all.length] ?? "").slice(0, count);
}

test.each([...FILES, ...LINES, ...UNCLEAR])("$what does not leave the scope", async (row) => {
  for (const way of waysFor(row))
    expect(await decide(row, WAYS_OUT[way]?.(root) ?? ""), way).toMatchObject({
      allow: false,
      code: "SCOPE_VIOLATION",
    });
});

test.each([...FILES, ...LINES])("$what works inside of the scope", async (row) => {
  expect(await decide(row, "src/auth/new.ts")).toEqual({ allow: true });
});

test.each(UNCLEAR.map((row) => [row.what, row] as const))("inside, %s is never a mistake of ours", async (_, row) => {
  const said = await decide(row, "src/auth/new.ts");
  expect(said.allow || said.code === "SCOPE_VIOLATION" || said.code === "DESTRUCTIVE_BLOCKED").toBe(true);
});

test("there are more than a hundred ways to write", () => {
  expect((FILES.length + LINES.length + UNCLEAR.length) * Object.keys(WAYS_OUT).length).toBeGreaterThan(1000);
});

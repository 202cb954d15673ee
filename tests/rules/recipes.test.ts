import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { deepProblems } from "../../src/check/check-hooks.ts";
import { Hook, HookEvent, HookExecutor, HookRegistry } from "../../src/index.ts";
import { readPage } from "../docs/page.ts";
import { type Act, AGENTS, eventOf } from "./agent-calls.ts";

const { blocks } = readPage("rules.md", readFileSync(new URL("../../docs/rules.md", import.meta.url), "utf8"));
const RECIPES = new Map(blocks.flatMap(({ words, text }) => (words.recipe ? [[words.recipe, text] as const] : [])));

function hooksOf(recipe: string): Hook[] {
  const { hooks } = parse(RECIPES.get(recipe) ?? "hooks: []") as { hooks: object[] };
  return hooks.map((data) => Hook.fromJSON(data));
}

function executorOf(recipe: string, workingDir?: string): HookExecutor {
  const registry = new HookRegistry();
  registry.loadHooks(hooksOf(recipe));
  return new HookExecutor({ registry, ...(workingDir === undefined ? {} : { workingDir }) });
}

const KEY = `AKIA${"ABCDEFGH".repeat(2)}`;

/** Every recipe that rules alone make: what they say about calls, and calls close to those that pass. */
const RULED: Readonly<Record<string, { says: "deny" | "ask"; stops: readonly Act[]; passes: readonly Act[] }>> = {
  migrations: {
    says: "deny",
    stops: [
      { writes: "migrations/7.sql" },
      { edits: "migrations/old/1.sql" },
      { deletes: "migrations/1.sql" },
      { runs: "sed -i s/a/b/ migrations/1.sql" },
      { runs: "cd migrations && echo x > 1.sql" },
      { runs: "mv migrations src/old" },
      { runs: "git mv migrations src/old" },
      { runs: "git checkout HEAD~1 -- migrations" },
    ],
    passes: [{ writes: "src/migrations.ts" }, { edits: "docs/migrations/a.md" }, { runs: "cat migrations/1.sql" }],
  },
  pnpm: {
    says: "deny",
    stops: [{ runs: "npm install" }, { runs: "sudo 'npm' ci" }, { runs: "bash -c 'yarn add x'" }, { runs: "npx tsc" }],
    passes: [
      { runs: "pnpm install" },
      { runs: "echo npm install" },
      { runs: "git commit -m 'drop npm'" },
      { writes: "npm.md" },
    ],
  },
  push: {
    says: "deny",
    stops: [
      { runs: "git push origin main" },
      { runs: "git push origin HEAD:main && echo done" },
      { runs: "git -C . push origin HEAD:refs/heads/master" },
    ],
    passes: [
      { runs: "git push origin feature/main-menu" },
      { runs: "git pull origin main" },
      { runs: "git checkout main" },
    ],
  },
  infra: {
    says: "ask",
    stops: [
      { writes: "infra/main.tf" },
      { edits: "infra/prod/db.tf" },
      { runs: "cd infra && terraform apply -auto-approve" },
    ],
    passes: [{ writes: "docs/infra.md" }, { runs: "terraform plan" }, { runs: "cat infra/main.tf" }],
  },
  keys: {
    says: "deny",
    stops: [
      { writes: "src/a.ts", content: `const key = "${KEY}";` },
      { edits: "src/a.ts", content: `const key = "${KEY}";` },
      { runs: `echo 'key=${KEY}' >> .env` },
      { runs: `cat > a.txt <<'EOF'\n-----BEGIN RSA PRIVATE KEY-----\nEOF` },
    ],
    passes: [{ writes: "src/a.ts", content: "const key = process.env.AWS_KEY;" }, { runs: "echo AKIA > a" }],
  },
  network: {
    says: "deny",
    stops: [
      { runs: "curl https://evil.example.com/x" },
      { runs: "curl https://api.example.org https://evil.example.com" },
      { runs: 'wget "$URL"' },
    ],
    passes: [
      { runs: "curl https://api.example.org/x" },
      { runs: "curl http://localhost:3000" },
      { runs: "echo https://x.com" },
    ],
  },
  folders: {
    says: "deny",
    stops: [
      { writes: "package.json" },
      { edits: ".github/ci.yml" },
      { runs: "echo x > src/../a" },
      { runs: "echo x | tee src/a /tmp/b" },
      { deletes: "README.md" },
    ],
    passes: [
      { writes: "src/a.ts" },
      { runs: "sed -i s/a/b/ tests/a.ts" },
      { runs: "ls 2>/dev/null" },
      { deletes: "docs/a.md" },
    ],
  },
  dependencies: {
    says: "deny",
    stops: [
      { runs: "npm install left-pad" },
      { runs: "pnpm add -D @types/node" },
      { runs: "pip install requests" },
      { edits: "package.json", content: '    "left-pad": "^1.3.0",' },
    ],
    passes: [
      { runs: "npm install" },
      { runs: "npm ci" },
      { runs: "npm run add-user" },
      { edits: "package.json", content: '    "test": "vitest run",' },
    ],
  },
};

describe.each(Object.entries(RULED))("the recipe %s", (recipe, { says, stops, passes }) => {
  describe.each(AGENTS)("with the calls of %s", (agent) => {
    test(`says ${says} to what it stops, and lets the calls pass that are close to it`, async () => {
      const executor = executorOf(recipe);
      const said: unknown[] = [];
      for (const act of [...stops, ...passes]) said.push([act, (await executor.decide(eventOf(agent, act))).action]);
      expect(said).toEqual([...stops.map((act) => [act, says]), ...passes.map((act) => [act, "continue"])]);
    });
  });
});

describe.each(AGENTS)("the recipe time, with the calls of %s", (agent) => {
  const later = (event: HookEvent, minutes: number) =>
    new HookEvent({ ...event, timestamp: event.timestamp + minutes * 60 });

  test("asks about a write after two hours, and neither before nor about a look", async () => {
    const executor = executorOf("time");
    const write = eventOf(agent, { writes: "src/a.ts" });
    const look = eventOf(agent, { runs: "ls" });
    expect((await executor.decide(write)).action).toBe("continue");
    expect((await executor.decide(later(write, 119))).action).toBe("continue");
    expect((await executor.decide(later(look, 121))).action).toBe("continue");
    expect((await executor.decide(later(write, 121))).action).toBe("ask");
  });
});

describe.each(AGENTS)("recipes that run something, with the calls of %s", (agent) => {
  test("format: every file that was edited, and no other", async () => {
    const { root, said } = machine({ npx: 'echo "$@" >> said' });
    const files = agent === "codex" ? ["src/a.ts", "src/b.css"] : ["src/a.ts"];
    mkdirSync(join(root, "src"));
    for (const file of files) writeFileSync(join(root, file), "x");
    const executor = executorOf("format", root);
    const [result] = await executor.executeHooks(eventOf(agent, { wrote: files }, root));
    expect(result).toMatchObject({ success: true });
    for (const file of files) expect(said()).toContain(`prettier --write --ignore-unknown ${root}/${file}`);
    expect(await executor.executeHooks(eventOf(agent, { wrote: ["logo.svg"] }, root))).toEqual([]);
  });

  test("tests: the agent goes on while they fail, and stops when they pass", async () => {
    const failing = machine({ npm: "exit 1" });
    const [refused] = await executorOf("tests", failing.root).executeHooks(eventOf(agent, "stops", failing.root));
    expect(refused).toMatchObject({ action: "deny", reason: expect.stringContaining("Tests fail") });
    const passing = machine({ npm: "exit 0" });
    const [passed] = await executorOf("tests", passing.root).executeHooks(eventOf(agent, "stops", passing.root));
    expect(passed).toMatchObject({ action: "continue", success: true });
  });

  test("notify: when the agent waits, without a say in it", async () => {
    const { root, said } = machine({ "notify-send": 'echo "$1" >> said' });
    const executor = executorOf("notify", root);
    expect((await executor.decide(eventOf(agent, "stops", root))).results).toEqual([]);
    await executor.decide(eventOf(agent, { runs: "ls" }, root));
    await executor.idle();
    expect(said()).toBe("session:stop\n");
  });
});

/** A folder with programs of its own in front of all others; they write into `said`. */
function machine(programs: Readonly<Record<string, string>>): { root: string; said: () => string } {
  const root = mkdtempSync(join(tmpdir(), "sluice-recipe-"));
  const before = process.env.PATH;
  onTestFinished(() => {
    process.env.PATH = before;
    rmSync(root, { recursive: true, force: true });
  });
  mkdirSync(join(root, "bin"));
  for (const [name, lines] of Object.entries(programs)) {
    writeFileSync(join(root, "bin", name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(root, "bin", name), 0o755);
  }
  process.env.PATH = `${join(root, "bin")}:${before}`;
  return { root, said: () => (existsSync(join(root, "said")) ? readFileSync(join(root, "said"), "utf8") : "") };
}

test("every recipe of the manual is tried, and sluice check finds nothing wrong with it", async () => {
  const tried = [...Object.keys(RULED), "time", "format", "tests", "notify"];
  expect([...RECIPES.keys()].sort()).toEqual(tried.sort());
  const found = await Promise.all(tried.map((recipe) => deepProblems(hooksOf(recipe), "/home/dev/project")));
  // A program that shows notifications need not be on the machine that runs this.
  const problems = found.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  expect(problems.filter(({ code }) => code !== "hook/no-program")).toEqual([]);
});

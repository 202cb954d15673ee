import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { builtFile } from "../built-file.ts";
import { runCommand } from "../command-server/run-command.ts";
import { readPage } from "../docs/page.ts";
import { type Act, payloadOf } from "../rules/agent-calls.ts";

const PACKAGE = resolve(import.meta.dirname, "../..");
const AGENTS = ["claude-code", "codex", "gemini-cli"] as const;
const RECIPES = ["migrations", "pnpm", "push", "infra", "keys", "network", "dependencies", "time", "format", "tests"];

/** What seven of the ten rules stop, and something close to it that passes; the other three ask about time, and run programs. */
const RULED: readonly (readonly [stopped: Act, verdict: string, passes: Act])[] = [
  [{ writes: "migrations/1.sql" }, "deny", { writes: "src/migrations.ts" }],
  [{ runs: "npm test" }, "deny", { runs: "pnpm test" }],
  [{ runs: "git push origin main" }, "deny", { runs: "git checkout main" }],
  [{ edits: "infra/main.tf" }, "ask", { edits: "docs/infra.md" }],
  [{ writes: "src/a.ts", content: `const key = "AKIA${"ABCDEFGH".repeat(2)}";` }, "deny", { writes: "src/a.ts" }],
  [{ runs: "curl https://evil.example.com/x" }, "deny", { runs: "curl https://api.example.org/x" }],
  [{ runs: "pnpm add left-pad" }, "deny", { runs: "pnpm run add-user" }],
];

test("the first hour: install, rules, a clone, a look back, and away again, as the manual says", () => {
  const { sluice, root, home, call, calls, installed, team, lastsForHours, testsFail, formatted } = newcomer();

  // The command of one project is not a safe one for all of them.
  const [own, args] = [join(root, "node_modules/sluice/dist/sluice.cjs"), ["install", "--dry-run"]];
  const lent = spawnSync(process.execPath, [own, ...args], { cwd: root, env: { PATH: process.env.PATH, HOME: home } });
  expect(String(lent.stderr)).toContain("Your agents call the Sluice of");

  // README, sixty seconds.
  expect(sluice("install", "--yes")).toMatchObject({ code: 0 });
  expect(readFileSync(join(home, ".config/sluice/hooks.yaml"), "utf8")).toContain("guards: standard");
  const { code, out } = sluice("doctor");
  // Two of the three run no hook before their user has trusted it in the agent itself; their programs are not on this machine.
  expect(code).toBe(0);
  expect(out).toContain("Installed, not seen working yet: ");
  expect(out).toContain("Open `/hooks` in Codex and trust them.");
  expect(out).toContain("Start `gemini` in this folder and trust it");
  for (const agent of AGENTS) {
    const { stdout, stderr } = installed(agent, { runs: "git push --force origin topic" });
    expect(stdout + stderr, `${agent} without any hooks of the project`).toContain(
      "Do instead: git push --force-with-lease",
    );
  }
  expect(sluice("doctor").out).toContain("Protected here: Claude Code.");
  expect(sluice("init", "--yes")).toMatchObject({ code: 0 });
  expect(sluice("list").out).toContain("2 hooks");

  // docs/rules.md: ten of its recipes, approved once.
  writeFileSync(join(root, ".sluice/hooks.yaml"), recipes());
  expect(sluice("check")).toMatchObject({ code: 0 });
  expect(sluice("trust", "--yes")).toMatchObject({ code: 0 });
  const acts = RULED.flatMap(([stopped, , passes]) => [stopped, passes]);
  const verdicts = RULED.flatMap(([, verdict]) => [verdict, "continue"]);
  for (const agent of AGENTS) expect(calls(agent, acts), agent).toEqual(verdicts);
  for (const agent of AGENTS) {
    lastsForHours("long");
    expect(call(agent, { writes: "src/a.ts" }, "long"), `${agent} writes after three hours`).toBe("ask");
    expect(call(agent, { runs: "ls" }, "long"), `${agent} looks after three hours`).toBe("continue");
    expect(call(agent, { writes: "src/a.ts" }, "short"), `${agent} writes in a new session`).toBe("continue");

    const files = agent === "codex" ? ["src/a.ts", "src/b.css"] : ["src/a.ts"];
    for (const file of files) writeFileSync(join(root, file), "x");
    expect(call(agent, { wrote: files })).toBe("continue");
    expect(formatted(), `${agent} has edited ${files}`).toEqual(files.map((file) => join(root, file)));
    expect(call(agent, { wrote: ["logo.svg"] })).toBe("continue");
    expect(formatted(), `${agent} has edited a picture`).toEqual([]);

    testsFail(true);
    expect(call(agent, "stops"), `${agent} stops while tests fail`).toBe("deny");
    testsFail(false);
    expect(call(agent, "stops"), `${agent} stops when they pass`).toBe("continue");
  }

  // Other files of the project change, and every hook stays on.
  writeFileSync(join(root, "new-file.md"), "an agent wrote this\n");
  writeFileSync(join(root, "package.json"), readFileSync(join(root, "package.json"), "utf8").replace("1.0.0", "2.0.0"));
  expect(sluice("trust", "--status")).toMatchObject({ code: 0 });

  // docs/why.md: a look back.
  expect(call("claude-code", { runs: "git push origin main" })).toBe("deny");
  expect(sluice("log", "--action", "deny").out).toContain("git push origin main");
  expect(sluice("why")).toMatchObject({ code: 0, out: expect.stringContaining("git push origin main") });
  expect(sluice("stats").out).toContain("denied");

  // docs/install.md, for a project: what is committed works in a clone of another user.
  team();

  // And away again: nothing of Sluice is left in the agents' settings.
  expect(sluice("uninstall", "--yes")).toMatchObject({ code: 0 });
  for (const file of [".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json"])
    if (existsSync(join(home, file))) expect(readFileSync(join(home, file), "utf8"), file).not.toContain("sluice");
  expect(sluice("doctor").code).toBe(1);
});

/** A person who has three agents, a project under git, and Sluice among its dependencies. */
function newcomer() {
  const base = mkdtempSync(join(tmpdir(), "sluice-newcomer-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [home, root] = [join(base, "home"), join(base, "work/app")];
  for (const folder of [".claude", ".codex", ".gemini"]) mkdirSync(join(home, folder), { recursive: true });
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "package.json"), '{"name":"app","version":"1.0.0","scripts":{"test":"true"}}\n');
  writeFileSync(join(root, ".gitignore"), "node_modules\n");
  git(root, "init", "-q", "-b", "main");
  dependOnSluice(root);
  // Stand for the formatter and the test runner of the project.
  program(join(base, "bin"), "npx", `echo "$4" >> ${join(base, "formatted")}`);
  program(join(base, "bin"), "npm", `[ ! -e ${join(base, "tests-fail")} ]`);
  const environment = (user: string) => ({
    PATH: `${join(base, "bin")}:${process.env.PATH}`,
    HOME: user,
    XDG_CONFIG_HOME: join(user, ".config"),
    XDG_STATE_HOME: join(user, ".state"),
    SLUICE_RESIDENT: "0",
    NO_COLOR: "1",
  });
  const sluiceIn =
    (cwd: string, user: string, input = "") =>
    (...args: string[]) =>
      runCommand(args, { cwd, env: environment(user), input });
  /** What is decided about acts of an agent, in their order. */
  const calls = (agent: (typeof AGENTS)[number], acts: readonly Act[], session?: string): string[] => {
    for (const act of acts) {
      const payload = JSON.parse(payloadOf(agent, act, root).text);
      // One of the three says when a call is made.
      const now = payload.timestamp && { timestamp: new Date().toISOString() };
      const said = { ...payload, ...now, ...(session && { session_id: session }) };
      sluiceIn(root, home, JSON.stringify(said))("run", agent);
    }
    const { out } = sluiceIn(root, home)("log", "--last", String(acts.length), "--json");
    return out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).action);
  };
  const call = (agent: (typeof AGENTS)[number], act: Act, session?: string) => calls(agent, [act], session)[0];
  /** What the line prints that `install` has written into the agent's settings, run as the agent would. */
  const lineOf = (agent: (typeof AGENTS)[number], folder: string): string => {
    const file = {
      "claude-code": ".claude/settings.json",
      codex: ".codex/hooks.json",
      "gemini-cli": ".gemini/settings.json",
    };
    const { hooks } = JSON.parse(readFileSync(join(folder, file[agent]), "utf8"));
    return hooks[agent === "gemini-cli" ? "BeforeTool" : "PreToolUse"][0].hooks[0].command;
  };
  const runLine = (line: string, agent: (typeof AGENTS)[number], act: Act, cwd: string, user: string) =>
    spawnSync("/bin/sh", ["-c", line], {
      cwd,
      input: payloadOf(agent, act, cwd).text,
      env: { ...environment(user), CLAUDE_PROJECT_DIR: cwd, GEMINI_PROJECT_DIR: cwd },
      encoding: "utf8",
    });
  const installed = (agent: (typeof AGENTS)[number], act: Act) => runLine(lineOf(agent, home), agent, act, root, home);
  const sluice = sluiceIn(root, home);

  /** The project's installation, committed, cloned by a colleague who has only run `npm install`. */
  function team(): void {
    sluice("install", "claude-code", "gemini-cli", "--scope", "project", "--yes");
    git(root, "add", "-A");
    git(root, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "share");
    const [clone, colleague] = [join(base, "elsewhere/app"), join(base, "colleague")];
    mkdirSync(dirname(clone), { recursive: true });
    mkdirSync(colleague);
    git(base, "clone", "-q", root, clone);
    for (const agent of ["claude-code", "gemini-cli"] as const) {
      const line = lineOf(agent, clone);
      expect(line).not.toContain(base);
      const missing = runLine(line, agent, { runs: "git push origin main" }, clone, colleague);
      expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining("Sluice is not installed") });
    }
    dependOnSluice(clone);
    for (const agent of ["claude-code", "gemini-cli"] as const) {
      const { stdout, stderr } = runLine(
        lineOf(agent, clone),
        agent,
        { runs: "git push origin main" },
        clone,
        colleague,
      );
      expect(stdout + stderr, `${agent} in a clone, before anything is approved`).toMatch(/main/);
      expect(stdout + stderr).toMatch(/deny|block/);
    }
  }

  /** A session whose first event came three hours ago. */
  const lastsForHours = (session: string) => {
    const timestamp = Date.now() / 1000 - 3 * 3600;
    sluiceIn(root, home, JSON.stringify({ type: "session:start", session_id: session, timestamp }))("run", "json");
  };
  const testsFail = (fail: boolean) =>
    fail ? writeFileSync(join(base, "tests-fail"), "") : rmSync(join(base, "tests-fail"));
  /** The files that were formatted since this was asked last. */
  const formatted = (): string[] => {
    const path = join(base, "formatted");
    const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
    rmSync(path, { force: true });
    return lines;
  };

  return { sluice, root, home, call, calls, installed, team, lastsForHours, testsFail, formatted };
}

function program(folder: string, name: string, line: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}

/** Ten recipes of the manual as one file. */
function recipes(): string {
  const { blocks } = readPage("rules.md", readFileSync(join(PACKAGE, "docs/rules.md"), "utf8"));
  const hooks = blocks.flatMap(({ words, text }) =>
    words.recipe !== undefined && RECIPES.includes(words.recipe) ? (parse(text) as { hooks: object[] }).hooks : [],
  );
  return stringify({ hooks });
}

/** As `npm install --save-dev sluice` leaves a project. */
function dependOnSluice(root: string): void {
  const place = join(root, "node_modules/sluice");
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  mkdirSync(place);
  cpSync(join(PACKAGE, "package.json"), join(place, "package.json"));
  cpSync(dirname(builtFile("sluice.cjs")), join(place, "dist"), { recursive: true });
  symlinkSync("../sluice/dist/sluice.cjs", join(root, "node_modules/.bin/sluice"));
}

function git(folder: string, ...words: string[]): void {
  execFileSync("git", words, { cwd: folder, env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } });
}

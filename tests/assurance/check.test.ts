import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { project } from "../cli/sluice.ts";
import { pagesServer } from "../ui/pages-server.ts";
import { claimsOf } from "./claims.ts";

const FILE = ".sluice/hooks.yaml";
const hooks = (...entries: readonly string[]) => ({
  [FILE]: `hooks:\n${entries.map((one) => `  - ${one}\n`).join("")}`,
});
const rule = (text: string, more = "") =>
  `{ name: guard, event: "tool:pre_execute", rules: ${JSON.stringify(text)}${more} }`;
const GOOD = rule('args.command contains "rm -rf" -> deny("no")', ', examples: { deny: ["rm -rf /"], allow: ["ls"] }');

/** Worlds in which "0 problems" would be false, by what is wrong in them. */
const NEVER_MATCHES: Readonly<Record<string, string>> = {
  "an operator asks the whole input": rule('args writes "src/**" -> deny("no")'),
  "an agent does not exist": rule('agent equals "claude" -> deny("no")'),
  "a tool is misspelt": '{ name: guard, event: "tool:pre_execute:Bahs", rules: "tool exists -> deny()" }',
  "an event is misspelt": '{ name: guard, event: "tool:pre_exekute", rules: "tool exists -> deny()" }',
  "a pattern is compared as text": rule('args.command starts_with "rm *" -> deny("no")'),
  "two conditions exclude each other": rule('tool equals "Bash" and tool equals "Write" -> deny("no")'),
  "a rule is after one that always decides": rule(
    'tool exists -> continue()\nargs.command contains "rm" -> deny("no")',
  ),
  "a matcher has a condition that does not exist": "{ name: guard, matcher: { event: [PreToolUse] }, command: 'true' }",
  "a line cannot be read": rule('args.command contians "rm" -> deny("no")'),
};

const falseWorlds = (check: (entry: string) => void | Promise<void>) =>
  Object.fromEntries(Object.entries(NEVER_MATCHES).map(([world, entry]) => [world, () => check(entry)]));

claimsOf("check", [
  {
    says: 'check: "0 problems", exit code 0',
    whenTrue: () => {
      const { code, out } = project(hooks(GOOD)).sluice("check");
      expect(out).toContain("0 problems");
      expect(code).toBe(0);
    },
    whenFalse: falseWorlds((entry) => {
      const { code, out } = project(hooks(GOOD, entry)).sluice("check");
      expect(out).not.toMatch(/\b0 problems/);
      expect(code).toBe(1);
    }),
  },
  {
    says: 'check --strict: "0 problems, 0 warnings", exit code 0',
    whenTrue: () => expect(project(hooks(GOOD)).sluice("check", "--strict")).toMatchObject({ code: 0 }),
    whenFalse: {
      "a key does nothing": () =>
        expect(project(hooks(GOOD.replace("{ name", "{ priorty: 1, name"))).sluice("check", "--strict").code).toBe(1),
    },
  },
  {
    says: "check: exit code 0 for an exception of guards",
    whenTrue: () => expect(withException("sudo apt-get install *").sluice("check").code).toBe(0),
    whenFalse: Object.fromEntries(
      ["sudo apt-get install **", "sudo apt-get install lib?", "git push feature-*", "* install"].map((command) => [
        `its command is ${command}, which is not a pattern`,
        () => expect(withException(command).sluice("check", "--json").out).toContain("guard/command-pattern"),
      ]),
    ),
  },
  {
    says: "a call passes by an exception of `sudo apt-get install *`",
    whenTrue: () => {
      const { sluice } = withException("sudo apt-get install *");
      for (const line of ["sudo apt-get install jq", "sudo apt-get install -y jq 'lib a'"])
        expect(sluice("fire", line).code).toBe(0);
    },
    whenFalse: Object.fromEntries(
      [
        "sudo apt-get install jq; sudo reboot",
        "sudo apt-get install jq && sudo rm -rf /srv",
        "sudo apt-get install jq | sudo tee /etc/passwd",
        "sudo apt-get install jq > /etc/passwd",
        "sudo apt-get install $(cat list)",
        "sudo apt-get install -o DPkg::Pre-Invoke::=x jq",
        "sudo apt-get remove jq",
        "sudo LD_PRELOAD=./x.so apt-get install jq",
      ].map((line) => [
        `the call is ${line}`,
        () => expect(withException("sudo apt-get install *").sluice("fire", line).code).not.toBe(0),
      ]),
    ),
  },
]);

/** A user whose guards have one exception. */
function withException(command: string) {
  const made = project();
  const entry = JSON.stringify({ rule: "privilege", command, reason: "x" });
  mkdirSync(join(made.home, ".config/sluice"), { recursive: true });
  writeFileSync(
    join(made.home, ".config/sluice/hooks.yaml"),
    `guards:\n  preset: standard\n  rules: { privilege: ask }\n  allow:\n    - ${entry}\n`,
  );
  return made;
}

claimsOf("editor", [
  {
    says: 'editor: "0 problems"',
    whenTrue: async () => expect(await editorProblems(hooks(GOOD)[FILE] ?? "")).toEqual([]),
    whenFalse: falseWorlds(async (entry) =>
      expect(await editorProblems(hooks(GOOD, entry)[FILE] ?? "")).not.toEqual([]),
    ),
  },
]);

async function editorProblems(text: string): Promise<unknown[]> {
  const server = await pagesServer();
  const path = join(server.folder, "project", FILE);
  mkdirSync(join(server.folder, "project/.sluice"), { recursive: true });
  writeFileSync(path, "hooks: []\n");
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = { ...(await server.logIn()), origin, "content-type": "application/json" };
  const body = JSON.stringify({ path, text });
  const response = await fetch(`${origin}/api/policy/check`, { method: "POST", body, headers });
  return ((await response.json()) as { problems: { severity: string }[] }).problems.filter(
    ({ severity }) => severity === "error",
  );
}

/** A pack of one hook. */
const pack = (entry: string) => ({
  "p/package.json": JSON.stringify({ name: "p", version: "1.0.0" }),
  "p/README.md": "# p\n",
  "p/sluice.yaml": `hooks:\n  - ${entry}\n`,
});

claimsOf("pack check", [
  {
    says: 'pack check: "0 problems", exit code 0',
    whenTrue: () => expect(project(pack(GOOD)).sluice("pack", "check", "p")).toMatchObject({ code: 0 }),
    whenFalse: falseWorlds((entry) => {
      const { code, out } = project(pack(entry)).sluice("pack", "check", "p");
      expect(out).not.toMatch(/\b0 problems/);
      expect(code).toBe(1);
    }),
  },
]);

const TESTS = "a.hooks.test.yaml";
const untrusted = '{ name: runs, event: "tool:pre_execute", command: "exit 1", examples: { deny: [ls] } }';

/** Worlds of `sluice test`, and whether the tests passed in them. */
const TESTED: Readonly<
  Record<string, { readonly files: Readonly<Record<string, string>>; readonly isGreen: boolean }>
> = {
  "all examples pass": { files: hooks(GOOD), isGreen: true },
  "an example fails": { files: hooks(GOOD.replace('allow: ["ls"]', 'allow: ["rm -rf x"]')), isGreen: false },
  "there is no example": { files: hooks(rule('args.command contains "x" -> deny("no")')), isGreen: false },
  "there is no configuration": { files: {}, isGreen: false },
  "a file of tests has none": {
    files: { ...hooks(rule("tool exists -> deny()")), [TESTS]: "tests: []\n" },
    isGreen: false,
  },
  "no test could be run": { files: hooks(untrusted), isGreen: false },
  "a hook cannot be read": { files: hooks(GOOD, "{ name: x, event: tool:pre_exekute, command: a }"), isGreen: false },
};

const CHECKED: typeof TESTED = {
  "nothing is wrong": { files: hooks(GOOD), isGreen: true },
  "there is a warning": { files: hooks(GOOD.replace("{ name", "{ priorty: 1, name")), isGreen: true },
  ...Object.fromEntries(
    Object.entries(NEVER_MATCHES).map(([world, entry]) => [world, { files: hooks(entry), isGreen: false }]),
  ),
};

/** Whether what a reporter printed fails a build. */
const FAILS: Readonly<Record<string, (out: string) => boolean>> = {
  github: (out) => /^::error /m.test(out),
  sarif: (out) => (JSON.parse(out) as Sarif).runs.some(({ results }) => results.some(({ level }) => level === "error")),
  junit: (out) => /<(?:failure|error)\b/.test(out) && /<testsuites [^>]*(?:failures|errors)="[1-9]/.test(out),
  json: (out) => (JSON.parse(out) as { ok: boolean }).ok === false,
};

interface Sarif {
  readonly runs: readonly { readonly results: readonly { readonly level: string }[] }[];
}

/** The exit code and every reporter of a command agree on a world. */
function agree(command: readonly string[], { files, isGreen }: (typeof TESTED)[string]): void {
  const { sluice } = project(files);
  const seen = Object.entries(FAILS).map(([reporter, fails]) => {
    const { code, out } = sluice(...command, ...(reporter === "json" ? ["--json"] : ["--reporter", reporter]));
    return [reporter, code === 0, !fails(out)];
  });
  expect(seen).toEqual(Object.keys(FAILS).map((reporter) => [reporter, isGreen, isGreen]));
}

const worldsOf = (command: readonly string[], worlds: typeof TESTED, isGreen: boolean) =>
  Object.fromEntries(
    Object.entries(worlds).flatMap(([world, one]) =>
      one.isGreen === isGreen ? [[world, () => agree(command, one)]] : [],
    ),
  );

const reporters = (command: readonly string[], worlds: typeof TESTED) => ({
  says: `${command.join(" ")}: no failure in GitHub, SARIF, JUnit and JSON, exit code 0`,
  whenTrue: () => {
    for (const check of Object.values(worldsOf(command, worlds, true))) check();
  },
  whenFalse: worldsOf(command, worlds, false),
});

claimsOf("reporters", [
  reporters(["check"], CHECKED),
  reporters(["check", "--strict"], {
    "nothing is wrong": { files: hooks(GOOD), isGreen: true },
    "there is a warning": { files: hooks(GOOD.replace("{ name", "{ priorty: 1, name")), isGreen: false },
  }),
  reporters(["test"], TESTED),
]);

claimsOf("test", [
  {
    says: "test: exit code 0",
    whenTrue: () => {
      const { code, out } = project(hooks(GOOD)).sluice("test");
      expect(out).toContain("2 passed, 0 failed, 0 not run");
      expect(code).toBe(0);
    },
    whenFalse: {
      "no hook has an example": () => {
        const { code, err } = project(hooks(rule("tool exists -> deny()"))).sluice("test");
        expect(err).toContain("No test was run: 1 hook without examples, 0 files of tests without a test.");
        expect(code).toBe(1);
      },
      "the named file has no tests": () => {
        const { code, err } = project({ ...hooks(GOOD), [TESTS]: "tests: []\n" }).sluice("test", TESTS);
        expect(err).toContain(`No test was run: ${TESTS} has no tests and no examples.`);
        expect(code).toBe(1);
      },
    },
  },
]);

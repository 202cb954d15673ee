import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtFile } from "../built-file.ts";
import { cases } from "../cases.ts";
import { project as folder } from "../cli/sluice.ts";
import { EXAMPLE } from "./project.ts";

const COMMAND = builtFile("sluice.cjs");
const FILE = ".orchestration/active_intents.yaml";

test("an intent goes from its declaration to its end", () => {
  const { sluice, root } = folder();
  const declared = sluice("intents", "new", "--name", "Login", "--scope", "src/auth/**", "--scope", "docs/a.md");
  expect(declared).toMatchObject({ code: 0, out: expect.stringContaining("declared INT-001") });
  const more = ["--constraint", "no new packages", "--criterion", "tests pass", "--json"];
  const second = JSON.parse(sluice("intents", "new", "--id", "AUTH", "--name", "More", ...more).out);
  expect(second).toMatchObject({ id: "AUTH", status: "PENDING", constraints: ["no new packages"] });
  expect(sluice("intents", "start", "INT-001").code).toBe(0);
  expect(sluice("intents", "scope", "add", "INT-001", "tests/auth/**", "x.ts").code).toBe(0);
  expect(sluice("intents", "show", "INT-001").out).toMatch(/IN_PROGRESS {2}Login\nowns\n[\s\S]*tests\/auth\/\*\*/);
  expect(sluice("intents", "done", "INT-001").code).toBe(0);
  const { intents } = JSON.parse(sluice("intents", "list", "--json").out);
  expect(intents).toMatchObject([
    { id: "INT-001", status: "COMPLETED", owned_scope: ["src/auth/**", "docs/a.md", "tests/auth/**", "x.ts"] },
    { id: "AUTH" },
  ]);
  expect(readFileSync(join(root, FILE), "utf8")).toMatch(/^active_intents:\n/);
});

test("what is added to a scope and what is taken out of it is said as such", () => {
  const { sluice } = folder({ [FILE]: EXAMPLE });
  const add = (...globs: string[]) => sluice("intents", "scope", "add", "INT-001", ...globs).out;
  expect(add("a/**", "!a/keys/**")).toContain("INT-001 now also owns a/** and no longer owns a/keys/**");
  expect(add("!a/keys/**")).toContain("INT-001 is set like that already");
});

test.each<[words: string[], code: number, says: string]>([
  [["show", "INT-9"], 1, "There is no intent"],
  [["show"], 64, "needs the id"],
  [["new"], 64, "needs a name"],
  [["begin", "INT-001"], 64, 'unknown subcommand "begin"'],
  [["scope", "add", "INT-001"], 64, "needs a path"],
  [["scope", "add", "INT-001", "../x"], 64, "climbs"],
  [["scope", "add", "INT-001", "/etc/**"], 64, "root of a disk"],
  [["scope", "add", "INT-001", ".orchestration/**"], 64, "checked with"],
  [["scope", "add", "INT-001", "C:\\x"], 64, "root of a disk"],
  [["scope", "add", "INT-001", "~/x"], 64, "home"],
  [["scope", "add", "INT-001", "-x"], 64, "begins like an option"],
  [["scope"], 64, "scope add <id>"],
  [["scope", "ad", "INT-001"], 64, 'Did you mean "scope add"?'],
  [["list", "x"], 64, 'unexpected argument "x"'],
  [["start", "INT-001", "INT-003"], 64, 'unexpected argument "INT-003"'],
  [["show", "INT-001", "B"], 64, 'unexpected argument "B"'],
  [["done", "INT-001", "B"], 64, 'unexpected argument "B"'],
  [["new", "fix", "the", "login"], 64, 'unexpected argument "the"'],
  [["new", "--name", "x", "y"], 64, 'unexpected argument "y"'],
  [["start", "INT-9"], 1, FILE],
  [["new", "--id", "INT-001", "--name", "x"], 1, FILE],
])("sluice intents %j ends with %i", (words, code, says) => {
  const { sluice } = folder({ [FILE]: EXAMPLE });
  const ended = sluice("intents", ...words);
  expect(ended.err).toContain(says);
  expect(ended.code).toBe(code);
});

test.each<[mode: string | undefined, says: string]>([
  [undefined, "Intents are off here"],
  ["advise", "Intents only advise here"],
  ["enforce", ""],
])("with the mode %s, declaring and beginning say what it means", (mode, says) => {
  const { sluice } = folder(mode === undefined ? {} : { ".sluice/hooks.yaml": `intents: { mode: ${mode} }\n` });
  const told = [
    sluice("intents", "new", "--name", "Login", "--scope", "src/**"),
    sluice("intents", "start", "INT-001"),
    sluice("intents", "list"),
  ];
  for (const { code, err } of told) {
    expect(code).toBe(0);
    if (says === "") expect(err).toBe("");
    else expect(err).toContain(says);
  }
  expect(JSON.parse(sluice("intents", "list", "--json").out).mode).toBe(mode ?? "off");
});

test("a file with mistakes is listed with them", () => {
  const { sluice } = folder({ [FILE]: `${EXAMPLE}    - name: nameless\n` });
  expect(sluice("intents")).toMatchObject({
    code: 1,
    out: expect.stringContaining("INT-001"),
    err: expect.stringContaining("no `id`"),
  });
});

test("a corrupt file is never written to", () => {
  const { sluice, root } = folder({ [FILE]: "active_intents: [" });
  expect(sluice("intents", "new", "--name", "x")).toMatchObject({
    code: 1,
    err: expect.stringContaining("cannot be used"),
  });
  expect(readFileSync(join(root, FILE), "utf8")).toBe("active_intents: [");
});

test("programs that add scopes at once lose nothing", async () => {
  const { root, home } = folder({ [FILE]: EXAMPLE });
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const wanted = Array.from({ length: cases(4, 8) }, (_, index) => `part-${index}/**`);
  const codes = await Promise.all(
    wanted.map(
      (glob) =>
        new Promise<number | null>((end) => {
          const words = [COMMAND, "intents", "scope", "add", "INT-001", glob];
          spawn(process.execPath, words, { cwd: root, env: { ...env, HOME: home }, stdio: "ignore" }).on("exit", end);
        }),
    ),
  );
  expect(codes).toEqual(wanted.map(() => 0));
  const text = readFileSync(join(root, FILE), "utf8");
  for (const glob of wanted) expect(text).toContain(`- ${glob}\n`);
  expect(text.startsWith(EXAMPLE.slice(0, EXAMPLE.indexOf("      constraints")))).toBe(true);
});

test.each([
  ["verify", "extra"],
  ["list", "5"],
  ["find", "a.ts:1", "b"],
])("sluice trace %s refuses a word too many", (...words) => {
  const ended = folder({}).sluice("trace", ...words);
  expect(ended).toMatchObject({ code: 64, err: expect.stringContaining("unexpected argument") });
});

test.each([
  ["intents", "new", "--name", "x"],
  ["intents", "list"],
  ["trace", "verify"],
  ["trace", "list"],
])("a file where the folder of intents belongs is named, with the next step: sluice %s %s", (...words) => {
  const ended = folder({ ".orchestration": "x" }).sluice(...words);
  expect(ended).toMatchObject({
    code: 1,
    err: expect.stringMatching(/(?:no-folder|folder-not-made) {2}.*\.orchestration\n[\s\S]*away/),
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cases } from "../../tests/cases.ts";
import { gatesOfUnreadable } from "../decide/project.ts";
import { loadLayers } from "./load.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-large-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let turn = 0;

function loadedFrom(files: Readonly<Record<string, string>>) {
  const home = join(folder, String(turn++));
  mkdirSync(join(home, "sluice"), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(home, "sluice", file), text);
  return loadLayers(join(home, "project"), { env: { HOME: home, XDG_CONFIG_HOME: home }, wantsWarnings: false });
}

function many(row: (at: number) => string, count: number): string {
  return Array.from({ length: count }, (_, at) => row(at)).join("");
}

/** Far more than any part may have. */
const MANY = cases(1500, 20_000);

/** One code of each kind is enough; the first thousand problems are alike. */
const codesOf = (errors: readonly { code: string }[]) => [...new Set(errors.map(({ code }) => code))];

describe("a file that grows in any of its parts is read to its end, or refused with a reason", () => {
  const HOOK = 'event: "*", command: a';
  it.each([
    ["events of one hook", `hooks:\n  - {command: a, event: "${many((at) => `tool:pre_execute:a${at},`, MANY)}"}`, []],
    [
      "open braces in an event",
      `hooks:\n  - {command: a, event: "${many(() => "{a,", MANY)}"}`,
      ["config/unknown-event"],
    ],
    [
      "events of one matcher",
      `hooks:\n  - {command: a, matcher: {events: [${many((at) => `"PreToolUse:a${at}",`, MANY)}]}}`,
      [],
    ],
    [
      "keys of a hook",
      `hooks:\n  - event: "*"\n    command: a\n${many((at) => `    comand${at}: 1\n`, MANY)}`,
      ["config/too-many-keys"],
    ],
    ["keys of a file", many((at) => `guardd${at}: 1\n`, MANY), ["config/too-many-keys"]],
    ["the same key", many(() => "guards: 1\n", MANY), ["config/too-many-keys"]],
    [
      "hooks without an event",
      `hooks:\n${many(() => "  - {command: a}\n", MANY)}`,
      ["hook/no-event", "config/too-many-problems"],
    ],
    [
      "numbers for hooks",
      `hooks:\n${many((at) => `  - ${at}\n`, MANY)}`,
      ["hook/no-object", "config/too-many-problems"],
    ],
    ["aliases", `x: &a {${HOOK}}\nhooks:\n${many(() => "  - *a\n", MANY)}`, ["config/too-many-problems"]],
    ["blanks of YAML that the library reads", `hooks:\t[${" \n".repeat(200_000)}]`, ["config/too-many-parts"]],
    [
      "misspelt events",
      `hooks:\n${many((at) => `  - {event: tool:pre_exec${at}, command: a}\n`, MANY / 2)}`,
      ["config/unknown-event"],
    ],
  ])("%s", (_, text, codes) => {
    expect(codesOf(loadedFrom({ "hooks.yaml": text }).errors)).toEqual(codes);
  });

  it("files together", () => {
    const text = `hooks:\n${many((at) => `  - {${HOOK}, description: ${"a".repeat(5000)}${at}}\n`, 200)}`;
    const names = Array.from({ length: 8 }, (_, at) => `part${at}.yaml`);
    const files = Object.fromEntries(names.map((name) => [name, text]));
    const loaded = loadedFrom({ ...files, "hooks.yaml": `extends: [${names.map((name) => `./${name}`)}]\n` });
    expect(codesOf(loaded.errors)).toEqual(["config/too-much"]);
    expect(loaded.hooks.length).toBe(1000);
  });

  it("files that are extended", () => {
    const { errors } = loadedFrom({ "hooks.yaml": `extends: [${many((at) => `./x${at}.yaml,`, MANY)}]\n` });
    expect(codesOf(errors)).toEqual(["config/too-many-files", "config/extends-nothing"]);
    expect(errors.length).toBeLessThan(100);
  });
});

it("what is not read to its end in the user's own file is asked about at every gate", () => {
  const { errors, files } = loadedFrom({ "hooks.yaml": `hooks:\n${many((at) => `  - ${at}\n`, 5000)}` });
  const [gate, ...others] = gatesOfUnreadable({ errors, files });
  expect(others).toEqual([]);
  expect(gate?.rules).toContain("cannot be read");
});

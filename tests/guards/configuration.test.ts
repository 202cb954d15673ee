import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { protectionsOfBrokenFile } from "../../src/config/layer-files.ts";
import { loadLayers } from "../../src/config/load.ts";
import { HooksManager, ToolDeniedError, ToolExecutionHooks } from "../../src/index.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sluice-guarded-"));
  vi.stubEnv("XDG_CONFIG_HOME", join(root, "home"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function write(file: string, text: string | Buffer): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

async function outcome(command: string): Promise<string> {
  const manager = new HooksManager({ root });
  manager.load();
  const hooks = new ToolExecutionHooks(manager);
  try {
    return await hooks.wrapToolCall({ sessionId: "s" }, "bash", { command }, () => "ran");
  } catch (error) {
    if (error instanceof ToolDeniedError) return "denied";
    throw error;
  }
}

test("without a word from anybody, no guard stands", async () => {
  expect(await outcome("rm -rf src")).toBe("ran");
});

test("the user turns guards on", async () => {
  write("home/sluice/hooks.yaml", "guards: standard\n");
  expect(await outcome("git push --force")).toBe("denied");
  expect(await outcome("rm -rf dist")).toBe("ran");
});

test("a project turns guards on, without an approval", async () => {
  write(".sluice/hooks.yaml", "guards: standard\n");
  expect(await outcome("git push --force")).toBe("denied");
});

test("a project cannot turn down what the user has turned on", async () => {
  write("home/sluice/hooks.yaml", "guards: strict\n");
  write(".sluice/hooks.yaml", "guards: off\n");
  expect(await outcome("terraform destroy")).toBe("denied");
  expect(loadLayers(root).warnings.map(({ code }) => code)).toEqual(["config/loosens"]);
});

test("the user switches a single guard off", async () => {
  write("home/sluice/hooks.yaml", 'guards: standard\nhooks: { definitions: [], disabled: ["guard:privilege"] }\n');
  expect(await outcome("sudo ls")).toBe("ran");
  expect(await outcome("git push --force")).toBe("denied");
  expect(loadLayers(root).warnings).toEqual([]);
});

test("a project cannot switch a single guard off, and is told so", async () => {
  write(".sluice/hooks.yaml", 'guards: standard\nhooks: { definitions: [], disabled: ["guard:privilege"] }\n');
  expect(await outcome("sudo ls")).toBe("denied");
  expect(loadLayers(root).warnings.map(({ code }) => code)).toEqual(["config/cannot-disable"]);
});

test.each([
  ["standart", "standard"],
  ["stict", "strict"],
  ["paranoied", "paranoid"],
  ["Strict", "strict"],
  ["[strict]", "strict"],
  ["on", "standard"],
  ["true", "standard"],
  ["Off", "standard"],
  ["", "standard"],
  ["null", "standard"],
])(
  "a preset that there is not counts as the nearest one, at least as the standard one, and the message says so: %j is %s",
  async (stated, preset) => {
    write("home/sluice/hooks.yaml", `hooks: []\nguards: ${stated}\n`);
    expect(await outcome("git push --force")).toBe("denied");
    const { settings, errors, notices } = loadLayers(root);
    expect(settings.guards).toBe(preset);
    expect(errors.map(({ code, place }) => [code, place?.line])).toEqual([["config/wrong-protection", 2]]);
    expect(errors[0]?.message).toContain(`is read as \`${preset}\``);
    expect(errors[0]?.fix).toMatch(/^(?:Did you mean "\w+"|Write one of off, standard)/);
    expect(notices.join()).toMatch(/^A protection is mistyped: .*hooks\.yaml:2.*is read as/);
  },
);

test.each([
  ["trace:", "required"],
  ["trace: ~", "required"],
  ["trace: requierd", "required"],
  ["traces: required", "required"],
  ["hooks: { trace: required }", "required"],
  ["traces: off", "on"],
])("a trace that is mistyped is kept as strictly as it may have been meant: %s is %s", (line, trace) => {
  write("home/sluice/hooks.yaml", `${line}\n`);
  const { settings, errors } = loadLayers(root);
  expect(settings.trace).toBe(trace);
  expect(errors).toHaveLength(1);
});

test.each([
  ["intents: { mode: enforced, on_unknown: ask }", { mode: "enforce", onUnknown: "ask" }, "is read as `enforce`"],
  ["intents: { mode: advise, on_unknown: refuse }", { mode: "advise", onUnknown: "deny" }, "is read as `deny`"],
  ["intents: { mode: advise, onUnknown: refuse }", { mode: "advise", onUnknown: "deny" }, "is read as `deny`"],
  ["intents: enforce", { mode: "enforce", onUnknown: "deny" }, "is read as `mode: enforce, on_unknown: deny`"],
  ["intents:", { mode: "enforce", onUnknown: "deny" }, "`intents` is empty; it has to be an object with `mode` and"],
  ["intents: [mode: enforce]", { mode: "enforce", onUnknown: "deny" }, "`intents` is a list; it has to be an object"],
  ["intents: { mod: enforce }", { mode: "enforce", onUnknown: "ask" }, "is read as `intents: { mode: enforce }`"],
  [
    "intents: { mode: off, Mode: advise }",
    { mode: "advise", onUnknown: "ask" },
    "is read as `intents: { mode: advise }`",
  ],
  ["intents: { onunknown: deny }", { mode: "off", onUnknown: "deny" }, "is read as `intents: { on_unknown: deny }`"],
  ["intents: { on_unkown: allow }", { mode: "off", onUnknown: "ask" }, "It has no effect."],
  ["intent: { mode: enforce }", { mode: "enforce", onUnknown: "ask" }, "is read as `intents: { mode: enforce }`"],
])("a mistyped protection is not lost: %s", (line, intents, told) => {
  write("home/sluice/hooks.yaml", `hooks: []\n${line}\n`);
  const { settings, errors } = loadLayers(root);
  expect(settings.intents).toEqual(intents);
  expect(errors.map(({ message, place }) => [message.includes(told), place?.line])).toEqual([[true, 2]]);
});

test("two mistakes in one protection cost neither of its parts", () => {
  write("home/sluice/hooks.yaml", "intents:\n  mod: enforce\n  on_unknown: refuse\n");
  const { settings, errors } = loadLayers(root);
  expect(settings.intents).toEqual({ mode: "enforce", onUnknown: "deny" });
  expect(errors.map(({ code }) => code)).toEqual(["config/misspelt-part", "config/wrong-protection"]);
});

test.each([
  ["gaurds: strict", "strict", "The file has a key `gaurds`; it has to be `guards`."],
  ["Guards: standard", "standard", "Until then it is read as `guards: standard`."],
  ["guard: paranoid", "paranoid", "Until then it is read as `guards: paranoid`."],
  ["guard: off", "off", "It has no effect."],
  ["guards: standard\nGuards: strict", "strict", "Until then it is read as `guards: strict`."],
  ["hooks:\n  guards: strict", "strict", "`hooks` has a key `guards`; `guards` has to be at the top of the file."],
])("a key that is nearly a protection's counts as that, and gates say so: %j is %s", (text, preset, told) => {
  write(".sluice/hooks.yaml", `${text}\n`);
  const { settings, errors, notices } = loadLayers(root);
  expect(settings.guards).toBe(preset);
  expect(errors.map(({ message }) => message).join()).toContain(told);
  expect(notices.join()).toMatch(/^A guard may be missing: .*hooks\.yaml/);
});

test("a file in which something is lost says that first", () => {
  write("home/sluice/hooks.yaml", "guards: stict\nhooks:\n  - just a text\n");
  expect(loadLayers(root).notices).toEqual([
    expect.stringMatching(
      /^A guard may be missing: .*hooks\.yaml:3:5: A hook is a string; it has to be an object \(and 1 more\)/,
    ),
  ]);
});

test.each([
  ["hooks: { disabled: 5 }", "`hooks.disabled` is 5; it has to be a list. It has no effect."],
  ["extends: {}", "`extends` is an object; it has to be a string or a list. It has no effect."],
  ["llm: { max_tokens: -1 }", "`llm.max_tokens` is -1; it has to be at least 0. It has no effect."],
  ["guards: [a]", "`guards` is a list; it has to be one of off, standard, strict, paranoid."],
])("what a value has to be is said in plain words: %s", (text, told) => {
  write("home/sluice/hooks.yaml", `${text}\n`);
  expect(loadLayers(root).errors[0]?.message).toContain(told);
});

test("a project that breaks its own file does not switch off what the user has turned on", async () => {
  write("home/sluice/hooks.yaml", "guards: standard\n");
  write(".sluice/hooks.yaml", "hooks: [\nguards: off\n");
  expect(await outcome("git push --force")).toBe("denied");
  expect(loadLayers(root).errors).toHaveLength(1);
});

test.each([
  ["home/sluice/hooks.yaml", "guards: strict\nhooks: [\n", "strict"],
  ["home/sluice/hooks.yaml", "guards: standard\nhooks: 5\n", "standard"],
  ["home/sluice/hooks.yaml", "guards: off\nguards: strict\n", "strict"],
  ["home/sluice/hooks.yaml", "guards: paranoied\nhooks: [\n", "paranoid"],
  ["home/sluice/hooks.yaml", "gaurds: strict\nhooks: [\n", "strict"],
  ["home/sluice/hooks.yaml", "guards:\nhooks: [\n", "standard"],
  ["home/sluice/hooks.yaml", "guards:\n  preset: strict\n  allow: []\nhooks: [\n", "strict"],
  ["home/sluice/hooks.json", '{ "guards": { "preset": "paranoid" }, "hooks": [', "paranoid"],
  ["home/sluice/hooks.yaml", "\tguards: standard\n", "standard"],
  ["home/sluice/hooks.yaml", "  guards: standard\nhooks: []\n", "standard"],
  ["home/sluice/hooks.yaml", "guards:standard\n", "standard"],
  ["home/sluice/hooks.yaml", "settings:\n  guards: strict\n", "strict"],
  ["home/sluice/hooks.yaml", "token: guards\n", "off"],
  ["home/sluice/hooks.yaml", "hooks: [\n# guards: strict\n", "off"],
  ["home/sluice/hooks.yaml", "hooks: [\n\t  # guards: strict\n", "off"],
  ["home/sluice/hooks.yaml", "guards: off\nhooks: [\n", "off"],
  ["home/sluice/hooks.json", '{\n  "guards": "paranoid",\n  "hooks": [\n', "paranoid"],
  ["home/sluice/hooks.json", '{"hooks":[,"guards":"strict"}', "strict"],
  ["home/sluice/hooks.json", '{\n  // "guards": "strict",\n  "hooks": [\n', "off"],
  [".sluice/hooks.yaml", "guards: standard\nhooks: [\n", "standard"],
])("a file that cannot be read keeps the guards that it asks for: %s %j is %s", (file, text, preset) => {
  write(file, text);
  const { settings, errors } = loadLayers(root);
  expect(settings.guards).toBe(preset);
  expect(errors.length).toBeGreaterThan(0);
});

test.each([
  ["intents: { mode: enforce }\nhooks: [\n", { mode: "enforce", onUnknown: "ask" }],
  ["intents:\n  on_unknown: deny\n  mode: advise\nhooks: [\n", { mode: "advise", onUnknown: "deny" }],
  ["intents:\n\tmode: enforce\n", { mode: "enforce", onUnknown: "ask" }],
  ["intents: { mode: enforce, mode: off }\n", { mode: "enforce", onUnknown: "ask" }],
  ["intents: enforce\nhooks: [\n", { mode: "enforce", onUnknown: "deny" }],
  ["intents:\nhooks: [{ mode: monitor }\n", { mode: "enforce", onUnknown: "deny" }],
  ["intents: { mode: off, on_unknown: allow }\nhooks: [\n", { mode: "off", onUnknown: "ask" }],
  ["# intents: { mode: enforce }\nhooks: [\n", { mode: "off", onUnknown: "ask" }],
  ["hooks:\n  - mode: enforce\n    event: '\n", { mode: "off", onUnknown: "ask" }],
  ['{\n  "intents": {\n    "mode": "enforce"\n  },\n  "hooks": [\n', { mode: "enforce", onUnknown: "ask" }],
])("a file that cannot be read keeps the intents that it asks for: %j is %j", (text, intents) => {
  write(text.startsWith("{") ? "home/sluice/hooks.json" : "home/sluice/hooks.yaml", text);
  const { settings, errors } = loadLayers(root);
  expect(settings.intents).toEqual(intents);
  expect(errors).toHaveLength(1);
});

test.each([
  ["trace: required\nhooks: [\n", "required"],
  ["trace:\nhooks: [\n", "required"],
  ["trace: off\nhooks: [\n", "on"],
  ["# trace: required\nhooks: [\n", "on"],
])("a file that cannot be read keeps the trace that it asks for: %j is %s", (text, trace) => {
  write("home/sluice/hooks.yaml", text);
  expect(loadLayers(root).settings.trace).toBe(trace);
});

const LETTERS_OF_TWO_BYTES: readonly [string, (text: string) => Buffer][] = [
  ["UTF-16", (text) => Buffer.from(`\uFEFF${text}`, "utf16le")],
  ["UTF-16 without a mark", (text) => Buffer.from(text, "utf16le")],
  ["UTF-16 the other way round", (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16()],
  ["UTF-16 the other way round, without a mark", (text) => Buffer.from(text, "utf16le").swap16()],
];

test.each(LETTERS_OF_TWO_BYTES)("a file in %s keeps what it asks for, and is told what to do", (_name, encoded) => {
  write("home/sluice/hooks.yaml", encoded("# guards: paranoid\r\nguards: standard\r\nintents: { mode: enforce }\r\n"));
  write(".sluice/hooks.json", encoded('{ "trace": "required" }'));
  const { settings, errors } = loadLayers(root);
  expect(settings).toMatchObject({ guards: "standard", intents: { mode: "enforce" }, trace: "required" });
  expect(errors.map(({ code, fix }) => [code, fix])).toEqual(Array(2).fill(["config/not-utf8", "Save it as UTF-8."]));
});

test("a broken file that asks for the same thing without end is not followed without end", () => {
  const said = protectionsOfBrokenFile(`${"intents:\n".repeat(100_000)}hooks: [`, "user", { file: "hooks.yaml" });
  expect(said).toHaveLength(100);
});

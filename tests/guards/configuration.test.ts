import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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

function write(file: string, text: string): void {
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
  expect(await outcome("rm -rf src")).toBe("denied");
  expect(await outcome("rm -rf dist")).toBe("ran");
});

test("a project turns guards on, and needs nobody's approval for it", async () => {
  write(".sluice/hooks.yaml", "guards: standard\n");
  expect(await outcome("git reset --hard")).toBe("denied");
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
  expect(await outcome("rm -rf src")).toBe("denied");
  expect(loadLayers(root).warnings).toEqual([]);
});

test("a project cannot switch a single guard off, and is told so", async () => {
  write(".sluice/hooks.yaml", 'guards: standard\nhooks: { definitions: [], disabled: ["guard:privilege"] }\n');
  expect(await outcome("sudo ls")).toBe("denied");
  expect(loadLayers(root).warnings.map(({ code }) => code)).toEqual(["config/cannot-disable"]);
});

test.each(["stict", "on", "true", "[strict]"])(
  "a preset that there is not counts as the standard one, and the message says where and what to do: %s",
  async (preset) => {
    write("home/sluice/hooks.yaml", `hooks: []\nguards: ${preset}\n`);
    expect(await outcome("rm -rf src")).toBe("denied");
    const { errors, notices } = loadLayers(root);
    expect(errors.map(({ code, place }) => [code, place?.line])).toEqual([["config/wrong-setting", 2]]);
    expect(errors[0]?.message).toContain("counts as `standard`");
    expect(errors[0]?.fix).toMatch(/^(?:Did you mean "strict"|Write one of off, standard)/);
    expect(notices.join()).toContain("hooks.yaml:2");
  },
);

test.each([
  ["intents: { mode: enforced, on_unknown: ask }", { mode: "enforce", onUnknown: "ask" }, "counts as `enforce`"],
  ["intents: { mode: advise, on_unknown: refuse }", { mode: "advise", onUnknown: "deny" }, "counts as `deny`"],
  ["intents: enforce", { mode: "enforce", onUnknown: "deny" }, "counts as `{"],
])("whoever mistypes a protection does not lose it: %s", (line, intents, told) => {
  write("home/sluice/hooks.yaml", `hooks: []\n${line}\n`);
  const { settings, errors } = loadLayers(root);
  expect(settings.intents).toEqual(intents);
  expect(errors.map(({ message, place }) => [message.includes(told), place?.line])).toEqual([[true, 2]]);
});

test("a project that breaks its own file does not switch off what the user has turned on", async () => {
  write("home/sluice/hooks.yaml", "guards: standard\n");
  write(".sluice/hooks.yaml", "hooks: [\nguards: off\n");
  expect(await outcome("rm -rf src")).toBe("denied");
  expect(loadLayers(root).errors).toHaveLength(1);
});

test.each([
  ["home/sluice/hooks.yaml", "guards: strict\nhooks: [\n", "strict"],
  ["home/sluice/hooks.yaml", "guards: standard\nhooks: 5\n", "standard"],
  ["home/sluice/hooks.yaml", "hooks: [\n# guards: strict\n", "off"],
  ["home/sluice/hooks.yaml", "guards: off\nhooks: [\n", "off"],
  ["home/sluice/hooks.json", '{\n  "guards": "paranoid",\n  "hooks": [\n', "paranoid"],
  [".sluice/hooks.yaml", "guards: standard\nhooks: [\n", "standard"],
])("a file that cannot be read keeps the guards that it asks for: %s %j is %s", (file, text, preset) => {
  write(file, text);
  const { settings, errors } = loadLayers(root);
  expect(settings.guards).toBe(preset);
  expect(errors.length).toBeGreaterThan(0);
});

import { describe, expect, test } from "vitest";
import { effectLabels } from "../../src/effects/labels/effect-labels.ts";
import { Hook, preparedOf } from "../../src/hook/hook.ts";
import { readHook } from "../../src/hook/read.ts";
import { guardHooks } from "../../src/policies/guards/guard-hooks.ts";
import { GUARDS, type Guard, PRESETS, type Preset } from "../../src/policies/guards/index.ts";
import { NOT_COVERED } from "../../src/policies/guards/not-covered.ts";
import { readHookRules } from "../../src/rule/hook-rules.ts";
import { judged, judgedEach } from "./judged.ts";

const ALL: readonly (readonly [string, Guard])[] = Object.entries(GUARDS);

function lowest(guard: Guard) {
  const preset = PRESETS.find((name) => guard.rules.some((rule) => rule[name] !== undefined));
  expect(preset).toBeDefined();
  return preset ?? "paranoid";
}

describe.each(ALL)("the guard %s", (name, guard) => {
  test("stops every call that it names as one that it stops", async () => {
    const said = await judgedEach(lowest(guard), guard.stops());
    expect(said.filter(({ action, by }) => action === "continue" || !by.includes(name))).toEqual([]);
  });

  test("lets every call pass that it names as one that passes", async () => {
    const said = await judgedEach(lowest(guard), guard.passes());
    expect(said.filter(({ action, by }) => action !== "continue" || by.length > 0)).toEqual([]);
  });

  test("speaks of effects that there are", () => {
    const labels = new Set(["unknown", ...Object.keys(effectLabels())]);
    expect(guard.rules.filter((rule) => !labels.has(rule.name))).toEqual([]);
  });

  test("says in lists what it is about, in whole sentences", () => {
    expect(guard.title).toMatch(/^[A-Z].*\w$/);
    const texts = [guard.why, ...guard.rules.map(({ reason }) => reason)];
    expect(texts.filter((text) => !/^[A-Z].+\.$/.test(text))).toEqual([]);
  });

  test("says in every preset one of the words that there are, or nothing", () => {
    const words = new Set<string | undefined>(["ask", "deny"]);
    const isRight = ({ standard, strict, paranoid }: (typeof guard.rules)[number]) =>
      (standard === undefined || standard === "off" || words.has(standard)) &&
      (strict === undefined || words.has(strict)) &&
      words.has(paranoid);
    expect(guard.rules.filter((rule) => !isRight(rule))).toEqual([]);
  });

  test("says in a higher preset at least what it says in a lower one", () => {
    const weight = (word: string | undefined) => ["ask", "deny"].indexOf(word ?? "");
    const falls = guard.rules.filter(
      ({ standard, strict, paranoid }) => weight(standard) > weight(strict) || weight(strict) > weight(paranoid),
    );
    expect(falls).toEqual([]);
  });
});

test("a rule leaves the word to rules that there are", () => {
  const names = new Set(ALL.flatMap(([, { rules }]) => rules.map(({ name }) => name)));
  const others = ALL.flatMap(([, { rules }]) => rules.flatMap(({ yieldsTo = [] }) => yieldsTo));
  expect(others.filter((name) => !names.has(name))).toEqual([]);
});

test("what destroys the user's own files or git work can be undone, and nothing else", () => {
  const undoable = ALL.flatMap(([, { rules }]) => rules.filter((rule) => rule.undoable)).map(({ name }) => name);
  const ofUser = ["delete-personal", "overwrite-personal", "delete-key"];
  const ofFiles = ["delete-folder", "empty-file", "move-outside", ...ofUser, "delete-tree"];
  expect(undoable).toEqual([...ofFiles, "git-loss", "git-delete-branch", "git-drop-stash", "git-discard"]);
});

test("the name of a rule is that of no other rule", () => {
  const names = ALL.flatMap(([, { rules }]) => rules.map(({ name }) => name));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe("guardHooks", () => {
  test.each(PRESETS)("gives hooks of its own to every caller: %s", (preset) => {
    const [first, second] = [guardHooks(preset), guardHooks(preset)];
    expect(first.map(({ name }) => name)).toEqual(second.map(({ name }) => name));
    for (const hook of first) {
      hook.enabled = false;
      expect(hook).toMatchObject({ type: "inline", eventPattern: "tool:pre_execute", layer: "user", mode: "enforce" });
    }
    expect(second.every(({ enabled }) => enabled)).toBe(true);
  });

  test.each(PRESETS)("writes every guard as a person would have to: %s", (preset) => {
    for (const hook of guardHooks(preset)) {
      expect(readHook(hook.toJSON())).toMatchObject({ errors: [], warnings: [] });
      const { written, problems, warnings } = readHookRules(hook);
      expect([...problems, ...warnings]).toEqual([]);
      expect(preparedOf(hook)).toMatchObject({ ready: written.map(({ rule }) => rule) });
      expect(JSON.stringify(Hook.fromJSON(hook.toJSON()))).toBe(JSON.stringify(hook));
    }
  });

  test("hears every tool", () => {
    for (const hook of guardHooks("standard"))
      for (const tool of ["Bash", "Write", "apply_patch", "mcp__files__delete_file"])
        expect(hook.patternMatches("tool:pre_execute", tool)).toBe(true);
  });

  test("refuses a preset that it does not know", () => {
    expect(() => guardHooks("strickt" as never)).toThrow('There is no guard preset "strickt".');
  });

  test("a denial says why, and what to do instead", async () => {
    const { reasons } = await judged("standard", "rm -rf src");
    expect(reasons).toEqual([
      "`rm -rf src` removes src with everything in it, for good. Do instead: git rm -r src || mv src src.old",
    ]);
  });
});

describe("an unknown act", () => {
  test("passes in standard, is asked about in strict and denied in paranoid", async () => {
    const unknown = NOT_COVERED.filter(({ verdict }) => verdict === "unknown").map(({ command }) => command);
    const others = async (preset: Preset, wanted: string) =>
      (await judgedEach(preset, unknown)).filter(({ action }) => action !== wanted);
    expect(await others("standard", "continue")).toEqual([]);
    expect(await others("strict", "ask")).toEqual([]);
    expect(await others("paranoid", "deny")).toEqual([]);
  });
});

describe("what is not covered", () => {
  test("passes", async () => {
    const passing = NOT_COVERED.filter(({ verdict }) => verdict === "passes").map(({ command }) => command);
    expect((await judgedEach("standard", passing)).filter(({ action }) => action !== "continue")).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import type { Layer } from "../hook/hook.ts";
import { type SettingName, settle } from "./settings.ts";

function statements(...said: readonly (readonly [Layer, SettingName, unknown])[]) {
  return said.map(([layer, setting, value]) => ({ layer, setting, value, place: { file: `${layer}.yaml`, line: 1 } }));
}

test("without a word from anybody, intents and guards are off and acts are recorded", () => {
  expect(settle([]).settings).toEqual({
    intents: { mode: "off", onUnknown: "ask" },
    trace: "on",
    guards: "off",
    llm: undefined,
  });
});

describe("a lower layer can only tighten", () => {
  test.each<[SettingName, [Layer, unknown][], unknown, number]>([
    [
      "guards",
      [
        ["user", "standard"],
        ["project", "strict"],
      ],
      "strict",
      0,
    ],
    [
      "guards",
      [
        ["user", "strict"],
        ["project", "off"],
      ],
      "strict",
      1,
    ],
    ["guards", [["user", "off"]], "off", 0],
    [
      "guards",
      [
        ["user", "off"],
        ["project", "standard"],
      ],
      "standard",
      0,
    ],
    [
      "guards",
      [
        ["managed", "strict"],
        ["user", "off"],
      ],
      "strict",
      1,
    ],
    [
      "guards",
      [
        ["managed", "strict"],
        ["user", "paranoid"],
        ["local", "standard"],
      ],
      "paranoid",
      1,
    ],
    ["trace", [["user", "off"]], "off", 0],
    ["trace", [["project", "off"]], "on", 1],
    ["trace", [["project", "required"]], "required", 0],
  ])("%s: %j is %j", (setting, said, expected, warned) => {
    const { settings, warnings } = settle(
      statements(...said.map(([layer, value]) => [layer, setting, value] as const)),
    );
    expect(settings[setting]).toBe(expected);
    expect(warnings.map(({ code }) => code)).toEqual(Array(warned).fill("config/loosens"));
  });

  test("each part of intents for itself, in either spelling", () => {
    const { settings, warnings } = settle(
      statements(
        ["user", "intents", { mode: "advise", on_unknown: "deny" }],
        ["project", "intents", { mode: "enforce", onUnknown: "allow" }],
      ),
    );
    expect(settings.intents).toEqual({ mode: "enforce", onUnknown: "deny" });
    expect(warnings[0]?.message).toContain("`intents.on_unknown: allow` has no effect: it is `deny` by user.yaml:1");
  });

  test("a project cannot loosen what is not set", () => {
    const { settings } = settle(statements(["project", "intents", { on_unknown: "allow" }]));
    expect(settings.intents.onUnknown).toBe("ask");
  });
});

test("the highest layer names the model, and what else it says is kept", () => {
  const { settings } = settle(
    statements(
      ["managed", "llm", { provider: "anthropic", api_key_env: "KEY", base_url: "https://x/v1", region: "eu" }],
      ["user", "llm", { provider: "openai" }],
    ),
  );
  expect(settings.llm).toEqual({
    provider: "anthropic",
    apiKeyEnv: "KEY",
    baseURL: "https://x/v1",
    more: { region: "eu" },
  });
});

test("hosts for contained programs are the user's own to list", () => {
  const contain = { mode: "unknown", network: { hosts: ["registry.npmjs.org"] } };
  expect(settle(statements(["user", "contain", contain])).settings.contain?.hosts).toEqual(["registry.npmjs.org"]);
  expect(settle(statements(["project", "contain", contain])).settings.contain?.hosts).toEqual([]);
});

import { describe, expect, test } from "vitest";
import { Hook, type Layer } from "../../hook/hook.ts";
import type { Problem } from "../../problem/problem.ts";
import type { GuardRule } from "./guard.ts";
import { guardHooks, guardsUnder, hooksUnder, isGuardHook } from "./guard-hooks.ts";
import { GUARDS } from "./index.ts";
import { endOf, guardPolicy, type Severity } from "./policy.ts";
import { withGuards } from "./with-guards.ts";

interface Stated {
  readonly layer?: Layer;
  readonly isTrusted?: boolean;
}
const says = (value: unknown, { layer = "user", isTrusted = true }: Stated = {}) => ({
  statement: { value, layer, place: { file: `${layer}.yaml`, line: 3 } },
  isTrusted,
});
const rule = (severity: Severity, stated?: Stated) => says({ rules: { "git-force-push": severity } }, stated);
const PROJECT = { layer: "project", isTrusted: false } as const;
const MANAGED = { layer: "managed" } as const;

describe("the severity of a rule", () => {
  test.each<[what: string, preset: "standard" | "off", said: ReturnType<typeof rule>[], is: Severity | undefined]>([
    ["nothing is set", "standard", [], undefined],
    ["the user lowers it", "standard", [rule("off")], "off"],
    ["the user raises it", "off", [rule("deny")], "deny"],
    ["the user's later setting applies", "standard", [rule("off"), rule("ask")], "ask"],
    ["the user may lower it again", "standard", [rule("ask"), rule("off")], "off"],
    ["a project lowers it", "standard", [rule("warn", PROJECT)], undefined],
    ["a project sets the same as the preset", "standard", [rule("deny", PROJECT)], undefined],
    ["a project raises it", "standard", [rule("ask"), rule("deny", PROJECT)], "deny"],
    ["a project raises what is off", "off", [rule("monitor", PROJECT)], "monitor"],
    ["a project switches off what is off", "off", [rule("off", PROJECT)], undefined],
    ["a project raises what the user lowered", "standard", [rule("off"), rule("warn", PROJECT)], "warn"],
    ["an approved project lowers it", "standard", [rule("off", { layer: "project" })], "off"],
    ["the user cannot lower what the administrator sets", "standard", [rule("ask", MANAGED), rule("off")], "ask"],
    ["the user can raise it", "standard", [rule("ask", MANAGED), rule("deny")], "deny"],
    ["the administrator lowers it", "standard", [rule("off", MANAGED)], "off"],
    [
      "the administrator's later setting cannot lower it either",
      "standard",
      [rule("ask", MANAGED), rule("off", MANAGED)],
      "ask",
    ],
  ])("%s", (_, preset, said, is) => {
    expect(guardPolicy(preset, said).severities.get("git-force-push")).toBe(is);
  });

  test("a guard means all of its rules, and a rule may be written with its guard", () => {
    const named = (name: string) => [
      ...guardPolicy("standard", [says({ rules: { [name]: "off" } })]).severities.keys(),
    ];
    expect(named("privilege")).toEqual(GUARDS.privilege?.rules.map(({ name }) => name));
    expect(named("guard:git")).toContain("git-force-push");
    for (const name of ["", "guard:", "guard:git/", "guard:git:"].map((before) => `${before}git-force-push`))
      expect(named(name)).toEqual(["git-force-push"]);
    for (const name of ["toString", "git/git-force-push", "git-guard:force-push", "nothing"])
      expect(named(name)).toEqual([]);
  });
});

test("a project may enable a rule that the preset leaves out, and cannot lower one that it has", () => {
  const ORDER: readonly Severity[] = ["off", "monitor", "warn", "ask", "deny"];
  const all: readonly GuardRule[] = Object.values(GUARDS).flatMap(({ rules }) => rules);
  for (const { name, standard } of all) {
    const said = (severity: Severity) =>
      guardPolicy("standard", [says({ rules: { [name]: severity } }, PROJECT)]).severities.get(name);
    const isRaised = (severity: Severity) => ORDER.indexOf(severity) > ORDER.indexOf(standard ?? "off");
    expect(said("off"), name).toBe(undefined);
    expect(said("warn"), name).toBe(isRaised("warn") ? "warn" : undefined);
    expect(said("deny"), name).toBe(isRaised("deny") ? "deny" : undefined);
  }
});

describe("monitoring only", () => {
  const mode = (value: unknown, stated?: Stated) => says({ mode: value }, stated);
  test.each<[what: string, said: ReturnType<typeof rule>[], isMonitored: boolean]>([
    ["nothing is set", [], false],
    ["the user sets it", [mode("monitor")], true],
    ["a project that is not approved cannot set it", [mode("monitor", PROJECT)], false],
    ["a project can end it", [mode("monitor"), mode("enforce", PROJECT)], false],
    ["the administrator's setting stays", [mode("enforce", MANAGED), mode("monitor")], false],
    ["the administrator may leave it out", [says({}, MANAGED), mode("monitor")], true],
    ["the user's last setting applies", [mode("enforce"), mode("monitor")], true],
    ["an unknown value has no effect", [mode("watch")], false],
  ])("%s", (_, said, isMonitored) => {
    expect(guardPolicy("standard", said).isMonitored).toBe(isMonitored);
  });
});

describe("exceptions", () => {
  const FORCE = { rule: "git-force-push", command: "git push --force", reason: "a mirror." };
  const read = (entry: unknown, stated?: Stated) => guardPolicy("standard", [says({ allow: [entry] }, stated)]);

  test("apply if they are trusted, and report what they let pass, where and why", () => {
    const [exception] = read({ ...FORCE, path: "a", until: "2999-01-31" }).exceptions;
    expect(exception).toMatchObject({
      rule: "git-force-push",
      command: "git push --force",
      path: "a",
      rules: new Set(["git-force-push"]),
      reason: "a mirror.",
      until: "2999-01-31",
      endsAt: endOf("2999-01-31"),
      layer: "user",
      place: { file: "user.yaml", line: 3 },
      text: "An exception lets `a and git push --force` pass the rule git-force-push until 2999-01-31: a mirror (user configuration, line 3).",
    });
    expect(read(FORCE).exceptions[0]).toMatchObject({
      until: undefined,
      endsAt: Number.POSITIVE_INFINITY,
      text: "An exception lets `git push --force` pass the rule git-force-push: a mirror (user configuration, line 3).",
    });
    const nowhere = { ...says({ allow: [{ ...FORCE, reason: "v1.2 is a mirror" }] }) };
    const statement = { ...nowhere.statement, place: { file: "user.yaml" } };
    expect(guardPolicy("standard", [{ ...nowhere, statement }]).exceptions[0]?.text).toMatch(
      /: v1\.2 is a mirror \(user configuration\)\.$/,
    );
    expect(read(FORCE, PROJECT)).toMatchObject({ exceptions: [], errors: [] });
  });

  test("of a guard apply to all of its rules", () => {
    const { exceptions } = read({ ...FORCE, rule: "git" });
    expect([...(exceptions[0]?.rules ?? [])]).toEqual(GUARDS.git?.rules.map(({ name }) => name));
  });

  test("that have expired are reported", () => {
    const { exceptions, errors, warnings } = read({ ...FORCE, until: "2020-01-01" });
    expect([exceptions.length, errors, warnings.map(({ code }) => code)]).toEqual([1, [], ["guard/ended"]]);
    expect(warnings[0]?.message).toContain("2020-01-01");
    expect(read({ ...FORCE, until: "2999-01-01" }).warnings).toEqual([]);
  });

  test.each<[what: string, entry: unknown, code: string, words: string]>([
    ["a text", "git push", "guard/wrong-kind", 'An exception of guards is "git push"; it has to be an object'],
    ["a list", [], "guard/wrong-kind", "An exception of guards is a list"],
    ["nothing", null, "guard/wrong-kind", "An exception of guards is null"],
    ["no rule", { ...FORCE, rule: undefined }, "guard/needs", "needs a `rule`"],
    ["an empty rule", { ...FORCE, rule: " " }, "guard/needs", "needs a `rule`"],
    ["a rule that is not a text", { ...FORCE, rule: 5 }, "guard/needs", "needs a `rule`"],
    ["an unknown rule", { ...FORCE, rule: "git-force-pusj" }, "guard/unknown-rule", 'no guard rule "git-force-pusj"'],
    ["no target", { ...FORCE, command: undefined }, "guard/no-target", "does not name what it allows"],
    ["an empty target", { ...FORCE, command: "  " }, "guard/no-target", "does not name what it allows"],
    ["no reason", { ...FORCE, reason: "" }, "guard/needs", "needs a `reason`"],
    ["no date", { ...FORCE, until: "soon" }, "guard/no-date", '`until` is "soon", which is not a date'],
    [
      "an unknown key",
      { ...FORCE, commands: "x" },
      "guard/unknown-key",
      "has an unknown key `commands`; the exception is ignored",
    ],
  ])("with %s are ignored, with one problem", (_, entry, code, words) => {
    const { exceptions, errors } = read(entry);
    expect([exceptions, errors.map((error) => error.code)]).toEqual([[], [code]]);
    expect(errors[0]?.message).toContain(words);
    expect(errors[0]?.fix).toMatch(/\.$|\?$|`$/);
    expect(errors[0]?.place).toEqual({ file: "user.yaml", line: 3 });
  });
});

test.each<[what: string, value: object, code: string, words: string]>([
  ["an unknown key", { rule: {} }, "guard/unknown-key", "`guards` has an unknown key `rule`."],
  ["a mode", { mode: "watch" }, "guard/wrong-value", '`guards.mode` is "watch"; it has to be one of enforce, monitor.'],
  ["rules in a list", { rules: [] }, "guard/wrong-kind", "`guards.rules` is a list; it has to be an object."],
  ["rules that are nothing", { rules: null }, "guard/wrong-kind", "`guards.rules` is null; it has to be an object."],
  ["exceptions in an object", { allow: {} }, "guard/wrong-kind", "`guards.allow` is an object; it has to be a list."],
  ["a rule", { rules: { nothing: "off" } }, "guard/unknown-rule", 'There is no guard rule "nothing"'],
  [
    "a severity",
    { rules: { "git-loss": "none" } },
    "guard/wrong-value",
    '`guards.rules.git-loss` is "none"; it has to be one of off, monitor, warn, ask, deny.',
  ],
])("invalid settings have no effect, and are reported: %s", (_, value, code, words) => {
  const { severities, exceptions, errors } = guardPolicy("standard", [says(value)]);
  expect([severities.size, exceptions.length, errors.map((error) => error.code)]).toEqual([0, 0, [code]]);
  expect(errors[0]?.message).toContain(words);
});

test.each(["text", null, 5, { preset: "strict" }, {}])(
  "a statement of %j says nothing, and breaks nothing",
  (value) => {
    expect(guardPolicy("standard", [says(value)]).exceptions).toEqual([]);
    expect(guardPolicy("standard", [says(Object(value) === value ? value : {})]).errors).toEqual([]);
  },
);

test("a problem has the place of its part of the file", () => {
  const placeOf = (path: readonly (string | number)[]) => ({ file: "f", line: path.length });
  const statement = { value: { mode: 1, allow: [1] }, layer: "user", place: { file: "f" }, placeOf } as const;
  const { errors } = guardPolicy("standard", [{ statement, isTrusted: true }]);
  expect(errors.map(({ place }) => place?.line)).toEqual([1, 2]);
  const told = (value: object) => {
    const paths: string[] = [];
    const noting = (path: readonly (string | number)[]) => {
      paths.push(path.join("."));
      return { file: "f" };
    };
    guardPolicy("standard", [{ statement: { ...statement, value, placeOf: noting }, isTrusted: true }]);
    return paths;
  };
  expect(told({ mode: "x" })).toEqual(["mode"]);
  expect(told({ rules: [], allow: {}, other: 1 })).toEqual(["other", "rules", "allow"]);
  expect(told({ rules: { nothing: "off", "git-loss": "x" } })).toEqual(["rules.nothing", "rules.git-loss"]);
  const ended = { rule: "git-loss", host: "h", reason: "r", until: "2020-01-01" };
  expect(told({ allow: [1, ended] })).toEqual(["allow.0", "allow.1"]);
  const places = (path: readonly (string | number)[]) => ({ file: "f", line: Number(path[1]) });
  const second = { ...statement, value: { allow: [1, ended] }, placeOf: places };
  const { warnings } = guardPolicy("standard", [{ statement: second, isTrusted: true }]);
  expect(warnings).toMatchObject([{ code: "guard/ended", place: { file: "f", line: 1 } }]);
});

test.each([
  ["2026-12-31", new Date(2026, 11, 31, 23, 59, 59, 999).getTime()],
  ["2026-12-31T18:00Z", Date.UTC(2026, 11, 31, 18)],
  ["2026-12-31T18:00:00.125Z", Date.UTC(2026, 11, 31, 18, 0, 0, 125)],
  ["2026-12-31 18:00:30.5+01:00", Date.UTC(2026, 11, 31, 17, 0, 30, 500)],
  ["2026-12-31T18:00:30+0100", Date.UTC(2026, 11, 31, 17, 0, 30)],
  ["2026-12-31T18:00", new Date(2026, 11, 31, 18).getTime()],
  ["2024-02-29", new Date(2024, 1, 29, 23, 59, 59, 999).getTime()],
  ["2026-02-29", undefined],
  ["2026-02-30T18:00Z", undefined],
  ["2026-13-01", undefined],
  ["2026-12-31T25:00", undefined],
  ["x2026-12-31", undefined],
  ["2026-12-31x", undefined],
  ["2026-12-3", undefined],
  ["tomorrow", undefined],
  [undefined, undefined],
])("the end of %s", (value, end) => {
  expect(endOf(value)).toBe(end);
});

describe("hooks of the guards", () => {
  const policy = (rules: object) => guardPolicy("off", [says({ rules })]);
  test("with the preset off, only the rules that are set", () => {
    expect(hooksUnder("off", policy({}))).toEqual([]);
    expect(hooksUnder("off", policy({ "git-loss": "off" }))).toEqual([]);
    const hooks = hooksUnder("off", policy({ "git-loss": "deny" }));
    expect(hooks.map(({ name, priority, enabled }) => [name, priority, enabled])).toEqual([["guard:git", -1000, true]]);
    expect(hooks.every(isGuardHook)).toBe(true);
  });

  test("denials come before questions, and those before rules that only monitor", () => {
    const rules = {
      "git-loss": "monitor",
      "git-force-push": "ask",
      "git-delete-remote": "deny",
      "git-drop-stash": "off",
    };
    const [hook] = hooksUnder("off", policy(rules));
    expect(hook?.inlineRules?.map(({ value, action }) => [value, action])).toEqual([
      ["git-delete-remote", "deny"],
      ["git-force-push", "ask"],
      ["git-loss", "continue"],
    ]);
  });

  test("a stricter preset has every rule of a looser one, with at least its action", () => {
    const weight = { off: 0, monitor: 0, warn: 1, ask: 2, deny: 3 };
    const said = (preset: "standard" | "strict" | "paranoid") =>
      new Map(
        guardsUnder(preset, guardPolicy(preset, []))
          .byGuard.flat()
          .map(({ rule: { name }, severity }) => [name, severity]),
      );
    const [standard, strict, paranoid] = [said("standard"), said("strict"), said("paranoid")];
    for (const [lower, higher] of [
      [standard, strict],
      [strict, paranoid],
    ] as const)
      for (const [name, severity] of lower)
        expect(weight[higher.get(name)!], name).toBeGreaterThanOrEqual(weight[severity]);
    expect(standard.get("git-force-push")).toBe("deny");
    expect(paranoid.size).toBeGreaterThan(standard.size);
  });

  test("an unknown preset is reported", () => {
    expect(() => guardHooks("strickt" as never)).toThrow(/no guard preset "strickt"/);
    expect(guardHooks("standard").length).toBeGreaterThan(5);
  });

  test("a user's hook is not a guard, whatever its name", () => {
    const own = Hook.fromJSON(
      { name: "guard:git", event: "*", command: "true" },
      { layer: "user", place: { file: "f" }, index: 0 },
    );
    expect(isGuardHook(own)).toBe(false);
    expect(isGuardHook(Hook.fromJSON({ name: "other", event: "*", command: "true" }))).toBe(false);
  });
});

describe("a configuration with guards", () => {
  const lower = {
    value: { rules: { "git-force-push": "off" } },
    layer: "project",
    place: { file: "p", line: 1 },
  } as const;
  const other = { code: "config/x" } as Problem;
  const stale = { code: "guard/unknown-rule" } as Problem;
  const own = new Hook({ name: "own", event: "tool:pre_execute", rules: "#" });
  const configuration = (layer: Layer, guards: "off" | "standard" = "standard") => {
    const statement = { ...lower, layer };
    return {
      hooks: [...guardHooks("standard"), own],
      settings: { guards, guardStatements: [statement] },
      lowering: [statement],
      disabledBy: new Map(),
      disabledGuards: new Map(),
      errors: [other, stale],
      warnings: [other, stale],
    };
  };

  test.each<[layer: Layer, isApproved: boolean, counts: boolean]>([
    ["managed", false, true],
    ["user", false, true],
    ["project", false, false],
    ["project", true, true],
    ["local", false, false],
  ])("what the %s layer lowers (approved: %s) applies: %s", (layer, isApproved, counts) => {
    const made = withGuards(configuration(layer), () => isApproved);
    expect(made).toMatchObject({ guardPolicy: { severities: new Map(counts ? [["git-force-push", "off"]] : []) } });
    expect(made.errors.map(({ code }) => code)).toEqual(["config/x"]);
    expect(made.warnings.map(({ code }) => code)).toEqual(["config/x", ...(counts ? [] : ["guard/not-approved"])]);
    expect(made.warnings.at(-1)?.place).toEqual(counts ? undefined : lower.place);
    expect(made.hooks.filter(({ name }) => name === "guard:git")).toHaveLength(1);
    expect(made.hooks.at(-1)).toBe(own);
  });

  test("nothing of a project applies without a check of approvals", () => {
    expect(withGuards(configuration("project"))).toMatchObject({ guardPolicy: { severities: new Map() } });
  });

  test("a block that lowers nothing needs no approval", () => {
    expect(withGuards({ ...configuration("project"), lowering: [] }).warnings.map(({ code }) => code)).toEqual([
      "config/x",
    ]);
  });

  test("the preset off keeps the rules that are set", () => {
    const made = withGuards(configuration("user", "off"));
    expect(made.hooks).toEqual([own]);
    expect(withGuards({ ...configuration("user", "off"), settings: { guards: "off" } }).hooks.length).toBeGreaterThan(
      1,
    );
  });
});

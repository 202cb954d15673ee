import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { FILE_KEYS, HOOKS_KEYS } from "./file-keys.ts";

type Schema = Readonly<Record<string, unknown>>;

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const SCHEMA = JSON.parse(readFileSync(at("schema.json"), "utf8")) as Schema;

/** As much of JSON Schema as schema.json uses; a keyword that is not here fails the test instead of passing unseen. */
const KEYWORDS: Readonly<Record<string, (rule: never, value: unknown, schema: Schema) => boolean>> = {
  $ref: (ref: string, value) => {
    const path = ref.split("/").slice(1);
    return fits(path.reduce<unknown>((found, key) => (found as Schema)[key], SCHEMA) as Schema, value);
  },
  type: (type: string, value) => (type === "array" ? Array.isArray(value) : type === typeof value && isNoList(value)),
  enum: (choices: unknown[], value) => choices.includes(value),
  const: (wanted: unknown, value) => value === wanted,
  items: (item: Schema, value) => !Array.isArray(value) || value.every((each) => fits(item, each)),
  minItems: (least: number, value) => !Array.isArray(value) || value.length >= least,
  required: (keys: string[], value) => keys.every((key) => Object.hasOwn(Object(value), key)),
  properties: (own: Record<string, Schema>, value) =>
    Object.entries(own).every(([key, rule]) => !Object.hasOwn(Object(value), key) || fits(rule, Object(value)[key])),
  additionalProperties: (rule: boolean | Schema, value, { properties = {} }) =>
    Object.entries(Object(value))
      .filter(([key]) => !Object.hasOwn(properties as object, key))
      .every(([, each]) => (typeof rule === "boolean" ? rule : fits(rule, each))),
  propertyNames: (rule: Schema, value) => Object.keys(Object(value)).every((key) => fits(rule, key)),
  anyOf: (arms: Schema[], value) => arms.some((arm) => fits(arm, value)),
  allOf: (arms: Schema[], value) => arms.every((arm) => fits(arm, value)),
  if: (when: Schema, value, { then: rule }) => !fits(when, value) || fits(rule as Schema, value),
};
const SILENT = ["$schema", "title", "description", "definitions", "examples", "then"];

function fits(schema: Schema, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, rule]) => {
    if (SILENT.includes(keyword)) return true;
    const check = KEYWORDS[keyword];
    if (check === undefined) throw new Error(`schema.json uses \`${keyword}\`, which this test does not know`);
    return check(rule as never, value, schema);
  });
}

function isNoList(value: unknown): boolean {
  return value !== null && !Array.isArray(value);
}

test("schema.json is what the tables say", () => {
  execFileSync(process.execPath, [at("scripts/schema.mjs"), "--check"]);
});

describe("schema.json", () => {
  test.each([
    "hooks: []",
    "hooks: [{event: 'tool:*', command: x}]",
    "[{event: 'tool:*', command: x}]",
    "hooks: {definitions: [{name: a, matcher: {events: [Stop]}, script: x.sh}], disabled: [b], timeout: 30}",
    "hooks: [{event: '*', type: inline, inline_rules: [{field: tool, operator: equals, value: x, action: deny}]}]",
    "hooks: [{event: '*', inlineRules: []}]",
    "hooks: [{event: '*', command: x, on_error: ask, workingDir: ., pass_env: [A], timeout: 500ms}]",
    "hooks: [{event_pattern: '*', command: x}]",
    "hooks: [{matcher: {path_patterns: [a], commandPatterns: [b]}, url: 'https://x', headers: {A: b}}]",
    "{$schema: x, extends: ./a.yaml, trace: required, guards: paranoid, intents: {mode: enforce, on_unknown: deny}}",
    "{extends: [./a.yaml], llm: {provider: anthropic, model: m, baseURL: u, apiKeyEnv: K}, hooks: []}",
  ])("takes %s", (text) => {
    expect(fits(SCHEMA, parse(text))).toBe(true);
  });

  test.each([
    "hooks: 3",
    "just words",
    "hooks: [{command: x}]",
    "hooks: [{event: '*'}]",
    "hooks: [{event: '*', type: inline, command: x}]",
    "hooks: [{event: '*', type: magic, command: x}]",
    "hooks: [{event: '*', command: x, priorty: 3}]",
    "hooks: [{event: '*', command: x, timeout: true}]",
    "hooks: [{event: '*', command: x, onError: panic}]",
    "hooks: [{matcher: {evnts: [Stop]}, command: x}]",
    "hooks: {definitions: {}}",
    "hooks: {disabled: x}",
    "guards: high",
    "intents: {mode: maybe}",
    "colour: red",
  ])("refuses %s", (text) => {
    expect(fits(SCHEMA, parse(text))).toBe(false);
  });

  test("says one sentence about every key of a file", () => {
    const [{ properties }] = SCHEMA.anyOf as [{ properties: Record<string, Schema> }];
    expect(Object.keys(properties).sort()).toEqual(Object.keys(FILE_KEYS).sort());
    const rows = [...Object.values(FILE_KEYS), ...Object.values(HOOKS_KEYS)];
    const text = JSON.stringify(SCHEMA);
    for (const { means } of rows) expect(text).toContain(JSON.stringify(means));
  });

  test("offers the events by name", () => {
    const { hook } = SCHEMA.definitions as { hook: { properties: { event: { examples: string[] } } } };
    expect(hook.properties.event.examples).toContain("tool:pre_execute");
  });
});

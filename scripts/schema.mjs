// Writes schema.json, the JSON Schema that editors complete and check configuration files with, from the tables in src/.
// With --check it writes nothing and fails when the file is not what the tables say.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { toJsonSchema } from "@valibot/to-json-schema";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = join(root, "schema.json");
const { ACTIONS, EVENTS, FILE_KEYS, HOOK_FIELDS, HOOKS_KEYS, KINDS, RULE_KEYS, operatorWords, snake } = await tables();
const text = `${JSON.stringify(schema(), null, 2)}\n`;

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (textOf(file) !== text) {
  console.error("schema.json is not what the tables in src/ say. Run `node scripts/schema.mjs`.");
  process.exitCode = 1;
}

/** The tables are TypeScript; they are bundled into a file that node can import, and forgotten again. */
async function tables() {
  const contents = `
    export { EVENTS } from "./src/event/catalogue.ts";
    export { FILE_KEYS, HOOKS_KEYS } from "./src/config/file-keys.ts";
    export { HOOK_FIELDS, KINDS, snake } from "./src/hook/schema.ts";
    export { operatorWords } from "./src/rule/operator-words.ts";
    export { RULE_KEYS } from "./src/rule/read.ts";
    export { ACTIONS } from "./src/rule/rule.ts";`;
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    mainFields: ["module", "main"],
  });
  const folder = mkdtempSync(join(tmpdir(), "sluice-schema-"));
  try {
    const path = join(folder, "tables.mjs");
    writeFileSync(path, outputFiles[0].contents);
    return await import(pathToFileURL(path).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function schema() {
  const { hooks, ...others } = FILE_KEYS;
  const list = { type: "array", items: { $ref: "#/definitions/hook" } };
  const { definitions, ...aside } = HOOKS_KEYS;
  const object = closed({ definitions: { ...list, description: definitions.means }, ...properties(aside) });
  const top = { hooks: { description: hooks.means, anyOf: [list, object] }, ...properties(others) };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Sluice configuration",
    description: "The hooks of one layer: .sluice/hooks.yaml, hooks.json and the like.",
    anyOf: [closed(top), list],
    definitions: { hook: hook() },
  };
}

function hook() {
  const own = properties(HOOK_FIELDS);
  own.event = { ...own.event, examples: Object.keys(EVENTS) };
  own.event_pattern = { ...own.event };
  own.eventPattern = { ...own.event };
  own.inlineRules = { ...own.inlineRules, items: rule() };
  const spelled = Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) => spellings(name).map((s) => [s, value])),
  );
  const arms = Object.entries(KINDS).map(([type, { needs }]) => ({
    if: { properties: { type: { const: type } }, required: ["type"] },
    // biome-ignore lint/suspicious/noThenProperty: this is JSON Schema's own word.
    then: anyRequired(needs),
  }));
  const needs = Object.values(KINDS).flatMap((kind) => kind.needs);
  return {
    ...closed(spelled),
    description: "One hook: the events it matches, and what it runs.",
    allOf: [anyRequired(["event", "eventPattern", "matcher"]), anyRequired(needs), ...arms],
  };
}

/** One rule of a list; its keys may be written in either spelling. */
function rule() {
  const own = Object.fromEntries(
    Object.entries(RULE_KEYS).flatMap(([key, means]) =>
      [key, key.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase())].map((name) => [
        name,
        { description: means },
      ]),
    ),
  );
  own.operator.enum = operatorWords();
  own.action.enum = ACTIONS;
  return { ...closed(own), required: ["field", "operator", "action"] };
}

function anyRequired(names) {
  return { anyOf: [...new Set(names.flatMap(spellings))].map((name) => ({ required: [name] })) };
}

function spellings(name) {
  return [...new Set([snake(name), name])];
}

function closed(own) {
  return { type: "object", properties: own, additionalProperties: false };
}

/** One property for each row of a table, with its sentence. */
function properties(table) {
  return Object.fromEntries(
    Object.entries(table).map(([name, { schema: rule, asObject, shape, means }]) => {
      const json = jsonOf(shape?.() ?? rule);
      return [name, { description: means, ...(asObject ? { anyOf: [json, jsonOf(asObject)] } : json) }];
    }),
  );
}

function jsonOf(rule) {
  const { $schema, ...json } = toJsonSchema(rule, { target: "draft-07", errorMode: "ignore" });
  return shut(json);
}

/** An object that names its keys says in an editor which others are none; one that names none takes any. */
function shut(json) {
  const isNamed = json.type === "object" && Object.keys(json.properties ?? {}).length > 0;
  return isNamed ? { ...json, additionalProperties: false } : json;
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

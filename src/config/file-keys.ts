import * as v from "valibot";
import { eventSpellings } from "../event/catalogue.ts";
import { seconds } from "../hook/schema.ts";
import { choicesOf, gotInWords, stepInWords, wantedInWords } from "../hook/schema-words.ts";
import { didYouMean } from "../problem/nearest.ts";
import { type Place, type Problem, problems } from "../problem/problem.ts";
import type { ConfigDocument } from "./document.ts";
import { misplacedHooks } from "./misplaced-hooks.ts";
import { countsAs, PROTECTION_PROBLEMS, type Protects, partNamed, tightening, unreadSetting } from "./protection.ts";
import { type ProtectingSetting, protectionMeant, SETTINGS, type SettingName } from "./settings.ts";
import { type ConfigTree, offsetAt, type Path, plain, type TreeMember } from "./tree.ts";

/** The values of the keys of one object of a file, and the problems with them. */
export interface ReadKeys {
  readonly values: Readonly<Record<string, unknown>>;
  /** Protections that mistyped keys most likely mean. */
  readonly meant: readonly Meant[];
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** A setting that was most likely meant, and never loosens anything. */
interface Meant {
  readonly setting: SettingName;
  readonly value: unknown;
  readonly place: Place;
}

/** Reads an object by its table of keys: a wrong value has no effect, or that of its row, an unknown key is kept and reported. */
export function readKeys(
  document: ConfigDocument,
  holder: ConfigTree | undefined,
  path: Path,
  table: Readonly<Record<string, FileKey>>,
): ReadKeys {
  const read = (holder?.kind === "map" ? holder.members : []).map((member) =>
    readKey(document, member, [...path, member.key], table),
  );
  return {
    values: Object.fromEntries(read.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value]]))),
    meant: read.flatMap(({ meant = [] }) => meant),
    errors: read.flatMap(({ errors = [] }) => errors),
    warnings: read.flatMap(({ warnings = [] }) => warnings),
  };
}

interface ReadKey extends Partial<Omit<ReadKeys, "values">> {
  readonly key?: string;
  readonly value?: unknown;
}

function readKey(
  document: ConfigDocument,
  member: TreeMember,
  path: Path,
  table: Readonly<Record<string, FileKey>>,
): ReadKey {
  const { key, value, at } = member;
  const row = Object.hasOwn(table, key) ? table[key] : undefined;
  if (row !== undefined) return { key, ...readValue(document, value, path, row, key) };
  const place = { place: document.place(at) };
  if (path.length > 1 && eventSpellings().includes(key)) return { errors: [PROBLEMS.otherShape({ key }, place)] };
  const lost = path.length > 1 ? misplacedHooks(member, place.place) : undefined;
  if (lost !== undefined) return { errors: [lost] };
  const known = Object.keys(table);
  const meant = protectionMeant(key, known);
  if (meant !== undefined) return readMistyped(document, member, path, meant);
  return { warnings: [PROBLEMS.unknownKey({ key, where: whereOf(path), known }, place)] };
}

/** A key that most likely means a protection is read as that, as far as it tightens. */
function readMistyped(
  document: ConfigDocument,
  { key, value: given, at }: TreeMember,
  path: Path,
  { setting, protects }: ProtectingSetting,
): ReadKey {
  const read = readValue(document, given, path, SETTINGS[setting], setting);
  const place = document.place(at);
  const value = tightening(read.value, protects);
  const { misplacedProtection, misspeltProtection } = PROTECTION_PROBLEMS;
  const problem = path.length > 1 ? misplacedProtection : misspeltProtection;
  return {
    meant: [...(value === undefined ? [] : [{ setting, value, place }]), ...(read.meant ?? [])],
    errors: [problem({ key, setting, value, holder: String(path[0]) }, { place }), ...(read.errors ?? [])],
    warnings: read.warnings ?? [],
  };
}

function readValue(document: ConfigDocument, given: ConfigTree, path: Path, row: FileKey, name: string): ReadKey {
  const value = plain(given);
  if (value === null && row.protects === undefined) return {};
  const schema = given.kind === "map" && row.asObject ? presetSchema(row.asObject) : row.schema;
  const issues = given.kind === "list" && row.protects?.parts ? listIssues(row) : v.safeParse(schema, value).issues;
  const read = issues === undefined ? { value } : unreadValue(document, value, issues, row, path);
  // Guards know their own keys.
  const inside = (row.asObject ? [] : strangers(row.schema, given, name)).map((one) => readStranger(document, one));
  return {
    ...read,
    meant: inside.flatMap(({ meant = [] }) => meant),
    errors: [...(read.errors ?? []), ...inside.flatMap(({ errors = [] }) => errors)],
    warnings: inside.flatMap(({ warnings = [] }) => warnings),
  };
}

/** Of guards only the preset is read here; the guards themselves know their rules. */
function presetSchema({ entries: { preset } }: NonNullable<FileKey["asObject"]>): v.GenericSchema {
  return preset === undefined ? v.looseObject({}) : v.looseObject({ preset });
}

/** For a schema, a list is an object in which every part is left out. */
function listIssues({ schema }: FileKey): v.BaseIssue<unknown>[] | undefined {
  return v.safeParse(schema, null).issues?.map((issue) => ({ ...issue, received: "Array" }));
}

/** Each value that cannot be read is reported and replaced by the value of its row; the values beside it apply as written. */
function unreadValue(
  { tree, place }: ConfigDocument,
  value: unknown,
  issues: readonly v.BaseIssue<unknown>[],
  { protects }: FileKey,
  path: Path,
): ReadKey {
  const found = issues.map((issue) => {
    const inner = (issue.path ?? []).map((item) => item.key as string | number);
    const counts = protects && countsInstead(issue.input, inner, protects);
    const whole = [...path, ...inner];
    const at = place(offsetAt(tree, whole, "value"));
    const key = whole.join(".");
    const problem = protects
      ? PROTECTION_PROBLEMS.wrongProtection({ key, issue, counts, protects }, { place: at })
      : wrongSetting(key, issue, at);
    return { inner, counts, problem };
  });
  const errors = found.map(({ problem }) => problem);
  if (protects === undefined) return { errors };
  const whole = found.find(({ inner }) => inner.length === 0);
  if (whole !== undefined) return { value: whole.counts, errors };
  const mended = found.map(({ inner, counts }) => [inner[0] ?? "", counts]);
  return { value: { ...Object(value), ...Object.fromEntries(mended) }, errors };
}

function countsInstead(value: unknown, inner: Path, protects: Protects): unknown {
  const part = inner[0] === undefined ? undefined : protects.parts?.[partNamed(String(inner[0]), protects) ?? ""];
  return part === undefined ? unreadSetting(protects, value) : countsAs(value, part);
}

interface Stranger {
  readonly member: TreeMember;
  readonly known: readonly string[];
  /** The setting that has the key. */
  readonly name: string;
}

/** Keys inside a setting, at any depth, that its schema does not name; a schema that names none takes any. */
function strangers(schema: v.GenericSchema, tree: ConfigTree, name: string): Stranger[] {
  const entries = entriesOf(schema);
  const known = Object.keys(entries);
  if (tree.kind !== "map" || known.length === 0) return [];
  return tree.members.flatMap((member) => {
    const inner = Object.hasOwn(entries, member.key) ? entries[member.key] : undefined;
    return inner === undefined ? [{ member, known, name }] : strangers(inner, member.value, `${name}.${member.key}`);
  });
}

/** The keys of an object, also if it may be left out or be a string instead. */
function entriesOf(schema: v.GenericSchema): Readonly<Record<string, v.GenericSchema>> {
  const { entries, wrapped, options } = schema as {
    readonly entries?: Readonly<Record<string, v.GenericSchema>>;
    readonly wrapped?: v.GenericSchema;
    readonly options?: readonly unknown[];
  };
  if (wrapped !== undefined) return entriesOf(wrapped);
  const arms = schema.type === "union" ? ((options ?? []) as readonly v.GenericSchema[]) : [];
  return entries ?? Object.assign({}, ...arms.map(entriesOf));
}

function readStranger(document: ConfigDocument, { member, known, name }: Stranger): ReadKey {
  const { key, value: given, at } = member;
  const place = document.place(at);
  const meant = protectionMeant(name, [], 0);
  const part = meant && partNamed(key, meant.protects);
  const protection = meant?.protects.parts?.[part ?? ""];
  if (meant === undefined || part === undefined || protection === undefined)
    return { warnings: [PROBLEMS.unknownKey({ key, where: `\`${name}\``, known }, { place })] };
  const { setting, protects } = meant;
  const value = tightening({ [part]: countsAs(plain(given), protection) }, protects);
  return {
    meant: value === undefined ? [] : [{ setting, value, place }],
    errors: [PROTECTION_PROBLEMS.misspeltPart({ key, setting, part, value }, { place })],
  };
}

function wrongSetting(key: string, issue: v.BaseIssue<unknown>, place: Place): Problem {
  if (issue.received === "undefined") {
    const at = key.lastIndexOf(".");
    return PROBLEMS.missingSetting({ key: key.slice(at + 1), above: key.slice(0, at) }, { place });
  }
  const [choices, got] = [choicesOf(issue), gotInWords(issue)];
  const fix = didYouMean(got.replaceAll('"', ""), choices) || stepInWords(issue, key.slice(key.lastIndexOf(".") + 1));
  return PROBLEMS.wrongSetting({ key, got, wanted: wantedInWords(issue), fix }, { place });
}

function whereOf(path: Path): string {
  return path.length > 1 ? `\`${path[0]}\`` : "The file";
}

/** One key of a file: what it has to look like, and what it means. */
interface FileKey {
  readonly schema: v.GenericSchema;
  readonly asObject?: v.LooseObjectSchema<v.ObjectEntries, undefined>;
  readonly means: string;
  /** What it protects, if it does: then another value applies in place of one that cannot be read. */
  readonly protects?: Protects;
}

const names = v.array(v.string());
const packUse = v.strictObject({ pack: v.string(), with: v.optional(v.looseObject({})) });

/** The keys under `hooks:` if it is an object; the list itself is `definitions`. */
export const HOOKS_KEYS = {
  definitions: { schema: v.array(v.unknown()), means: "the hooks" },
  disabled: { schema: names, means: "names of hooks of this layer, or of a lower one, that are switched off" },
  timeout: {
    schema: seconds,
    means: "the timeout of this file's hooks that state none",
  },
  llm_model: { schema: v.string(), means: "the model for `llm` hooks; the same as `llm: { model }`" },
} as const satisfies Record<string, FileKey>;

/** The keys at the top of a file. */
export const FILE_KEYS = {
  $schema: { schema: v.string(), means: "where editors find the schema of this file" },
  hooks: {
    schema: v.union([v.array(v.unknown()), v.looseObject({})]),
    means: "the hooks: a list, or an object with `definitions`, `disabled` and `timeout`",
  },
  extends: {
    schema: v.union([v.string(), v.array(v.union([v.string(), packUse]))]),
    means:
      "files that are read before this one, seen from its folder: `./team.yaml`; packs: `{ pack: name, with: { … } }`",
  },
  ...SETTINGS,
} as const satisfies Record<string, FileKey>;

const PROBLEMS = problems("config", {
  unknownKey: ({ key, where, known }: { key: string; where: string; known: readonly string[] }) => ({
    what: `${where} has a key \`${key}\`, which nothing reads. It is kept and does nothing.`,
    fix:
      didYouMean(key, known) ||
      (Object.hasOwn(HOOKS_KEYS, key)
        ? `It belongs under \`hooks\`: \`hooks: { ${key}: …, definitions: [ … ] }\`.`
        : `Known are ${known.join(", ")}.`),
  }),
  otherShape: ({ key }: { key: string }) => ({
    what: `\`hooks.${key}\` is the shape of an agent's own settings; its hooks are not active here.`,
    fix: `Write a list of hooks, each with \`event: ${key}\`; \`sluice import\` translates an agent's settings.`,
  }),
  missingSetting: ({ key, above }: Record<"key" | "above", string>) => ({
    what: `\`${above}\` does not have \`${key}\`, so it has no effect.`,
    fix: `Add \`${key}: …\`; \`docs/configuration.md\` shows its values.`,
  }),
  wrongSetting: ({ key, got, wanted, fix }: Record<"key" | "got" | "wanted" | "fix", string>) => ({
    what: `\`${key}\` is ${got}; it has to be ${wanted}. It has no effect.`,
    fix,
  }),
});

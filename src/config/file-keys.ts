import * as v from "valibot";
import { eventSpellings } from "../event/catalogue.ts";
import { toJsonText } from "../event/json.ts";
import { didYouMean } from "../problem/nearest.ts";
import { type Place, type Problem, problems } from "../problem/problem.ts";
import type { ConfigDocument } from "./document.ts";
import type { FileKey } from "./schema.ts";
import { type Member, offsetAt, type Path, plain, type Tree } from "./tree.ts";

/** What the keys of one object of a file say, and what is wrong with them. */
export interface ReadKeys {
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Reads an object by its table of keys: a wrong value has no effect, or that of its row, an unknown key is kept and told. */
export function readKeys(
  document: ConfigDocument,
  holder: Tree | undefined,
  path: Path,
  table: Readonly<Record<string, FileKey>>,
): ReadKeys {
  const read = (holder?.kind === "map" ? holder.members : []).map((member) =>
    readKey(document, member, [...path, member.key], table),
  );
  return {
    values: Object.fromEntries(read.flatMap(({ value }) => (value === undefined ? [] : [value]))),
    errors: read.flatMap(({ errors = [] }) => errors),
    warnings: read.flatMap(({ warnings = [] }) => warnings),
  };
}

interface ReadKey {
  readonly value?: readonly [key: string, value: unknown];
  readonly errors?: readonly Problem[];
  readonly warnings?: readonly Problem[];
}

function readKey(
  { tree, place }: ConfigDocument,
  { key, value: given, at }: Member,
  path: Path,
  table: Readonly<Record<string, FileKey>>,
): ReadKey {
  const row = Object.hasOwn(table, key) ? table[key] : undefined;
  if (row === undefined) {
    const keyPlace = { place: place(at) };
    if (path.length > 1 && eventSpellings().includes(key)) return { errors: [PROBLEMS.otherShape({ key }, keyPlace)] };
    return { warnings: [PROBLEMS.unknownKey({ key, where: whereOf(path), known: Object.keys(table) }, keyPlace)] };
  }
  const value = plain(given);
  if (value === null) return {};
  const { issues = [] } = v.safeParse(row.schema, value);
  if (issues.length > 0) return unreadKey(key, value, issues, row, (at) => place(offsetAt(tree, at, "value")), path);
  const warnings = strangers(row.schema, given).map(({ member, known }) =>
    PROBLEMS.unknownKey({ key: member.key, where: `\`${key}\``, known }, { place: place(member.at) }),
  );
  return { value: [key, value], warnings };
}

/** Each value that cannot be read is told, and counts as the row says; what stands beside it counts as it is written. */
function unreadKey(
  key: string,
  value: unknown,
  issues: readonly v.BaseIssue<unknown>[],
  { unread }: FileKey,
  placeOf: (path: Path) => Place,
  path: Path,
): ReadKey {
  const members = (issue: v.BaseIssue<unknown>) => (issue.path ?? []).map((item) => item.key as string | number);
  const meant = (inner: Path) => (inner[0] === undefined ? unread : Object(unread)[inner[0]]);
  const errors = issues.map((issue) => {
    const whole = [...path, ...members(issue)];
    return wrongSetting(issue, whole, meant(members(issue))).at(placeOf(whole));
  });
  if (unread === undefined) return { errors };
  if (issues.some((issue) => members(issue).length === 0)) return { value: [key, unread], errors };
  const mended = issues.map((issue) => [members(issue)[0] ?? "", meant(members(issue))]);
  return { value: [key, { ...Object(value), ...Object.fromEntries(mended) }], errors };
}

function wrongSetting(issue: v.BaseIssue<unknown>, path: Path, unread: unknown): Problem {
  const choices = [...(issue.expected ?? "").matchAll(/"([^"]+)"/g)].map(([, choice]) => choice ?? "");
  const expected = choices.length > 1 ? `one of ${choices.join(", ")}` : (issue.expected ?? "something else");
  const wanted = issue.kind === "validation" ? issue.message : expected;
  return PROBLEMS.wrongSetting({ key: path.join("."), got: issue.received, wanted, choices, unread });
}

/** Keys inside a setting that its schema does not name; a schema that names none takes any. */
function strangers(schema: v.GenericSchema, tree: Tree): { member: Member; known: readonly string[] }[] {
  const { entries = {} } = schema as { entries?: object };
  const known = Object.keys(entries);
  if (tree.kind !== "map" || known.length === 0) return [];
  return tree.members.filter(({ key }) => !known.includes(key)).map((member) => ({ member, known }));
}

function whereOf(path: Path): string {
  return path.length > 1 ? `\`${path[0]}\`` : "The file";
}

const PROBLEMS = problems("config", {
  unknownKey: ({ key, where, known }: { key: string; where: string; known: readonly string[] }) => ({
    what: `${where} has a key \`${key}\`, which nothing reads. It is kept and does nothing.`,
    fix: didYouMean(key, known) || `Known are ${known.join(", ")}.`,
  }),
  otherShape: ({ key }: { key: string }) => ({
    what: `\`hooks.${key}\` is the shape of an agent's own settings; its hooks are not active here.`,
    fix: `Write a list of hooks, each with \`event: ${key}\`; \`sluice import\` translates an agent's settings.`,
  }),
  wrongSetting: ({ key, got, wanted, choices, unread }: WrongSetting) => ({
    what: `\`${key}\` is ${got}; it has to be ${wanted}. ${unread === undefined ? "It has no effect" : `Until then it counts as \`${typeof unread === "object" ? toJsonText(unread) : unread}\``}.`,
    fix:
      didYouMean(got.replaceAll('"', ""), choices) ||
      (choices.length > 1 ? `Write one of ${choices.join(", ")}.` : "Change the value."),
  }),
});

interface WrongSetting {
  readonly key: string;
  readonly got: string;
  readonly wanted: string;
  readonly choices: readonly string[];
  readonly unread: unknown;
}

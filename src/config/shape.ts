import type { Layer } from "../hook/hook.ts";
import { fieldNamed } from "../hook/schema.ts";
import { nearest } from "../problem/nearest.ts";
import { type Place, type Problem, problems } from "../problem/problem.ts";
import type { ConfigDocument } from "./document.ts";
import { FILE_KEYS, HOOKS_KEYS, readKeys } from "./file-keys.ts";
import { findHookList, type HookList } from "./hook-list.ts";
import { holdsHooks, withMisplacedHooks } from "./misplaced-hooks.ts";
import { SETTINGS, type SettingName, type Statement } from "./settings.ts";
import { type ConfigTree, member, offsetAt, type Path, type TreeMember } from "./tree.ts";

/** A text of a file, and its place. */
export interface PlacedText {
  readonly text: string;
  readonly place: Place;
}

/** What a file extends: a file or a package by its text, or a pack with values for its parameters. */
export interface ExtendedText extends PlacedText {
  readonly pack?: { readonly given: unknown };
}

/** The parts of one file. */
export interface FileShape {
  readonly document: ConfigDocument;
  readonly layer: Layer;
  /** The package that it came with. */
  readonly pack?: { readonly name: string; readonly version: string };
  /** Its hooks approve nothing: the bundle that it came with is too old. */
  readonly isAged?: boolean;
  /** Its hooks cannot approve anything: they came with a pack. */
  readonly cannotApprove?: true;
  readonly list: HookList;
  readonly disabled: readonly PlacedText[];
  /** What hooks of this file get that state no timeout. */
  readonly timeout: number | string | undefined;
  readonly extends: readonly ExtendedText[];
  readonly statements: readonly Statement[];
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Takes a file apart; its hooks are found and not yet read. */
export function shapeOf(document: ConfigDocument, layer: Layer): FileShape {
  const { tree, place } = document;
  const list = findHookList(document);
  const marked = document.mark === "" ? [] : [PROBLEMS.byteOrderMark(undefined, { place: place(0) })];
  const holder = list.corrupt === undefined ? tree : undefined;
  const top = withMisplacedHooks(readKeys(document, holder, [], FILE_KEYS), holder, document, Object.keys(FILE_KEYS));
  const hooks = readKeys(document, member(holder, "hooks")?.value, ["hooks"], HOOKS_KEYS);
  const stated = withModel(top.values, hooks.values);
  const settings = (Object.keys(SETTINGS) as SettingName[]).filter((setting) => stated[setting] !== undefined);
  const where = (path: Path) => place(offsetAt(tree, path, "key"));
  const isAllowed = (setting: SettingName) => SETTINGS[setting].setBy.some((allowed) => allowed === layer);
  return {
    document,
    layer,
    list,
    disabled: texts(hooks.values.disabled, ["hooks", "disabled"], document),
    timeout: hooks.values.timeout as number | string | undefined,
    extends: extendedTexts(top.values.extends, document),
    statements: [
      ...settings.filter(isAllowed).map((setting) => ({
        setting,
        value: stated[setting],
        layer,
        place: where([setting]),
        ...(setting === "guards" && { placeOf: (path: Path) => where([setting, ...path]) }),
      })),
      ...[...top.meant, ...hooks.meant].map((meant) => ({ ...meant, layer })),
    ],
    errors: [...top.errors, ...hooks.errors],
    warnings: [
      ...marked,
      ...top.warnings,
      ...hooks.warnings,
      ...settings
        .filter((setting) => !isAllowed(setting))
        .map((key) => PROBLEMS.notYours({ key, layers: SETTINGS[key].setBy }, { place: where([key]) })),
    ],
  };
}

/**
 * Whether a file is one of ours: it has one of our keys, or one that is nearly ours, or hooks, or nothing at all. No message
 * quotes a file that is not: a cloned project may lead Sluice to any file of its user.
 */
export function isConfiguration(tree: ConfigTree): boolean {
  if (tree.kind === "scalar") return tree.value === null;
  if (tree.kind === "list") return tree.items.length === 0 || tree.items.some(isLikeHook);
  if (tree.kind === "flaw") return false;
  const members = tree.members.filter(({ key }) => key !== SCHEMA_KEY);
  const isOurs = ({ key, value }: TreeMember) =>
    nearest(key, Object.keys(FILE_KEYS)) !== undefined || holdsHooks(value);
  return members.length === 0 || members.some(isOurs);
}

/** The place of the first value of a file. */
export function firstOf(tree: ConfigTree): number {
  const [first] = tree.kind === "map" ? tree.members.filter(({ key }) => key !== SCHEMA_KEY) : [];
  return first?.at ?? tree.at;
}

/** Whether an entry has a key that only hooks have: `name` or `url` may be in any list. */
function isLikeHook(tree: ConfigTree): boolean {
  return tree.kind === "map" && tree.members.some(({ key }) => HOOK_ALONE.has(fieldNamed(key) ?? ""));
}

const SCHEMA_KEY = "$schema";
const HOOK_ALONE: ReadonlySet<string> = new Set(["event", "matcher", "rules", "inlineRules", "onError", "exitCodes"]);

type Values = Readonly<Record<string, unknown>>;

/** `hooks.llm_model` is the older way to write `llm: { model }`. */
function withModel(top: Values, hooks: Values): Values {
  const { llm_model: model } = hooks;
  return model === undefined ? top : { ...top, llm: { model, ...Object(top.llm) } };
}

function texts(value: unknown, path: Path, { tree, place }: ConfigDocument): PlacedText[] {
  if (value === undefined) return [];
  const listed = Array.isArray(value);
  return (listed ? value : [value]).map((text: string, index) => ({
    text,
    place: place(offsetAt(tree, listed ? [...path, index] : path, "value")),
  }));
}

function extendedTexts(value: unknown, document: ConfigDocument): ExtendedText[] {
  return texts(value, ["extends"], document).map(({ text: written, place }) => {
    if (typeof written === "string") return { text: written, place };
    const { pack, with: given } = Object(written) as { pack: string; with?: unknown };
    return { text: pack, place, pack: { given } };
  });
}

const PROBLEMS = problems("config", {
  notYours: ({ key, layers }: { key: string; layers: readonly string[] }) => ({
    what: `\`${key}\` has no effect here: it applies only in ${layers.join(" and ")} files.`,
    fix: "Move it to your own configuration.",
  }),
  byteOrderMark: () => ({
    what: "The file begins with a byte order mark. It is read; other programs may stumble over it.",
    fix: "Save it as UTF-8 without BOM.",
  }),
});

import { isDeepStrictEqual } from "node:util";
import { problems } from "../problem/problem.ts";
import { type ConfigDocument, parseDocument } from "./document.ts";
import { jsonEditor } from "./edit-json.ts";
import { yamlEditor } from "./edit-yaml.ts";
import type { HookData, ListEdit, TextEditor } from "./hook-list.ts";
import { type ConfigTree, member, type Path, plain } from "./tree.ts";

/** Changes the list of hooks in a text and nothing else; what comes out is read again before it is believed. */
export function edit(document: ConfigDocument, listPath: Path | undefined, steps: readonly ListEdit[]): string {
  const { text, tree } = document;
  const target = listPath ?? newListPath(tree);
  const before = listPath === undefined ? [] : (at(plain(tree), target) as readonly HookData[]);
  const list = steps.map((step) => outcome(step, before));
  const wanted = withPath(plain(tree), target, list);
  const precise = () => {
    if (listPath === undefined) return withItemsAt(document, target, list);
    const changed = steps.reduce((now, step) => withChanges(now, listPath, step, document), text as string | undefined);
    return changed === undefined ? undefined : arranged(changed, listPath, steps, before.length, document);
  };
  return verified(document, wanted, precise, target, list);
}

/** Adds values to the end of a list, which need not be there yet: `guards.allow`, `hooks.disabled`. */
export function append(document: ConfigDocument, path: Path, values: readonly unknown[]): string {
  const now = at(plain(document.tree), path);
  const list = [...(Array.isArray(now) ? now : []), ...values];
  const wanted = withPath(plain(document.tree), path, list);
  return verified(document, wanted, () => withItemsAt(document, path, values), path, list);
}

/** Turns an entry of the list of hooks on or off; one that `hooks.disabled` of the same file names is taken out of that list. */
export function withEnabled(document: ConfigDocument, list: Path, index: number, isEnabled: boolean): string {
  const entry = Object(at(plain(document.tree), [...list, index])) as HookData;
  const isOff = entry.enabled === false;
  const holder = [...list, index];
  const text = isOff === isEnabled ? switched(document, holder, isEnabled) : document.text;
  if (!isEnabled || typeof entry.name !== "string") return text;
  const again = parseDocument(document.path, text);
  return again.state === "read" ? withoutText(again.document, ["hooks", "disabled"], entry.name) : text;
}

/** Sets whether an entry of the list of hooks decides, or only watches. */
export function withMode(document: ConfigDocument, list: Path, index: number, mode: "enforce" | "monitor"): string {
  const entry = Object(at(plain(document.tree), [...list, index])) as HookData;
  return entry.mode === mode || (entry.mode === undefined && mode === "enforce")
    ? document.text
    : setKey(document, [...list, index], "mode", mode);
}

/**
 * A key that turning the hook off would have put exactly there is taken out again, so that the file is as it was before;
 * one that is written in another way, or with a comment, stays and is set to `true`.
 */
function switched(document: ConfigDocument, holder: Path, isEnabled: boolean): string {
  const { text, path, format } = document;
  const { withKey, withoutKey } = EDITORS[format];
  const without = isEnabled ? withoutKey(text, holder, "enabled") : undefined;
  const isOurs = without !== undefined && withKey(without, holder, "enabled", false) === text;
  const isReadable = isOurs && parseDocument(path, without).state === "read";
  return isReadable ? without : setKey(document, holder, "enabled", isEnabled);
}

/**
 * Adds an exception to `guards.allow`; a preset alone becomes the `preset` of `guards`. A file without a setting
 * about guards turns none on by it.
 */
export function withException(document: ConfigDocument, exception: object): string {
  const guards = Object(plain(document.tree)).guards as unknown;
  if (typeof guards === "object" && guards !== null) return append(document, ["guards", "allow"], [exception]);
  return setKey(document, [], "guards", { preset: typeof guards === "string" ? guards : "off", allow: [exception] });
}

/** Sets a key of an object that is there, or of the file itself. */
function setKey(document: ConfigDocument, holder: Path, key: string, value: unknown): string {
  const path = [...holder, key];
  const wanted = withPath(plain(document.tree), path, value);
  const { withKey } = EDITORS[document.format];
  return verified(document, wanted, () => withKey(document.text, holder, key, value), path, value);
}

/** Takes the values out of a list that are this text. */
function withoutText(document: ConfigDocument, path: Path, unwanted: string): string {
  const list = at(plain(document.tree), path);
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  if (!items.includes(unwanted)) return document.text;
  const kept = items.filter((item) => item !== unwanted);
  const { withoutItem } = EDITORS[document.format];
  const precise = () =>
    items.reduceRight<string | undefined>((text, item, index) => {
      if (text === undefined || item !== unwanted) return text;
      return withoutItem(text, path, index);
    }, document.text);
  return verified(document, withPath(plain(document.tree), path, kept), precise, path, kept);
}

/** Takes one item out of a list. */
function withoutItemAt(document: ConfigDocument, path: Path, index: number): string {
  const list = at(plain(document.tree), path);
  const kept = (Array.isArray(list) ? list : []).filter((_, position) => position !== index);
  const { withoutItem } = EDITORS[document.format];
  const precise = () => withoutItem(document.text, path, index);
  return verified(document, withPath(plain(document.tree), path, kept), precise, path, kept);
}

/** Takes a key of the file itself out. */
function withoutTopKey(document: ConfigDocument, key: string): string {
  const { [key]: _, ...others } = Object(plain(document.tree)) as Record<string, unknown>;
  const { withoutKey } = EDITORS[document.format];
  const isLast = Object.keys(others).length === 0 && document.format === "yaml";
  const precise = () => {
    const text = withoutKey(document.text, [], key);
    return isLast ? text?.replace(/^\{\}[ \t]*\r?\n?/m, "") : text;
  };
  return verified(document, isLast ? null : others, precise, [], others);
}

const EDITORS: Readonly<Record<"json" | "yaml", TextEditor>> = { json: jsonEditor, yaml: yamlEditor };

/** The text of the first way of writing that has the wanted meaning. */
function verified(
  { path: file, format, text }: ConfigDocument,
  wanted: unknown,
  precise: () => string | undefined,
  path: Path,
  value: unknown,
): string {
  for (const way of [precise, () => EDITORS[format].rewritten(text, path, value)]) {
    const edited = way();
    const again = edited === undefined ? undefined : parseDocument(file, edited);
    if (edited !== undefined && again?.state === "read" && isDeepStrictEqual(plain(again.document.tree), wanted))
      return edited;
  }
  throw PROBLEMS.notSaved(undefined, { place: { file } });
}

function withChanges(text: string | undefined, list: Path, step: ListEdit, { format }: ConfigDocument) {
  if (text === undefined || step.kind !== "change") return text;
  const holder = [...list, step.index];
  const { withKey, withoutKey } = EDITORS[format];
  const less = step.remove.reduce<string | undefined>((now, key) => now && withoutKey(now, holder, key), text);
  return Object.entries(step.set).reduce((now, [key, value]) => now && withKey(now, holder, key, value), less);
}

/** Adds new entries after those that are there; only another order or a removal puts the list together again. */
function arranged(text: string, list: Path, steps: readonly ListEdit[], count: number, { format }: ConfigDocument) {
  const isSameOrder = steps.every((step, index) => (step.kind === "add" ? index >= count : step.index === index));
  const { withItems, withOrder } = EDITORS[format];
  if (!isSameOrder || steps.length < count) return withOrder(text, list, steps);
  const added = steps.slice(count).flatMap((step) => (step.kind === "add" ? [step.value] : []));
  return added.length === 0 ? text : withItems(text, list, added);
}

/** Adds to a list, or makes it and what has to be around it. */
function withItemsAt({ text, tree, format }: ConfigDocument, path: Path, values: readonly unknown[]) {
  const { withItems, withKey } = EDITORS[format];
  let holder: unknown = plain(tree);
  for (const [depth, key] of path.entries()) {
    const inner = (Object(holder) as Record<string, unknown>)[key];
    if (inner === undefined || inner === null || Array.isArray(holder)) {
      const value = path.slice(depth + 1).reduceRight<unknown>((inside, name) => ({ [name]: inside }), values);
      return withKey(text, path.slice(0, depth), String(key), value);
    }
    holder = inner;
  }
  return withItems(text, path, values);
}

/** Where a list belongs in a file that has none yet. */
function newListPath(tree: ConfigTree): Path {
  return member(tree, "hooks")?.value.kind === "map" ? ["hooks", "definitions"] : ["hooks"];
}

function outcome(step: ListEdit, before: readonly HookData[]): unknown {
  switch (step.kind) {
    case "keep":
      return before[step.index];
    case "change": {
      const changed = { ...before[step.index], ...step.set };
      return Object.fromEntries(Object.entries(changed).filter(([key]) => !step.remove.includes(key)));
    }
    case "add":
      return step.value;
  }
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((holder, key) => (Object(holder) as Record<string, unknown>)[key], value);
}

function withPath(value: unknown, [key, ...rest]: Path, inner: unknown): unknown {
  if (key === undefined) return inner;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? withPath(item, rest, inner) : item));
  const holder = Object(value) as Record<string, unknown>;
  return { ...holder, [key]: withPath(holder[key], rest, inner) };
}

/** A pack that a file extends, and the values that it gives. */
interface ExtendedPack {
  readonly name: string;
  readonly given: unknown;
}

/** The packs that a file extends, in the form `{ pack: name, with: … }`. */
export function extendedPacks(document: ConfigDocument): readonly ExtendedPack[] {
  return listIn(document).flatMap((entry) => {
    const { pack, with: given } = Object(entry) as { pack?: unknown; with?: unknown };
    return typeof pack === "string" ? [{ name: pack, given }] : [];
  });
}

/** Adds a pack to `extends`, or changes the values that are given to it. Everything else stays as it is written. */
export function withExtendedPack(document: ConfigDocument, name: string, given: unknown): string {
  const before = extendedPacks(document).find((one) => one.name === name);
  if (before !== undefined && JSON.stringify(before.given) === JSON.stringify(given)) return document.text;
  const others = before === undefined ? document : again(document, withoutExtendedPack(document, name));
  const entry = { pack: name, ...(given !== undefined && { with: given }) };
  const stated: unknown = Object(plain(others.tree)).extends;
  if (stated === undefined || stated === null || Array.isArray(stated)) return append(others, ["extends"], [entry]);
  return setKey(others, [], "extends", [stated, entry]);
}

/** Takes a pack out of `extends`, and the key with its last entry. */
export function withoutExtendedPack(document: ConfigDocument, name: string): string {
  const stated: unknown = Object(plain(document.tree)).extends;
  const isPack = (entry: unknown) => (Object(entry) as { pack?: unknown }).pack === name;
  if (!Array.isArray(stated)) return isPack(stated) ? withoutTopKey(document, "extends") : document.text;
  const index = stated.findIndex(isPack);
  if (index === -1) return document.text;
  return stated.length === 1 ? withoutTopKey(document, "extends") : withoutItemAt(document, ["extends"], index);
}

function listIn({ tree }: ConfigDocument): readonly unknown[] {
  const stated: unknown = Object(plain(tree)).extends;
  return stated === undefined || stated === null ? [] : [stated].flat();
}

function again({ path, mark }: ConfigDocument, text: string): ConfigDocument {
  const read = parseDocument(path, text, mark);
  if (read.state !== "read") throw read.problem;
  return read.document;
}

const PROBLEMS = problems("config", {
  notSaved: () => ({
    what: "This file is written in a way that could not be changed without changing its meaning. Nothing was written.",
    fix: "Change it by hand.",
  }),
});

import type { ConfigDocument } from "./document.ts";
import { parseDocument } from "./document.ts";
import { append, setKey, withoutItemAt, withoutTopKey } from "./edit.ts";
import { plain } from "./tree.ts";

/** A pack that a file extends, and the values that it gives. */
export interface ExtendedPack {
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

import type { Path } from "./tree.ts";

/** One hook as plain data. */
export type HookData = Readonly<Record<string, unknown>>;

/** What becomes of the list of hooks, entry by entry, in its new order; entries that no step names go. */
export type ListEdit =
  | { readonly kind: "keep"; readonly index: number }
  | { readonly kind: "change"; readonly index: number; readonly set: HookData; readonly remove: readonly string[] }
  | { readonly kind: "add"; readonly value: unknown };

/** How texts of one format are changed; nothing where a change cannot be made in place. */
export interface TextEditor {
  withKey(text: string, holder: Path, key: string, value: unknown): string | undefined;
  withoutKey(text: string, holder: Path, key: string): string | undefined;
  withItems(text: string, list: Path, values: readonly unknown[]): string | undefined;
  withoutItem(text: string, list: Path, index: number): string | undefined;
  /** Puts a list together from the texts of its entries and from new ones. */
  withOrder(text: string, list: Path, steps: readonly ListEdit[]): string | undefined;
  /** Sets a value anew, whatever becomes of the lines around it. */
  rewritten(text: string, path: Path, value: unknown): string | undefined;
}

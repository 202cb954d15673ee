/** One hook as plain data. */
export type HookData = Readonly<Record<string, unknown>>;

/** What becomes of the list of hooks, entry by entry, in its new order; entries that no step names go. */
export type ListEdit =
  | { readonly kind: "keep"; readonly index: number }
  | { readonly kind: "change"; readonly index: number; readonly set: HookData; readonly remove: readonly string[] }
  | { readonly kind: "add"; readonly value: unknown };

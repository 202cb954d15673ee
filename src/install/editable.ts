import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";

/** Why a text cannot be edited, and where that shows. */
export interface Uneditable {
  readonly why: string;
  readonly offset: number;
}

/** Why a settings text cannot take entries in these lists: where it stops being JSON, or is not what the agent takes. */
export function whyUneditable(text: string, lists: readonly (readonly string[])[]): Uneditable | undefined {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, allowEmptyContent: true };
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, options);
  if (errors[0] !== undefined) return { why: "it is not JSON", offset: errors[0].offset };
  if (root === undefined) return undefined;
  if (root.type !== "object") return { why: "it is JSON and no object", offset: root.offset };
  const hooks = findNodeAtLocation(root, ["hooks"]);
  const twice =
    doubled(root, ["hooks"]) ??
    (hooks &&
      doubled(
        hooks,
        lists.map(([, name = ""]) => name),
      ));
  if (twice !== undefined) return { why: `\`${twice.value}\` stands in it twice`, offset: twice.offset };
  if (hooks === undefined) return undefined;
  if (hooks.type !== "object") return { why: "its `hooks` is not an object", offset: hooks.offset };
  const odd = lists.map((at) => findNodeAtLocation(root, [...at])).find((list) => list && list.type !== "array");
  return odd === undefined ? undefined : { why: "a list of hooks is not a list", offset: odd.offset };
}

/** Whether two texts say the same, apart from lists and objects that are empty. */
export function saysTheSame(one: string, other: string): boolean {
  return JSON.stringify(meaning(one)) === JSON.stringify(meaning(other));
}

function meaning(text: string): unknown {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true, allowEmptyContent: true });
  return errors.length > 0 ? { broken: text } : root && withoutEmpty(getNodeValue(root));
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => withoutEmpty(item) ?? {});
  const members = Object.entries(value)
    .map(([key, inner]) => [key, withoutEmpty(inner)] as const)
    .filter(([, inner]) => inner !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** The second key of one of these names. */
export function doubled(holder: Node, names: readonly string[]): Node | undefined {
  const keys = (holder.children ?? []).flatMap(({ children }) => children?.[0] ?? []);
  return keys.find(
    (key, index) => names.includes(String(key.value)) && keys.slice(0, index).some(({ value }) => value === key.value),
  );
}

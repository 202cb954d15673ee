import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { appended, cutOut, habits, isAlone, isCommented, isMultiline, oneLiner } from "../config/json-text.ts";

/** One entry of a settings file: the list it stands in, and what it is. */
export interface SettingsEntry {
  readonly at: readonly string[];
  readonly value: object;
}

/** Tells our command lines from those of others. */
export type Mark = (command: unknown) => boolean;

/** The text of a settings file with exactly these entries of ours; everything else stays as it is. */
export function withEntries(
  text: string | undefined,
  mark: Mark,
  entries: readonly SettingsEntry[],
  needs: Readonly<Record<string, unknown>> = {},
): string {
  if (text === undefined || text.trim() === "") return filled("{}\n", entries, needs);
  if (text.startsWith(BOM)) return BOM + withEntries(text.slice(BOM.length), mark, entries, needs);
  const { eol } = habits(text);
  if (rootOf(text) === undefined) return filled(`${text.trimEnd()}${eol}{}${eol}`, entries, needs);
  const isWhole = Object.keys(needs).every((key) => hasKey(text, key));
  if (isWhole && isSame(ourEntries(text, mark), entries)) return text;
  return filled(withoutEntries(text, mark), entries, needs);
}

/** The text without our entries, and without lists and objects that are empty without them. */
export function withoutEntries(text: string, mark: Mark): string {
  if (text.startsWith(BOM)) return BOM + withoutEntries(text.slice(BOM.length), mark);
  const root = parsed(text);
  if (root === undefined) return text;
  let now = text;
  for (let node = firstOurs(now, root, mark); node?.parent !== undefined; node = firstOurs(now, root, mark)) {
    const after = cutOut(now, node.parent, node);
    takeOut(root, node, after.length - now.length);
    now = after;
  }
  return now;
}

/** Our entries, each with the list it stands in. */
function ourEntries(text: string, mark: Mark): SettingsEntry[] {
  return groupsIn(rootOf(text.replace(BOM, " "))).flatMap(({ at, node }) =>
    holdsOurs(node, mark) ? [{ at, value: getNodeValue(node) as object }] : [],
  );
}

/** Whether nothing is left in a file but what we put there when there was none. */
export function isNothing(text: string, needs: Readonly<Record<string, unknown>> = {}): boolean {
  const bare = text.replaceAll(/\s/g, "");
  return bare === "" || bare === "{}" || bare === JSON.stringify(needs).replaceAll(/\s/g, "");
}

function filled(text: string, entries: readonly SettingsEntry[], needs: Readonly<Record<string, unknown>>): string {
  const base = Object.entries(needs).reduce(
    (now, [key, value]) => (hasKey(now, key) ? now : setKey(now, key, value)),
    text,
  );
  return entries.reduce((now, { at, value }) => append(now, at, value), base);
}

interface Group {
  readonly at: readonly string[];
  readonly node: Node;
}

/** Every entry of every list under `hooks`. */
function groupsIn(root: Node | undefined): Group[] {
  return listsIn(root).flatMap(({ children: [key, list] = [] }) => {
    const name = String(key?.value);
    return (list?.children ?? []).map((node) => ({ at: ["hooks", name], node }));
  });
}

/** The members of `hooks` that are lists. */
function listsIn(root: Node | undefined): readonly Node[] {
  const hooks = root && findNodeAtLocation(root, ["hooks"]);
  return hooks?.type === "object"
    ? (hooks.children ?? []).filter(({ children }) => children?.[1]?.type === "array")
    : [];
}

/** Something to take away: a hook inside a group that holds others, a group, or what they left empty. */
function firstOurs(text: string, root: Node, mark: Mark): Node | undefined {
  const node = groupsIn(root).find((group) => holdsOurs(group.node, mark))?.node;
  if (node === undefined) return undefined;
  const inner = innerHooks(node);
  if (inner.some((hook) => !isOursNode(hook, mark))) return inner.find((hook) => isOursNode(hook, mark)) ?? node;
  const list = node.parent;
  if (list === undefined || !isAlone(text, list, node) || isCommented(text, list)) return node;
  // Whatever else stands under `hooks` keeps it alive, also a list that another program left empty, or a comment.
  const hooks = findNodeAtLocation(root, ["hooks"]);
  const isLast = hooks && list.parent && isAlone(text, hooks, list.parent) && !isCommented(text, hooks);
  return (isLast ? hooks : list).parent;
}

/**
 * Makes the tree that of the text after a node was cut out, which changed its length: what comes behind moves, what holds
 * the node shrinks. Between two nodes stand only commas, blanks and comments.
 */
function takeOut(root: Node, gone: Node, change: number): void {
  moveBehind(root, gone.offset + gone.length, change);
  for (let holder = gone.parent; holder !== undefined; holder = holder.parent)
    Object.assign(holder, { length: holder.length + change });
  const children = gone.parent?.children ?? [];
  children.splice(children.indexOf(gone), 1);
}

function moveBehind(node: Node, end: number, change: number): void {
  if (node.offset + node.length < end) return;
  if (node.offset >= end) Object.assign(node, { offset: node.offset + change });
  for (const child of node.children ?? []) moveBehind(child, end, change);
}

function holdsOurs(node: Node, mark: Mark): boolean {
  return isOursNode(node, mark) || innerHooks(node).some((hook) => isOursNode(hook, mark));
}

function innerHooks(node: Node): readonly Node[] {
  const inner = findNodeAtLocation(node, ["hooks"]);
  return inner?.type === "array" ? (inner.children ?? []) : [];
}

function isOursNode(node: Node, mark: Mark): boolean {
  return node.type === "object" && COMMAND_KEYS.some((key) => mark(findNodeAtLocation(node, [key])?.value));
}

function isSame(one: readonly SettingsEntry[], other: readonly SettingsEntry[]): boolean {
  const sorted = (entries: readonly SettingsEntry[]) => entries.map((entry) => JSON.stringify(entry)).sort();
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function hasKey(text: string, key: string): boolean {
  return findNodeAtLocation(treeOf(text), [key]) !== undefined;
}

/** Puts a value at the end of a list, making the list and what holds it where they are missing. */
function append(text: string, at: readonly string[], value: object): string {
  const root = treeOf(text);
  const list = findNodeAtLocation(root, [...at]);
  if (list !== undefined) return appended(text, list, oneLiner(value));
  const depth = at.findIndex((_, index) => findNodeAtLocation(root, at.slice(0, index + 1)) === undefined);
  const holder = findNodeAtLocation(root, at.slice(0, depth)) ?? root;
  const missing = at.slice(depth).toReversed();
  const { eol, unit } = isMultiline(text, holder) ? habits(text) : { eol: "", unit: "" };
  const base = unit.repeat(depth + 1);
  const body = missing.reduce((inner, key, index) => {
    const own = base + unit.repeat(missing.length - 1 - index);
    const [open, close] = index === 0 ? ["[", "]"] : ["{", "}"];
    return `${JSON.stringify(key)}: ${open}${eol}${own}${unit}${inner}${eol}${own}${close}`;
  }, oneLiner(value));
  return appended(text, holder, body);
}

function setKey(text: string, key: string, value: unknown): string {
  return appended(text, treeOf(text), `${JSON.stringify(key)}: ${oneLiner(value)}`);
}

function treeOf(text: string): Node {
  const root = rootOf(text);
  if (root === undefined) throw new TypeError("a text that was JSON is none any more");
  return root;
}

/** The tree of a text; each step asks several times for the tree of the same one. */
function rootOf(text: string): Node | undefined {
  if (last?.text === text) return last.root;
  const root = parsed(text);
  last = { text, root };
  return root;
}

function parsed(text: string): Node | undefined {
  const errors: ParseError[] = [];
  return parseTree(text, errors, { allowTrailingComma: true });
}

let last: { readonly text: string; readonly root: Node | undefined } | undefined;

/** Some editors begin a file with it. */
const BOM = "\uFEFF";
/** Where agents keep a hook's command line, or the address that they call instead. */
const COMMAND_KEYS = ["command", "bash", "url"];

import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { appended, cutOut, habits, isAlone, isCommented, isMultiline, oneLiner } from "../config/json-text.ts";

/** One entry of a settings file: its list, and its value. */
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

/** Our entries, each with its list. */
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
  let [now, left] = [base, entries];
  for (let [first] = left; first !== undefined; [first] = left) {
    const made = listsBeside(now, first, left);
    now = append(now, made);
    left = left.filter((entry) => !made.includes(entry));
  }
  return now;
}

interface Group {
  readonly at: readonly string[];
  readonly node: Node;
}

/** Every entry of every list that can have hooks. */
function groupsIn(root: Node | undefined): Group[] {
  return listsIn(root).flatMap((member) => {
    const [key, list] = member.children ?? [];
    const at = [...(member.parent === root ? [] : ["hooks"]), String(key?.value)];
    return (list?.children ?? []).map((node) => ({ at, node }));
  });
}

/** The members of `hooks` that are lists, and those of the file itself: some agents have a file for hooks alone. */
function listsIn(root: Node | undefined): readonly Node[] {
  const hooks = root && findNodeAtLocation(root, ["hooks"]);
  return [hooks, root].flatMap((holder) =>
    (holder?.type === "object" ? (holder.children ?? []) : []).filter(
      ({ children: [key, list] = [] }) => list?.type === "array" && !(holder === root && key?.value === "hooks"),
    ),
  );
}

/** Something to take away: a hook inside a group that holds others, a group, or what they left empty. */
function firstOurs(text: string, root: Node, mark: Mark): Node | undefined {
  const holder = listsIn(root).find(({ children }) => children?.[1]?.children?.some((group) => holdsOurs(group, mark)));
  const node = holder?.children?.[1]?.children?.find((group) => holdsOurs(group, mark));
  if (node === undefined) return undefined;
  const inner = innerHooks(node);
  if (inner.some((hook) => !isOursNode(hook, mark))) return inner.find((hook) => isOursNode(hook, mark)) ?? node;
  const list = node.parent;
  if (list === undefined || !isAlone(text, list, node) || isCommented(text, list)) return node;
  // Anything else under `hooks` keeps it, also a list that another program left empty, or a comment.
  const hooks = list.parent?.parent;
  const isLast =
    hooks && hooks !== root && list.parent && isAlone(text, hooks, list.parent) && !isCommented(text, hooks);
  return (isLast ? hooks : list).parent;
}

/**
 * Makes the tree that of the text after a node was cut out, which changed its length: what follows moves, what holds
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

/** An entry, and with it the others whose lists are missing beside its own: they are written at once, because every new text is parsed. */
function listsBeside(text: string, first: SettingsEntry, entries: readonly SettingsEntry[]): readonly SettingsEntry[] {
  const root = treeOf(text);
  const holderOf = ({ at }: SettingsEntry) => findNodeAtLocation(root, at.slice(0, -1));
  const holder = holderOf(first);
  const made = new Map([[first.at.at(-1), first]]);
  if (holder === undefined || findNodeAtLocation(root, [...first.at]) !== undefined) return [first];
  for (const entry of entries) {
    const isMissing = holderOf(entry) === holder && findNodeAtLocation(root, [...entry.at]) === undefined;
    if (isMissing && !made.has(entry.at.at(-1))) made.set(entry.at.at(-1), entry);
  }
  return [...made.values()];
}

/** Puts values at the end of their lists in one object, making the lists and what holds them where they are missing. */
function append(text: string, entries: readonly SettingsEntry[]): string {
  const root = treeOf(text);
  const at = entries[0]?.at ?? [];
  const list = findNodeAtLocation(root, [...at]);
  if (list !== undefined) return appended(text, list, ...entries.map(({ value }) => oneLiner(value)));
  const depth = at.findIndex((_, index) => findNodeAtLocation(root, at.slice(0, index + 1)) === undefined);
  const holder = findNodeAtLocation(root, at.slice(0, depth)) ?? root;
  const { eol, unit } = isMultiline(text, holder) ? habits(text) : { eol: "", unit: "" };
  const base = unit.repeat(depth + 1);
  const bodies = entries.map((entry) => {
    const missing = entry.at.slice(depth).toReversed();
    return missing.reduce((inner, key, index) => {
      const own = base + unit.repeat(missing.length - 1 - index);
      const [open, close] = index === 0 ? ["[", "]"] : ["{", "}"];
      return `${JSON.stringify(key)}: ${open}${eol}${own}${unit}${inner}${eol}${own}${close}`;
    }, oneLiner(entry.value));
  });
  return appended(text, holder, ...bodies);
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

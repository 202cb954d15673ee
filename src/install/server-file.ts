import { extname } from "node:path";
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import {
  appended,
  cutOut,
  doubled,
  habits,
  isAlone,
  isCommented,
  isMultiline,
  oneLiner,
  saysTheSame,
  type Uneditable,
} from "../config/json-text.ts";
import { uneditable } from "./plan-entries.ts";
import { isNothing } from "./settings-text.ts";
import { tableIn, whyNoTable, withoutTable, withTable } from "./toml-text.ts";

/** A server as a settings file holds it. */
export type Server = Readonly<Record<string, unknown>>;

/** How a server is read from a text, put into it and taken out again. */
export interface ServerFile {
  /** The value under the name; something of another shape when it is unknown what it starts. */
  readonly read: (text: string) => unknown;
  /** Why the text can take none. */
  readonly refuses: (text: string) => Uneditable | undefined;
  readonly put: (text: string | undefined, server: Server) => string;
  readonly take: (text: string) => string;
  /** Whether two texts say the same apart from the server. */
  readonly keeps: (before: string, after: string) => boolean;
}

/** The ways of a file, chosen by its name: TOML, or JSON with or without comments. */
export function serverFile(path: string, at: readonly string[]): ServerFile {
  if (extname(path) === ".toml")
    return {
      read: (text) => tableIn(text, at),
      refuses: (text) => whyNoTable(text, at),
      put: (text, server) => withTable(text ?? "", at, server),
      take: (text) => withoutTable(text, at),
      keeps: () => true,
    };
  const take = (text: string) => withoutMember(text, at);
  return {
    read: (text) => memberIn(text, at),
    refuses: (text) => whyNoMember(text, at),
    put: (text, server) => withMember(text, at, server),
    take,
    keeps: (before, after) => saysTheSame(take(before), take(after)),
  };
}

/** A text without our server; undefined if it had nothing else, and the text itself where the server is not ours. */
export function withoutOurServer(text: string, path: string, at: readonly string[]): string | undefined {
  const file = serverFile(path, at);
  if (!isOurServer(file.read(text))) return text;
  const why = file.refuses(text);
  if (why !== undefined) throw uneditable(path, text, why);
  const without = file.take(text);
  return isNothing(without) ? undefined : without;
}

/** Whether a server is ours: it starts Sluice, also another copy of it. */
export function isOurServer(server: unknown): boolean {
  const [verb, program = ""] = wordsOf(server).toReversed();
  return verb === "mcp" && /(?:^|[\\/])sluice(?:\.[cm]?js)?$/.test(program);
}

/** The words that start a server. */
export function wordsOf(server: unknown): string[] {
  const { command, args } = Object(server) as { readonly command?: unknown; readonly args?: unknown };
  return [command, args].flat().filter((word) => typeof word === "string");
}

/** Whether a server says everything that it has to; what its user has added does not matter. */
export function isAsWanted(server: unknown, wanted: Server): boolean {
  const there = Object(server) as Server;
  return Object.entries(wanted).every(([key, value]) => JSON.stringify(there[key]) === JSON.stringify(value));
}

/** The value at the end of these keys in a JSON text; undefined if there is none. */
export function memberIn(text: string, at: readonly string[]): unknown {
  const root = rootOf(text.replace(BOM, " "));
  const found = root && findNodeAtLocation(root, [...at]);
  return found === undefined ? undefined : getNodeValue(found);
}

/** Why a JSON text cannot take a member there: where it stops being JSON, or has something else in the way. */
export function whyNoMember(text: string, at: readonly string[]): Uneditable | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(BOM, " "), errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors[0] !== undefined) return { why: "it is not JSON", offset: errors[0].offset };
  let holder: Node | undefined = root;
  for (const key of at) {
    if (holder === undefined) return undefined;
    if (holder.type !== "object") return { why: `the parent of \`${key}\` is not an object`, offset: holder.offset };
    const twice = doubled(holder, [key]);
    if (twice !== undefined) return { why: `\`${key}\` is in it twice`, offset: twice.offset };
    holder = findNodeAtLocation(holder, [key]);
  }
  return undefined;
}

/** The text with this value at the end of these keys; an existing value is replaced, everything else stays. */
export function withMember(text: string | undefined, at: readonly string[], value: object): string {
  if (text === undefined || text.trim() === "") return placed("{}\n", at, value);
  if (text.startsWith(BOM)) return BOM + withMember(text.slice(BOM.length), at, value);
  const root = rootOf(text);
  const { eol } = habits(text);
  if (root === undefined) return placed(`${text.trimEnd()}${eol}{}${eol}`, at, value);
  const there = findNodeAtLocation(root, [...at]);
  if (there === undefined) return placed(text, at, value);
  return text.slice(0, there.offset) + oneLiner(value) + text.slice(there.offset + there.length);
}

/** The text without the member, and without the objects that are empty without it. */
export function withoutMember(text: string, at: readonly string[]): string {
  if (text.startsWith(BOM)) return BOM + withoutMember(text.slice(BOM.length), at);
  const root = rootOf(text);
  const property = root && findNodeAtLocation(root, [...at])?.parent;
  if (property?.parent === undefined) return text;
  const holder = property.parent;
  const isLast = at.length > 1 && isAlone(text, holder, property) && !isCommented(text, holder);
  return isLast ? withoutMember(text, at.slice(0, -1)) : cutOut(text, holder, property);
}

/** Puts a value at the end of an object, making the objects around it where they are missing. */
function placed(text: string, at: readonly string[], value: object): string {
  const root = rootOf(text);
  if (root === undefined) throw new TypeError("a text that was JSON is none any more");
  const depth = at.findIndex((_, index) => findNodeAtLocation(root, at.slice(0, index + 1)) === undefined);
  const holder = findNodeAtLocation(root, at.slice(0, depth)) ?? root;
  const missing = at.slice(depth);
  const { eol, unit } = isMultiline(text, holder) ? habits(text) : { eol: "", unit: "" };
  const body = missing.reduceRight((inner, key, index) => {
    if (index === missing.length - 1) return `${JSON.stringify(key)}: ${inner}`;
    const own = unit.repeat(depth + 1 + index);
    const [open, close] = eol === "" ? ["{ ", " }"] : [`{${eol}${own}${unit}`, `${eol}${own}}`];
    return `${JSON.stringify(key)}: ${open}${inner}${close}`;
  }, oneLiner(value));
  return appended(text, holder, body);
}

function rootOf(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true });
}

/** Some editors begin a file with it. */
const BOM = "\uFEFF";

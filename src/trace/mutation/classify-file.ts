import type { MutationClass } from "../change/change-record.ts";
import type { FileState } from "../change/file-state.ts";
import { compareParsed } from "./classify.ts";
import type { Grammar } from "./grammar.ts";
import { languageOf } from "./language.ts";
import type { Parse } from "./syntax-tree.ts";

/** Tells how a change of one file relates to what the file does. Never throws: what cannot be told is `UNKNOWN`. */
export async function classifyFile(
  path: string,
  before: FileState | undefined,
  after: FileState,
): Promise<MutationClass> {
  const language = languageOf(path);
  if (language.kind === "no code" || after.kind === "bytes") return language.kind === "code" ? "UNKNOWN" : "NON_CODE";
  if (before === undefined || before.kind === "other" || before.kind === "bytes") return "UNKNOWN";
  if (language.kind === "unread") return "UNKNOWN";
  // A file of code that comes or goes does something that was not done, or does it no longer.
  if (before.kind === "missing" || after.kind === "missing" || after.kind === "other") return "INTENT_EVOLUTION";
  return classifyTexts(path, before.text, after.text, language.grammar);
}

/** The same for two texts of code. */
async function classifyTexts(path: string, before: string, after: string, grammar: Grammar): Promise<MutationClass> {
  if (Math.max(before.length, after.length) > LONGEST) return "UNKNOWN";
  try {
    const parse = await parserOf(grammar);
    if (parse === undefined) return withoutParser(before, after);
    const [old, young] = [parse(path, before), parse(path, after)];
    if (old === undefined || young === undefined) return "UNKNOWN";
    return compareParsed(old, young, grammar, isModule(path, before) && isModule(path, after));
  } catch {
    return "UNKNOWN";
  }
}

/** Without a parser only blanks at the ends of lines and empty lines are certain to mean nothing, and not in every text. */
function withoutParser(before: string, after: string): MutationClass {
  const plain = (text: string) => text.replaceAll("\r\n", "\n").replace(/\n+$/, "");
  return plain(before) === plain(after) ? "FORMAT_ONLY" : "UNKNOWN";
}

async function parserOf(grammar: Grammar): Promise<Parse | undefined> {
  const known = PARSERS.get(grammar.name) ?? load(grammar);
  PARSERS.set(grammar.name, known);
  return known;
}

async function load(grammar: Grammar): Promise<Parse | undefined> {
  if (grammar.wasm === undefined) return (await import("./oxc.ts")).loadOxc();
  return (await import("./tree-sitter.ts")).loadTreeSitter(grammar);
}

/** Names of a file's own are seen by others where files share one space of names. */
function isModule(path: string, text: string): boolean {
  if (!/\.[cm]?[jt]sx?$/i.test(path)) return false;
  return !/\.js$/i.test(path) || /^\s*(?:import|export)\b|\brequire\(|\bmodule\.exports\b/m.test(text);
}

const PARSERS = new Map<string, Promise<Parse | undefined>>();
const LONGEST = 1024 * 1024;

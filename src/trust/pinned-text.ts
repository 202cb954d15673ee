import { dirname, join, normalize, resolve } from "node:path";
import { parseScript } from "../effects/parse/parse.ts";
import { shellWord } from "../effects/parse/value.ts";
import { argumentReplacements, type FileCopy, type PinnableArgument } from "./pinned-arguments.ts";
import { ROOT_VARIABLES } from "./started-files.ts";

/** Where a shell runs a text, and the copies of the files that it may run. */
export interface TextPlace {
  readonly root: string;
  /** The shell's working directory. */
  readonly folder: string;
  /** The file that contains the text; undefined for a command line. */
  readonly script?: string | undefined;
  readonly copies: ReadonlyMap<string, FileCopy>;
}

/** Replaces the arguments that run approved files by their copies in a shell's text, and calls `pinned` for each. */
export function pinnedText(written: string, place: TextPlace, pinned: (copy: FileCopy) => void): string {
  const text = withSubstitutions(written, (inner) => pinnedText(inner, place, pinned));
  const edits: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  const hasMoved = /(?:^|[\s;&|({])(?:c|push)d\s/.test(text);
  visit(parseScript(text), (command) => {
    const words = [command.name, ...command.suffix].filter((word): word is WordNode => word?.type === "Word");
    const pinnable = words.map((word): PinnableArgument => {
      const file = fileNamed(word, text, place, hasMoved);
      return { text: word.value ?? word.text, copy: file === undefined ? undefined : place.copies.get(file) };
    });
    for (const [at, replacement] of argumentReplacements(pinnable)) {
      const { pos, end, text: own } = words[at] as WordNode;
      // The name that the script receives keeps its spelling, so that the shell expands it.
      const { text: name, copy } = pinnable[at] as PinnableArgument;
      const all = replacement.map((word) => (word === name ? own : shellWord(word)));
      edits.push({ from: pos, to: end, text: all.join(" ") });
      if (copy !== undefined) pinned(copy);
    }
  });
  edits.sort((one, other) => other.from - one.from);
  return edits.reduce((done, edit) => done.slice(0, edit.from) + edit.text + done.slice(edit.to), text);
}

/** Rewrites the content of every `$(…)`. */
function withSubstitutions(text: string, rewrite: (inner: string) => string): string {
  let done = "";
  for (let at = 0; ; ) {
    const start = text.indexOf("$(", at);
    if (start < 0) return done + text.slice(at);
    const from = start + 2;
    let end = from;
    for (let depth = 1; end < text.length; end++) {
      if (text[end] === "(") depth++;
      else if (text[end] === ")" && --depth === 0) break;
    }
    const inner = text.slice(from, end);
    done += text.slice(at, from) + (inner.startsWith("(") || end === text.length ? inner : rewrite(inner));
    at = end;
  }
}

/** Replaces the argument that runs an approved file by its copy, in a program with its arguments. */
export function pinnedArguments(
  all: readonly string[],
  place: TextPlace,
  pinned: (copy: FileCopy) => void,
): readonly string[] {
  const pinnable = all.map((text): PinnableArgument => ({ text, copy: place.copies.get(resolve(place.folder, text)) }));
  const replacements = argumentReplacements(pinnable);
  for (const at of replacements.keys()) {
    const { copy } = pinnable[at] as PinnableArgument;
    if (copy !== undefined) pinned(copy);
  }
  return all.flatMap((text, at) => replacements.get(at) ?? [text]);
}

interface WordNode {
  readonly type: string;
  readonly text: string;
  readonly value?: string;
  readonly pos: number;
  readonly end: number;
}

interface CommandNode {
  readonly type: "Command";
  readonly name?: WordNode;
  readonly suffix: readonly WordNode[];
}

/** Visits every command of a script. Commands in substitutions are not in its tree, and have other positions. */
function visit(node: unknown, act: (command: CommandNode) => void): void {
  if (typeof node !== "object" || node === null) return;
  if ((node as { type?: unknown }).type === "Command") act(node as CommandNode);
  for (const inner of Object.values(node)) visit(inner, act);
}

/** The approved file that a word certainly names. */
function fileNamed({ text }: WordNode, whole: string, place: TextPlace, hasMoved: boolean): string | undefined {
  const { root, folder, script, copies } = place;
  const plain = text.replaceAll(/["']/g, "");
  if (/[*?[\]\\]/.test(plain.replaceAll(/\$\{[^}]*\}|\$\([^)]*\)/g, ""))) return undefined;
  const start = /^(?:\$\w+|\$\{[^{}]*\}|\$\(.*\))/s.exec(plain)?.[0] ?? "";
  const rest = plain.slice(start.length);
  if (/[$`\s]/.test(rest) || rest === "") return undefined;
  if (start === "") {
    const exact = resolve(folder, rest);
    if (!hasMoved || rest.startsWith("/")) return copies.has(exact) ? exact : undefined;
    return only(copies, `/${normalize(rest).replace(/^(?:\.\.\/)+/, "")}`);
  }
  if (!rest.startsWith("/")) return undefined;
  const name = /^\$\{?(\w+)\}?$/.exec(start)?.[1] ?? "";
  if (ROOT_VARIABLES.includes(name)) return known(copies, join(root, rest));
  if (name === "PWD") return hasMoved ? undefined : known(copies, join(folder, rest));
  if (script === undefined) return undefined;
  if (OWN_FOLDER.test(start)) return known(copies, join(dirname(script), rest));
  const isOwn = name === "" ? OWN_PLACE.test(start) : assigned(whole, name).some((value) => OWN_PLACE.test(value));
  return isOwn ? only(copies, normalize(rest)) : undefined;
}

/** The values that are assigned to a variable, also through other variables. */
function assigned(text: string, name: string, depth = 0): string[] {
  const values = [...text.matchAll(new RegExp(`(?:^|[\\s;&(])${name}=(.*)`, "g"))].map(([, value = ""]) => value);
  if (depth > 3) return values;
  const others = values.flatMap((value) => [...value.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, other = ""]) => other));
  return [...values, ...others.filter((other) => other !== name).flatMap((other) => assigned(text, other, depth + 1))];
}

function known(copies: TextPlace["copies"], path: string): string | undefined {
  return copies.has(path) ? path : undefined;
}

/** The file whose path has this ending, if it is the only one. */
function only(copies: TextPlace["copies"], ending: string): string | undefined {
  const found = [...copies.keys()].filter((path) => path.endsWith(ending));
  return found.length === 1 ? found[0] : undefined;
}

/** How scripts name their own folder. */
const OWN_FOLDER =
  /^\$(?:\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}|\(\s*dirname\s+(?:--\s+)?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?\s*\))$/;
const OWN_PLACE = /\$\{?(?:0|BASH_SOURCE)\b/;

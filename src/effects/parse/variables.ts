import { joinPath } from "../paths.ts";
import { namesSecretFile } from "../programs/secret-files.ts";
import { LIMITS } from "./limits.ts";
import { isAbsent, owned, type Shell, type Variable } from "./shell-state.ts";
import { guess, textValue, UNKNOWN, type Value } from "./value.ts";

/** What is known of a variable: its value, that it has none, or nothing, because it may come from outside. */
export type Lookup =
  | { readonly is: "set"; readonly value: Value }
  | { readonly is: "unset" }
  | { readonly is: "foreign" };

/** Looks up `$name`, a positional parameter or one of the shell's own. */
export function lookUp(shell: Shell, name: string): Lookup {
  if (name === "PWD") return { is: "set", value: wholeFolder(shell, shell.folder) };
  const variable = shell.variables.get(target(shell, name));
  if (variable !== undefined && !isAbsent(variable)) {
    const value = variable.value ?? variable.list?.get("0");
    return value === undefined ? { is: "unset" } : { is: "set", value };
  }
  if (/^[1-9]\d*$/.test(name)) {
    if (shell.positional === undefined) return { is: "foreign" };
    const value = shell.positional[Number(name) - 1];
    if (value !== undefined) return { is: "set", value };
    return shell.positional.every(({ isSure }) => isSure) ? { is: "unset" } : { is: "foreign" };
  }
  const own = OWN[name];
  if (own !== undefined) return { is: "set", value: own(shell) };
  // Where keys lie is only known to the run, and that they lie there is known before.
  return namesSecretFile(name) ? { is: "set", value: guess(`$${name}`) } : { is: "foreign" };
}

/** What the shell itself sets. */
const OWN: Readonly<Record<string, (shell: Shell) => Value>> = {
  __proto__: null as never,
  IFS: () => textValue(" \t\n"),
  "#": ({ positional }) => (positional?.every(({ isSure }) => isSure) ? textValue(String(positional.length)) : UNKNOWN),
  HOME: () => guess("~"),
  SHELL: () => guess("/bin/bash"),
  OLDPWD: (shell) => wholeFolder(shell, shell.previousFolder),
  "?": () => UNKNOWN,
  $: () => UNKNOWN,
  "!": () => UNKNOWN,
  "-": () => UNKNOWN,
  "0": () => UNKNOWN,
  _: () => UNKNOWN,
  RANDOM: () => UNKNOWN,
};

/** A folder of this shell as its name is printed: from the root, if it is known in which folder the line starts. */
function wholeFolder({ variables }: Shell, folder: string): Value {
  const start = variables.get("PWD")?.value?.text;
  if (start === undefined || folder.startsWith(UNKNOWN.text)) return guess(folder);
  return textValue(joinPath(start, folder));
}

/** All elements of a list, in the order of their indexes; undefined if it is known only at run time. */
export function elementsOf(shell: Shell, name: string): readonly (readonly [key: string, value: Value])[] | undefined {
  const variable = shell.variables.get(target(shell, name));
  if (variable === undefined) return undefined;
  if (variable.list === undefined) return variable.value === undefined ? [] : [["0", variable.value]];
  const entries = [...variable.list].map(
    ([key, value]) => [key, variable.isOpen && !value.isPattern ? guess(value.text) : value] as const,
  );
  return entries.every(([key]) => /^\d+$/.test(key)) ? entries.sort(([a], [b]) => Number(a) - Number(b)) : entries;
}

/** The separators that words are split at; undefined for the usual ones. */
export function separators(shell: Shell): Value | undefined {
  return shell.variables.get("IFS")?.value;
}

/** Sets a variable, or one element of a list. */
export function assign(
  shell: Shell,
  name: string,
  value: Value,
  how: { index?: string; isAppended?: boolean } = {},
): void {
  const key = target(shell, name);
  const before = shell.variables.get(key);
  const old = how.index === undefined ? before?.value : elementOf(before, how.index);
  const isForeign = before === undefined;
  const text = how.isAppended ? (old?.text ?? (isForeign ? UNKNOWN.text : "")) + value.text : value.text;
  const isSure = value.isSure && (!how.isAppended || (old?.isSure ?? !isForeign)) && before?.isInteger !== true;
  const isPattern = value.isPattern === true && text === value.text;
  const now = text.length > LIMITS.value ? UNKNOWN : isPattern ? { ...value, text, isSure: false } : { text, isSure };
  const isExported = before?.isExported ?? false;
  if (how.index === undefined && before?.list === undefined)
    owned(shell).variables.set(key, {
      ...(before?.isInteger && { isInteger: true }),
      value: now,
      list: undefined,
      isExported,
    });
  else {
    const list = new Map(before?.list ?? (before?.value ? [["0", before.value]] : []));
    list.set(how.index ?? "0", now);
    owned(shell).variables.set(key, {
      value: list.get("0"),
      list,
      isExported,
      ...(before?.isOpen && { isOpen: true }),
    });
  }
}

/** Sets a whole list, or adds to one. */
export function assignList(
  shell: Shell,
  name: string,
  elements: readonly (readonly [key: string | undefined, value: Value])[],
  isAppended = false,
): void {
  const key = target(shell, name);
  const before = isAppended ? shell.variables.get(key) : undefined;
  const list = new Map(before?.list ?? (before?.value ? [["0", before.value]] : []));
  let next = Math.max(-1, ...[...list.keys()].map(Number).filter(Number.isInteger)) + 1;
  for (const [index, value] of elements) {
    list.set(index ?? String(next), value);
    next = Number(index ?? next) + 1;
  }
  if (list.size > LIMITS.elements) {
    owned(shell).variables.set(key, { value: UNKNOWN, list: undefined, isExported: false });
    return;
  }
  const isOpen =
    before?.isOpen === true || elements.some(([index, { text }]) => index === undefined && text.includes(UNKNOWN.text));
  owned(shell).variables.set(key, { value: list.get("0"), list, isExported: false, ...(isOpen && { isOpen }) });
}

/** Marks a variable: exported, a number, or another name for one. */
export function mark(
  shell: Shell,
  name: string,
  marks: Partial<Pick<Variable, "isExported" | "isInteger" | "refersTo">>,
): void {
  const before = shell.variables.get(name);
  if (before !== undefined) owned(shell).variables.set(name, { ...before, ...marks });
  else if (marks.refersTo !== undefined || marks.isInteger)
    owned(shell).variables.set(name, { value: undefined, list: undefined, isExported: false, ...marks });
}

/** Takes a variable, or one element of it, away. */
export function unset(shell: Shell, name: string): void {
  owned(shell).variables.set(name, { value: undefined, list: undefined, isExported: false });
}

/** The name that a reference refers to. */
export function target(shell: Shell, name: string): string {
  let now = name;
  for (let turn = 0; turn < 8; turn++) {
    const next = shell.variables.get(now)?.refersTo;
    if (next === undefined) return now;
    now = next;
  }
  return now;
}

function elementOf(variable: Variable | undefined, index: string): Value | undefined {
  return variable?.list?.get(index) ?? (index === "0" ? variable?.value : undefined);
}

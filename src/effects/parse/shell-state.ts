import type { Function as FunctionNode } from "unbash";
import { GAP, type Input, type Lookups } from "./command.ts";
import { type Field, guess, UNKNOWN, type Value } from "./value.ts";

/** A variable of the shell: one value, or a list of them by index or key. */
export interface Variable {
  readonly value: Value | undefined;
  readonly list: ReadonlyMap<string, Value> | undefined;
  readonly isExported: boolean;
  readonly isInteger?: boolean;
  /** A list that may have more or fewer elements. */
  readonly isOpen?: boolean;
  /** `declare -n`: the variable that is meant. */
  readonly refersTo?: string | undefined;
}

/** What a file holds that the line itself wrote: a text, or a program under another name. */
export type FileContent =
  /** `of` are the commands that print it, where it is the path of `<(…)`. */
  | { readonly text: string; readonly of?: readonly number[]; readonly listed?: readonly Field[] | undefined }
  | { readonly program: string }
  /** A copy of a file that was on the disk before the line ran, as seen from where the line starts. */
  | { readonly copyOf: string };

/** What a command reads from: a text with a position in it that advances, and how it is reported. */
export interface Stdin {
  readonly text: string;
  at: number;
  readonly input: Input;
  /** The file that it comes from by way of `cat`. */
  readonly path?: string | undefined;
  /** The files whose names it holds, as patterns. */
  readonly listed?: readonly Field[] | undefined;
}

/** Where a descriptor leads. */
export interface Opened {
  readonly path?: string;
  /** What is read from it, where that is not the file as it is then. */
  readonly stdin?: Stdin | undefined;
  /** For the standard input, which `exec < file` changes: the one that is changed. */
  readonly instead?: Stdin;
}

/** A function, with the text that its nodes point into. */
export interface ShellFunction {
  readonly body: FunctionNode["body"];
  readonly text: string;
}

/** What a shell remembers while it runs a script. */
export interface Shell {
  variables: Map<string, Variable>;
  functions: Map<string, ShellFunction>;
  aliases: Map<string, string>;
  /** `$1` and on; undefined if it is known only at run time. */
  positional: readonly Value[] | undefined;
  folder: string;
  previousFolder: string;
  /** Shared with subshells: there is one disk. */
  readonly files: Map<string, FileContent>;
  descriptors: Map<number, Opened>;
  /** Variables that the function at work has declared as its own, with what they were before; nothing outside of one. */
  locals?: Map<string, Variable | undefined> | undefined;
  /** Texts that run when the shell ends. */
  traps: string[];
  /** The maps above belong to this shell alone, and may be changed; see `owned`. */
  isOwner: boolean;
  /** `exit`, `return`, `break` and `continue` leave the loop, function or shell around them. */
  hasLeft: boolean;
  /** The states that a choice may have left instead of this one, if they differ. */
  otherwise: readonly Shell[];
}

/** A shell at the start of a line. */
export function newShell({ variables = {}, inherited = {} }: Pick<Lookups, "variables" | "inherited"> = {}): Shell {
  const known = new Map<string, Variable>();
  for (const name in inherited) known.set(name, new Inherited(inherited[name]));
  for (const name in variables)
    known.set(name, { value: { text: variables[name] ?? "", isSure: true }, list: undefined, isExported: true });
  return {
    variables: known,
    functions: new Map(),
    aliases: new Map(),
    positional: [],
    folder: ".",
    previousFolder: GAP,
    files: new Map(),
    descriptors: new Map(),
    locals: undefined,
    traps: [],
    isOwner: true,
    hasLeft: false,
    otherwise: NOT_OTHERWISE,
  };
}

/** A variable from the shell's own environment, which is slow to ask: it is asked when the line uses the variable. */
class Inherited implements Variable {
  readonly list = undefined;
  readonly isExported = true;
  readonly #read: (() => string | undefined) | undefined;
  #value: Value | undefined;

  constructor(read: (() => string | undefined) | undefined) {
    this.#read = read;
  }

  get value(): Value | undefined {
    const text = this.#value === undefined ? this.#read?.() : undefined;
    if (text !== undefined) this.#value = { text, isSure: true };
    return this.#value;
  }
}

/** Whether a variable would come from the environment, and is not there. */
export function isAbsent(variable: Variable): boolean {
  return variable instanceof Inherited && variable.value === undefined;
}

/** A subshell, or a branch that may not be taken; nothing is copied before one of the two changes. */
export function copyShell(shell: Shell): Shell {
  shell.isOwner = false;
  // Written out, which is much faster than spreading.
  return {
    variables: shell.variables,
    functions: shell.functions,
    aliases: shell.aliases,
    positional: shell.positional,
    folder: shell.folder,
    previousFolder: shell.previousFolder,
    files: shell.files,
    descriptors: shell.descriptors,
    locals: shell.locals,
    traps: [],
    isOwner: false,
    hasLeft: false,
    otherwise: NOT_OTHERWISE,
  };
}

const NOT_OTHERWISE: readonly Shell[] = [];

/** Whether a branch has left everything as it was but the folder. */
export function hasSameState(shell: Shell, branch: Shell): boolean {
  return (
    branch.variables === shell.variables &&
    branch.functions === shell.functions &&
    branch.positional === shell.positional &&
    branch.traps.length === 0
  );
}

/** The shell, with maps that may be changed without another shell seeing it. */
export function owned(shell: Shell): Shell {
  if (shell.isOwner) return shell;
  shell.variables = new Map(shell.variables);
  shell.functions = new Map(shell.functions);
  shell.aliases = new Map(shell.aliases);
  shell.descriptors = new Map(shell.descriptors);
  shell.isOwner = true;
  return shell;
}

/** After a choice that only the run makes: what all branches agree on stays known. */
export function joinBranches(shell: Shell, branches: readonly Shell[]): void {
  const staying = branches.filter(({ hasLeft }) => !hasLeft);
  const [first, ...others] = staying.length > 0 ? staying : branches;
  if (first === undefined) return;
  shell.folder = others.every(({ folder }) => folder === first.folder) ? first.folder : GAP;
  shell.positional = joinedPositional(staying.length > 0 ? staying : branches);
  if (shell.positional === undefined && staying.length > 1) shell.otherwise = staying;
  shell.hasLeft ||= branches.every(({ hasLeft }) => hasLeft);
  for (const { traps } of branches) shell.traps.push(...traps);
  if (branches.every(({ variables }) => variables === shell.variables)) return;
  const { variables, functions, aliases, descriptors } = owned(shell);
  let isTorn = false;
  for (const name of new Set(staying.flatMap((branch) => [...branch.variables.keys()]))) {
    const one = first.variables.get(name);
    const isSame = others.every((branch) => isEqual(branch.variables.get(name), one));
    const likely = isSame
      ? one
      : likelyOf(
          staying.flatMap((branch) => branch.variables.get(name) ?? []),
          staying,
        );
    if (likely !== undefined) variables.set(name, likely);
    else {
      variables.set(name, { value: UNKNOWN, list: undefined, isExported: one?.isExported ?? false });
      isTorn = true;
    }
  }
  if (isTorn) shell.otherwise = staying;
  for (const branch of branches) {
    for (const [name, body] of branch.functions) functions.set(name, body);
    for (const [name, text] of branch.aliases) aliases.set(name, text);
    for (const [descriptor, opened] of branch.descriptors) descriptors.set(descriptor, opened);
  }
}

/** Where some branches set a variable and others do not, the line relies on that value if it uses it. */
function likelyOf([one, ...others]: readonly Variable[], branches: readonly Shell[]): Variable | undefined {
  if (one === undefined || others.length + 1 === branches.length || !others.every((other) => isEqual(other, one)))
    return undefined;
  const list = one.list && new Map([...one.list].map(([key, { text }]) => [key, guess(text)]));
  return { ...one, value: one.value && guess(one.value.text), list };
}

function joinedPositional(branches: readonly Shell[]): Shell["positional"] {
  const [first, ...others] = new Set(branches.map(({ positional }) => positional));
  if (others.length === 0) return first;
  const filled = [first, ...others].filter((positional) => positional === undefined || positional.length > 0);
  return filled.length === 1 ? filled[0]?.map(({ text }) => guess(text)) : undefined;
}

function isEqual(one: Variable | undefined, other: Variable | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined || one.list !== other.list) return false;
  return one.value?.text === other.value?.text && one.value?.isSure === other.value?.isSure;
}

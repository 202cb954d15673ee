import { GAP, type Word } from "../parse/command.ts";
import { fieldOf } from "../parse/value.ts";
import { known, values } from "./call.ts";
import { type Options, readOptions } from "./options.ts";
import type { Inner, Invocation, Language, LoadedValue, Loading } from "./program.ts";
import { moduleFiles, splitWords } from "./runs.ts";

function loading(language: Language, options: string, ...holds: readonly [LoadedValue, string][]): Loading {
  const byName = holds.flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const));
  return { language, options, holds: Object.fromEntries(byName) };
}

const NPM =
  "script-shell= config.script-shell= shell= editor= init-module= onload-script= node-options= userconfig= globalconfig= use-yarnrc= prefix= C= dir= cwd=";

/** The table of options that load code. Rows of programs, variables and approvals use it. */
export const LOADING = {
  node: loading(
    "javascript",
    "require|r= import= loader|experimental-loader= test-reporter= env-file= env-file-if-exists=",
    ["module", "require import loader test-reporter preload"],
    ["variables", "env-file env-file-if-exists"],
  ),
  /** Runners of tests, builders and checkers of JavaScript. */
  tool: loading(
    "javascript",
    "require|r= file= config|c= import= loader= preload= setupFiles= setupFilesAfterEnv= globalSetup= globalTeardown= environment|env= testEnvironment= reporter|R= reporters= transform= resolver= runner= testRunner= plugin|p= resolve-plugins-relative-to= rulesdir= node-arg= node-option= configLoader= root=",
    [
      "module",
      "require file config import loader preload setupFiles setupFilesAfterEnv globalSetup globalTeardown environment testEnvironment reporter reporters transform resolver runner testRunner plugin",
    ],
    ["node options", "node-arg node-option"],
  ),
  python: loading("python", "module|m= p=", ["module", "p"]),
  perl: loading("perl", "I= M= m=", ["module", "M m"], ["folder", "I"]),
  ruby: loading("ruby", "r|require= I=", ["module", "r"], ["folder", "I"]),
  awk: loading("awk", "load|l= include|i=", ["module", "load include"]),
  lua: loading("lua", "l=", ["module", "l"]),
  julia: loading("julia", "load|L=", ["module", "load"]),
  elixir: loading("ruby", "require|r=", ["module", "require"]),
  php: loading("php", "define|d=", ["setting", "define"]),
  make: loading("make", "file|f|makefile= eval|E=", ["module", "file"], ["code", "eval"]),
  npm: loading(
    "javascript",
    NPM,
    ["line", "script-shell config.script-shell shell editor"],
    ["module", "init-module onload-script"],
    ["node options", "node-options"],
    ["package settings", "userconfig globalconfig use-yarnrc"],
  ),
  tar: loading(
    "other",
    "to-command= checkpoint? checkpoint-action= use-compress-program|I= rsh-command= rmt-command= info-script|F= new-volume-script=",
    ["line", "to-command use-compress-program info-script new-volume-script rsh-command rmt-command"],
    ["exec line", "checkpoint-action"],
  ),
  zip: loading("other", "unzip-command= TT=", ["line", "unzip-command TT"]),
} as const satisfies Readonly<Record<string, Loading>>;

/** What is known about a run. */
type Surroundings = Pick<Invocation, "name" | "file" | "assignments">;

/** What a run loads or runs because of its options, besides its main script. */
export function loadedBy({ holds, language }: Loading, options: Options, run: Surroundings): Inner[] {
  if (options.given.size === 0) return [];
  const found: Inner[] = [];
  for (const name of options.given.keys()) {
    const kind = Object.hasOwn(holds, name) ? holds[name] : undefined;
    if (kind === undefined) continue;
    for (const word of values(options, name))
      if (!(name.includes("reporter") && OWN_REPORTERS.has(word.text)))
        found.push(...heldIn(word, kind, language, options, run));
  }
  return found;
}

/** The runners of tests have these reporters themselves: no file of such a name is loaded. */
const OWN_REPORTERS: ReadonlySet<string> = new Set(["dot", "json"]);

/** The names of files and modules that options load, as they are written. */
export function namesLoadedBy({ holds }: Loading, options: Options): string[] {
  return Object.entries(holds).flatMap(([name, kind]) =>
    values(options, name).flatMap(({ text }) => {
      if (kind === "setting") return AUTO_LOADED.exec(text)?.[1] ?? [];
      return kind === "module" || kind === "variables" ? [text] : [];
    }),
  );
}

const AUTO_LOADED = /^\s*auto_(?:prepend|append)_file\s*=\s*(.+)$/;

/** The same for a text that contains options, such as `NODE_OPTIONS`. */
export function loadedByText(row: Loading, text: Word, run: Surroundings): Inner[] {
  const style = row.language === "javascript" || row.language === "other" ? "anywhere" : "first";
  return loadedBy(row, readOptions(splitWords(text), row.options, style), run);
}

function heldIn(word: Word, kind: LoadedValue, language: Language, options: Options, run: Surroundings): Inner[] {
  const via = run.name;
  switch (kind) {
    case "line":
      return [{ runs: "shell", text: word, via }];
    case "exec line": {
      const [, line] = /^exec=([\s\S]+)$/.exec(word.text) ?? [];
      return line === undefined ? [] : [{ runs: "shell", text: { ...word, text: line }, via }];
    }
    case "code":
      return [{ runs: "code", language, text: word, via }];
    case "setting": {
      const [, path] = AUTO_LOADED.exec(word.text) ?? [];
      return path === undefined ? [] : [{ runs: "file", path: { ...word, text: path }, language, via }];
    }
    case "module":
      return moduleFrom(word, language, values(options, "I"), run);
    case "folder":
      return [];
    case "variables": {
      const text = run.file(word) ?? "";
      const held = [...text.matchAll(/^\s*NODE_OPTIONS\s*=\s*["']?(.*?)["']?\s*$/gm)];
      return held.flatMap(([, inside = ""]) => loadedByText(LOADING.node, fieldOf(inside), run));
    }
    case "package settings":
      return loadedBySettings(word.text, undefined, run);
    case "node options":
      return loadedByText(LOADING.node, word, run);
  }
}

/** A module as an existing file; a module that is named by a path and cannot be read is a doubt. */
function moduleFrom(word: Word, language: Language, folders: readonly Word[], run: Surroundings): Inner[] {
  const via = run.name;
  const [, code] = /^data:text\/javascript(?:;[^,]*)?,([\s\S]*)$/.exec(word.text) ?? [];
  if (code !== undefined) return [{ runs: "code", language, text: fieldOf(unescaped(code)), via }];
  if (/^https?:|\.(?:json|jsonc|ya?ml|toml|ini|cfg)$/.test(word.text)) return [];
  const text = word.text.replace(/^file:\/\//, "");
  const searched = [...folders.map((folder) => folder.text), ...pathsIn(run.assignments[SEARCHED[language] ?? ""])];
  const found = moduleFiles(text, language, searched).find((path) => run.file(known(path)) !== undefined);
  if (found !== undefined) return [{ runs: "file", path: known(found), language, via }];
  return /^(?:\.{0,2}\/|~)/.test(text) ? [{ runs: "file", path: { ...word, text }, language, via }] : [];
}

/** The folders in a variable such as PYTHONPATH. */
export function pathsIn(value: Word | undefined): readonly string[] {
  return value === undefined ? [] : value.text.split(":").filter((path) => path !== "" && !path.includes(GAP));
}

/** What the settings of a package manager in a file make it run: the shell of its scripts, options of node. */
export function loadedBySettings(path: string, folder: Word | undefined, run: Surroundings): Inner[] {
  const text = run.file(known(path));
  if (text === undefined || !/shell|node-options/.test(text)) return [];
  return settingsIn(text).flatMap(([name, held]): Inner[] => {
    if (name === "node-options") return loadedByText(LOADING.node, fieldOf(held), run);
    const words = [fieldOf("sh"), fieldOf("-c"), fieldOf(held)];
    return [{ runs: "words", words, via: run.name, isProgram: true, ...(folder && { folder }) }];
  });
}

function settingsIn(text: string): (readonly [name: string, value: string])[] {
  return [...text.matchAll(/^\s*(script-shell|shell|node-options)\s*[=: ]\s*["']?(.*?)["']?\s*$/gm)].map(
    ([, name = "", held = ""]) => [name, held] as const,
  );
}

/** What a package manager runs because of its options, and of the settings of the project and the user. */
export function loadedByPackages(run: Invocation): Inner[] {
  const dashes = run.args.findIndex(({ text }) => text === "--");
  const options = readOptions(dashes < 0 ? run.args : run.args.slice(0, dashes), NPM);
  const folder = values(options, "prefix", "C", "dir", "cwd").at(-1);
  const own = folder === undefined ? ".npmrc" : `${folder.text}/.npmrc`;
  return [
    ...loadedBy(LOADING.npm, options, run),
    ...loadedBySettings(own, folder, run),
    ...loadedBySettings("~/.npmrc", undefined, run),
  ];
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Settings of package managers that name a program or code, in the file of the settings: approvals look there too. */
export const PACKAGE_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  ".npmrc": ["script-shell", "node-options"],
  ".yarnrc": ["yarn-path"],
  ".yarnrc.yml": ["yarnPath"],
  "bunfig.toml": ["shell", "preload"],
  "pnpm-workspace.yaml": ["scriptShell", "nodeOptions"],
};

/** Variables with folders in which modules are found first. */
const SEARCHED: Readonly<Partial<Record<Language, string>>> = {
  python: "PYTHONPATH",
  perl: "PERL5LIB",
  ruby: "RUBYLIB",
};

/** Whether code contains calls that run a text as a command line, or another file as code. */
export function runsTexts(code: string): boolean {
  return RUNS_TEXTS.test(code);
}

const RUNS_TEXTS =
  /\b(?:system|exec|eval|spawn|popen|subprocess|source|source-file|run_path|do|getline|shell)\b|`|\.read\b/;

import { readCode } from "../../code/read-code.ts";
import { folderGoneTo } from "../../paths.ts";
import { languageOfEnding } from "../../programs/index.ts";
import type { Inner, Language } from "../../programs/program.ts";
import { programNamed } from "../../programs/program-name.ts";
import { lineOver, moduleFiles } from "../../programs/runs.ts";
import { GAP, type Word } from "../command.ts";
import { LIMITS } from "../limits.ts";
import { copyShell, owned, type Shell } from "../shell-state.ts";
import { type Field, guess, valueFrom } from "../value.ts";
import { readableFile, storedFile } from "./files.ts";
import { type Frame, framed, NO_INPUT, type Outcome, type Reader, reportParameters } from "./reader.ts";
import { writeFile } from "./redirect.ts";
import { runOnce } from "./repeated-scripts.ts";

const UNKNOWN_OUTCOME: Outcome = { stdout: GAP, ends: "unknown" };

/** Runs what a program runs. */
export function runInner(inner: Inner, frame: Frame, reader: Reader, source: string): Outcome {
  if (inner.runs === "doubt") {
    reader.doubt(inner.why, inner.what);
    return UNKNOWN_OUTCOME;
  }
  if (frame.depth >= LIMITS.depth || !reader.step()) {
    reader.doubt("too deep", source);
    return UNKNOWN_OUTCOME;
  }
  const via = inner.via === "" ? frame.via : [...frame.via, inner.via];
  const below: Frame = { ...frame, via, depth: frame.depth + 1 };
  switch (inner.runs) {
    case "words": {
      const { words, assignments, isProgram } = inner;
      const stdin = inner.hasNoInput ? EMPTY_INPUT() : frame.stdin;
      const inside = framed(below, shellFor(inner, frame.shell), stdin);
      return reader.runWords(words, inside, { source, assignments, isProgram });
    }
    case "shell":
      reportParameters(inner.args ?? [], source, frame, reader);
      return runShellText(inner.text, inner, below, reader);
    case "file":
      return runOnce(inner, frame, reader, () => runFile(inner, below, reader));
    case "input":
      return runInput(inner, below, reader);
    case "code":
      return runCode(inner.text, inner.language, below, reader, inner.isPerLine);
    case "write": {
      const outcome = reader.runWords([], below, {
        // As a bare `> file` does.
        source: inner.isEmptied ? `> ${inner.path.text}` : source,
        redirects: [{ way: inner.way, target: inner.path }],
      });
      if (inner.text !== undefined) writeFile(frame.shell, inner.path.text, inner.text, inner.way === "append");
      return outcome;
    }
  }
}

function runFile(inner: Extract<Inner, { runs: "file" }>, frame: Frame, reader: Reader): Outcome {
  const text = readableFile(inner.path, frame, reader);
  if (text === undefined || text === GAP) {
    reader.doubt(text === undefined ? "unread script" : "unknown code", inner.path.text);
    return UNKNOWN_OUTCOME;
  }
  const stored = storedFile(inner.path, frame);
  const script = stored ?? frame.script;
  const language = languageOf(text, inner);
  if (stored !== undefined && language !== undefined) reader.scripts.push({ path: stored, text });
  return runText(text, { ...inner, zero: inner.path }, language, { ...frame, script }, reader);
}

/** The shell as a program sees it that is started elsewhere or with variables of its own. */
function shellFor({ folder, assignments }: Extract<Inner, { runs: "words" }>, shell: Shell): Shell {
  if (folder === undefined && assignments === undefined) return shell;
  const own = owned(copyShell(shell));
  if (folder !== undefined) own.folder = folderGoneTo(shell.folder, folder.text);
  for (const name in assignments) {
    const value = assignments[name];
    if (value !== undefined) own.variables.set(name, { value: valueFrom(value), list: undefined, isExported: true });
  }
  return own;
}

const EMPTY_INPUT = () => ({ text: "", at: 0, input: NO_INPUT });

type Asked = {
  readonly args?: readonly Field[];
  readonly isHere?: boolean;
  readonly language?: Language;
  readonly zero?: Field | undefined;
};

function runText(text: string, asked: Asked, language: Language | undefined, frame: Frame, reader: Reader): Outcome {
  const word = { text, isKnown: !text.includes(GAP), isGlob: false };
  return language === undefined ? runShellText(word, asked, frame, reader) : runCode(word, language, frame, reader);
}

function runShellText(text: Word, { args, zero, isHere }: Asked, frame: Frame, reader: Reader): Outcome {
  if (text.text.replaceAll(GAP, "").trim() === "" && text.text.includes(GAP)) {
    reader.doubt("unknown code", frame.via.at(-1) ?? "eval");
    return UNKNOWN_OUTCOME;
  }
  if (isHere) {
    const { positional } = frame.shell;
    if (args !== undefined && args.length > 0) frame.shell.positional = args.map(valueFrom);
    const outcome = reader.runText(text.text, frame);
    if (args !== undefined && args.length > 0) frame.shell.positional = positional;
    return outcome;
  }
  return reader.runText(text.text, { ...frame, shell: childShell(frame.shell, args ?? [], zero) });
}

/** A new process: it sees what was exported, and perhaps the rest. */
function childShell(shell: Shell, args: readonly Field[], zero: Field | undefined): Shell {
  const child = owned(copyShell(shell));
  for (const [name, variable] of child.variables)
    if (!variable.isExported && variable.value !== undefined && name !== "IFS")
      child.variables.set(name, { ...variable, value: guess(variable.value.text) });
  child.variables.delete("IFS");
  if (zero !== undefined)
    for (const name of ["0", "BASH_SOURCE"])
      child.variables.set(name, { value: valueFrom(zero), list: undefined, isExported: false });
  child.aliases = new Map();
  child.positional = args.map(valueFrom);
  return child;
}

function runInput(asked: Asked & { readonly via: string }, frame: Frame, reader: Reader): Outcome {
  const { stdin } = frame;
  if (stdin.input.from === "nothing" && stdin.text === "") return UNKNOWN_OUTCOME;
  let text: string | undefined = stdin.text.slice(stdin.at);
  stdin.at = stdin.text.length;
  const path = stdin.input.from === "file" ? stdin.input.path.text : stdin.path;
  if (text.includes(GAP) && path !== undefined)
    text = readableFile({ text: path, isKnown: true, isGlob: false }, frame, reader) ?? text;
  if (text.replaceAll(GAP, "").trim() === "" && text.includes(GAP)) {
    reader.doubt(path === undefined ? "unknown code" : "unread script", path ?? asked.via);
    return UNKNOWN_OUTCOME;
  }
  const inside = { ...frame, stdin: EMPTY_INPUT() };
  if (asked.language === undefined && stdin.listed !== undefined && text.includes(GAP))
    return runOverListed(text, stdin.listed, inside, reader);
  return runText(text, asked, asked.language, inside, reader);
}

/** Lines that were made of the names of files: what is known only at run time in them are those files. */
function runOverListed(text: string, listed: readonly Field[], frame: Frame, reader: Reader): Outcome {
  for (const item of listed.slice(0, LIMITS.turns)) runInner(lineOver(item, text, ""), frame, reader, text);
  return UNKNOWN_OUTCOME;
}

function runCode(text: Word, language: Language, frame: Frame, reader: Reader, isPerLine = false): Outcome {
  reader.spent.parsed += text.text.length;
  if (text.text.replaceAll(GAP, "").trim() === "" || reader.spent.parsed > LIMITS.parsed) {
    reader.doubt("unknown code", frame.via.at(-1) ?? language);
    return UNKNOWN_OUTCOME;
  }
  const tools = {
    input: () => frame.stdin.text,
    module: (path: string) => readableFile({ text: path, isKnown: true, isGlob: false }, frame, reader),
    pythonPath: frame.shell.variables.get("PYTHONPATH")?.value?.text,
    listed: frame.stdin.listed,
    isPerLine,
  };
  for (const path of frame.script === undefined ? filesLoadedBy(text.text, language, frame, reader) : [])
    runInner({ runs: "file", path, language, via: "" }, frame, reader, text.text.slice(0, 200));
  for (const inner of readCode(language, text.text, tools)) {
    const source = frame.script === undefined ? undefined : text.text.split("\n")[(inner.line ?? 0) - 1]?.trim();
    if (inner.runs === "shell" && tools.listed !== undefined && inner.text.text.includes(GAP))
      runOverListed(inner.text.text, tools.listed, frame, reader);
    else runInner(inner, frame, reader, (source || text.text).slice(0, 200));
  }
  return UNKNOWN_OUTCOME;
}

/**
 * Files that code on the command line loads or runs: `runpy.run_path("a.py")`, `require("./a")`, `import a`. Of code in a file
 * that would be all of its modules, most of which only define something.
 */
function filesLoadedBy(code: string, language: Language, frame: Frame, reader: Reader): Word[] {
  if (!LOADS.test(code)) return [];
  const quoted = [...code.matchAll(/(["'`])((?:\.|(?!\1)[^\\\n]){1,200})\1/g)].map(([, , text = ""]) => text);
  const named = [...code.matchAll(/\b(?:import|from|use|require)\s+([\w.:]+)/g)].map(([, name = ""]) => name);
  const found = new Map<string, Word>();
  for (const name of [...quoted, ...named].slice(0, MAX_LOADED)) {
    if (/[\s()<>|;$]/.test(name)) continue;
    const path = moduleFiles(name, language, [".", ...quoted.filter((one) => /^[\w./~-]+$/.test(one))])
      .map((text): Word => ({ text, isKnown: true, isGlob: false }))
      .find((one) => (isCodeFile(one.text, language) || RUNS_TEXT.test(code)) && readableFile(one, frame, reader));
    if (path !== undefined && !NO_CODE.test(path.text)) found.set(path.text, path);
  }
  return [...found.values()];
}

function isCodeFile(path: string, language: Language): boolean {
  const ending = /\.([a-z]+)$/.exec(path)?.[1] ?? "";
  return languageOfEnding(ending) === language || (language === "javascript" && ending === "ts");
}

/** Words by which code loads or runs files. */
const LOADS = /\b(?:import|require|use|load|do|include|exec|eval|run_path|run_module|source|dofile|spec_from_file)/;
/** Words by which it runs the text of any file. */
const RUNS_TEXT =
  /\b(?:exec|eval|run_path|runInThisContext|runInNewContext|spec_from_file|instance_eval|loadstring)\w*\s*\(/;
const NO_CODE = /\.(?:json|ya?ml|toml|md|csv|xml|html|lock|ini|env|db|log)$/;
const MAX_LOADED = 24;

function languageOf(text: string, { language, path }: { language?: Language; path: Word }): Language | undefined {
  if (language !== undefined) return language;
  const [, program] = /^#!\s*\S*?([a-z]+)[\d.]*(?:\s|$)/.exec(text.replace(/^#!\s*\S*\/env\s+(?:-S\s+)?/, "#!")) ?? [];
  if (program !== undefined) return programNamed(program)?.interpreter?.language;
  return languageOfEnding(/\.([a-z]+)$/.exec(path.text)?.[1] ?? "");
}

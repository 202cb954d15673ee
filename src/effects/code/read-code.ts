import { withOpenText } from "../output/text-tools.ts";
import { GAP } from "../parse/command.ts";
import { type Field, fieldOf } from "../parse/value.ts";
import { joinPath } from "../paths.ts";
import { actsAtService, EQUIVALENTS, serviceLibraryIn } from "../programs/equivalents.ts";
import type { Inner, Language } from "../programs/program.ts";
import { isSecretFile } from "../programs/secret-files.ts";
import { isSql, sqlActs } from "../sql/sql.ts";
import { callsIn } from "./calls.ts";
import { networkOf, packagesIn, runsDecoded, usesUpMachine } from "./code-dangers.ts";
import { effectsOf } from "./effects-of-calls.ts";
import { READS_INPUT, withGlobCalls, withListedFiles } from "./listed-files.ts";
import { type CodeCall, type Token, tokensOf, type Writing } from "./literal.ts";
import { readNamedCalls } from "./named-calls.ts";
import { readAwk, readMake, readSed, readTcl } from "./small-languages.ts";

/** What code gets from around it. */
export interface CodeSurroundings {
  readonly input: () => string;
  /** The text of a module beside it. */
  readonly module: (path: string) => string | undefined;
  readonly pythonPath: string | undefined;
  /** The files whose names come in by its input. */
  readonly listed?: readonly Field[] | undefined;
  /** It runs once for every line of its input, as with `perl -n`. */
  readonly isPerLine?: boolean;
}

/** What code runs or touches, and the line in which it does so, if that is known. */
export type CodeInner = Inner & { readonly line?: number };

/** What code in another language runs and touches, as far as it consists of literals. */
export function readCode(language: Language, code: string, around: CodeSurroundings): CodeInner[] {
  if (language === "awk") return readAwk(code);
  if (language === "sed") return readSed(code, around.input());
  if (language === "make") return readMake(code);
  if (language === "tcl") return readTcl(code);
  if (language === "other") return readNamedCalls(code);
  const listed = LOOSE.has(language) ? withLists(code) : ON_JVM.has(language) ? withPlainPaths(code) : code;
  const open = withFullNames(withOpenText(language === "perl" ? withGlobCalls(listed) : listed));
  const tokens = tokensOf(open, WRITINGS[language]);
  const { calls, commands: ticked } = callsIn(tokens, LOOSE.has(language));
  const commands = [...ticked];
  const isPrintedCode = EVALS_PRINTED().test(open);
  const removed =
    language === "perl" && REMOVES_TOPIC().test(open) ? [EQUIVALENTS.removal(["-f"], [fieldOf(GAP)])] : [];
  const folder = folderOf(calls);
  const own = calls.flatMap((call) => effectsOf(call).map((inner) => inLine(inner, open, call.at)));
  const touched = eachOnce([...own, ...removed]).map((inner) =>
    isPrintedCode ? asCode(inner) : folder === undefined ? inner : inFolder(inner, folder),
  );
  if (ON_JVM.has(language)) commands.push(...[...open.matchAll(RUN_TEXTS)].map(([, , text = ""]) => text));
  const isWritten = touched.some((inner) => inner.runs === "write" && inner.way !== "read");
  const text = isWritten ? writtenTexts(calls) : undefined;
  const named = [...namedTargets(open, tokens), ...sdkActs(open, calls)].filter(
    (one) => !touched.some((inner) => isSameInner(inner, one)),
  );
  const inners = [
    ...withListedFiles(
      WRITES().test(open) && !WRITES_NOTHING().test(open)
        ? text === undefined
          ? touched
          : touched.map((inner) => (inner.runs === "write" && inner.way !== "read" ? { ...inner, text } : inner))
        : touched.map(asEmptied),
      open,
      WRITINGS[language].filled,
      around.isPerLine || READS_INPUT.test(open) ? around.listed : undefined,
    ),
    ...networkOf(open, tokens, calls, [...touched, ...named], commands),
  ];
  for (const one of named) if (!inners.some((inner) => isSameInner(inner, one))) inners.push(one);
  for (const [, path = ""] of open.matchAll(DELETES_FOLDER)) inners.push(EQUIVALENTS.removal(["-rf"], [fieldOf(path)]));
  const [, below] = (language === "perl" && FINDS_AND_REMOVES().exec(open)) || [];
  if (below !== undefined) inners.push(EQUIVALENTS.removalBelow(below));
  inners.push(...packagesIn(code));
  if (runsDecoded(code)) inners.push(EQUIVALENTS.runDecoded());
  if (usesUpMachine(open)) inners.push(EQUIVALENTS.forks());
  // What a command prints is code: eval `curl …`.
  const isRun = EVALS_OUTPUT.test(open);
  for (const command of commands)
    inners.push(isRun ? EQUIVALENTS.runOutput(command) : { runs: "shell", text: fieldOf(command), via: "" });
  if (language === "python" && around.pythonPath !== undefined)
    inners.push(...shadowed(code, around.pythonPath, around));
  return inners;
}

function inLine(inner: Inner, code: string, at: number | undefined): CodeInner {
  return at === undefined ? inner : { ...inner, line: code.slice(0, at).split("\n").length };
}

/** The folder that code changes to, if it does so once: `os.chdir("x")`. */
function folderOf(calls: readonly CodeCall[]): string | undefined {
  const moves = calls.filter(({ name }) => /(?:^|\.|::)chdir$/.test(name));
  const [first] = moves[0]?.args ?? [];
  return moves.length === 1 && first?.is === "text" && !first.text.includes(GAP) ? first.text : undefined;
}

function inFolder(inner: Inner, folder: string): Inner {
  if (inner.runs === "words") return { ...inner, folder: fieldOf(folder) };
  if (inner.runs !== "write" || /^[/~]/.test(inner.path.text)) return inner;
  return { ...inner, path: { ...inner.path, text: joinPath(folder, inner.path.text) } };
}

/** The literal texts that calls put into a file; undefined if there are none. */
function writtenTexts(calls: readonly CodeCall[]): string | undefined {
  const texts = calls.flatMap(({ name, args, made }) => {
    const [, last = ""] = /(\w+)!?$/.exec(name) ?? [];
    const isNamed = PUTS_INTO_PATH().test(last) || (last === "write" && /^(?:File|IO)\b/.test(name));
    if (!isNamed && !PUTS.test(last)) return [];
    const written = isNamed && made.length === 0 ? args.slice(1) : args;
    return written.flatMap((argument) => (argument.is === "text" ? [argument.text] : []));
  });
  return texts.length === 0 ? undefined : `${texts.join("\n")}\n`;
}

const PUTS_INTO_PATH = () =>
  /^(?:(?:write|append|output)File(?:Sync)?|writeTextFile(?:Sync)?|file_put_contents|write_text|write_bytes|WriteFile|writeString)$/;
const PUTS = /^(?:write(?:lines|String|ln)?|print(?:f|ln)?|puts|fwrite|fputs|say)$/;

/** `new File("x").deleteDir()` of Groovy. */
const DELETES_FOLDER = /\bnew\s+File\(\s*["']([^"']{1,400})["']\s*\)\.deleteDir\(/g;

function isSameInner(one: Inner, other: Inner): boolean {
  if (one.runs === "write" && other.runs === "write") return one.way === other.way && one.path.text === other.path.text;
  return keyOf(one) === keyOf(other);
}

/** What an inner command does, wherever it is. */
function keyOf(inner: CodeInner): string {
  return JSON.stringify({ ...inner, line: undefined });
}

/** `unlink` without an argument removes what `$_` names. */
const REMOVES_TOPIC = () => /\b(?:unlink|rmdir)\s{0,9}(?:\$_\b|[;})]|$|(?:if|unless|for|foreach|or|and)\b|\|\||&&)/;

/** `eval(execSync("curl …").toString())`: what the line prints is run. */
function asCode(inner: Inner): Inner {
  return inner.runs === "shell" ? EQUIVALENTS.runOutput(inner.text.text) : inner;
}

const EVALS_PRINTED = () =>
  /\b(?:eval|exec|load|loadstring)\s{0,9}\(\s{0,9}[\w.$()'":]{0,80}?(?:execSync|getoutput|popen|shell_exec|check_output)\s{0,9}\(/;
const EVALS_OUTPUT = /\b(?:eval|instance_eval|class_eval)\s{0,9}[({]?\s{0,9}(?:`|qx\b|%x)/;

/** `%w[a b]` of Ruby and `qw(a b)` of Perl are lists of texts. */
function withLists(code: string): string {
  return code.replaceAll(/(?:%w|\bqw)\s*[[({]([\w\s./*~-]{0,400})[\])}]/g, (_, words: string) =>
    JSON.stringify(words.split(/\s+/).filter(Boolean)),
  );
}

/** `Files.delete(Paths.get("x"))`, `os.pwd / "x"`, `f.delete`: how programs for the JVM write paths and calls. */
function withPlainPaths(code: string): string {
  return code
    .replaceAll(/\b(?:java\.nio\.file|java\.io|scala\.reflect\.io|os(?=\.Path\b))\.(?=[A-Z])/g, "")
    .replaceAll(/\b(?:Paths\.get|Path\.of|Path)\(\s*("(?:[^"\\]|\\.)*")\s*\)/g, "$1")
    .replaceAll(/\bos\.(pwd|home|root)\s*\/\s*"/g, (_, place: string) => `"${{ pwd: "./", home: "~/" }[place] ?? "/"}`)
    .replaceAll(/\.(delete|deleteRecursively|deleteOnExit)\b(?!\s*\()/g, ".$1()");
}

/** `"rm x".execute()` of Groovy, `"rm x".!` of Scala. */
const RUN_TEXTS = /(["'])((?:(?!\1)[^\\]|\\.)*)\1\s*\.(?:execute\(|!)/g;

const ON_JVM: ReadonlySet<Language> = new Set<Language>(["compiled", "groovy"]);

/** `from os import system as s`, `s = os.system`: what is called by another name is called by its own again. */
function withFullNames(code: string): string {
  const imported = [...code.matchAll(/\bfrom\s+([\w.]+)\s+import\s+(\w+)\s+as\s+(\w+)/g)].map(
    ([, module, name, alias]) => [alias, `${module}.${name}`] as const,
  );
  const assigned = [
    ...code.matchAll(
      /(?:^|[;\n,]|\b(?:const|let|var)\s)[^\S\n]*(\w+)[^\S\n]*=[^\S\n]*(\w+(?:\.\w+)+)[^\S\n]*(?=[;\n,]|$)/g,
    ),
  ].map(([, alias, name]) => [alias, name] as const);
  const taken = [...code.matchAll(/\{([^{}]*)\}\s*=\s*(?:await\s+)?(?:require|import)\(/g)].flatMap(([, inside = ""]) =>
    [...inside.matchAll(/(\w+)\s*:\s*(\w+)/g)].map(([, name, alias]) => [alias, name] as const),
  );
  const renamed = [...code.matchAll(/\bimport\s*\{([^{}]*)\}\s*from\b/g)].flatMap(([, inside = ""]) =>
    [...inside.matchAll(/(\w+)\s+as\s+(\w+)/g)].map(([, name, alias]) => [alias, name] as const),
  );
  let full = code;
  for (const [alias = "", name = ""] of [...imported, ...assigned, ...taken, ...renamed].slice(0, 8))
    full = full.replaceAll(new RegExp(`(?<![\\w.])${alias}(?=\\s*\\()`, "g"), () => name);
  return full;
}

/** `find(sub { unlink }, "x")` of File::Find. */
const FINDS_AND_REMOVES = () =>
  /\bfind(?:depth)?\s{0,9}\(?\s{0,9}sub\s{0,9}\{[^}]{0,400}?\b(?:unlink|rmdir|rmtree)\b[^}]{0,400}\}\s{0,9},\s{0,9}["']([^"']{1,400})["']/;

/** A method in a chain is found by its own name and by that of the chain. */
function eachOnce(inners: readonly CodeInner[]): CodeInner[] {
  if (inners.length < 2) return [...inners];
  const found = new Map<string, CodeInner>();
  for (const inner of inners) {
    const key = keyOf(inner);
    if (!found.has(key)) found.set(key, inner);
  }
  return [...found.values()];
}

/** A file that is opened to be written, in code that writes nothing. */
function asEmptied(inner: Inner): Inner {
  return inner.runs === "write" && inner.way === "write" ? { ...inner, isEmptied: true } : inner;
}

/** `open("x", "w").write("")`: nothing is put into it. */
const WRITES_NOTHING = () => /\bopen\([^()]{1,200}\)\.write\(\s*(?:""|'')\s*\)|\.write_text\(\s*(?:""|'')\s*\)/;

/** Words by which code puts something into a file. */
const WRITES = () =>
  /write|print|puts?\b|put_|dump|save|to_\w|copy|pipe|append|output|extract|retrieve|flush|say\b|std(?:out|err)|mmap|lock|send|stream|<</i;

const SCRIPT_COMMENTS = /#[^\n]*/y;
const C_COMMENTS = /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/)){0,4000}(?:\*\/)?/y;

const WRITINGS: Readonly<Record<Exclude<Language, "awk" | "sed" | "make" | "tcl" | "other">, Writing>> = {
  python: { comments: SCRIPT_COMMENTS, filled: undefined, hasCommandTicks: false },
  javascript: { comments: C_COMMENTS, filled: undefined, hasCommandTicks: false },
  perl: { comments: /(?<![$@%&\w{])#[^\n]*/y, filled: /[$@]\w|[$@]\{/, hasCommandTicks: true },
  ruby: { comments: /#(?!\{)[^\n]*/y, filled: /#\{/, hasCommandTicks: true },
  php: {
    comments: /(?:\/\/|#)[^\n]*|\/\*(?:[^*]|\*(?!\/)){0,4000}(?:\*\/)?/y,
    filled: /\$\w|\{\$/,
    hasCommandTicks: true,
  },
  lua: { comments: /--[^\n]*/y, filled: undefined, hasCommandTicks: false },
  r: { comments: SCRIPT_COMMENTS, filled: undefined, hasCommandTicks: false },
  julia: { comments: SCRIPT_COMMENTS, filled: /\$\w|\$\(/, hasCommandTicks: true },
  compiled: { comments: C_COMMENTS, filled: undefined, hasCommandTicks: false },
  groovy: { comments: C_COMMENTS, filled: /\$\w|\$\{/, hasCommandTicks: false },
};

const LOOSE: ReadonlySet<Language> = new Set<Language>(["perl", "ruby", "php", "lua"]);

/** Modules that are found where PYTHONPATH leads instead of where they belong. */
function shadowed(code: string, path: string, { module }: CodeSurroundings): Inner[] {
  const names = [...code.matchAll(/\bimport\s+(\w+)|\bfrom\s+(\w+)/g)].map(([, one, other]) => one ?? other ?? "");
  return names.slice(0, 16).flatMap((name) =>
    path
      .split(":")
      .slice(0, 8)
      .flatMap((folder): Inner[] => {
        const text = module(`${folder || "."}/${name}.py`);
        return text === undefined
          ? []
          : [{ runs: "code", language: "python", text: fieldOf(text), via: `import ${name}` }];
      }),
  );
}

/** What code does to things that it names in its texts, by whatever call: files with keys, tables of a database, resources of a cloud. */
function namedTargets(code: string, tokens: readonly Token[]): Inner[] {
  const texts = tokens.flatMap((token) => (token.is === "text" ? [token.text] : []));
  const found: Inner[] = [];
  if (READS().test(code))
    for (const text of texts.slice(0, MAX_TEXTS))
      if (text.length < MAX_LENGTH && /[./]/.test(text) && !/\s/.test(text) && isSecretFile(text))
        found.push({ runs: "write", path: fieldOf(homeIn(text)), way: "read", via: "" });
  if (ASKS_DATABASE().test(code))
    for (const text of texts.slice(0, MAX_TEXTS))
      if (isSql(text) && sqlActs(text).length > 0) found.push(EQUIVALENTS.sql(text, LOCAL.test(code)));
  if (CLOUD.test(code) && REMOVES().test(code)) found.push(EQUIVALENTS.cloudRemoval());
  if (KILLS_ALL().test(code)) found.push(EQUIVALENTS.killAll());
  return found;
}

/** What calls of the library of a service do there, reported as a program of that service with the same words: `stripe refund create`. */
function sdkActs(code: string, calls: readonly CodeCall[]): Inner[] {
  const service = serviceLibraryIn(code);
  if (service === undefined) return [];
  const isPublic = /private\s*=\s*False|public["']?\s*[=:]\s*[Tt]rue/.test(code);
  const given = [...(isPublic ? ["--public"] : []), ...(/test/i.test(code) ? [] : ["--live"])];
  return calls.slice(0, MAX_TEXTS).flatMap(({ name }) => {
    const words = name
      .replaceAll("()", "")
      .split(/\.|::|->|(?<=[a-z])(?=[A-Z])|_/)
      .slice(-3);
    return words.some(actsAtService) ? [EQUIVALENTS.sdk(service, words, given)] : [];
  });
}

/** What follows the home of a user, put together at run time. */
function homeIn(path: string): string {
  return path.startsWith("/.") ? `~${path}` : path;
}

const MAX_TEXTS = 64;
const MAX_LENGTH = 400;
const READS = () =>
  /\b(?:open|read\w*|load\w*|slurp|lines|file_get_contents|readfile|fopen|file|require|File|Path|glob|IO|cat|parse\w*)\b/;
const ASKS_DATABASE = () =>
  /\.(?:execute\w*|query\w*|raw|exec|run|\$executeRaw\w*|command)\s{0,9}\(|\b(?:mysqli_query|pg_query|sqlite_exec)\s{0,9}\(/;
const LOCAL = /localhost|127\.0\.0\.1|:memory:|[_-](?:test|dev)\b/;
const CLOUD = /\bboto3\b|aws-sdk|@google-cloud|google\.cloud|azure[.-]|digitalocean|\bAWS\./;
const REMOVES = () =>
  /\.(?:delete\w*|terminate\w*|destroy\w*|purge\w*)\s{0,9}\(|\bDelete\w+Command\b|\bTerminate\w+Command\b/;
const KILLS_ALL = () =>
  /\bkill\s{0,9}\(?\s{0,9}['"]?(?:9|15|KILL|SIGKILL|TERM|SIGTERM)['"]?\s{0,9},\s{0,9}-1\b|\bos\.kill\(\s{0,9}-1\b|process\.kill\(\s{0,9}-1\b/;

import { GAP } from "../parse/command.ts";
import { type Field, fieldOf } from "../parse/value.ts";
import { EQUIVALENTS } from "../programs/equivalents.ts";
import type { Inner } from "../programs/program.ts";

/**
 * What code of a language without a reader of its own does, by the names of its functions: Lisp and Scheme, Clojure,
 * Erlang, Haskell, OCaml, Prolog and others. What such a call is given without writing it there is unknown.
 */
export function readNamedCalls(code: string): Inner[] {
  // Prolog writes its texts between single quotes.
  const open = code.replaceAll(/([(,]\s*)'([^'()\s]*)'/g, '$1"$2"');
  const tokens = open.match(TOKEN)?.slice(0, MAX_TOKENS) ?? [];
  const found: Inner[] = [];
  let spent = 0;
  for (let at = 0; at < tokens.length; at++) {
    const act = actOf(tokens[at] as string);
    if (act === undefined) continue;
    const given = argumentsAt(tokens, at + 1);
    spent += given.looked;
    if (spent > MAX_LOOKED) return [...found, unknown(code)];
    found.push(...innersOf(act, given, tokens[at] as string));
  }
  return found;
}

/** What a function does, by its name without its module. */
type Act = "remove" | "remove tree" | "write" | "append" | "read" | "copy" | "move" | "run" | "evaluate";

const ACTS: readonly (readonly [names: string, act: Act])[] = [
  [
    "delete-file delete-file! file-delete remove-file unlink unlink-file delete_file removeFile removeLink deleteFile delete-if-exists deleteIfExists Sys.remove Unix.unlink file:delete file:del_dir fs/delete io/delete-file Files.delete os.remove delete-directory rmdir removeDirectory Unix.rmdir delete_directory prim_file:delete .delete .deleteOnExit",
    "remove",
  ],
  [
    "delete-directory/files delete-directory-tree delete-directory-and-files delete-directory-recursively delete-tree file:del_dir_r removeDirectoryRecursive removePathForcibly delete_directory_and_contents delete_directory_contents FileUtils.deleteDirectory FileUtils.deleteQuietly deleteRecursively deleteDirectory os.remove.all rm-rf rmtree remove-tree confirm_recursive_rmdir",
    "remove tree",
  ],
  [
    "call-with-output-file with-output-to-file open-output-file display-to-file write-to-file display-lines-to-file spit file:write_file writeFile Files.write Files.writeString open_out openFileForWriting os.write os.write.over truncate-file",
    "write",
  ],
  ["appendFile file:append_file", "append"],
  [
    "call-with-input-file with-input-from-file open-input-file file->string file->lines read-file-into-string slurp file:read_file readFile Files.readString Files.readAllBytes open_in os.read",
    "read",
  ],
  ["copy-file copy-file! copy-directory/files file:copy copyFile Files.copy fs/copy io/copy os.copy", "copy"],
  [
    "rename-file rename-file-or-directory file:rename renameFile renamePath renameDirectory Sys.rename Files.move fs/move os.move rename_file",
    "move",
  ],
  [
    "system system* system*/exit-code shell-command os:cmd run-program process process* subprocess open-input-pipe open-pipe open-pipe* primitive-system sh shell callCommand callProcess rawSystem readProcess Sys.command Unix.open_process_in ext:run-program sb-ext:run-program uiop:run-program uiop:launch-program excl:run-shell-command open_port os.proc os.call Process",
    "run",
  ],
  ["eval-string read-from-string load-string erl_eval:exprs", "evaluate"],
];

const BY_NAME: ReadonlyMap<string, Act> = new Map(
  ACTS.flatMap(([names, act]) => names.split(" ").map((name) => [name, act] as const)),
);

/** By its whole name, or without the modules in front: `sb-ext:delete-directory`, `System.Directory.removeFile`. */
function actOf(name: string): Act | undefined {
  const whole = BY_NAME.get(name);
  if (whole !== undefined || !/[:./]/.test(name)) return whole;
  const short = name.replace(/^.*?(\w+[.:/][^.:/]+)$/, "$1");
  return BY_NAME.get(short) ?? BY_NAME.get(name.replace(/^.*(?:[.:]|\/(?=[a-z-]+$))/, ""));
}

interface Given {
  readonly texts: readonly string[];
  /** An argument before the first text is not a text. */
  readonly isOpen: boolean;
  readonly isRecursive: boolean;
  readonly looked: number;
}

/** The texts that a call is given, up to the end of its brackets, its line or its statement. */
function argumentsAt(tokens: readonly string[], from: number): Given {
  const texts: string[] = [];
  let [depth, isOpen, isRecursive, at] = [0, false, false, from];
  for (; at < tokens.length && at - from < MAX_ARGUMENTS; at++) {
    const token = tokens[at] as string;
    if (/^[([{]$/.test(token)) depth++;
    else if (/^[)\]}]$/.test(token)) {
      if (depth-- <= 0) break;
      if (depth === 0 && texts.length > 0 && tokens[at + 1] !== "'") {
        // `f("x")` ends with its brackets; `(f '("x"))` continues.
        if (tokens[from] === "(") break;
      }
    } else if ((token === ";" || token === "\n" || token === "|") && depth <= 0) {
      if (texts.length > 0 || isOpen) break;
    } else if (token.startsWith('"')) texts.push(textOf(token));
    else if (/^:?recursive$/.test(token)) isRecursive = true;
    else if (texts.length === 0 && NAME.test(token) && !MAKERS().test(token)) isOpen = true;
  }
  return { texts, isOpen, isRecursive, looked: at - from };
}

function innersOf(act: Act, { texts, isOpen, isRecursive }: Given, name: string): readonly Inner[] {
  const [first, second] = texts;
  const path: Field = fieldOf(first === undefined || isOpen ? GAP : first);
  const doubt = path.isKnown ? [] : [unknown(name)];
  switch (act) {
    case "remove":
      return [EQUIVALENTS.removal([isRecursive ? "-rf" : "-f"], [path]), ...doubt];
    case "remove tree":
      return [EQUIVALENTS.removal(["-rf"], [path]), ...doubt];
    case "write":
    case "append":
    case "read":
      return [{ runs: "write", path, way: act, via: "" }, ...doubt];
    case "copy":
    case "move":
      return [EQUIVALENTS[act](path, fieldOf(second ?? GAP)), ...(second === undefined ? [unknown(name)] : doubt)];
    case "run":
      if (!path.isKnown) return [unknown(name)];
      return texts.length > 1
        ? [{ runs: "words", words: texts.map(fieldOf), via: "", isProgram: true }]
        : [{ runs: "shell", text: path, via: "" }];
    case "evaluate":
      return first === undefined || isOpen ? [unknown(name)] : readNamedCalls(first);
  }
}

function unknown(code: string): Inner {
  return { runs: "doubt", why: "unknown code", what: code.slice(0, MAX_TOLD) };
}

function textOf(token: string): string {
  return token.slice(1, token.endsWith('"') && token.length > 1 ? -1 : undefined).replaceAll(/\\(.)/g, "$1");
}

/** Texts, names with their modules, brackets and line ends; comments are left out by being no token. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[A-Za-z_:.][\w:.\-/*!?>]*|[()[\]{};|\n']/g;
const NAME = /^[A-Za-z_.]/;
/** Functions that make a path of a text, and words that modify them. */
const MAKERS = () =>
  /^(?:java\.|java\.nio\.file\.|clojure\.java\.)?(?:io\/)?(?:file|File|File\.|Path|Path\.of|Paths\.get|io\.File\.?|string->path|pathname|parse-namestring|as-file|path|get|new|nil|spawn|t|p)$/;
const MAX_TOKENS = 20_000;
const MAX_ARGUMENTS = 200;
const MAX_LOOKED = 40_000;
const MAX_TOLD = 80;

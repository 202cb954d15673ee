import { extname, resolve } from "node:path";
import { takesCode } from "../effects/programs/apply-row.ts";
import type { FoundBytes, ReadFile } from "../fs/read-once.ts";
import { programIn } from "./script-arguments.ts";
import { isShellScript, looksRun } from "./script-file.ts";

/**
 * The files that code names between quotes and may run: arguments of an interpreter or of a function that starts programs,
 * and paths of scripts if the code starts programs; not files that it only opens, writes or prints.
 */
export function quotedFiles(text: string, folders: readonly string[], read: ReadFile): string[] {
  const startsOthers = STARTS.test(text);
  return [...namesIn(text)].slice(0, MAX_NAMES).flatMap(([name, use]) => {
    const paths = folders.map((folder) => resolve(folder, name));
    return paths.filter((path) => {
      const bytes = use === "opened" ? undefined : read(path);
      return bytes !== undefined && (use === "code" || mayRun(bytes, use === "started" || startsOthers));
    });
  });
}

function mayRun(file: FoundBytes, isStarted: boolean): boolean {
  return isStarted ? looksRun(file, "/") : file.isExecutable || (extname(file.path) !== "" && isShellScript(file));
}

/** How a name is used: as code for an interpreter, by a function that starts programs, only opened or shown, or unknown. */
type Use = "code" | "started" | "opened" | "unknown";

/** Names between quotes, each with its most specific use. */
function namesIn(text: string): ReadonlyMap<string, Use> {
  const found = new Map<string, Use>();
  const add = (name: string, use: Use) => {
    const isName = use === "code" || name.includes("/") || extname(name) !== "";
    const known = found.get(name);
    if (isName && (known === undefined || USES.indexOf(use) > USES.indexOf(known))) found.set(name, use);
  };
  let [path, end, isCode] = ["", 0, false];
  for (const { 1: quoted = "", index, 0: whole } of text.matchAll(QUOTED)) {
    const between = text.slice(end, index);
    isCode &&= FOLLOWS.test(between);
    path = NEXT_PART.test(between) ? `${path}/${quoted}` : quoted;
    end = index + whole.length;
    const use = useBy(text.slice(0, index).slice(-MAX_CALL));
    add(path, use);
    if (isCode) add(quoted, "code");
    const pieces = quoted.split(" ");
    // A text that begins with the name of a program is a command line; any other is prose.
    const isCommand = programIn(pieces[0] ?? "") !== undefined;
    for (const piece of pieces) {
      add(piece, isCode ? "code" : use);
      const program = isCommand ? programIn(piece) : undefined;
      isCode ||= program !== undefined && takesCode(program);
    }
  }
  return found;
}

/** How the nearest function call before a name uses it. */
export function useBy(before: string): Use {
  const [, callee = ""] = /([\w.]+)\s*\([^()]*$/.exec(before) ?? [];
  const name = callee.slice(callee.lastIndexOf(".") + 1);
  if (STARTING().test(name)) return "started";
  return OPENING().test(name) ? "opened" : "unknown";
}

const USES: readonly Use[] = ["opened", "unknown", "started", "code"];
const STARTING = () => /^(?:spawn|exec|fork|run|system|popen|call|check_|import|require|load|source|worker|execfile)/i;
const OPENING = () =>
  /^(?:open|read|write|append|create|exists|stat|lstat|access|isfile|isdir|copy|log|print|warn|error|info|debug|test|match|includes|startswith|endswith|replace)/i;
const STARTS = /\b(?:spawn|exec|subprocess|system|popen|fork|import_module|runpy|Worker)/;
const QUOTED = /["'`]([\w./@ -]{1,200})["'`]/g;
/** Between the parts of a path, and between the arguments of a call. */
const NEXT_PART = /^\s*[,/+]\s*$/;
const FOLLOWS = /^\s*,\s*\[?\s*$/;
const MAX_CALL = 200;
const MAX_NAMES = 500;

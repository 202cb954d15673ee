import { isBuiltin } from "node:module";
import { GAP, type SimpleCommand } from "../effects/parse/command.ts";
import { readCommandLine } from "../effects/parse/read-command-line.ts";
import { isProgram, programNamed } from "../effects/programs/program-name.ts";
import type { PrintedFile } from "./fingerprint.ts";
import { isMakefile, isShellScript, languagesOf, recipesIn } from "./script-file.ts";

/**
 * What a hook runs or loads that an approval cannot cover, to be reported to the user: programs that find code of the project
 * by themselves, programs that are only known at run time, packages.
 */
export function uncovered(lines: readonly string[], files: readonly PrintedFile[]): string[] {
  const found = new Set(lines.flatMap(programsIn));
  // A hook may run hundreds of files, so the search ends when enough is found.
  for (const find of [(file: PrintedFile) => commandsIn(file).flatMap(programsIn), packagesIn])
    for (const file of files) if (found.size < MAX_REPORTED) for (const what of find(file)) found.add(what);
  return [...found].slice(0, MAX_REPORTED);
}

function programsIn(text: string): string[] {
  return readCommandLine(text, {}).commands.flatMap(loadsUnnamed);
}

function commandsIn(file: PrintedFile): string[] {
  const { text = "", path, script } = file;
  if (script !== undefined) return [text];
  if (isMakefile(path)) return [recipesIn(text)];
  return languagesOf(asFound(file)).length === 0 && isShellScript(asFound(file)) ? [text] : [];
}

function loadsUnnamed({ program, args }: SimpleCommand): string[] {
  const name = program?.text ?? "";
  // The head of a recipe is not a program.
  if (name === "" || name.endsWith(":")) return [];
  if (name.includes(GAP)) return ["a program that is only known at run time"];
  const verb = args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
  const isUnknown = programNamed(name) === undefined && !name.includes("/");
  // Node finds tests by itself.
  const findsTests = args.at(-1)?.text === "--test" && isProgram("runs-code", name);
  return isUnknown || findsTests || isProgram("loads-unnamed", name, verb) ? [`\`${name}\``] : [];
}

/** The packages that code imports by name. */
function packagesIn(file: PrintedFile): string[] {
  if (file.script !== undefined || file.path.includes("node_modules/.bin")) return [];
  if (!languagesOf(asFound(file)).includes("javascript")) return [];
  const names = [...(file.text ?? "").matchAll(IMPORTED)].map(([, name = ""]) => name);
  return names.filter((name) => !isBuiltin(name) && !OWN.test(name)).map((name) => `the package ${name}`);
}

function asFound({ path, real, sha256, text }: PrintedFile) {
  return { path, real, sha256, text, isExecutable: false };
}

const IMPORTED = /\b(?:from|import|require)\s*\(?\s*["'`]([@\w][\w./@-]{0,200})["'`]/g;
/** Sluice provides these to plugins itself. */
const OWN = /^sluice(?:\/|$)/;
const MAX_REPORTED = 10;

import { isBuiltin } from "node:module";
import { GAP, type SimpleCommand } from "../effects/parse/command.ts";
import { readCommandLine } from "../effects/parse/read-command-line.ts";
import { isProgram, programNamed } from "../effects/programs/program-name.ts";
import type { PrintedFile } from "./fingerprint.ts";
import { isMakefile, isShellScript, languagesOf, recipesIn } from "./script-file.ts";

/**
 * What a hook runs or loads without a sign of which files: programs that find code of the project by themselves, programs
 * that only the run knows, packages. It is no part of an approval, so the user is told.
 */
export function uncovered(lines: readonly string[], files: readonly PrintedFile[]): string[] {
  const found = new Set<string>();
  for (const text of lines) for (const what of programsIn(text)) found.add(what);
  // What is not told need not be looked for: a hook may run hundreds of files.
  for (const file of files) {
    if (found.size >= MOST_TOLD) break;
    for (const text of commandsIn(file)) for (const what of programsIn(text)) found.add(what);
  }
  for (const file of files) {
    if (found.size >= MOST_TOLD) break;
    if (!file.path.includes("node_modules/.bin")) for (const what of packagesIn(file)) found.add(what);
  }
  return [...found].slice(0, MOST_TOLD);
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
  // The head of a recipe is no program.
  if (name === "" || name.endsWith(":")) return [];
  if (name.includes(GAP)) return ["a program that only the run names"];
  const verb = args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
  const isUnknown = programNamed(name) === undefined && !name.includes("/");
  // Node looks for tests by itself.
  const findsTests = args.at(-1)?.text === "--test" && isProgram("runs-code", name);
  return isUnknown || findsTests || isProgram("loads-unnamed", name, verb) ? [`\`${name}\``] : [];
}

/** The packages that code imports by their names. */
function packagesIn(file: PrintedFile): string[] {
  if (file.script !== undefined || !languagesOf(asFound(file)).includes("javascript")) return [];
  const names = [...(file.text ?? "").matchAll(IMPORTED)].map(([, name = ""]) => name);
  return names.filter((name) => !isBuiltin(name) && !OWN.test(name)).map((name) => `the package ${name}`);
}

function asFound({ path, real, sha256, text }: PrintedFile) {
  return { path, real, sha256, text, isExecutable: false };
}

const IMPORTED = /\b(?:from|import|require)\s*\(?\s*["'`]([@\w][\w./@-]{0,200})["'`]/g;
/** Sluice gives these to plugins itself. */
const OWN = /^sluice(?:\/|$)/;
const MOST_TOLD = 10;

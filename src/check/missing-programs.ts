import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { GAP, type SimpleCommand } from "../effects/parse/command.ts";
import { readCommandLine } from "../effects/parse/read-command-line.ts";
import { builtinNamed } from "../effects/parse/run/builtins.ts";
import { programNamed } from "../effects/programs/program-name.ts";
import type { Hook } from "../hook/hook.ts";
import { fromHome } from "../runners/working-directory.ts";
import { scriptArguments } from "../trust/script-arguments.ts";

/**
 * Programs and scripts that the command line of a hook starts and that are not there, as they are written. A line that
 * looks for a program first, and a name that only the run knows, are left alone.
 */
export function missingPrograms(hook: Hook, root: string): string[] {
  const { type, args, command, workingDir = "", layer } = hook;
  if (type !== "command" || (args === undefined && command === undefined)) return [];
  const folder = resolve(root, fromHome(workingDir));
  // The hooks of a user run in every project: what they name without a folder of their own is not looked for in this one.
  const isAnywhere = (layer === "user" || layer === "managed") && workingDir === "";
  const isMissing = (name: string, at = folder) => {
    if (!name.includes("/")) return !isOnPath(name);
    const path = fromHome(name);
    return !(isAnywhere && !isAbsolute(path)) && !existsSync(resolve(at, path));
  };
  const [program, ...rest] = args ?? [];
  if (program !== undefined) {
    const given = rest.map((text) => ({ text, isKnown: true, isGlob: false }));
    return [program, ...scriptsOf(program, given)].filter((name, at) =>
      at === 0 ? isMissing(name) : isMissing(name.includes("/") ? name : `./${name}`),
    );
  }
  const { commands, doubts } = readCommandLine(command ?? "", { variables: { PWD: folder } });
  if (
    /\|\||\bcommand\s+-v\b|\bwhich\b|\btype\b|\bif\b|\[\s/.test(command ?? "") ||
    doubts.some(({ why }) => why === "syntax")
  )
    return [];
  const found = commands.flatMap((one) => {
    const at = resolve(folder, one.folder);
    if (one.program === undefined || !one.program.isKnown || one.folder.includes(GAP)) return [];
    const name = one.program.text;
    const own = name.includes("/")
      ? isMissing(name, at)
      : commands.length === 1 && one.via.length === 0 && isUnheardOf(name);
    const scripts = scriptsOf(name, one.args).filter((script) =>
      isMissing(script.includes("/") ? script : `./${script}`, at),
    );
    return [...(own ? [name] : []), ...scripts];
  });
  return [...new Set(found)];
}

/** The files that a program is given to run, as far as they are known. */
function scriptsOf(program: string, args: SimpleCommand["args"]): string[] {
  const row = programNamed(program);
  if (row === undefined || args.some(({ isKnown }) => !isKnown)) return [];
  const isScripted = row.interpreter !== undefined && !["other", "compiled"].includes(row.interpreter.language);
  return row.is?.shell === true || isScripted
    ? scriptArguments(row, program, args).filter((word) => /\.\w+$/.test(word) && !/[*?[\]$]/.test(word))
    : [];
}

function isUnheardOf(name: string): boolean {
  return (
    /^[\w.+-]+$/.test(name) && programNamed(name) === undefined && !isOnPath(name) && builtinNamed(name) === undefined
  );
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder || ".", program)));
}

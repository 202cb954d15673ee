import type { WindowsShell } from "../adapters/recipe.ts";

/**
 * A user's line on Windows, from the arguments that start Sluice. It reads the same in each shell in which an agent may start it: it
 * begins with a bare name, because PowerShell takes a quoted path for a text and cmd takes its quotes away, and its paths have forward
 * slashes between double quotes, because a backslash is an escape in Git Bash.
 */
export function windowsUserLine(
  [program = "", ...args]: readonly string[],
  { gate, shells = ["bash", "cmd", "powershell"] }: { gate: boolean; shells?: readonly WindowsShell[] | undefined },
): string {
  const line = [bareName(program), ...args.map(quoted)].join(" ");
  // Windows PowerShell 5.1 does not parse `||`, and the line would not run at all.
  return gate && !shells.includes("powershell") ? `${line} || exit 2` : line;
}

/** The program as the search path has it. */
function bareName(program: string): string {
  return (program.split(/[\\/]/).at(-1) ?? program).replace(/\.(?:exe|cmd)$/i, "");
}

function quoted(arg: string): string {
  const text = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(arg) ? arg.replaceAll("\\", "/") : arg;
  return /^[\w.-]+$/.test(text) ? text : `"${text}"`;
}

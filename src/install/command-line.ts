import { isOurUrl } from "../adapters/http-form.ts";
import { shellWord } from "../effects/parse/shell-word.ts";

/**
 * The command line that an agent is given, quoted for a shell. A gate answers 2 whenever Sluice cannot run at all, for
 * example because another version of Node took its place: to most agents any other exit code means "go on".
 */
export function commandLine(sluice: readonly string[], agent: string, { gate }: { readonly gate: boolean }): string {
  const words = [...sluice, "run", agent].map(shellWord).join(" ");
  return gate ? `${words} || exit 2` : words;
}

/**
 * Whether a command line is one of ours for this agent: the mark by which entries are found again, also those that
 * start another copy of Sluice. Words in a list count like words in a line; so do the path of the agent's script and an
 * address of the daemon.
 */
export function isOurs(command: unknown, agent: string, script?: string): boolean {
  if (typeof command !== "string") return false;
  if (isOurUrl(command, agent)) return true;
  if (script !== undefined && `/${command}`.endsWith(`/${script}`)) return true;
  return new RegExp(`(?<![\\w-])sluice(?:\\.[cm]?js)?${BETWEEN}run${BETWEEN}${agent}(?![\\w-])`).test(command);
}

/** What stands between two words of a command line or of a list. */
const BETWEEN = `["']?[,\\s]+["']?`;

import type { Adapter } from "../adapters/adapter.ts";
import { isOurUrl, postUrl } from "../adapters/http-form.ts";
import type { Scope, Wanted } from "../adapters/recipe.ts";
import { shellWord } from "../effects/parse/shell-word.ts";
import type { InstallContext } from "./install-context.ts";

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

/** The same hook events, some of them posted to the daemon where it answers over HTTP. A secret is never written into a project. */
export function posted(
  wanted: readonly Wanted[],
  { id, recipe }: Adapter,
  scope: Scope,
  { http }: Pick<InstallContext, "http">,
): readonly Wanted[] {
  const form = recipe?.http;
  if (http === undefined || scope !== "user" || form === undefined || !("posts" in form)) return wanted;
  return wanted.map((one) =>
    form.posts.includes(one.hookEvent)
      ? { ...one, post: { url: postUrl(http.port, id, one.hookEvent), secret: http.secret } }
      : one,
  );
}

/** How an agent calls, and why, for the person who asked for HTTP. Port 0 stands for one that is still to be chosen. */
export function formOf({ title, recipe }: Adapter, { port }: { readonly port: number }): string {
  const form = recipe?.http;
  if (form !== undefined && "posts" in form)
    return `${title} posts ${form.posts.join(", ")} to ${port === 0 ? "a port of this machine" : `127.0.0.1:${port}`} and blocks when the daemon does not answer; everything else stays a command, and each of those starts the daemon when none is running.`;
  return `${title} keeps to commands: ${form?.keepsCommands ?? "it has no HTTP hooks that Sluice knows"}.`;
}

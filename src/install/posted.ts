import type { Adapter } from "../adapters/adapter.ts";
import { postUrl } from "../adapters/http-form.ts";
import type { Scope, Wanted } from "../adapters/recipe.ts";
import type { InstallContext } from "./install-context.ts";

/** The same moments, some of them posted to the daemon where it answers over HTTP. A secret is never written into a project. */
export function posted(
  wanted: readonly Wanted[],
  { id, recipe }: Adapter,
  scope: Scope,
  { http }: Pick<InstallContext, "http">,
): readonly Wanted[] {
  const form = recipe?.http;
  if (http === undefined || scope !== "user" || form === undefined || !("posts" in form)) return wanted;
  return wanted.map((one) =>
    form.posts.includes(one.moment)
      ? { ...one, post: { url: postUrl(http.port, id, one.moment), secret: http.secret } }
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

import { existsSync } from "node:fs";
import type { Adapter } from "../adapters/adapter.ts";
import type { Scope } from "../adapters/recipe.ts";
import type { InstallContext } from "../install/install-context.ts";
import { type ServerPlace, serverPlace } from "../install/plan.ts";
import { isAsWanted, isOurServer, serverFile, wordsOf } from "../install/server-file.ts";
import { textOf } from "../install/settings-file.ts";
import { Problem } from "../problem/problem.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/**
 * Looks at the registration of our MCP server with an agent that calls us from these scopes. Without it a session cannot
 * select an intent, which is wrong where intents are enforced and worth knowing elsewhere.
 */
export function examineServer(
  adapter: Adapter,
  scopes: readonly Scope[],
  around: InstallContext,
  { isNeeded }: { readonly isNeeded: boolean },
): Finding[] {
  const found = SCOPES.flatMap((scope) => {
    const place = serverPlace(adapter, scope, around);
    // A project that is the home folder has its servers in one place only.
    const isSeen = scope === "project" && serverPlace(adapter, "user", around)?.path === place?.path;
    return place === undefined || isSeen ? [] : registration(adapter, scope, place);
  });
  if (found.length > 0 || scopes.length === 0) return found;
  const say = isNeeded ? wrong : note;
  const taking = (one: Scope) => serverPlace(adapter, one, around) !== undefined;
  const [scope, other] = [scopes.find(taking), SCOPES.find(taking)];
  const instead = other === undefined ? "" : `, or install with --scope ${other} instead`;
  const byHand = `Register \`${around.mcp.join(" ")}\` under the name \`sluice\` by hand${instead}.`;
  const again = `Run \`sluice install ${adapter.id} --scope ${scope}\`.`;
  return [say(NOT_REGISTERED, scope === undefined ? byHand : again)];
}

/** The problem with the entry under our name in one file; undefined if there is no entry. */
function registration({ id }: Adapter, scope: Scope, { path, at, server }: ServerPlace): Finding[] {
  const place = { file: path };
  const again = `Run \`sluice install ${id} --scope ${scope}\`.`;
  const there = readServer(path, at);
  if (there === undefined) return [];
  if (!isOurServer(there)) return [wrong("another MCP server has the name `sluice`.", RENAME, place)];
  const gone = wordsOf(there).filter((word) => word.startsWith("/") && !existsSync(word));
  if (gone.length > 0)
    return gone.map((word) => wrong(`its MCP server starts ${word}, which is not there.`, again, place));
  if (Object(there).disabled === true || Object(there).enabled === false)
    return [wrong("its MCP server is switched off.", "Switch it on in that file.", place)];
  return isAsWanted(there, server)
    ? [fine(`${scope === "user" ? "your" : "the project's"} MCP servers hold Sluice's`)]
    : [wrong("its MCP server is not what this version registers.", again, place)];
}

function readServer(path: string, at: readonly string[]): unknown {
  try {
    const text = textOf(path);
    return text === undefined ? undefined : serverFile(path, at).read(text);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

const SCOPES: readonly Scope[] = ["user", "project"];
const NOT_REGISTERED = "Sluice's MCP server is not registered, so no session can select an intent.";
const RENAME = "Give the other one another name, and run `sluice install` again.";

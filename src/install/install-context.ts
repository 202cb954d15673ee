import type { Scope } from "../adapters/recipe.ts";
import type { EventName } from "../event/catalogue.ts";

/** Where agents keep their settings, and how they reach us. */
export interface InstallContext {
  readonly home: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words that start the running command. */
  readonly sluice: readonly string[];
  /** The program that asks the daemon before it starts the command; it lies where only this user can read it. */
  readonly client?: string | undefined;
  /** Where the daemon answers over HTTP, where agents are to post what they can. */
  readonly http?: { readonly port: number; readonly secret: string } | undefined;
  /** The words that start the MCP server. */
  readonly mcp: readonly string[];
  readonly isHeard: (event: EventName) => boolean;
}

/** The words that settings call: a client in front of the command for its user, the bare command for everybody on a project. */
export function wordsFor(
  scope: Scope,
  { sluice, client }: Pick<InstallContext, "sluice" | "client">,
): readonly string[] {
  return client === undefined || scope === "project" ? sluice : [client, ...sluice];
}

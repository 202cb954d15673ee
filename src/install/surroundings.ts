import type { EventName } from "../event/catalogue.ts";

/** Where agents keep their settings, and how they reach us. */
export interface Surroundings {
  readonly home: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words that start the running command. */
  readonly sluice: readonly string[];
  /** Where the resident engine answers over HTTP, where agents are to post what they can. */
  readonly http?: { readonly port: number; readonly secret: string } | undefined;
  /** The words that start the MCP server. */
  readonly mcp: readonly string[];
  readonly isHeard: (event: EventName) => boolean;
}

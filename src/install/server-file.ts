import { extname } from "node:path";
import { saysTheSame, type Uneditable } from "./editable.ts";
import { memberIn, whyNoMember, withMember, withoutMember } from "./member-text.ts";
import { uneditable } from "./plan-entries.ts";
import { tableIn, whyNoTable, withoutTable, withTable } from "./server-table.ts";
import { isNothing } from "./settings-text.ts";

/** A server as a settings file holds it. */
export type Server = Readonly<Record<string, unknown>>;

/** How a server is read from a text, put into it and taken out again. */
export interface ServerFile {
  /** What stands under the name; something of another shape when nobody can tell what it starts. */
  readonly read: (text: string) => unknown;
  /** Why the text can take none. */
  readonly refuses: (text: string) => Uneditable | undefined;
  readonly put: (text: string | undefined, server: Server) => string;
  readonly take: (text: string) => string;
  /** Whether two texts say the same apart from the server. */
  readonly keeps: (before: string, after: string) => boolean;
}

/** The ways of a file, told by its name: TOML, or JSON with or without comments. */
export function serverFile(path: string, at: readonly string[]): ServerFile {
  if (extname(path) === ".toml")
    return {
      read: (text) => tableIn(text, at),
      refuses: (text) => whyNoTable(text, at),
      put: (text, server) => withTable(text ?? "", at, server),
      take: (text) => withoutTable(text, at),
      keeps: () => true,
    };
  const take = (text: string) => withoutMember(text, at);
  return {
    read: (text) => memberIn(text, at),
    refuses: (text) => whyNoMember(text, at),
    put: (text, server) => withMember(text, at, server),
    take,
    keeps: (before, after) => saysTheSame(take(before), take(after)),
  };
}

/** A text without our server; nothing when nothing else was in it, and the text itself where the server is not ours. */
export function withoutOurServer(text: string, path: string, at: readonly string[]): string | undefined {
  const file = serverFile(path, at);
  if (!isOurServer(file.read(text))) return text;
  const why = file.refuses(text);
  if (why !== undefined) throw uneditable(path, text, why);
  const without = file.take(text);
  return isNothing(without) ? undefined : without;
}

/** Whether a server is ours: it starts Sluice, also another copy of it. */
export function isOurServer(server: unknown): boolean {
  const [verb, program = ""] = wordsOf(server).toReversed();
  return verb === "mcp" && /(?:^|[\\/])sluice(?:\.[cm]?js)?$/.test(program);
}

/** The words that start a server. */
export function wordsOf(server: unknown): string[] {
  const { command, args } = Object(server) as { readonly command?: unknown; readonly args?: unknown };
  return [command, args].flat().filter((word) => typeof word === "string");
}

/** Whether a server says everything that it has to; what its user has added does not matter. */
export function isAsWanted(server: unknown, wanted: Server): boolean {
  const there = Object(server) as Server;
  return Object.entries(wanted).every(([key, value]) => JSON.stringify(there[key]) === JSON.stringify(value));
}

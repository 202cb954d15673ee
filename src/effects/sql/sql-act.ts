import type { Role } from "../effect.ts";

/** What a statement of SQL may do beyond reading rows, and which roles a program or a tool plays that is given it. */
export const SQL_DOINGS = {
  drop: { means: "drops a table, a schema or a database", roles: ["database", "work-loss"] },
  truncate: { means: "empties a table", roles: ["database", "work-loss"] },
  "delete-all": { means: "deletes every row of a table", roles: ["database", "work-loss"] },
  "update-all": { means: "changes every row of a table", roles: ["database", "work-loss"] },
  "alter-drop": { means: "drops columns or partitions of a table", roles: ["database", "work-loss"] },
  account: { means: "changes who may do what in a database", roles: ["database", "account"] },
  server: { means: "stops a database server, or changes how it runs", roles: ["database", "settings", "outage"] },
  "read-password": { means: "reads the passwords of a database's users", roles: [] },
  "read-file": { means: "reads a file of the database's machine", roles: [] },
  "write-file": { means: "writes a file of the database's machine", roles: ["database"] },
  "run-program": {
    means: "runs a program or a library on the database's machine",
    roles: ["database", "run-code", "outage"],
  },
  change: { means: "changes rows or definitions", roles: ["database"] },
} as const satisfies Record<string, { readonly means: string; readonly roles: readonly Role[] }>;

export type SqlDoing = keyof typeof SQL_DOINGS;

/** One thing that a text of SQL does; a text that only reads does none. */
export interface SqlAct {
  readonly does: SqlDoing;
  /** The statement, or the part of it, on one line. */
  readonly text: string;
  /** The table, the database, the user … by its name, as far as there is one. */
  readonly object: string;
  /** The file that is read or written, or the program that is run, where the text says it. */
  readonly target?: string | undefined;
}

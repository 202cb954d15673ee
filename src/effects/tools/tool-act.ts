import type { Role } from "../effect.ts";

/** What a tool that is no shell may do at a service, by its input and by the verb of its name, and the roles that it plays then. */
export const TOOL_ACTS = {
  "data-loss": { means: "drops, empties or overwrites data of a database", roles: ["database", "work-loss"] },
  "data-change": { means: "changes data of a database", roles: ["database"] },
  "data-access": { means: "changes who may use a database, or how it runs", roles: ["database", "account"] },
  "data-host": { means: "reaches through a database to its machine, or to the passwords in it", roles: ["run-code"] },
  "resource-loss": { means: "removes something at a service", roles: ["cloud", "work-loss"] },
  outage: { means: "stops, replaces or switches off something at a service", roles: ["cloud"] },
  access: { means: "changes who may use something at a service", roles: ["account"] },
  merge: { means: "merges a change for everybody", roles: ["cloud"] },
  "force-push": { means: "overwrites a branch of a service", roles: ["cloud", "history-rewrite"] },
  publish: { means: "makes something public", roles: ["publish"] },
  message: { means: "writes to people in the user's name", roles: ["message"] },
  payment: { means: "moves money", roles: ["payment"] },
  "show-secret": { means: "shows a secret that a service keeps", roles: ["reveal"] },
  "copy-secret": { means: "copies a file with keys to where it is published", roles: [] },
  "send-key": { means: "sends a key to another machine", roles: ["network-out"] },
  "inner-address": {
    means: "opens a file outside of the project, or an interface of machines, by its address",
    roles: [],
  },
  "page-secret": { means: "takes what a page keeps about its user and sends it", roles: ["network-out"] },
  "ci-secret": { means: "writes a pipeline that gives its secrets away", roles: ["persistence"] },
  "package-source": {
    means: "leads a package manager to another registry than the usual one",
    roles: ["foreign-source"],
  },
  "package-check": { means: "lets a package manager take packages without a check", roles: ["unverified"] },
  "auto-run": { means: "writes a file that runs something by itself", roles: ["persistence"] },
} as const satisfies Record<string, { readonly means: string; readonly roles: readonly Role[] }>;

export type ToolActKind = keyof typeof TOOL_ACTS;

/** One thing that a call does at a service. */
export interface ToolAct {
  readonly kind: ToolActKind;
  /** The part of the call that says so, for a message. */
  readonly text: string;
}

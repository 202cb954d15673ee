import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HANDSHAKE_KINDS } from "./handshake.mjs";

/** What the file that gets read holds; a model that was told it has read it. */
export const SECRET = "marmalade-4711";

/** The kinds of tool calls, and how to see from outside that one has happened. */
export const KINDS = {
  shell: ({ project }) => existsSync(join(project, "shell.txt")),
  monitor: ({ project }) => existsSync(join(project, "monitor.txt")),
  write: ({ project }) => existsSync(join(project, "write.txt")),
  edit: ({ project }) => readFileSync(join(project, "edit.txt"), "utf8").includes("after"),
  read: (_, result) => result.includes(SECRET),
  mcp: ({ project }) => existsSync(join(project, "mcp.txt")),
  ...HANDSHAKE_KINDS,
};

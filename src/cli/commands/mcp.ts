import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { configuredRoot, findRoot } from "../../config/root.ts";
import { VERSION } from "../../decide/version.ts";
import { answerLine } from "../../mcp/protocol.ts";
import { aboutRoots, mcpHandler, ROOTS_QUESTION, takesBatches } from "../../mcp/server.ts";
import type { McpClient } from "../../mcp/tools.ts";
import { intentsPath } from "../../policies/intent/intents-file.ts";
import type { CommandInput } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";

/**
 * Offers intents to agents as tools, over standard input and output, until the agent closes them. An agent that starts
 * it somewhere else is asked which folders it works on.
 */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  let root = rootOf(input);
  const isAtHome = input.text("root") !== undefined || isProject(root);
  let canAnswer = false;
  const client: McpClient = {};
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const about = isAtHome ? undefined : aboutRoots(line);
    if (about?.kind === "can answer") canAnswer = true;
    if (about?.kind === "ask now" && canAnswer) io.write(1, `${ROOTS_QUESTION}\n`);
    if (about?.kind === "told") root = projectAmong(about.folders) ?? root;
    const handle = mcpHandler({ root, client, env: io.env, version: VERSION });
    const answer = await answerLine(line, handle, takesBatches(client));
    if (answer !== undefined) io.write(1, `${answer}\n`);
  }
  return "done";
}

/** The first folder with intents or hooks, else the first. */
function projectAmong(folders: readonly string[]): string | undefined {
  const roots = folders.map((folder) => configuredRoot(folder) ?? findRoot(folder));
  return roots.find(isProject) ?? roots[0];
}

function isProject(root: string): boolean {
  return existsSync(intentsPath(root)) || configuredRoot(root) === root;
}

import { createInterface } from "node:readline";
import { answerLine } from "../../mcp/protocol.ts";
import { mcpHandler } from "../../mcp/server.ts";
import type { Input } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { VERSION } from "../version.ts";

/** Offers intents to agents as tools, over standard input and output, until the agent closes them. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  const handle = mcpHandler({ root: rootOf(input), env: io.env, version: VERSION });
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const answer = await answerLine(line, handle);
    if (answer !== undefined) io.write(1, `${answer}\n`);
  }
  return "done";
}

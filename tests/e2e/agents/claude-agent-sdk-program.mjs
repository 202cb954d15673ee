import { pathToFileURL } from "node:url";
import { HooksManager } from "sluice";
import { claudeAgentHooks, hooksFrom } from "sluice/claude-agent-sdk";

// A program as a user of the SDK writes it: the hooks of the user's files around one query.
const [sdk, prompt, mcp] = process.argv.slice(2);
const { query } = await import(pathToFileURL(sdk).href);
const manager = new HooksManager({ root: process.cwd() });
await manager.load();
const hooks = claudeAgentHooks(hooksFrom({ manager, session: { sessionId: "e2e" } }));

const options = {
  hooks,
  model: "claude-sonnet-4-5",
  allowedTools: ["Bash", "Monitor", "Read", "Write", "Edit", "Agent", "mcp__marker__mark"],
  mcpServers: { marker: { type: "stdio", ...JSON.parse(mcp) } },
  settingSources: [],
};
for await (const message of query({ prompt, options })) console.log(JSON.stringify(message));

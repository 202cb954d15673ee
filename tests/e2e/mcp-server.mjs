import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

// A server with one tool, `mark`, which writes the file that the first argument names.
const [file] = process.argv.slice(2);
const TOOL = { name: "mark", description: "Leaves a mark", inputSchema: { type: "object", properties: {} } };
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "marker", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [TOOL] }),
  "tools/call": () => {
    writeFileSync(file, "mark");
    return { content: [{ type: "text", text: "marked" }] };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = ANSWERS[method];
  const said = answer ? { result: answer(params) } : { error: { code: -32601, message: `no ${method} here` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
});

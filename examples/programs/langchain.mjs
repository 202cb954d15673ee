// Hooks around the tools of LangChain, called as an agent calls them.
import { tool } from "@langchain/core/tools";
import { guardTool, hooksFrom } from "sluice/langchain";
import { CALLS, exampleExecutor, show, TOOLS } from "./hooks.mjs";

const hooks = hooksFrom({ executor: exampleExecutor(), sessionId: "example" });
const schema = { type: "object", properties: { path: { type: "string" } } };

for (const [index, [name, args]] of CALLS.entries()) {
  const guarded = guardTool(hooks, tool(TOOLS[name], { name, description: name, schema }));
  const call = { type: "tool_call", id: `c${index}`, name, args };
  const told = await guarded.invoke(call).then(
    (message) => `${message.status}: ${message.content}`,
    (error) => `${error.name}: ${error.message}`,
  );
  show(name, told);
}

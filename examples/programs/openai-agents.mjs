// Hooks around the tools of the OpenAI Agents SDK. The model is scripted; everything else is real.
import { Agent, Runner, setTracingDisabled, tool, Usage } from "@openai/agents-core";
import { guardTools, hooksFrom } from "sluice/openai-agents";
import { CALLS, exampleExecutor, show, TOOLS } from "./hooks.mjs";

setTracingDisabled(true);
const hooks = hooksFrom({ executor: exampleExecutor(), sessionId: "example" });

const properties = { path: { type: "string" } };
const parameters = { type: "object", properties, required: ["path"], additionalProperties: false };
const tools = Object.entries(TOOLS).map(([name, execute]) => tool({ name, description: name, parameters, execute }));

const requests = [];
const model = {
  async getResponse(request) {
    requests.push(request);
    const calls = CALLS.map(([name, input], index) => {
      return {
        type: "function_call",
        callId: `c${index}`,
        name,
        arguments: JSON.stringify(input),
        status: "completed",
      };
    });
    const content = [{ type: "output_text", text: "done" }];
    const words = [{ type: "message", role: "assistant", status: "completed", content }];
    return { usage: new Usage(), output: requests.length === 1 ? calls : words };
  },
};

const agent = new Agent({ name: "janitor", model, tools: guardTools(hooks, tools) });
await new Runner().run(agent, "tidy up");

for (const { type, name, output } of requests[1].input) if (type === "function_call_result") show(name, output.text);

// Hooks around the tools and the model of the AI SDK. The model is scripted; everything else is real.
import { generateText, jsonSchema, stepCountIs, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { Hook } from "sluice";
import { guardTools, hooksFrom, hooksMiddleware } from "sluice/ai-sdk";
import { CALLS, exampleExecutor, show, TOOLS } from "./hooks.mjs";

const executor = exampleExecutor();
const hooks = hooksFrom({ executor, sessionId: "example" });

const inputSchema = jsonSchema({ type: "object", properties: { path: { type: "string" } } });
const tools = guardTools(
  hooks,
  Object.fromEntries(Object.entries(TOOLS).map(([name, execute]) => [name, tool({ inputSchema, execute })])),
);

const usage = { inputTokens: { total: 10 }, outputTokens: { total: 5 } };
const says = (content, unified) => ({ content, finishReason: { unified }, usage, warnings: [] });
const calls = CALLS.map(([toolName, input], index) => {
  return { type: "tool-call", toolCallId: `c${index}`, toolName, input: JSON.stringify(input) };
});
const scripted = () =>
  new MockLanguageModelV3({ doGenerate: [says(calls, "tool-calls"), says([{ type: "text", text: "done" }], "stop")] });

const model = scripted();
const guarded = wrapLanguageModel({ model, middleware: hooksMiddleware(hooks) });
await generateText({ model: guarded, tools, prompt: "tidy up", stopWhen: stepCountIs(3) });

const results = model.doGenerateCalls[1].prompt.at(-1).content;
for (const { toolName, output } of results) show(toolName, output.value);

const budget = { name: "budget", event: "llm:pre_request", command: 'echo "the money of this month is spent"; exit 1' };
executor.registry.register(Hook.fromJSON(budget));
const untouched = scripted();
const denied = wrapLanguageModel({ model: untouched, middleware: hooksMiddleware(hooks) });
const told = await generateText({ model: denied, prompt: "tidy up" }).catch((error) => error.message);
show("model", `${told}; it was called ${untouched.doGenerateCalls.length} times`);

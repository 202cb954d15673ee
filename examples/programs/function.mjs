// Hooks around plain functions.
import { guardFunction, hooksFrom } from "sluice/function";
import { CALLS, exampleExecutor, show, TOOLS } from "./hooks.mjs";

const hooks = hooksFrom({ executor: exampleExecutor(), sessionId: "example" });

for (const [name, input] of CALLS) {
  const told = [];
  const run = guardFunction(hooks, name, TOOLS[name], { onContext: (contexts) => told.push(...contexts) });
  const result = await run(input).catch((error) => `${error.name}: ${error.message}`);
  show(name, [result, ...told].join("\n"));
}

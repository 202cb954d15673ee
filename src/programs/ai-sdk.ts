export { hooksMiddleware } from "./ai-sdk-model.ts";
export { type GuardToolsOptions, guardTools } from "./ai-sdk-tools.ts";
export { type Hooks, type HooksSource, hooksFrom } from "./hooks.ts";

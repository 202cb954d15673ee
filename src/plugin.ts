export type { Completed } from "./request/complete.ts";
export type { Conversation, ConversationMetadata, Message } from "./request/message.ts";
export { getLatestAssistantMessage, getText, isToolOperation } from "./request/message.ts";
export { definePlugin, type Plugin, type PluginMethod } from "./request/plugin.ts";
export type { HookAnswer, PluginResult } from "./request/plugin-result.ts";
export { HookRequest } from "./request/request.ts";
export { runPlugins } from "./request/run-plugins.ts";
export { readStdin, writeOutput } from "./request/standard-streams.ts";

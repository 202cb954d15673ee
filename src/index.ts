import { checkHooksOfPrograms } from "./check/made-by-program.ts";

export { HookConfig, type HookLoadOptions } from "./config/hook-config.ts";
export { type MemoryWrite, memoryWrites } from "./decide/memory-writes.ts";
export { HookBlockedError, ToolDeniedError } from "./decision/blocked.ts";
export type { Decision, HookDecision } from "./decision/decision.ts";
export type { Failure } from "./decision/failure.ts";
export type { Action, Code, HookResult } from "./decision/result.ts";
export { type ExecuteOptions, type ExecutorOptions, fireEvent, HookExecutor, type Trace } from "./engine/executor.ts";
export {
  type Alias,
  CHECKPOINT,
  ERROR,
  EVENTS,
  type EventName,
  type EventSpec,
  EventType,
  MEMORY_UPDATE,
  MODEL_SWITCH,
  NOTIFICATION,
  POST_TOOL_USE,
  PRE_TOOL_USE,
  SESSION_END,
  SESSION_START,
  STOP,
  SUBAGENT_STOP,
} from "./event/catalogue.ts";
export {
  CheckpointEvent,
  ErrorEvent,
  MemoryUpdateEvent,
  ModelSwitchEvent,
  NotificationEvent,
  SessionEvent,
  ToolUseEvent,
} from "./event/data.ts";
export { EVENT_DATA_TYPES } from "./event/data-by-event.ts";
export { type EventExtras, type EventInit, HookEvent, type ToolHookEvent } from "./event/event.ts";
export { TOOL_KINDS } from "./event/tool-kinds.ts";
export { all, any, type Member, pipe, retry, type Whole, when } from "./hook/combinators.ts";
export { defineHook, Hook, type Layer, type Origin } from "./hook/hook.ts";
export type {
  EventPatternText,
  HookFunction,
  HookInput as HookSpec,
  MatcherInput as MatcherSpec,
  RuleInput,
} from "./hook/hook-input.ts";
export { HookMatcher } from "./hook/matcher.ts";
export { type HookKind, HookType } from "./hook/schema.ts";
export {
  createHookEngine,
  type EndedCall,
  type HookEngine,
  type HookEngineOptions,
  type ToolCall,
} from "./hosts/hook-engine.ts";
export { type HooksConfig, HooksManager, type HooksManagerOptions } from "./hosts/hooks-manager.ts";
export { type MemoryWatch, type MemoryWatchOptions, watchMemory } from "./hosts/memory-watcher.ts";
export type { Session } from "./hosts/session.ts";
export { SessionLifecycleHooks } from "./hosts/session-lifecycle.ts";
export type { HookStats } from "./hosts/statistics.ts";
export { ToolExecutionHooks, type ToolExecutionOptions } from "./hosts/tool-execution.ts";
export {
  type PermissionRequest,
  type Permissions,
  type Tool,
  type ToolContext,
  ToolExecutor,
  type ToolExecutorOptions,
} from "./hosts/tool-executor.ts";
export type { BudgetSettings, LlmSettings } from "./llm/llm-settings.ts";
export { PromptTemplate } from "./llm/prompt-template.ts";
export { ResponseCache, type ResponseCacheOptions } from "./llm/response-cache.ts";
export type { Preset as GuardPreset } from "./policies/guards/guard.ts";
export { guardHooks } from "./policies/guards/guard-hooks.ts";
export { type Place, Problem } from "./problem/problem.ts";
export { HookRegistry } from "./registry/registry.ts";
export type { Completed } from "./request/complete.ts";
export type { Conversation, ConversationMetadata, Message } from "./request/message.ts";
export { getLatestAssistantMessage, getText, isToolOperation } from "./request/message.ts";
export { definePlugin, type Plugin, type PluginMethod, type ToolRequest } from "./request/plugin.ts";
export type { HookAnswer, PluginResult } from "./request/plugin-result.ts";
export { HookRequest } from "./request/request.ts";
export { runPlugins } from "./request/run-plugins.ts";
export { readStdin, writeOutput } from "./request/standard-streams.ts";
export { formatRules } from "./rule/text.ts";
export {
  HOOK_TEMPLATES,
  TEMPLATES,
  type Template,
  type TemplateExample,
  type TemplateName,
} from "./templates/index.ts";

checkHooksOfPrograms();

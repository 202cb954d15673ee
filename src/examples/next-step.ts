import type { HookEvent } from "../event/event.ts";
import { toJsonText } from "../event/json.ts";
import { isOfKind } from "../event/tool-kinds.ts";

/** The command line that shows what hooks make of an event: rules are explained, everything else is run. */
export function nextStep(event: HookEvent, hasRules: boolean): string {
  const { tool_args: args, prompt, ...data } = event.data;
  const { command, ...others } = Object(args) as Record<string, unknown>;
  const isShell = event.type === "tool:pre_execute" && isOfKind(event.toolName ?? "", "@shell");
  const isPlain = typeof command === "string" && Object.keys({ ...others, ...data }).length === 0;
  // A single word might be taken for the name of an event.
  if (hasRules && isShell && isPlain && /[\s/]/.test(command) && !command.startsWith("-")) {
    return `sluice explain ${quoted(command)} --tool ${quoted(event.toolName ?? "")}`;
  }
  return [
    `sluice ${hasRules ? "explain" : "fire"} ${event.type}`,
    ...(event.toolName === undefined ? [] : [`--tool ${quoted(event.toolName)}`]),
    ...(args === undefined ? [] : [`--args ${quoted(toJsonText(args))}`]),
    ...(prompt === undefined ? [] : [`--prompt ${quoted(String(prompt))}`]),
    ...(Object.keys(data).length === 0 ? [] : [`--data ${quoted(toJsonText(data))}`]),
  ].join(" ");
}

function quoted(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

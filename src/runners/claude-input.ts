import { eventSpec } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import { dataField } from "../event/field.ts";
import { toJsonText } from "../event/json.ts";

/**
 * What a hook with Claude's exit codes reads: the event, and beside it what its agent itself sent, so that a script
 * written for the agent finds `hook_event_name` and `tool_input` where they have always been.
 */
export function claudeText(event: HookEvent): string {
  const { raw } = event;
  const [input, response, prompt] = [
    dataField(event, "tool_args"),
    dataField(event, "tool_result"),
    dataField(event, "prompt"),
  ];
  return toJsonText({
    hook_event_name: eventSpec(event.type).aliases[0],
    ...(typeof raw === "object" && raw !== null && !Array.isArray(raw) ? raw : event.data),
    ...event.toJSON(),
    ...(input === undefined ? {} : { tool_input: input }),
    ...(response === undefined ? {} : { tool_response: response }),
    ...(prompt === undefined ? {} : { prompt }),
  });
}

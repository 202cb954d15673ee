import { isObject } from "../event/json.ts";
import type { HostMessage, HostReply } from "./state.ts";
import { complaintsAbout, type FieldType, type HostTool } from "./tool.ts";

type Refusal = Extract<HostReply, { kind: "refused" }>;

const MESSAGES: Readonly<Record<HostMessage["kind"], Readonly<Record<string, FieldType>>>> = {
  prompt: { text: "text" },
  call_tool: { tool: "text", input: "object" },
  answer: { question: "text", approved: "boolean" },
  ready: {},
};

/** The message in a value that a page has sent, or why it is refused: nothing but these messages passes. */
export function checkedMessage(
  value: unknown,
  tools: Readonly<Record<string, HostTool>>,
): { readonly message: HostMessage } | Refusal {
  const { kind, ...rest } = isObject(value) ? value : { kind: undefined };
  if (typeof kind !== "string" || !Object.hasOwn(MESSAGES, kind))
    return refused(`There is no message of the kind ${JSON.stringify(kind) ?? "nothing"}.`);
  const [complaint] = complaintsAbout(rest, MESSAGES[kind as HostMessage["kind"]]);
  if (complaint !== undefined) return refused(`The message "${kind}" cannot be read: ${complaint}.`);
  // Its fields were compared with the table.
  const message = value as HostMessage;
  return (message.kind === "call_tool" ? refusedCall(message, tools) : undefined) ?? { message };
}

function refusedCall(
  { tool: name, input }: Extract<HostMessage, { kind: "call_tool" }>,
  tools: Readonly<Record<string, HostTool>>,
): Refusal | undefined {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool === undefined)
    return refused(`There is no tool "${name}".`, `Call one of: ${Object.keys(tools).join(", ")}.`);
  const [complaint] = complaintsAbout(input, tool.input);
  return complaint === undefined ? undefined : refused(`The input of "${name}" cannot be read: ${complaint}.`);
}

/** A refusal in two sentences: what is wrong, and what to do. */
export function refused(what: string, fix = `Send one of: ${Object.keys(MESSAGES).join(", ")}.`): Refusal {
  return { kind: "refused", what, fix };
}

// The boundary: what a page may say. Everything else is refused, with what there is to say instead.
import { complaintsAbout } from "./fields.mjs";
import { TOOLS } from "./tools.mjs";

/** Every kind of message, and what it carries. */
const MESSAGES = {
  prompt: { text: "text" },
  call_tool: { tool: "text", input: "object" },
  answer: { question: "text", approved: "boolean" },
  ready: {},
};

/** The message in a text: `{ message }`, or `{ refused: { what, fix } }`. */
export function readMessage(contentType, text) {
  if (contentType !== "application/json") return refused("The message is not sent as application/json.");
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return refused("The message is not JSON.");
  }
  return checkedMessage(message);
}

/** The same for a message that comes as a value, as editors hand them over. */
export function checkedMessage(message) {
  const { kind, ...rest } = Object(message);
  if (typeof kind !== "string" || !Object.hasOwn(MESSAGES, kind))
    return refused(`There is no message of the kind ${JSON.stringify(kind) ?? "nothing"}.`);
  const [complaint] = complaintsAbout(rest, MESSAGES[kind]);
  if (complaint !== undefined) return refused(`The message "${kind}" cannot be read: ${complaint}.`);
  if (kind === "call_tool") return toolCall(message);
  return { message };
}

function toolCall(message) {
  const { tool, input } = message;
  if (!Object.hasOwn(TOOLS, tool))
    return refused(`There is no tool "${tool}".`, `Call one of: ${Object.keys(TOOLS).join(", ")}.`);
  const [complaint] = complaintsAbout(input, TOOLS[tool].input);
  if (complaint !== undefined) return refused(`The input of "${tool}" cannot be read: ${complaint}.`);
  return { message };
}

function refused(what, fix = `Send one of: ${Object.keys(MESSAGES).join(", ")}.`) {
  return { refused: { what, fix } };
}

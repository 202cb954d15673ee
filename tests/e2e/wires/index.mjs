import { anthropic } from "./anthropic.mjs";
import { gemini } from "./gemini.mjs";
import { openaiChat } from "./openai-chat.mjs";
import { openaiResponses } from "./openai-responses.mjs";

/** The ways to ask a model that the server understands, each told by its path. */
export const WIRES = [anthropic, openaiResponses, openaiChat, gemini];

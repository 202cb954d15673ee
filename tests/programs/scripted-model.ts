import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";

/** Ten tokens in, five out. */
const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/** A model's answer, whole. */
export function generated(...content: LanguageModelV3Content[]): LanguageModelV3GenerateResult {
  const unified = content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop";
  return { content, finishReason: { unified, raw: undefined }, usage: USAGE, warnings: [] };
}

/** The model says something. */
export function said(text: string): LanguageModelV3Content {
  return { type: "text", text };
}

/** The model calls a tool. */
export function toolCall(toolName: string, input: object): LanguageModelV3Content {
  return { type: "tool-call", toolCallId: "c1", toolName, input: JSON.stringify(input) };
}

/** A model's answer, piece by piece. */
export function streamed(...words: string[]): LanguageModelV3StreamPart[] {
  return [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "t1" },
    ...words.map((delta) => ({ type: "text-delta" as const, id: "t1", delta })),
    { type: "text-end", id: "t1" },
    { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage: USAGE },
  ];
}

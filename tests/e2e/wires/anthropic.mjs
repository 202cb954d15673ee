/** Anthropic Messages, whole or as a stream. */
export const anthropic = {
  hears: (path) => path.endsWith("/messages"),
  read(body) {
    const parts = body.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    return {
      tools: (body.tools ?? []).map(({ name }) => name),
      results: parts.filter(({ type }) => type === "tool_result").map(({ content }) => JSON.stringify(content)),
    };
  },
  write(turn, { body }) {
    const message = whole(turn, body.model);
    return body.stream ? { events: events(message) } : { json: message };
  },
};

function whole({ text, calls = [] }, model) {
  return {
    id: `msg_${Date.now()}`,
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(text === undefined ? [] : [{ type: "text", text }]),
      ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
    ],
    stop_reason: calls.length === 0 ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 10 },
  };
}

function events(message) {
  const { content, stop_reason, usage } = message;
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: empty(block) },
      { type: "content_block_delta", index, delta: delta(block) },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
}

function empty(block) {
  return block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} };
}

function delta({ type, text, input }) {
  if (type === "text") return { type: "text_delta", text };
  return { type: "input_json_delta", partial_json: JSON.stringify(input) };
}

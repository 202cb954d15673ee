/** OpenAI chat completions, whole or as a stream. */
export const openaiChat = {
  hears: (path) => path.endsWith("/chat/completions"),
  read(body) {
    return {
      tools: (body.tools ?? []).map((tool) => (tool.function ?? tool.custom ?? tool).name),
      results: body.messages.filter(({ role }) => role === "tool").map(({ content }) => JSON.stringify(content)),
    };
  },
  write(turn, { body }) {
    const { model, stream } = body;
    const common = { id: `chatcmpl-${Date.now()}`, created: 1, model };
    const message = messageOf(turn);
    const finish_reason = turn.calls ? "tool_calls" : "stop";
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    if (!stream) {
      const choices = [{ index: 0, message, finish_reason }];
      return { json: { ...common, object: "chat.completion", choices, usage } };
    }
    const chunk = (choice) => ({ ...common, object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] });
    return {
      events: [chunk({ delta: message, finish_reason: null }), { ...chunk({ delta: {}, finish_reason }), usage }],
      end: "data: [DONE]\n\n",
    };
  },
};

function messageOf({ text, calls }) {
  if (!calls) return { role: "assistant", content: text };
  const tool_calls = calls.map(({ id, name, input }, index) => ({
    index,
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { role: "assistant", content: null, tool_calls };
}

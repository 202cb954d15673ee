/** OpenAI Responses, as a stream. A call with `text` is one of a tool that takes free text. */
export const openaiResponses = {
  hears: (path) => path.endsWith("/responses"),
  read(body) {
    return {
      tools: (body.tools ?? []).map(({ name, type }) => name ?? type),
      results: body.input
        .filter(({ type }) => type === "function_call_output" || type === "custom_tool_call_output")
        .map(({ output }) => JSON.stringify(output)),
    };
  },
  write({ text, calls = [] }) {
    const response = { id: `resp_${Date.now()}` };
    const said = text === undefined ? [] : [message(text)];
    return {
      events: [
        { type: "response.created", response },
        ...[...said, ...calls.map(call)].map((item) => ({ type: "response.output_item.done", item })),
        { type: "response.completed", response: { ...response, usage: USAGE } },
      ],
    };
  },
};

function message(text) {
  return { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text }] };
}

function call({ id, name, namespace, input, text }) {
  if (text !== undefined) return { type: "custom_tool_call", call_id: id, name, input: text };
  const space = namespace ? { namespace } : {};
  return { type: "function_call", call_id: id, name, ...space, arguments: JSON.stringify(input) };
}

const USAGE = {
  input_tokens: 10,
  input_tokens_details: null,
  output_tokens: 10,
  output_tokens_details: null,
  total_tokens: 20,
};

/** Gemini's generateContent and streamGenerateContent. */
export const gemini = {
  hears: (path) => /:(?:stream)?generateContent$/i.test(path),
  read(body) {
    const parts = (body.contents ?? []).flatMap((content) => content.parts ?? []);
    return {
      tools: (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []).map(({ name }) => name),
      results: parts.filter((part) => part.functionResponse).map((part) => JSON.stringify(part.functionResponse)),
    };
  },
  write({ text, calls = [] }, { path }) {
    const parts = [
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
    ];
    const answer = {
      candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    };
    return path.includes("stream") ? { events: [answer] } : { json: answer };
  },
};

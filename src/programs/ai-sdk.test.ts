import { generateText, type ModelMessage, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answers, denies, hooked, namesOf } from "../../tests/programs/hooked.ts";
import { generated, said, streamed, toolCall } from "../../tests/programs/scripted-model.ts";
import { guardTools, hooksMiddleware } from "./ai-sdk.ts";
import type { Hooks } from "./hooks.ts";

const INPUT = z.object({ path: z.string() });
const ASK = answers("tool:pre_execute:write", { action: "ask", reason: "really?" });

describe("guarded tools of the AI SDK", () => {
  it("keep what else a tool has, and leave tools that run elsewhere as they are", () => {
    const tools = {
      here: tool({ description: "runs here", inputSchema: INPUT, execute: async () => "" }),
      there: tool({ inputSchema: INPUT, outputSchema: z.string() }),
    };
    const guarded = guardTools(hooked([]).hooks, tools);
    expect(guarded.here.description).toBe("runs here");
    expect(guarded.there).toBe(tools.there);
  });

  it("go on telling of their progress", async () => {
    const { hooks, heard } = hooked([answers("tool:post_execute", { context: "well done" })]);
    const { prompt, preliminary } = await runStreaming(hooks, async function* () {
      yield "half";
      yield "all";
    });
    expect(preliminary).toEqual(["half", "all"]);
    expect(prompt).toContain("all\\n\\nwell done");
    expect(heard.at(-1)?.data.tool_result).toBe("all");
  });

  it("hear of a tool that fails half way", async () => {
    const { hooks, heard } = hooked([]);
    const { prompt } = await runStreaming(hooks, async function* () {
      yield "half";
      throw new Error("disk full");
    });
    expect(prompt).toContain("disk full");
    expect(namesOf(heard)).toEqual(["tool:pre_execute", "tool:error"]);
  });

  it("do not begin what hooks deny", async () => {
    const { prompt, preliminary } = await runStreaming(
      hooked([denies("tool:pre_execute", "not today")]).hooks,
      async function* () {
        yield "half";
      },
    );
    expect(preliminary).toEqual([]);
    expect(prompt).toContain("not today");
  });

  it("let the SDK ask its user, and run once the user has said yes", async () => {
    const seen: string[] = [];
    const { content, messages, again } = await askThrough([ASK], seen);
    expect(content).toContain("tool-approval-request");
    expect(seen).toEqual([]);
    await again(messages(true));
    expect(seen).toEqual(["a.txt"]);
  });

  it("do not run when the user has said no", async () => {
    const seen: string[] = [];
    const { messages, again } = await askThrough([ASK], seen);
    await again(messages(false));
    expect(seen).toEqual([]);
  });

  it("take no approval for an input that hooks changed afterwards", async () => {
    const change = answers("tool:pre_execute:write", { action: "modify", modified_data: { patch: { path: "b.txt" } } });
    const seen: string[] = [];
    const { messages, again } = await askThrough([ASK, change], seen);
    expect(await again(messages(true))).toContain("really?");
    expect(seen).toEqual([]);
  });
});

async function runStreaming(hooks: Hooks, execute: (input: { path: string }) => AsyncGenerator<string>) {
  const call = { type: "tool-call" as const, toolCallId: "c1", toolName: "write", input: '{"path":"a.txt"}' };
  const first = [...streamed().slice(0, 1), call, ...streamed().slice(-1)];
  const streams = [first, streamed("done")].map((parts) => ({ stream: convertArrayToReadableStream(parts) }));
  const model = new MockLanguageModelV3({ doStream: streams });
  const tools = guardTools(hooks, { write: tool({ inputSchema: INPUT, execute }) });
  const result = streamText({ model, tools, prompt: "write it", stopWhen: stepCountIs(3) });
  const preliminary: unknown[] = [];
  for await (const part of result.fullStream)
    if (part.type === "tool-result" && part.preliminary) preliminary.push(part.output);
  return { preliminary, prompt: JSON.stringify(model.doStreamCalls[1]?.prompt.at(-1)) };
}

/** One process asks, and another one, which remembers nothing, hears the answer. */
async function askThrough(specs: readonly object[], seen: string[]) {
  const guarded = () => {
    const execute = async ({ path }: { path: string }) => String(seen.push(path));
    return guardTools(hooked(specs).hooks, { write: tool({ inputSchema: INPUT, execute }) }, { approvals: true });
  };
  const asking = new MockLanguageModelV3({ doGenerate: generated(toolCall("write", { path: "a.txt" })) });
  const prompt: ModelMessage = { role: "user", content: "write it" };
  const asked = await generateText({ model: asking, tools: guarded(), messages: [prompt] });
  const approvalId = asked.content.flatMap((part) =>
    part.type === "tool-approval-request" ? [part.approvalId] : [],
  )[0];
  const messages = (approved: boolean): ModelMessage[] => [
    prompt,
    ...asked.response.messages,
    { role: "tool", content: [{ type: "tool-approval-response", approvalId: approvalId ?? "", approved }] },
  ];
  const again = async (conversation: ModelMessage[]) => {
    const model = new MockLanguageModelV3({ doGenerate: generated(said("done")) });
    await generateText({ model, tools: guarded(), messages: conversation });
    return JSON.stringify(model.doGenerateCalls[0]?.prompt);
  };
  return { content: JSON.stringify(asked.content), messages, again };
}

describe("hooks around a language model of the AI SDK", () => {
  it("hear of a request and of its answer, with the tokens it took", async () => {
    const { hooks, heard } = hooked([]);
    const { text } = await ask(hooks);
    expect(text).toBe("four");
    expect(namesOf(heard)).toEqual(["llm:pre_request", "llm:post_response"]);
    expect(heard[0]?.data).toMatchObject({
      llm_model: "m1",
      llm_provider: "scripted",
      message_count: 1,
      stream: false,
    });
    expect(heard[0]?.data.request).toMatchObject({ temperature: 0.5, messages: [{ role: "user" }] });
    expect(heard[1]?.data).toMatchObject({
      llm_model: "m1",
      llm_tokens: 15,
      usage: { input_tokens: 10, output_tokens: 5 },
      content: [{ type: "text", text: "four" }],
      finish_reason: "stop",
    });
  });

  it("deny a request, which then never reaches the model", async () => {
    const { hooks, heard } = hooked([denies("llm:pre_request", "the month's money is spent")]);
    const model = scripted();
    await expect(ask(hooks, model)).rejects.toThrow("the month's money is spent");
    expect(model.doGenerateCalls).toEqual([]);
    expect(namesOf(heard)).toEqual(["llm:pre_request"]);
  });

  it.each([
    [undefined, 0],
    [true, 1],
  ])("ask about a request; the answer is %s", async (answer, calls) => {
    const asks = answers("llm:pre_request", { action: "ask", reason: "really?" });
    const { hooks } = hooked([asks], answer === undefined ? undefined : () => answer);
    const model = scripted();
    await ask(hooks, model).catch(() => undefined);
    expect(model.doGenerateCalls).toHaveLength(calls);
  });

  it("change a request, and keep what they do not touch", async () => {
    const { hooks } = hooked([change({ request: { temperature: 0, seed: 7 } })]);
    const model = scripted();
    await ask(hooks, model);
    expect(model.doGenerateCalls[0]).toMatchObject({ temperature: 0, seed: 7, headers: { "x-key": "k" } });
    expect(model.doGenerateCalls[0]?.prompt).toMatchObject([{ role: "user", content: [{ text: "2 + 2?" }] }]);
    expect(model.doGenerateCalls[0]).not.toHaveProperty("messages");
  });

  it("never see the headers, which carry keys", async () => {
    const { hooks, heard } = hooked([]);
    await ask(hooks);
    expect(JSON.stringify(heard)).not.toContain("x-key");
  });

  it.each([
    ["another model", { llm_model: "m2" }, "llm_model"],
    ["messages that are no list", { request: { messages: "none" } }, "messages"],
  ])("cannot ask for %s: the request is denied", async (_, patch, word) => {
    const model = scripted();
    await expect(ask(hooked([change(patch)]).hooks, model)).rejects.toThrow(word);
    expect(model.doGenerateCalls).toEqual([]);
  });

  it("add what the model should know, at the beginning of the conversation", async () => {
    const { hooks } = hooked([answers("llm:pre_request", { context: "today is Monday" })]);
    const model = scripted();
    await ask(hooks, model, { system: "be short" });
    expect(model.doGenerateCalls[0]?.prompt.map(({ role }) => role)).toEqual(["system", "system", "user"]);
    expect(model.doGenerateCalls[0]?.prompt[1]?.content).toBe("today is Monday");
  });

  it("change an answer", async () => {
    const content = [{ type: "text", text: "five" }];
    const { hooks } = hooked([
      answers("llm:post_response", { action: "modify", modified_data: { patch: { content } } }),
    ]);
    expect((await ask(hooks)).text).toBe("five");
  });

  it("hear of a stream's beginning and end", async () => {
    const { hooks, heard } = hooked([]);
    const model = streamingModel(streamed("fo", "ur"));
    const { textStream } = streamText({ model: guarded(hooks, model), prompt: "2 + 2?" });
    expect(await allOf(textStream)).toEqual(["fo", "ur"]);
    expect(namesOf(heard)).toEqual(["llm:pre_request", "llm:stream_start", "llm:stream_end", "llm:post_response"]);
    expect(heard[0]?.data.stream).toBe(true);
    expect(heard[2]?.data).toMatchObject({ llm_tokens: 15, content: [{ type: "text", text: "four" }] });
  });

  it("deny a stream before it begins", async () => {
    const { hooks } = hooked([denies("llm:pre_request", "not today")]);
    const model = streamingModel(streamed("four"));
    const errors: unknown[] = [];
    const { textStream } = streamText({
      model: guarded(hooks, model),
      prompt: "2 + 2?",
      onError: ({ error }) => void errors.push(error),
    });
    expect(await allOf(textStream)).toEqual([]);
    expect(String(errors[0])).toContain("not today");
    expect(model.doStreamCalls).toEqual([]);
  });

  it("hear of the end of a stream that is not read to its end", async () => {
    const { hooks, heard } = hooked([]);
    const { stream } = await guarded(hooks, streamingModel(streamed("fo", "ur"))).doStream({ prompt: [] });
    await stream.cancel();
    expect(namesOf(heard)).toEqual(["llm:pre_request", "llm:stream_start", "llm:stream_end"]);
    expect(heard.at(-1)?.data.error).toBe("it was not read to its end");
  });

  it("hear of a stream that breaks, and its error reaches the reader", async () => {
    const { hooks, heard } = hooked([]);
    const broken = new ReadableStream({
      pull: () => {
        throw new Error("connection lost");
      },
    });
    const model = new MockLanguageModelV3({ doStream: { stream: broken } });
    const { stream } = await guarded(hooks, model).doStream({ prompt: [] });
    await expect(stream.getReader().read()).rejects.toThrow("connection lost");
    expect(heard.at(-1)).toMatchObject({ type: "llm:stream_end", data: { error: "connection lost" } });
  });
});

function change(patch: object): object {
  return answers("llm:pre_request", { action: "modify", modified_data: { patch } });
}

function scripted(): MockLanguageModelV3 {
  return new MockLanguageModelV3({ provider: "scripted", modelId: "m1", doGenerate: generated(said("four")) });
}

function streamingModel(parts: ReturnType<typeof streamed>): MockLanguageModelV3 {
  return new MockLanguageModelV3({ doStream: { stream: convertArrayToReadableStream(parts) } });
}

function guarded(hooks: Hooks, model: MockLanguageModelV3) {
  return wrapLanguageModel({ model, middleware: hooksMiddleware(hooks) });
}

function ask(hooks: Hooks, model = scripted(), more: { system?: string } = {}) {
  const headers = { "x-key": "k" };
  return generateText({ model: guarded(hooks, model), prompt: "2 + 2?", temperature: 0.5, headers, ...more });
}

async function allOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of stream) all.push(item);
  return all;
}

import { type Model, type ModelRequest, type ModelResponse, Usage } from "@openai/agents-core";

/** A model that calls one tool, reads what came of it, and says "done". */
export class ScriptedOpenAiModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #tool: string;
  readonly #input: object;

  constructor(tool: string, input: object) {
    this.#tool = tool;
    this.#input = input;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    this.requests.push(request);
    const isFirst = this.requests.length === 1;
    const call = { type: "function_call", callId: "c1", name: this.#tool, arguments: JSON.stringify(this.#input) };
    const words = { type: "message", role: "assistant", content: [{ type: "output_text", text: "done" }] };
    const output = [{ ...(isFirst ? call : words), status: "completed" }] as ModelResponse["output"];
    return { usage: new Usage(), output };
  }

  async *getStreamedResponse(): AsyncGenerator<never> {
    yield* [];
    throw new Error("this model does not stream");
  }

  /** The result of the tool, as the latest request carries it. */
  toldLast(): string {
    const input = this.requests.at(-1)?.input;
    return JSON.stringify(Array.isArray(input) ? input.filter(({ type }) => type === "function_call_result") : input);
  }
}

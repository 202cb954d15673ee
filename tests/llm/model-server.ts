import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** What a model was asked, whichever way it was asked. */
export interface Asked {
  readonly wire: "anthropic" | "openai";
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage["headers"];
}

/** What the server does with a question. */
export type Act =
  | { readonly say: string; readonly stop?: "end" | "length"; readonly tokens?: readonly [number, number] }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly message?: string }
  | { readonly body: string }
  | { readonly redirect: string }
  | "hang"
  | "reset"
  | "cut";

/** A model on the loopback that says what a test wants, in the wire format of the path it is asked under. */
export class ModelServer {
  asked: Asked[] = [];
  /** How many questions were given up by their client. */
  givenUp = 0;
  act: (asked: Asked, number: number) => Act = agree;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #sockets = new Set<Socket>();

  async start(): Promise<void> {
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  clear(): void {
    this.asked = [];
    this.givenUp = 0;
    this.act = agree;
  }

  get baseURL(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = readQuestion(request, Buffer.concat(chunks).toString("utf8"));
    this.asked.push(asked);
    response.on("close", () => {
      if (!response.writableEnded) this.givenUp++;
    });
    const act = this.act(asked, this.asked.length);
    if (act === "hang") return;
    if (act === "reset") return void request.socket.resetAndDestroy();
    if (act === "cut") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
      response.write('{"id":');
      setTimeout(() => request.socket.destroy(), 20);
      return;
    }
    if ("redirect" in act) return void response.writeHead(307, { location: act.redirect }).end();
    if ("body" in act) return void response.writeHead(200, { "content-type": "application/json" }).end(act.body);
    if ("status" in act) {
      response.writeHead(act.status, { "content-type": "application/json", ...act.headers });
      response.end(JSON.stringify({ type: "error", error: { type: "test", message: act.message ?? "not now" } }));
      return;
    }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(WIRES[asked.wire](asked, act)));
  }
}

/** An answer as a well-behaved model gives it. */
export function say(answer: unknown): Act {
  return { say: JSON.stringify(answer) };
}

const agree = () => say({ action: "continue", reason: "fine" });

type Spoken = Extract<Act, { say: string }>;

const WIRES: Readonly<Record<Asked["wire"], (asked: Asked, act: Spoken) => object>> = {
  anthropic: ({ model }, { say: text, stop, tokens: [input, output] = [100, 20] }) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text }],
    stop_reason: stop === "length" ? "max_tokens" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  }),
  openai: ({ model }, { say: content, stop, tokens: [input, output] = [100, 20] }) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content },
        finish_reason: stop === "length" ? "length" : "stop",
      },
    ],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }),
};

function readQuestion(request: IncomingMessage, text: string): Asked {
  const body = JSON.parse(text) as { model: string; system?: unknown; messages: { role: string; content: unknown }[] };
  const isAnthropic = request.url === "/v1/messages";
  if (!isAnthropic && request.url !== "/v1/chat/completions") throw new Error(`unknown protocol ${request.url}`);
  const of = (role: string) => body.messages.filter((message) => message.role === role).map(({ content }) => content);
  return {
    wire: isAnthropic ? "anthropic" : "openai",
    model: body.model,
    system: isAnthropic ? plain(body.system) : of("system").map(plain).join("\n"),
    prompt: of("user").map(plain).join("\n"),
    body,
    headers: request.headers,
  };
}

/** A text, or a list of parts with texts. */
function plain(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? "");
  return content.map((part: { text?: string }) => part.text ?? "").join("");
}

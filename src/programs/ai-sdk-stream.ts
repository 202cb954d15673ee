import type { LanguageModelMiddleware } from "ai";

type StreamResult = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapStream"]>>>;
type Part = StreamResult["stream"] extends ReadableStream<infer Item> ? Item : never;
type Finish = Extract<Part, { type: "finish" }>;
type ToolCallPart = Extract<Part, { type: "tool-call" }>;

/** What a stream came to: whole, or cut short and why. */
export interface Streamed {
  readonly content: ({ type: "text"; text: string } | ToolCallPart)[];
  readonly usage?: Finish["usage"];
  readonly finishReason?: Finish["finishReason"];
  /** Why it did not reach its end. */
  readonly error?: string;
}

/** The same stream; `onEnd` is told once what it came to, also when it breaks or is not read to its end. */
export function watchStream(
  stream: StreamResult["stream"],
  onEnd: (streamed: Streamed) => Promise<void>,
): StreamResult["stream"] {
  const reader = stream.getReader();
  const seen = new Seen();
  return new ReadableStream<Part>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          seen.add(value);
          controller.enqueue(value);
          return;
        }
      } catch (error) {
        await onEnd(seen.all(textOf(error)));
        throw error;
      }
      await onEnd(seen.all());
      controller.close();
    },
    async cancel(reason) {
      await reader.cancel(reason);
      await onEnd(seen.all("it was not read to its end"));
    },
  });
}

class Seen {
  readonly #content: Streamed["content"] = [];
  #finish: Finish | undefined;
  #error: string | undefined;

  add(part: Part): void {
    if (part.type === "text-delta") this.#addText(part.delta);
    else if (part.type === "tool-call") this.#content.push(part);
    else if (part.type === "finish") this.#finish = part;
    else if (part.type === "error") this.#error = textOf(part.error);
  }

  #addText(delta: string): void {
    const last = this.#content.at(-1);
    if (last?.type === "text") last.text += delta;
    else this.#content.push({ type: "text", text: delta });
  }

  all(broken?: string): Streamed {
    const error = broken ?? this.#error;
    const finish = this.#finish && { usage: this.#finish.usage, finishReason: this.#finish.finishReason };
    return { content: this.#content, ...finish, ...(error === undefined ? {} : { error }) };
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

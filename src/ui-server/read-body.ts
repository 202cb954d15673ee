import type { IncomingMessage } from "node:http";

/** What the body of a request says, or why it is not read. */
export type RequestBody = { readonly body: unknown } | { readonly status: number; readonly why: string };

/** Reads a body of JSON; one that is too large is not read to its end. */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const tooLarge = { status: 413, why: "the body is too large" };
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY) return tooLarge;
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > MAX_BODY) return tooLarge;
      pieces.push(piece);
    }
    return { body: size === 0 ? undefined : JSON.parse(Buffer.concat(pieces).toString("utf8")) };
  } catch {
    return { status: 400, why: "the body is not JSON" };
  }
}

const MAX_BODY = 1024 * 1024;

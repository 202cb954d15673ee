import { errorText } from "../problem/problem.ts";
/** What a server answers a request with; nothing to a notification. */
export type Handler = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown> | unknown;

/** A refusal that the protocol has a number for. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The numbers of JSON-RPC. */
export const RPC_CODES = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603 } as const;

/** Answers one line of JSON-RPC with one line, or with nothing. Some versions of the protocol take several messages in one line. */
export async function answerLine(line: string, handle: Handler, takesBatches = true): Promise<string | undefined> {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return failure(null, RPC_CODES.parse, "this line is not JSON");
  }
  if (!Array.isArray(message)) return answerOne(message, handle);
  if (message.length === 0) return failure(null, RPC_CODES.request, "this list does not contain a message");
  if (!takesBatches)
    return failure(null, RPC_CODES.request, "this version of the protocol takes one message in a line, not a list");
  const answers = await Promise.all(message.map((one) => answerOne(one, handle)));
  const spoken = answers.filter((answer) => answer !== undefined);
  return spoken.length === 0 ? undefined : `[${spoken.join(",")}]`;
}

async function answerOne(message: unknown, handle: Handler): Promise<string | undefined> {
  const { id, method, params, result, error } = Object(message) as Readonly<Record<string, unknown>>;
  const isAnswerable = typeof id === "string" || typeof id === "number";
  // An answer is left alone, also one to a question that was never asked.
  if (method === undefined && (result !== undefined || error !== undefined)) return undefined;
  if (typeof method !== "string") return failure(isAnswerable ? id : null, RPC_CODES.request, NO_REQUEST);
  if (id === undefined) return undefined;
  if (!isAnswerable) return failure(null, RPC_CODES.request, "the id of a request is a text or a number");
  try {
    const result = await handle(method, Object(params ?? {}) as Readonly<Record<string, unknown>>);
    return JSON.stringify({ jsonrpc: "2.0", id, result });
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error.code, error.message);
    return failure(id, RPC_CODES.internal, errorText(error));
  }
}

function failure(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

const NO_REQUEST = "this is not a request: it does not name a method";

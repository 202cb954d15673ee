import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { problems } from "../problem/problem.ts";
import { admit, report, reportError, type SdkToolCall } from "./guard-call.ts";
import type { Hooks } from "./hooks.ts";

export { type Hooks, type HooksSource, hooksFrom } from "./hooks.ts";

/** Puts hooks around every tool of a server, also those it learns later; to be called before the first is registered. */
export function guardServer<S extends McpServer | Server>(hooks: Hooks, server: S): S {
  const inner = server as unknown as { readonly server?: ServerDoor } & ServerDoor;
  const door = inner.server ?? inner;
  try {
    door.assertCanSetRequestHandler(TOOLS_CALL);
  } catch (cause) {
    throw PROBLEMS.tooLate({}, { cause });
  }
  const setRequestHandler = door.setRequestHandler.bind(door);
  door.setRequestHandler = (schema, handler) =>
    setRequestHandler(schema, (request, extra) => {
      const { method, params } = request;
      if (method !== TOOLS_CALL || params === undefined) return handler(request, extra);
      const call = { name: params.name, input: params.arguments, signal: extra?.signal, sessionId: extra?.sessionId };
      return guardToolsCall(hooks, call, params, (final) => handler({ ...request, params: final }, extra));
    });
  return server;
}

/** Puts hooks around every tool that a client calls; to them a tool is named `mcp__server__tool`. */
export function guardClient<C extends Client>(hooks: Hooks, client: C): C {
  const door = client as unknown as ClientDoor;
  const request = door.request.bind(door);
  door.request = (asked, schema, options) => {
    const { params } = asked;
    if (asked.method !== TOOLS_CALL || params === undefined) return request(asked, schema, options);
    const name = ["mcp", client.getServerVersion()?.name ?? "server", params.name].map(plain).join("__");
    const call = { name, input: params.arguments, signal: options?.signal };
    return guardToolsCall(hooks, call, params, (final) => request({ ...asked, params: final }, schema, options));
  };
  return client;
}

interface Params {
  readonly name: string;
  readonly arguments?: object;
  readonly task?: unknown;
}

interface Result {
  readonly content?: readonly unknown[];
  readonly isError?: boolean;
}

interface Request {
  readonly method: string;
  readonly params?: Params;
}

type Handler = (request: Request, extra?: { signal?: AbortSignal; sessionId?: string }) => unknown;

/** The one place of a server that every call of a tool goes through. */
interface ServerDoor {
  assertCanSetRequestHandler(method: string): void;
  setRequestHandler(schema: unknown, handler: Handler): void;
}

/** The one place of a client that every call of a tool goes through. */
interface ClientDoor {
  request(request: Request, schema: unknown, options?: { signal?: AbortSignal }): Promise<unknown>;
}

async function guardToolsCall(
  hooks: Hooks,
  call: SdkToolCall<object | undefined>,
  params: Params,
  run: (params: Params) => unknown,
): Promise<unknown> {
  const admission = await admit(hooks, { ...call, input: call.input ?? {} });
  if (admission.kind === "denied") {
    // A request for a task cannot be answered with a result.
    if (params.task !== undefined) throw admission.error;
    return { content: [asContent(admission.text)], isError: true };
  }
  let result: Result;
  try {
    result = (await run({ ...params, arguments: admission.input })) as Result;
  } catch (error) {
    await reportError(hooks, call, admission, error);
    throw error;
  }
  if (result.isError === true) return withContexts(result, await reportError(hooks, call, admission, textIn(result)));
  const { output, contexts } = await report(hooks, call, admission, result);
  return withContexts(output, contexts);
}

function withContexts(result: Result, contexts: readonly string[]): Result {
  if (contexts.length === 0 || result.content === undefined) return result;
  return { ...result, content: [...result.content, ...contexts.map(asContent)] };
}

function asContent(text: string): object {
  return { type: "text", text };
}

function textIn({ content = [] }: Result): string {
  const texts = content.map((part) => (part as { text?: unknown }).text);
  return texts.filter((text) => typeof text === "string").join("\n");
}

/** Agents write names of MCP tools in these letters only. */
function plain(name: string): string {
  return name.replaceAll(/[^\w-]/g, "_");
}

const TOOLS_CALL = "tools/call";

const PROBLEMS = problems("programs", {
  tooLate: (_: object) => ({
    what: "The server already answers calls of tools; hooks cannot be put around them any more.",
    fix: "Call guardServer before the first tool is registered.",
  }),
});

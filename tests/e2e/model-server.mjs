import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { PROMPT } from "./prompt.mjs";
import { WIRES } from "./wires/index.mjs";

/**
 * Starts a model on the loopback that follows a script, a list of turns with one or more tool calls each, then says a last word.
 * It keeps everything it is told. Questions without tools (titles, summaries) get a short text.
 */
export async function startModel() {
  const model = {};
  const server = createServer((request, response) => void answer(model, request, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(model, {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Forgets everything and follows other scripts: the agent's own, and that of its sub-agents. */
    follow(main, sub = []) {
      const scripts = { main, sub };
      Object.assign(model, { scripts, told: [], tools: new Set(), results: { main: [], sub: [] }, unheard: [] });
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  });
}

async function answer(model, request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const { pathname: path } = new URL(request.url, "http://localhost");
  const wire = request.method === "POST" && WIRES.find(({ hears }) => hears(path));
  if (!wire) return aside(model, request, path, response);
  const body = JSON.parse(text);
  const turn = nextTurn(model, wire.read(body), text);
  await sleep(Math.max(0, ...(turn.calls ?? []).map(({ afterSeconds = 0 }) => afterSeconds)) * 1000);
  const { json, events = [], end = "" } = wire.write(turn, { body, path });
  if (json) return reply(response, json);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    response.write(`${event.type ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(end);
}

/** The script's next turn, told by how many results the question already carries. */
function nextTurn(model, { tools, results }, text) {
  if (tools.length === 0) return { text: "a title" };
  const whose = text.includes(PROMPT) ? "main" : "sub";
  for (const tool of tools) model.tools.add(tool);
  model.told.push(text);
  if (results.length >= model.results[whose].length) model.results[whose] = results;
  let due = 0;
  for (const calls of model.scripts[whose]) {
    if (due === results.length)
      return { calls: calls.map((call, at) => ({ id: `call_${whose}_${due + at}`, ...call })) };
    due += calls.length;
  }
  return { text: "that is all" };
}

/** What agents ask besides: how many tokens, which models, are you there. */
function aside(model, request, path, response) {
  if (path.endsWith("/count_tokens")) return reply(response, { input_tokens: 10 });
  if (path.endsWith(":countTokens")) return reply(response, { totalTokens: 10 });
  if (request.method === "HEAD" || path === "/") return reply(response, {});
  model.unheard.push(`${request.method} ${path}`);
  response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"not here"}}');
}

function reply(response, json) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
}

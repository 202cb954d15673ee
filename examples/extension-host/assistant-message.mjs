// The loop over what an assistant says. Each call of a tool goes one way:
// pre-hooks → dispatch → tool → post-hooks → sidecar → result. Whatever stops on the way is a result too.
import { randomUUID } from "node:crypto";
import { TOOLS } from "./tools.mjs";

/** Presents the blocks of one message in their order: texts are shown, calls are carried out. */
export async function presentAssistantMessage(blocks, host) {
  for (const block of blocks) {
    if (block.type === "text") add({ who: "assistant", ...block }, host);
    else await useTool(block, host);
  }
}

async function useTool({ name, input }, host) {
  const { engine, sidecar, state, show } = host;
  const call = { toolName: name, toolInput: input, toolUseId: randomUUID() };
  const entry = { type: "call", id: call.toolUseId, tool: name, input, steps: [] };
  const step = (said) => {
    entry.steps.push(said);
    show();
  };
  add(entry, host);

  step("pre-hooks");
  entry.decision = await engine.preToolUse(call);
  if (!entry.decision.allow) return end(entry, new Error(entry.decision.reason), host);

  step("dispatch");
  const { contextPatch = {} } = entry.decision;
  const { run } = TOOLS[name];

  step("tool");
  const result = await run(contextPatch.tool_input ?? input, { ...host, contextPatch }).catch(asError);

  step("post-hooks");
  await engine.postToolUse(call, result);

  step("sidecar");
  Object.assign(state, await sidecar.refresh());
  end(entry, result, host);
}

function add(entry, { state, show }) {
  state.timeline.push(entry);
  if (state.timeline.length > MAX_SHOWN) state.timeline.shift();
  show();
}

function end(entry, result, { show }) {
  const isFailed = result instanceof Error;
  const text = isFailed ? result.message : result;
  entry.result = { ok: !isFailed, text: text.length > MAX_SIGNS ? `${text.slice(0, MAX_SIGNS)}…` : text };
  entry.steps.push("result");
  show();
}

function asError(reason) {
  return reason instanceof Error ? reason : new Error(String(reason));
}

const MAX_SHOWN = 100;
const MAX_SIGNS = 4000;

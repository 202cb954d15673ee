import { amp as adapter } from "../../../src/adapters/amp.ts";
import {
  type Agent,
  asks,
  type Does,
  type Ended,
  goesOn,
  type Handed,
  isObject,
  part,
  stopped,
  text,
} from "./agent.ts";
import { type Shim, shimOf } from "./shim.ts";

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** Amp with our own plugin in it, as its manual says. */
export const amp: Agent = {
  id: "amp",
  knowsNoSilence: true,
  inputOf: (payload) => payload.input,
  withInput: (payload, input) => ({ ...payload, input }),
  reads,
};

let loaded: Promise<{ shim: Shim; handlers: Record<string, Handler> }> | undefined;

async function reads(ended: Ended, { hookEvent, payload }: Handed): Promise<Does> {
  loaded ??= load();
  const { shim, handlers } = await loaded;
  shim.ends(ended);
  const { agent: _, event: __, cwd: ___, ...event } = payload;
  let question = "";
  const confirm = async ({ message }: { message: string }) => {
    question = message;
    return true;
  };
  const answer = await handlers[hookEvent]?.(event, { ui: { confirm } });
  const outcome = isObject(answer) ? answer : {};
  switch (hookEvent) {
    case "tool.call": {
      if (outcome.action === "reject-and-continue") return stopped(outcome.message);
      const input = outcome.action === "modify" ? outcome.input : payload.input;
      return question === "" ? goesOn({ input, approved: true }) : asks(question, { input });
    }
    case "tool.result": {
      const before = payload.error ?? payload.output;
      const output = (payload.error === undefined ? outcome.output : outcome.error) ?? before;
      if (JSON.stringify(output) === JSON.stringify(before)) return goesOn();
      const added = addedTo(before, output);
      return added === undefined ? goesOn({ result: output, told: wordsIn(output) }) : goesOn({ told: added });
    }
    case "agent.start":
      return goesOn({ told: text(part(outcome, "message").content) });
    case "agent.end":
      return outcome.action === "continue" ? stopped(outcome.userMessage) : goesOn();
    default:
      return goesOn();
  }
}

async function load() {
  const shim = await shimOf(adapter);
  const { default: register } = shim.module;
  if (typeof register !== "function") throw new Error("the plugin has nothing to call");
  const handlers: Record<string, Handler> = {};
  register({ on: (event: string, handler: Handler) => Object.assign(handlers, { [event]: handler }) });
  return { shim, handlers };
}

function addedTo(before: unknown, after: unknown): string | undefined {
  if (typeof before === "string" && text(after).startsWith(before)) return text(after).slice(before.length);
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  return wordsIn(after.slice(before.length));
}

function wordsIn(value: unknown): string {
  if (!Array.isArray(value)) return text(value);
  return value.map((block) => (isObject(block) ? text(block.text) : "")).join("\n");
}

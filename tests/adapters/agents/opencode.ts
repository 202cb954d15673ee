import { opencode as adapter } from "../../../src/adapters/opencode.ts";
import { type Agent, type Does, type Ended, goesOn, type Handed, isObject, part, stopped, text } from "./agent.ts";
import { type Shim, shimOf } from "./shim.ts";

type Hook = (input: unknown, output: unknown) => Promise<unknown>;

/** OpenCode 1.18.18 with our own plugin in it: it throws to stop, and what it changes in place counts. */
export const opencode: Agent = {
  id: "opencode",
  inputOf: (payload) => payload.output,
  withInput: (payload, output) => ({ ...payload, output }),
  reads,
};

let loaded: Promise<{ shim: Shim; hooks: Record<string, Hook> }> | undefined;

async function reads(ended: Ended, { hookEvent, payload }: Handed): Promise<Does> {
  loaded ??= load();
  const { shim, hooks } = await loaded;
  const hook = hooks[hookEvent];
  // Events of the bus are told, and an answer is not waited for.
  if (hook === undefined || hookEvent === "event") return goesOn();
  shim.ends(ended);
  const output = structuredClone(payload.output);
  const { args, parts } = part({ output }, "output");
  try {
    await hook(payload.input, output);
  } catch (error) {
    return stopped(error instanceof Error ? error.message : String(error));
  }
  // A new object in the place of the old one is not looked at.
  const kept = {
    ...Object(output),
    ...(args === undefined ? {} : { args }),
    ...(parts === undefined ? {} : { parts }),
  };
  const after = { ...part({ output: kept }, "output") };
  switch (hookEvent) {
    case "tool.execute.after": {
      const before = text(part(payload, "output").output);
      const result = text(after.output);
      if (result === before) return goesOn();
      return result.startsWith(before)
        ? goesOn({ told: result.slice(before.length) })
        : goesOn({ result, told: result });
    }
    case "chat.message":
      return goesOn({
        input: after,
        told: JSON.stringify(after.parts) === JSON.stringify(partsOf(payload.output)) ? "" : wordsIn(after.parts),
      });
    case "experimental.text.complete":
      return goesOn(after.text === part(payload, "output").text ? {} : { result: after.text });
    case "experimental.session.compacting":
      return goesOn({ told: Array.isArray(after.context) ? after.context.join("\n") : "" });
    case "permission.ask":
      return after.status === "allow" ? goesOn({ approved: true }) : { ...goesOn(), then: "asks its user" };
    default:
      return goesOn({ input: after });
  }
}

async function load() {
  const shim = await shimOf(adapter);
  const { Sluice } = shim.module;
  if (typeof Sluice !== "function") throw new Error("the plugin exports nothing to call");
  return { shim, hooks: (await Sluice({ directory: "/home/dev/project" })) as Record<string, Hook> };
}

function partsOf(output: unknown): unknown {
  return part({ output }, "output").parts;
}

function wordsIn(parts: unknown): string {
  return Array.isArray(parts) ? parts.map((one) => (isObject(one) ? text(one.text) : "")).join("\n") : "";
}

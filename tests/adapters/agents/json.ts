import {
  type Agent,
  asks,
  type Does,
  type Ended,
  goesOn,
  type Handed,
  objectIn,
  part,
  stopped,
  text,
  together,
} from "./agent.ts";

/** A program of somebody's own that obeys what the answer says, by its words and by its exit code. */
export const json: Agent = {
  id: "json",
  inputOf: (payload) => modifiable(payload),
  withInput: (payload, input) => ({
    ...payload,
    data: isWhole(payload) ? input : { ...part(payload, "data"), [keyOf(payload)]: input },
  }),
  reads,
};

function reads({ stdout, exitCode }: Ended, { payload }: Handed): Does {
  const outcome = objectIn(stdout);
  const told = text(outcome?.context);
  if (outcome === undefined || exitCode === 2 || outcome.action === "deny")
    return stopped(together(outcome?.reason, told));
  const input = outcome.input ?? modifiable(payload);
  if (exitCode === 3 || outcome.action === "ask") return asks(outcome.reason, { input, told });
  const result = outcome.output === undefined ? {} : { result: outcome.output };
  return goesOn({ input, told, approved: outcome.approved === true, ...result });
}

function keyOf(payload: Handed["payload"]): string {
  return "prompt" in part(payload, "data") ? "prompt" : "tool_args";
}

function modifiable(payload: Handed["payload"]): unknown {
  return isWhole(payload) ? payload.data : part(payload, "data")[keyOf(payload)];
}

function isWhole({ type }: Handed["payload"]): boolean {
  return text(type).startsWith("llm:");
}

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
  const said = objectIn(stdout);
  const told = text(said?.context);
  if (said === undefined || exitCode === 2 || said.action === "deny") return stopped(together(said?.reason, told));
  const input = said.input ?? modifiable(payload);
  if (exitCode === 3 || said.action === "ask") return asks(said.reason, { input, told });
  const result = said.output === undefined ? {} : { result: said.output };
  return goesOn({ input, told, approved: said.approved === true, ...result });
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

import type { Reply, Said } from "./adapter.ts";
import { withContext } from "./families/claude.ts";
import { decodeRequest, isWritten, outputOf, partsOf, promptIn } from "./opencode-payload.ts";
import { changedOutside, isObject, objectAt, type Payload } from "./payload.ts";
import { theirInput, withTheirPath } from "./shell-input.ts";

/** Other arguments for a tool, in its own words. */
export function newArguments(said: Said, payload: Payload): Reply {
  if (said.action === "deny") return denied(said);
  return said.input === undefined ? answer() : answer({ args: theirs(outputOf(payload).args, said.input) });
}

/** Another result of a tool, or the same with words for the model after it. */
export function newResult({ output, context }: Said, payload: Payload): Reply {
  if (output === undefined && context === "") return answer();
  const result = output ?? outputOf(payload).output ?? "";
  const text = typeof result === "string" ? result : JSON.stringify(result);
  return answer({ output: context === "" ? text : `${text}\n\n${context}` });
}

/** The words go into the first part that the user wrote; what OpenCode added to it stays. */
export function newPrompt(said: Said, payload: Payload): Reply {
  if (said.action === "deny") return denied(said);
  if (said.input === undefined && said.context === "") return answer();
  const parts = partsOf(payload);
  const first = parts.find(isWritten);
  if (first === undefined && said.input !== undefined) return denied(said);
  const text = [String(said.input ?? promptIn(parts)), said.context].filter(Boolean).join("\n\n");
  const kept = parts.filter((part) => part === first || !isWritten(part));
  return answer({ parts: kept.map((part) => (part === first ? { ...part, text } : part)) });
}

/** Nothing can be changed here. */
export function denyOnly(said: Said): Reply {
  return said.action === "deny" ? denied(said) : answer();
}

/** A question of permission has its answer in a word. */
export function status(said: Said): Reply {
  if (said.action === "deny") return denied(said, { status: "deny" });
  if (said.action === "ask") return answer({ status: "ask" });
  return said.approved ? answer({ status: "allow" }) : answer();
}

/** Nothing of a request but its parameters can be changed. */
export function beyondParameters({ input }: Said, payload: Payload): string | undefined {
  const others = changedOutside(["parameters"], decodeRequest(payload).data, input);
  const isWhole = isObject(input) && isObject(input.parameters) && others.length === 0;
  return isWhole ? undefined : "OpenCode takes other `parameters`, and nothing else";
}

/** Other settings for a request to the model. */
export function newParameters(said: Said): Reply {
  if (said.action === "deny") return denied(said);
  return isObject(said.input) ? answer(objectAt(said.input, "parameters")) : answer();
}

/** Another answer of the model. */
export function newText({ output }: Said): Reply {
  return isObject(output) && typeof output.text === "string" ? answer({ text: output.text }) : answer();
}

/** Words that the summary of a conversation has to keep. */
export function moreContext({ context }: Said, payload: Payload): Reply {
  const old = outputOf(payload).context;
  return context === "" ? answer() : answer({ context: [...(Array.isArray(old) ? old : []), context] });
}

/** What the plugin does: throw on a denial, else change its output. */
export function answer(output?: object): Reply {
  return { stdout: output === undefined ? { action: "continue" } : { action: "modify", output } };
}

function denied(said: Said, output?: object): Reply {
  const reason = withContext(said);
  return {
    stdout: { action: "deny", reason, ...(output === undefined ? {} : { output }) },
    stderr: reason,
    exitCode: 2,
  };
}

function theirs(original: unknown, changed: unknown): unknown {
  return theirInput(original, withTheirPath(original, changed));
}

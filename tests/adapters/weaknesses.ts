import { isDeepStrictEqual } from "node:util";
import { modifiable } from "../../src/decision/modification.ts";
import { eventSpec } from "../../src/event/catalogue.ts";
import { withoutControls } from "../../src/problem/visible-text.ts";
import { isObject, text } from "./agents/agent.ts";
import type { Carried } from "./carried-out.ts";
import type { Saying } from "./decisions.ts";

/** Everything in which the agent does less, or more, than hooks said and the table claims; empty when all is well. */
export function weaknesses(carried: Carried, saying: Saying): string[] {
  return [
    ...printedOddly(carried),
    ...tooWeak(carried, saying),
    ...approvals(carried, saying),
    ...inputs(carried, saying),
    ...results(carried, saying),
    ...words(carried, saying),
    ...feedback(carried, saying),
  ];
}

/** Standard output is one line of JSON, or the text that some agents read as context. */
function printedOddly({ printed: { stdout, stderr, exitCode } }: Carried): string[] {
  const found: string[] = [];
  if (stdout !== "" && !stdout.endsWith("\n")) found.push("standard output does not end its line");
  if (stdout.startsWith("{") && stdout.trimEnd().includes("\n")) found.push("the JSON has more than one line");
  if (stdout.startsWith("{")) JSON.parse(stdout);
  if (exitCode !== 0 && stderr.trim() === "") found.push("an exit code without words");
  return found;
}

function tooWeak({ does, hookEvent, notes }: Carried, { action = "continue", input }: Saying): string[] {
  const { gate } = eventSpec(hookEvent.as);
  const canDeny = hookEvent.can.includes("deny");
  if (action === "deny" && canDeny && does.then !== "is stopped") return [`denied, and it ${does.then}`];
  if (action === "deny" && gate && !canDeny && notes.length === 0) return ["not told that the denial has no effect"];
  if (action === "ask" && canDeny && does.then === "goes on") return ["to be asked about, and it goes on"];
  if (action === "ask" && input === undefined && hookEvent.can.includes("ask") && does.then === "is stopped")
    return ["`ask` is claimed and stops"];
  if (does.then === "asks its user" && action !== "ask" && hookEvent.as !== "permission:check")
    return ["asks without need"];
  if (does.then === "asks its user" && !hookEvent.can.includes("ask")) return ["asks, which is not claimed"];
  if (does.then === "is stopped" && action === "continue") return ["stopped without need"];
  if (does.then === "is stopped" && !canDeny) return ["stopped, which is not claimed"];
  return [];
}

function approvals({ does, hookEvent, agent }: Carried, { approved = false, action }: Saying): string[] {
  if (does.approved && !approved && !agent.knowsNoSilence) return ["approved without an approval"];
  if (does.approved && !hookEvent.can.includes("approve")) return ["approved, which is not claimed"];
  const isHeld = action === "deny" || action === "ask" || does.then === "is stopped";
  if (approved && !isHeld && hookEvent.can.includes("approve") && !does.approved)
    return ["`approve` is claimed and missing"];
  return [];
}

/** The tool gets exactly what hooks want it to get, or nothing at all. */
function inputs(carried: Carried, { input, contexts = [] }: Saying): string[] {
  const { does, event, after, agent, sent } = carried;
  if (does.then === "is stopped" || (input === undefined && does.input === undefined)) return [];
  if (input === undefined && isDeepStrictEqual(does.input, agent.inputOf(sent.payload))) return [];
  if (input === undefined && carried.hookEvent.can.includes("context") && event.type.startsWith("user:")) return [];
  if (input === undefined) return [`the input changes by itself to ${JSON.stringify(does.input)}`];
  if (!carried.hookEvent.can.includes("deny") && carried.notes.length > 0) return [];
  if (after === undefined) return ["a changed input does not arrive"];
  const arrived = modifiable(after);
  const isPrompt = typeof input === "string" && text(arrived) === [input, ...contexts].join("\n\n");
  // What a changed request does not name may stay in it.
  const wanted = event.type.startsWith("llm:") ? [input, { ...event.data, ...Object(input) }] : [input];
  return isPrompt || wanted.some((one) => isDeepStrictEqual(ours(arrived), ours(one)))
    ? []
    : [`a changed input arrives as ${JSON.stringify(arrived)}`];
}

/** An input without the agent's spelling of what stands there in ours. */
function ours(input: unknown): unknown {
  if (!isObject(input)) return input;
  const twice = [
    ...(typeof input.command === "string" ? ["cmd", "commands", "command_line"] : []),
    ...(typeof input.file_path === "string" ? ["filePath"] : []),
  ];
  return Object.fromEntries(Object.entries(input).filter(([key]) => !twice.includes(key)));
}

function results({ does, hookEvent }: Carried, { output, feedback }: Saying): string[] {
  const isReplaced = does.result !== undefined && !(does.objected && feedback !== undefined);
  if (output === undefined) return isReplaced ? ["the result changes by itself"] : [];
  const claimed = hookEvent.can.includes("output");
  if (!claimed) return does.result === undefined ? [] : ["another result, which is not claimed"];
  const arrived = typeof does.result === "string" ? does.result : JSON.stringify(does.result ?? "");
  return arrived.includes("another result") ? [] : ["another result is claimed and does not arrive"];
}

/** Reasons reach the model or the user; contexts reach the model where that is claimed, and go with every denial. */
function words({ does, hookEvent }: Carried, { action, reasons = [], ...saying }: Saying): string[] {
  const objections = hookEvent.can.includes("feedback") ? (saying.feedback ?? []) : [];
  const contexts = (saying.contexts ?? []).filter((words) => words.trim() !== "" && !objections.includes(words));
  const heard = wellFormed(`${does.told}\n${does.shown}`);
  const found: string[] = [];
  const objects = action === "deny" || action === "ask";
  if (objects && does.then !== "goes on" && hookEvent.as !== "permission:check")
    found.push(
      ...reasons.filter((reason) => !heard.includes(cut(reason))).map((reason) => `not heard: "${cut(reason)}"`),
    );
  if (does.then === "is stopped" && heard.trim() === "") found.push("stopped without a word");
  const isHeldInVain = action !== undefined && action !== "continue" && !hookEvent.can.includes("deny");
  const place = does.then === "goes on" && !isHeldInVain ? wellFormed(does.told) : heard;
  const isOwed = hookEvent.can.includes("context") || (action === "deny" && hookEvent.can.includes("deny"));
  if (isOwed)
    found.push(...contexts.filter((one) => !place.includes(cut(one))).map((one) => `not heard: "${cut(one)}"`));
  if (!isOwed && does.then === "goes on" && contexts.some((one) => does.told.includes(cut(one))))
    found.push("words reach the model, which is not claimed");
  return found;
}

/** What hooks object to afterwards is an objection where that is claimed; other words never are. */
function feedback({ does, hookEvent, agent }: Carried, { feedback: objections = [], output }: Saying): string[] {
  const claimed = hookEvent.can.includes("feedback");
  if (objections.length === 0) {
    const isMeant = output !== undefined || agent.objectsWithAnyWords;
    return does.objected && !isMeant ? ["words are taken for an objection"] : [];
  }
  if (!claimed) return does.objected ? ["an objection, which is not claimed"] : [];
  if (!does.objected) return ["`feedback` is claimed and the agent hears no objection"];
  const heard = wellFormed(`${does.told}\n${text(does.result)}`);
  return objections.filter((one) => !heard.includes(cut(one))).map((one) => `the model does not hear "${cut(one)}"`);
}

/** Agents trim what they read, and cut what is too long; control characters reach them spelled out. */
function cut(words: string): string {
  return wellFormed(withoutControls(words.slice(0, 400)))
    .trim()
    .slice(0, 200);
}

/** Half a letter does not survive a file or a pipe. */
function wellFormed(words: string): string {
  return Buffer.from(words).toString();
}

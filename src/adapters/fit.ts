import { type Decision, reasonText } from "../decision/decision.ts";
import { eventSpec } from "../event/catalogue.ts";
import { isObject } from "../event/json.ts";
import type { AgentHookEvent, Said } from "./adapter.ts";
import type { Payload } from "./payload.ts";

/** What an agent is told, and where that is not what the hooks said. */
export interface Fitted {
  readonly said: Said;
  /** What became stricter, or could not be carried out at all. */
  readonly notes: readonly string[];
  /** Why the agent goes on although hooks deny it: it has no way to be stopped here. */
  readonly unstopped?: string;
}

/** A decision in the agent's reach: what it cannot carry out here becomes stricter, never weaker. */
export function fitDecision(decision: Decision, hookEvent: Fitting, agent: string, payload: Payload = {}): Fitted {
  if (isSilent(decision)) return SILENCE;
  const { as, can, mostWords } = hookEvent;
  const { gate } = eventSpec(as);
  const notes: string[] = [];
  const has = (power: AgentHookEvent["can"][number]) => can.includes(power);
  // Some agents take a denial without words for a broken hook, and go on.
  const objections = has("feedback") ? (decision.feedback ?? []) : [];
  const told = new Set(objections);
  const context = decision.contexts.filter((text) => !told.has(text)).join("\n\n");
  const words = reasonText(decision.action, decision.reasons, decision.results);
  const deny = (reason: string, note: string): Said => {
    notes.push(note);
    return { action: "deny", reason, context, approved: false };
  };
  const said = cut(unrefused(stricter()));
  const isUnstopped = said.action === "deny" && gate && !has("deny");
  const unstopped = `${agent} goes on all the same: no hook can stop ${as} there`;
  if (isUnstopped) notes.push(unstopped);
  if (said.context !== "" && !has("context") && !(said.action === "deny" && has("deny")))
    notes.push(`${agent} takes no words for the model at ${as}`);
  return isUnstopped ? { said, notes, unstopped } : { said, notes };

  function stricter(): Said {
    const reason = words || `${speakers(decision)} says ${decision.action}`;
    const changes = {
      ...(objections.length === 0 ? {} : { feedback: objections.join("\n\n") }),
      ...(decision.input === undefined ? {} : { input: decision.input }),
      ...(decision.output === undefined ? {} : { output: decision.output }),
      ...(decision.kept === undefined ? {} : { kept: decision.kept }),
    };
    switch (decision.action) {
      case "deny":
        return { action: "deny", reason, context, approved: false };
      case "ask":
        if (!has("ask"))
          return deny(
            `needs approval:${reason.startsWith("- ") ? "\n" : " "}${reason}`,
            `ask became deny: ${agent} cannot ask its user at ${as}`,
          );
        if (decision.input !== undefined && !has("modify")) return unchangeable(reason);
        return { action: "ask", reason, context, approved: false, ...changes };
      case "modify":
        if (decision.input !== undefined && !has("modify")) return unchangeable(reason);
        return resultOf("modify", reason, changes);
      case "continue":
        return resultOf("continue", reason, changes);
    }
  }

  function unrefused(said: Said): Said {
    const refused = refusal(said, hookEvent, payload);
    return refused === undefined ? said : deny(refused.reason, `${said.action} became deny: ${refused.why}`);
  }

  function cut(said: Said): Said {
    if (said.action === "deny" || mostWords === undefined || !has("context")) return said;
    const context = shortened(said.context, mostWords);
    if (context !== said.context) notes.push(`${agent} takes no more than ${mostWords} bytes of words for the model`);
    return { ...said, context };
  }

  function unchangeable(reason: string): Said {
    const { input } = decision;
    const text = isObject(input) ? input.command : input;
    const wanted = typeof text === "string" ? `. What a hook wants instead: ${text}` : "";
    return deny(
      `${reason} (a hook changes what ${agent} cannot change here)${wanted}`,
      `modify became deny: ${agent} cannot take another input at ${as}`,
    );
  }

  function resultOf(action: "modify" | "continue", reason: string, changes: Partial<Said>): Said {
    const approved = decision.approved && has("approve");
    if (decision.output === undefined || has("output")) return { action, reason, context, approved, ...changes };
    notes.push(`a hook changed the result; ${agent} keeps the tool's own at ${as}`);
    const { output: _, ...rest } = changes;
    return { action: "continue", reason, context, approved, ...rest };
  }
}

/** By far the most frequent decision: no hook has anything to say. */
function isSilent({ action, reasons, contexts, input, output, approved }: Decision): boolean {
  const isChanged = input !== undefined || output !== undefined;
  return action === "continue" && reasons.length === 0 && contexts.length === 0 && !isChanged && !approved;
}

const SILENCE: Fitted = { said: { action: "continue", reason: "", context: "", approved: false }, notes: [] };

type Fitting = Pick<AgentHookEvent, "as" | "can" | "refuses" | "mostWords">;

/** The denial that a change becomes which the agent would drop. */
export function refusal(
  said: Said,
  { refuses }: Pick<AgentHookEvent, "refuses">,
  payload: Payload,
): { readonly reason: string; readonly why: string } | undefined {
  const why = said.action === "deny" || said.input === undefined ? undefined : refuses?.(said, payload);
  return why === undefined ? undefined : { reason: `${said.reason} (${why})`, why };
}

/** The beginning of a text, as far as these bytes go; a sign that is cut in two is left out. */
function shortened(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= most) return text;
  const kept = new TextDecoder().decode(bytes.subarray(0, most - CUT.length), { stream: true });
  return `${kept}${CUT}`;
}

const CUT = "\n(cut here: the agent takes no more)";

/** The hooks that said it without a reason. */
function speakers({ action, results }: Decision): string {
  const all = results.filter((result) => result.action === action);
  const names = all.slice(0, MOST_NAMES).map(({ hook }) => `"${hook.name}"`);
  const more = all.length > names.length ? [`${all.length - names.length} more`] : [];
  return names.length === 0 ? "a hook" : `hook ${[...names, ...more].join(" and ")}`;
}

const MOST_NAMES = 5;

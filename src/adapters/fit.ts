import { type Decision, reasonText } from "../decision/decision.ts";
import { eventSpec } from "../event/catalogue.ts";
import { isObject } from "../event/json.ts";
import type { AgentHookEvent, FittedDecision } from "./adapter.ts";
import type { Payload } from "./payload.ts";

/** What an agent is answered, and notes where that differs from the decision of the hooks. */
export interface Fitted {
  readonly outcome: FittedDecision;
  /** What became stricter, or could not be carried out at all. */
  readonly notes: readonly string[];
  /** Why the agent continues although hooks deny it: it cannot be stopped here. */
  readonly unstopped?: string;
}

/** A decision in the agent's reach: what it cannot carry out here becomes stricter, never weaker. */
export function fitDecision(decision: Decision, hookEvent: Fitting, agent: string, payload: Payload = {}): Fitted {
  if (isSilent(decision)) return SILENCE;
  const { as, can, maxContext } = hookEvent;
  const { gate } = eventSpec(as);
  const notes: string[] = [];
  const has = (power: AgentHookEvent["can"][number]) => can.includes(power);
  // Some agents treat a denial without a reason as a broken hook, and continue.
  const objections = has("feedback") ? (decision.feedback ?? []) : [];
  const told = new Set(objections);
  const context = decision.contexts.filter((text) => !told.has(text)).join("\n\n");
  const words = reasonText(decision.action, decision.reasons, decision.results);
  const deny = (reason: string, note: string): FittedDecision => {
    notes.push(note);
    return { action: "deny", reason, context, approved: false };
  };
  const outcome = cut(unrefused(stricter()));
  const isUnstopped = outcome.action === "deny" && gate && !has("deny");
  const unstopped = `${agent} continues all the same: no hook can stop ${as} there`;
  if (isUnstopped) notes.push(unstopped);
  if (outcome.context !== "" && !has("context") && !(outcome.action === "deny" && has("deny")))
    notes.push(`${agent} accepts no message for the model at ${as}`);
  return isUnstopped ? { outcome, notes, unstopped } : { outcome, notes };

  function stricter(): FittedDecision {
    const reason = words || `${speakers(decision)} says ${decision.action}`;
    const changes = {
      ...(objections.length === 0 ? {} : { feedback: objections.join("\n\n") }),
      ...(decision.input === undefined ? {} : { input: decision.input }),
      ...(decision.output === undefined ? {} : { output: decision.output }),
      ...(decision.kept === undefined ? {} : { kept: decision.kept }),
      ...(decision.request === undefined ? {} : { request: decision.request }),
      ...(decision.contained === undefined ? {} : { contained: decision.contained }),
    };
    switch (decision.action) {
      case "deny":
        return { action: "deny", reason, context, approved: false };
      case "ask":
        if (!has("ask"))
          return deny(
            `needs approval:${reason.startsWith("- ") ? "\n" : " "}${reason}${waitingText(decision)}`,
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

  function unrefused(outcome: FittedDecision): FittedDecision {
    const refused = refusal(outcome, hookEvent, payload);
    return refused === undefined ? outcome : deny(refused.reason, `${outcome.action} became deny: ${refused.why}`);
  }

  function cut(outcome: FittedDecision): FittedDecision {
    if (outcome.action === "deny" || maxContext === undefined || !has("context")) return outcome;
    const context = shortened(outcome.context, maxContext);
    if (context !== outcome.context) notes.push(`${agent} accepts at most ${maxContext} bytes of text for the model`);
    return { ...outcome, context };
  }

  function unchangeable(reason: string): FittedDecision {
    const { input } = decision;
    const text = isObject(input) ? input.command : input;
    const wanted = typeof text === "string" ? `. What a hook wants instead: ${text}` : "";
    return deny(
      `${reason} (a hook changes what ${agent} cannot change here)${wanted}`,
      `modify became deny: ${agent} cannot take another input at ${as}`,
    );
  }

  function resultOf(action: "modify" | "continue", reason: string, changes: Partial<FittedDecision>): FittedDecision {
    const approved = decision.approved && has("approve");
    if (decision.output === undefined || has("output")) return { action, reason, context, approved, ...changes };
    notes.push(`a hook changed the result; ${agent} keeps the tool's own at ${as}`);
    const { output: _, ...rest } = changes;
    return { action: "continue", reason, context, approved, ...rest };
  }
}

/** What a model does whose user cannot be asked here. */
function waitingText({ request }: Decision): string {
  if (request === undefined) return "";
  return `\nwaiting for approval ${request.id}: try again once the user has answered. They can run \`sluice approve ${request.id}\` in a terminal of their own.`;
}

/** By far the most frequent decision: every hook continues without a message. */
function isSilent({ action, reasons, contexts, input, output, approved }: Decision): boolean {
  const isChanged = input !== undefined || output !== undefined;
  return action === "continue" && reasons.length === 0 && contexts.length === 0 && !isChanged && !approved;
}

const SILENCE: Fitted = { outcome: { action: "continue", reason: "", context: "", approved: false }, notes: [] };

type Fitting = Pick<AgentHookEvent, "as" | "can" | "refuses" | "maxContext">;

/** The denial that a change becomes which the agent would drop. */
export function refusal(
  outcome: FittedDecision,
  { refuses }: Pick<AgentHookEvent, "refuses">,
  payload: Payload,
): { readonly reason: string; readonly why: string } | undefined {
  const why = outcome.action === "deny" || outcome.input === undefined ? undefined : refuses?.(outcome, payload);
  return why === undefined ? undefined : { reason: `${outcome.reason} (${why})`, why };
}

/** The beginning of a text, as far as these bytes go; a sign that is cut in two is left out. */
function shortened(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= most) return text;
  const kept = new TextDecoder().decode(bytes.subarray(0, most - CUT.length), { stream: true });
  return `${kept}${CUT}`;
}

const CUT = "\n(cut here: the agent accepts no more)";

/** The hooks that gave this answer without a reason. */
function speakers({ action, results }: Decision): string {
  const all = results.filter((result) => result.action === action);
  const names = all.slice(0, MAX_NAMES).map(({ hook }) => `"${hook.name}"`);
  const more = all.length > names.length ? [`${all.length - names.length} more`] : [];
  return names.length === 0 ? "a hook" : `hook ${[...names, ...more].join(" and ")}`;
}

const MAX_NAMES = 5;

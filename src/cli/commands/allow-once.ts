import { whyNotLifted } from "../../approvals/asked-call.ts";
import { answererAt, DENIAL_MS, grantOnce } from "../../approvals/requests.ts";
import { problems } from "../../problem/problem.ts";
import { journalFolder } from "../../trace/journal.ts";
import type { DecisionRecord } from "../../trace/record.ts";
import { rememberHookEvent } from "../../trace/remember.ts";
import { type CommandInput, USAGE } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { recordById } from "../recorded-calls.ts";
import { showRecord } from "../show/record.ts";
import { confirmedByPerson, placeOf, requirePerson, type Sure } from "./confirm.ts";

/** Lets exactly the call of one denial pass, once, within a few minutes. */
export async function run(input: CommandInput): Promise<Exit> {
  return allowWith(input);
}

/** The same with another function that asks the question. */
export async function allowWith(input: CommandInput, sure?: Sure): Promise<Exit> {
  const { io, words } = input;
  const [id] = words;
  if (id === undefined) throw USAGE.noDenialId({ command: "allow-once" });
  requirePerson(io, "allow-once");
  const record = recordOf(id, input);
  const call = callOf(record);
  for (const line of showRecord(record, [], io)) io.err(line);
  if (!(await confirmedByPerson({ io, verb: "allow-once", question: "Let exactly this call pass, once?" }, sure))) {
    io.err("Nothing was changed.");
    return "problem";
  }
  const denied = { call, id: record.id, policy: record.policy, label: record.tool ?? record.event };
  if (!grantOnce(denied, answererAt("a terminal"), placeOf(io))) throw PROBLEMS.unwritable(undefined);
  rememberHookEvent({
    env: io.env,
    kind: "skipped",
    event: "allow-once",
    sessionId: record.session_id,
    action: "continue",
    notes: [`The user allowed the call of ${record.id} once, at a terminal.`],
  });
  io.out(`The same call passes once within ${DENIAL_MS / 60_000} minutes. Tell the agent to try again.`);
  return "done";
}

function recordOf(id: string, { io }: CommandInput): DecisionRecord {
  const record = recordById(id, journalFolder(io.env));
  if (record === undefined) throw PROBLEMS.unknownId({ id });
  return record;
}

/** The call that a record is about, where a user may lift what was said about it. */
function callOf({ id, call, results, action }: DecisionRecord): string {
  if (call === undefined) throw PROBLEMS.noDenial({ id });
  const objecting = results.filter((result) => result.action === action);
  const firm = objecting
    .map(({ hook, layer, code }) => whyNotLifted({ hook: { name: hook, layer }, code }, action))
    .find((why) => why !== undefined);
  if (objecting.length === 0) throw PROBLEMS.firm({ id, why: "no hook said it" });
  if (firm !== undefined) throw PROBLEMS.firm({ id, why: firm });
  return call;
}

const PROBLEMS = problems("protect", {
  unknownId: ({ id }: { id: string }) => ({
    what: `No decision "${id}" is remembered.`,
    fix: "`sluice why --last 10` lists the latest.",
  }),
  noDenial: ({ id }: { id: string }) => ({
    what: `Decision ${id} blocked no tool call of an agent; there is nothing to allow.`,
    fix: "`sluice why --last 10` lists the latest.",
  }),
  firm: ({ id, why }: { id: string; why: string }) => ({
    what: `The denial ${id} cannot be lifted: ${why}.`,
    fix: `Look at it with \`sluice why ${id}\`.`,
  }),
  unwritable: () => ({
    what: "Nothing was allowed: the folder for Sluice's state cannot be written, or others can write to it.",
    fix: "Look at it with `sluice doctor`.",
  }),
});

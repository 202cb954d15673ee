import type { Grant } from "../../approvals/grants.ts";
import { revokeEverywhere, sharedApprovals } from "../../approvals/shared-approvals.ts";
import { type PendingRequest, readApprovals } from "../../approvals/store.ts";
import { type CommandInput, USAGE } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { localTime } from "../show/log-line.ts";
import { columns, oneLine, paintFor, visible } from "../show/terminal-text.ts";
import { APPROVAL_PROBLEMS, inStore, note, sharedGrants } from "./approve.ts";
import { placeOf } from "./confirm.ts";

/** Lists requests that wait and answers that are in force, or ends answers. */
export async function run(input: CommandInput): Promise<Exit> {
  const { words, io } = input;
  const [part, id, extra] = words;
  if (part === undefined) return list(input);
  if (part !== "revoke") throw USAGE.unknownSubcommand({ command: "approvals", word: part, known: ["revoke"] });
  if (extra !== undefined) throw USAGE.unexpectedArgument({ command: "approvals revoke", extra });
  const meant = input.has("all") ? "all" : id;
  if (meant === undefined) throw APPROVAL_PROBLEMS.nothingNamed(undefined);
  const place = placeOf(io);
  const ended = await inStore(() => revokeEverywhere(meant, place, sharedApprovals(place)));
  if (ended === undefined) throw APPROVAL_PROBLEMS.unwritable(undefined);
  if (ended === 0 && meant !== "all") throw APPROVAL_PROBLEMS.unknownGrant({ id: meant });
  note("approvals", "", `${ended} answers were revoked.`, input);
  if (input.has("json")) io.out(JSON.stringify({ revoked: ended }));
  else io.out(ended === 1 ? "One answer is not in force any more." : `${ended} answers are not in force any more.`);
  return "done";
}

async function list(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const place = placeOf(io);
  const elsewhere = await sharedGrants(sharedApprovals(place), io);
  const exit = elsewhere === undefined ? "problem" : "done";
  const known = readApprovals(place);
  const { requests } = known;
  const grants = [...known.grants, ...(elsewhere ?? [])];
  if (input.has("json")) {
    io.out(JSON.stringify({ pending: requests.map(pendingJson), grants: grants.map(grantJson) }, null, 2));
    return exit;
  }
  const paint = paintFor(io);
  const row = (cells: readonly string[]) => cells.map((cell) => oneLine(cell, 200));
  if (requests.length === 0) io.out("No request waits for an answer.");
  else {
    const rows = requests.map(({ id, at, agent, text, reasons }) =>
      row([id, localTime(new Date(at).toISOString()), agent, text, reasons[0] ?? ""]),
    );
    for (const line of columns([["id", "since", "agent", "call", "why"].map(paint.dim), ...rows], io.width))
      io.out(line);
    io.out("`sluice approve <id>` or `sluice deny <id>` answers one, and those of the same shape with it.");
  }
  if (grants.length > 0) {
    const rows = grants.map(({ id, answer, on, left, until, label, by, channel }) =>
      row([
        id,
        answer === "deny" ? "denied" : on,
        `${left}`,
        localTime(new Date(until).toISOString()),
        label,
        `${by}, ${channel}`,
      ]),
    );
    io.out("");
    for (const line of columns([["id", "for", "left", "until", "shape", "by"].map(paint.dim), ...rows], io.width))
      io.out(line);
    io.out("`sluice approvals revoke <id>` ends one.");
  }
  for (const { via, why } of requests
    .flatMap(({ notified = [] }) => notified)
    .filter(({ state }) => state === "failed"))
    io.err(`A notification through ${via} failed: ${visible(why ?? "")}`);
  return exit;
}

function pendingJson(request: PendingRequest): object {
  const { id, at, until, agent, session, root, tool, shape, text, reasons, askers, shapeKey, notified = [] } = request;
  return {
    ...{
      id,
      at: new Date(at).toISOString(),
      until: new Date(until).toISOString(),
      agent,
      session_id: session,
      project: root,
    },
    ...{ tool, shape, text, reasons, asked_by: askers, may_approve_shape: shapeKey !== undefined, notified },
  };
}

function grantJson(grant: Grant): object {
  const { id, answer, on, label, lifts, root, agent, session, at, until, left, by, channel, reason } = grant;
  return {
    ...{ id, answer, for: on, shape: label, lifts, project: root, agent, session_id: session },
    ...{ at: new Date(at).toISOString(), until: new Date(until).toISOString(), left, by, channel, reason },
  };
}

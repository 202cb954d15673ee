import { isDeepStrictEqual } from "node:util";
import type { Grant } from "../../approvals/grants.ts";
import { whyNoPerson, whyReachable } from "../../approvals/person.ts";
import {
  hashPin,
  type PersonChannel,
  personChannel,
  removePersonChannel,
  savePersonChannel,
  whyNoPin,
} from "../../approvals/person-channel.ts";
import {
  type Answerer,
  answererAt,
  MAX_FOR_MS,
  MAX_TIMES,
  type RequestAnswer,
  sameShape,
} from "../../approvals/requests.ts";
import {
  answerEverywhere,
  exchangeApprovals,
  type SharedApprovals,
  sharedApprovals,
} from "../../approvals/shared-approvals.ts";
import { type PendingRequest, readApprovals } from "../../approvals/store.ts";
import { ageMs } from "../../config/undo-settings.ts";
import { problems } from "../../problem/problem.ts";
import { StoreUnavailable } from "../../stores/store.ts";
import { rememberHookEvent } from "../../trace/remember.ts";
import type { StatePlace } from "../../trust/state-file.ts";
import { type CommandInput, countIn, USAGE } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { readHidden } from "../read-hidden.ts";
import { visible } from "../show/terminal-text.ts";
import { confirmedByPerson, placeOf, requirePerson, type Sure } from "./confirm.ts";

/** Approves or denies a request, or sets up what proves that a person approves. */
export async function run(input: CommandInput): Promise<Exit> {
  if (input.command === "deny") return deny(input);
  return input.words[0] === "setup" ? setUp(input) : approveWith(input);
}

/** Denies a request: the same call is denied from now on, with what the user says to the model. It needs no confirmation. */
async function deny(input: CommandInput): Promise<Exit> {
  const { io, words } = input;
  const found = await waiting(words[0], input);
  const reason = input.text("reason");
  const answerer = answererAt("a terminal");
  const answered = await answeredBy(answerer, { answer: "deny", reason }, found);
  for (const { id, session } of answered)
    note("deny", session, `${answerer.by} denied request ${id} through ${answerer.channel}.`, input);
  const list = answered.map(({ id }) => id);
  if (input.has("json")) io.out(JSON.stringify({ denied: list, ...(reason === undefined ? {} : { reason }) }));
  else if (list.length === 0) io.err("Nothing was denied: the request was answered elsewhere meanwhile.");
  else io.out(`Denied ${list.join(", ")}. The same call is denied from now on${reason ? ", with your reason" : ""}.`);
  return list.length === 0 ? "problem" : "done";
}

/** Approves with another function that asks the question. */
export async function approveWith(input: CommandInput, sure?: Sure, channel = "a terminal"): Promise<Exit> {
  const { io, words } = input;
  const found = await waiting(words[0], input);
  const { requests } = found;
  requirePerson(io, "approve");
  const [first] = requests;
  const answer = answerOf(input, first);
  const about = answer.on === "shape" ? [first] : requests;
  for (const line of about.flatMap((request) => requestLines(request))) io.err(line);
  const question = `Approve ${lengthText(answer, about.length)}?`;
  if (!(await confirmedByPerson({ io, verb: "approve", question }, sure))) {
    io.err("Nothing was approved.");
    return "problem";
  }
  const answerer = answererAt(channel);
  const answered = await answeredBy(answerer, answer, found);
  for (const { id, session } of answered)
    note(
      "approve",
      session,
      `${answerer.by} approved request ${id} through ${channel}: ${lengthText(answer, 1)}.`,
      input,
    );
  if (input.has("json")) io.out(JSON.stringify({ approved: answered.map(({ id }) => id), ...answer }));
  else if (answered.length === 0) io.err("Nothing was approved: the request was answered elsewhere meanwhile.");
  else
    io.out(
      `Approved ${answered.map(({ id }) => id).join(", ")}: ${lengthText(answer, answered.length)}. Tell the agent to try again.`,
    );
  return answered.length === 0 ? "problem" : "done";
}

/** Requests of which a person has found one. */
interface Found {
  readonly requests: readonly [PendingRequest, ...PendingRequest[]];
  readonly place: StatePlace;
  readonly shared: SharedApprovals | undefined;
}

/** The request of that id, and those that its answer answers too. */
export async function waiting(id: string | undefined, { io, command, has }: CommandInput): Promise<Found> {
  if (id === undefined) throw APPROVAL_PROBLEMS.noId({ command });
  const place = placeOf(io);
  const shared = sharedApprovals(place);
  await sharedGrants(shared, io);
  const known = readApprovals(place);
  const found = /^[0-9a-f]{1,6}$/i.test(id) ? known.requests.filter((one) => one.id.startsWith(id.toLowerCase())) : [];
  const [request] = found;
  if (request === undefined) throw APPROVAL_PROBLEMS.unknownId({ id });
  if (found.length > 1) throw APPROVAL_PROBLEMS.severalIds({ id, ids: found.map((one) => one.id) });
  const others = has("single") ? [] : sameShape(request, known).filter((one) => one.id !== request.id);
  return { requests: [request, ...others], place, shared };
}

/** Brings the requests of other machines here and returns the grants of all; undefined, and reported, if their store is away. */
export async function sharedGrants(
  shared: SharedApprovals | undefined,
  io: CommandInput["io"],
): Promise<readonly Grant[] | undefined> {
  if (shared === undefined) return [];
  try {
    return await exchangeApprovals(shared);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    io.err(`The store of shared approvals cannot be reached, so this is what is known here: ${error.message}.`);
    return undefined;
  }
}

async function answeredBy(answerer: Answerer, answer: RequestAnswer, { requests, place, shared }: Found) {
  const ids = requests.map(({ id }) => id);
  const answered = await inStore(() => answerEverywhere(ids, answer, answerer, place, shared));
  if (answered === undefined) throw APPROVAL_PROBLEMS.unwritable(undefined);
  return answered;
}

/** Runs an act that needs the store of shared approvals; without the store it is a problem. */
export async function inStore<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof StoreUnavailable ? APPROVAL_PROBLEMS.storeAway({ why: error.message }) : error;
  }
}

/** A request in a few lines. */
export function requestLines({ id, agent, root, text, reasons }: PendingRequest): string[] {
  return [
    `${id}  ${agent || "an agent"} in ${visible(root)}`,
    ...text.split("\n").map((line) => `    ${visible(line)}`),
    ...reasons.map((reason) => `  ${visible(reason)}`),
  ];
}

/** Writes into the journal who answered, and how. */
export function note(verb: string, session: string, text: string, { io }: CommandInput): void {
  rememberHookEvent({
    env: io.env,
    kind: "skipped",
    event: verb,
    action: "continue",
    notes: [text],
    ...(session === "" ? {} : { sessionId: session }),
  });
}

type Approval = Extract<RequestAnswer, { answer: "allow" }>;

/** Once, if no option says how long and how often. */
function answerOf(input: CommandInput, { shapeKey, id }: PendingRequest): Approval {
  const [length, times] = [input.text("for"), input.text("times")];
  const isShape = input.has("shape");
  if (input.has("once") && (length !== undefined || times !== undefined || isShape))
    throw APPROVAL_PROBLEMS.onceAndMore(undefined);
  if (isShape && shapeKey === undefined) throw APPROVAL_PROBLEMS.noShape({ id });
  const count = times === undefined ? undefined : countIn(times, "times", "calls");
  if (count !== undefined && count > MAX_TIMES) throw APPROVAL_PROBLEMS.tooOften({ times: count });
  const forMs = length === undefined ? undefined : ageMs(length);
  if (length !== undefined && (forMs === undefined || forMs <= 0 || forMs > MAX_FOR_MS))
    throw APPROVAL_PROBLEMS.noLength({ length });
  return {
    answer: "allow",
    on: isShape ? "shape" : "input",
    forMs: forMs ?? (count === undefined && !isShape ? ONCE_MS : LONG_MS),
    times: count ?? (forMs === undefined && !isShape ? 1 : MAX_TIMES),
  };
}

function lengthText({ on, forMs, times }: Approval, count: number): string {
  const what =
    on === "shape"
      ? "calls of this shape in this session"
      : count > 1
        ? `each of these ${count} calls`
        : "exactly this call";
  const often = times === 1 ? "once" : `at most ${times} times`;
  const minutes = Math.round(forMs / 60_000);
  const long =
    minutes < 1 ? `${Math.round(forMs / 1000)} s` : minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
  return `${what}, ${often} within ${long}`;
}

/** Sets the PIN, or adds a passkey. What is set up already is needed for that. */
async function setUp(input: CommandInput): Promise<Exit> {
  const { io, words } = input;
  if (words.length > 1) throw USAGE.unexpectedArgument({ command: "approve setup", extra: words[1] ?? "" });
  if (input.has("pin") && input.has("passkey")) throw APPROVAL_PROBLEMS.pinAndPasskey(undefined);
  const place = placeOf(io);
  const channel = personChannel(place);
  const known = typeof channel === "object" ? channel : undefined;
  // Who types the first PIN answers from then on.
  const why = whyNoPerson(io) ?? (known === undefined ? whyReachable(io.env) : undefined);
  if (why !== undefined) throw APPROVAL_PROBLEMS.noPerson({ why });
  const question = "Changing what proves that it is you needs what is set up now.";
  if (known !== undefined && !(await confirmedByPerson({ io, verb: "approve setup", question })))
    return unchanged(input);
  if (input.has("remove")) return removed(known !== undefined, input);
  const next = await (input.has("passkey") ? withPasskey(known, io) : withPin(known, io));
  if (next === undefined) return unchanged(input);
  const isSaved = savePersonChannel(next, place);
  if (!isSaved || !isDeepStrictEqual(personChannel(place), { ...next, passkeys: next.passkeys ?? [] })) {
    // What others can write to is not read; it must not apply once only the user can.
    if (known === undefined) removePersonChannel(place);
    throw APPROVAL_PROBLEMS.unwritable(undefined);
  }
  const what = input.has("passkey") ? "passkey" : "PIN";
  note("approve", "", `A ${what} was set up at a terminal: everything that weakens protection needs it.`, input);
  if (input.has("json")) io.out(JSON.stringify({ [what.toLowerCase()]: true }));
  else io.out(`The ${what} is set up. Everything that weakens protection needs it from now on.`);
  return "done";
}

/** What is known with a new PIN; undefined if none was typed. */
async function withPin(known: PersonChannel | undefined, io: CommandInput["io"]) {
  const pin = await readHidden("New PIN: ", io);
  if (pin === undefined || pin === "") return undefined;
  const wrong = whyNoPin(pin);
  if (wrong !== undefined) throw APPROVAL_PROBLEMS.badPin({ why: wrong });
  if ((await readHidden("The same again: ", io)) !== pin) throw APPROVAL_PROBLEMS.otherPin(undefined);
  if (pin.length < GOOD_LENGTH)
    io.err(`A PIN of ${GOOD_LENGTH} characters or more is safer against a program that has read its file.`);
  return { ...known, pin: hashPin(pin) };
}

/** What is known with one more passkey; undefined if none was made. */
async function withPasskey(known: PersonChannel | undefined, io: CommandInput["io"]) {
  const { createPasskey } = await import("./passkey.ts");
  const passkeys = known?.passkeys ?? [];
  const made = await createPasskey(passkeys, answererAt("").by, io);
  return made === undefined ? undefined : { ...known, passkeys: [...passkeys, made] };
}

/** Removes the PIN and all passkeys: a yes at a terminal confirms again. */
function removed(isKnown: boolean, input: CommandInput): Exit {
  const { io } = input;
  if (isKnown) removePersonChannel(placeOf(io));
  if (personChannel(placeOf(io)) !== "none") throw APPROVAL_PROBLEMS.unwritable(undefined);
  if (isKnown) note("approve", "", "What was set up to prove a person was removed at a terminal.", input);
  io.out(isKnown ? "Removed. A yes at a terminal of your own confirms from now on." : "Nothing was set up.");
  return "done";
}

function unchanged({ io }: CommandInput): Exit {
  io.err("Nothing was changed.");
  return "problem";
}

const ONCE_MS = 30 * 60_000;
const LONG_MS = 8 * 60 * 60_000;
const GOOD_LENGTH = 6;

/** What can be wrong with a command about requests. */
export const APPROVAL_PROBLEMS = problems("approvals", {
  noId: ({ command }: { command: string }) => ({
    what: `\`sluice ${command}\` needs the id of a request.`,
    fix: "`sluice approvals` lists those that wait.",
  }),
  unknownId: ({ id }: { id: string }) => ({
    what: `No request "${id}" waits for an answer.`,
    fix: "`sluice approvals` lists those that wait; answered and expired requests are not in that list.",
  }),
  severalIds: ({ id, ids }: { id: string; ids: readonly string[] }) => ({
    what: `Several requests begin with "${id}": ${ids.join(", ")}.`,
    fix: "Write more of the id.",
  }),
  onceAndMore: () => ({
    what: "`--once` cannot be combined with `--for`, `--times` or `--shape`.",
    fix: "Leave `--once` out, or the others.",
  }),
  noShape: ({ id }: { id: string }) => ({
    what: `The call of ${id} runs code or has parts that are known only when it runs, so calls of its shape could do anything.`,
    fix: `Approve exactly this call: \`sluice approve ${id}\`, or with \`--times 3\` or \`--for 30m\`.`,
  }),
  tooOften: ({ times }: { times: number }) => ({
    what: `--times ${times}: an approval is for at most ${MAX_TIMES} calls.`,
    fix: `Write --times ${MAX_TIMES} or less.`,
  }),
  noLength: ({ length }: { length: string }) => ({
    what: `--for ${length}: not a time of at most ${MAX_FOR_MS / 3_600_000} hours.`,
    fix: "Write --for 30m, for example.",
  }),
  unwritable: () => ({
    what: "Nothing was changed: the folder for Sluice's state cannot be written, or others can write to it.",
    fix: "Look at it with `sluice doctor`.",
  }),
  storeAway: ({ why }: { why: string }) => ({
    what: `Nothing was changed in the store of shared approvals: ${why}.`,
    fix: "Try again when it is back; `sluice doctor` looks at it.",
  }),
  nothingNamed: () => ({
    what: "`sluice approvals revoke` needs the id of an answer, or --all.",
    fix: "`sluice approvals` lists the answers that are in force.",
  }),
  unknownGrant: ({ id }: { id: string }) => ({
    what: `No answer "${id}" is in force.`,
    fix: "`sluice approvals` lists those that are.",
  }),
  noPerson: ({ why }: { why: string }) => ({
    what: `\`sluice approve setup\` does nothing here: ${why}.`,
    fix: "Open a terminal of your own, outside of any agent, and run it there.",
  }),
  badPin: ({ why }: { why: string }) => ({
    what: `Nothing was changed: ${why}.`,
    fix: "Run `sluice approve setup` again.",
  }),
  pinAndPasskey: () => ({
    what: "`--pin` and `--passkey` set up one of them.",
    fix: "Run `sluice approve setup` for each that you want; either is enough then.",
  }),
  otherPin: () => ({
    what: "Nothing was changed: the two PINs differ.",
    fix: "Run `sluice approve setup` again.",
  }),
});

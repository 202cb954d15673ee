import { configHome } from "../config/locate.ts";
import { DecidedElsewhere, Undecided } from "../decide/answer.ts";
import type { Consent } from "../server/conversation.ts";
import type { Answer, Request } from "../server/protocol.ts";
import type { ColdWords } from "../server/quarters.ts";
import { LATER, type Later, type NeedsHooks } from "../server/serve.ts";
import { warmLayers } from "../server/warm-layers.ts";
import { lookingOnce } from "../trust/one-look.ts";
import { answerCall } from "./answer-call.ts";
import { type Command, type Input, readInput } from "./command.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import type { Io, Resident } from "./io.ts";
import { mayRunFor } from "./may-run-for.ts";
import { layersToKeep, signsIn } from "./read-layers.ts";
import { standInPlaceOf } from "./stand-in.ts";

/**
 * Answers requests as the cold command would, byte for byte, from memory. Where hooks have to run that could do something,
 * it says so before anything has run; what it is not sure of is left to the cold command.
 */
export function requestAnswerer(
  cold: ColdWords,
  commands: readonly Command[],
): (request: Request, consent?: Consent) => Promise<Answer | NeedsHooks | Later> {
  // Whoever has another home is not answered here.
  const home = configHome();
  const resident: Resident = {
    layers: warmLayers(layersToKeep, { signsIn, home: () => home }),
    afterwards: (act) => void setImmediate(act),
    beforeHooks: (heard) => Promise.reject(new DecidedElsewhere(heard)),
  };
  const own = { ...process.env };
  const standIn = standInPlaceOf(process.env);
  return async (request, consent) => {
    const { words, env, cwd } = request;
    const [program, launcher, command] = words;
    if (program !== cold[0] || launcher !== cold[1] || command !== "run") return COLD;
    const answer = await lookingOnce(() =>
      standIn(env, cwd)
        ? answerHere(request, commands, consent ? withConsent(resident, consent) : resident)
        : Promise.resolve(COLD),
    );
    if (!(answer instanceof Undecided)) return answer;
    if (!(answer instanceof DecidedElsewhere)) return LATER;
    const { heard } = answer;
    const { kinds, root, patience, usesNetwork } = heard;
    if (!mayRunFor(env, own, heard)) return { kind: "cold", usesNetwork };
    return { kind: "hooks", request, project: kinds.includes("plugin") ? root : undefined, patience, usesNetwork };
  };
}

/** Of a call that passes quietly there is only the answer, until the client says that it has it; everything else waits for its word. */
function withConsent(resident: Resident, consent: Consent): Resident {
  // Spelled out: this is on the way of every call, and copying an object costs more than naming what it holds.
  return {
    layers: resident.layers,
    beforeHooks: resident.beforeHooks,
    begin: () => soon(consent.ask()),
    afterwards: (act) => void consent.given.then((isGiven) => isGiven && resident.afterwards(act)),
  };
}

/** Calls are decided one after the other: who hesitates does not keep the others waiting. */
async function soon(goAhead: Promise<boolean>): Promise<void> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    limit = setTimeout(resolve, HESITATION_MS, false);
  });
  const may = await Promise.race([goAhead, late]);
  clearTimeout(limit);
  if (!may) throw new Undecided("nobody has said yet that this call may be decided here");
}

const HESITATION_MS = 20;

/** Answers in this very process, which stands where the caller stands. */
export async function answerHere(
  { words, env, cwd, payload, value }: Request,
  commands: readonly Command[],
  resident: Resident,
): Promise<Answer | Undecided> {
  const printed = { 1: "", 2: "" };
  const write = (fd: 1 | 2, text: string) => {
    printed[fd] += text;
  };
  const input = inputOf(commands, words.slice(3), {
    out: (text) => write(1, `${text}\n`),
    err: (text) => write(2, `${text}\n`),
    write,
    isTerminal: false,
    hasColour: false,
    width: 100,
    cwd,
    env,
    resident,
  });
  if (input === undefined) return COLD;
  try {
    const call = { text: payload, value, agent: input.words[0], moment: input.text("moment") };
    const { stdout, stderr, exit } = await answerCall(call, input);
    return {
      kind: "done",
      stdout: printed[1] + stdout,
      stderr: printed[2] + stderr,
      exitCode: EXIT_CODES[exit].code,
    };
  } catch (error) {
    return error instanceof Undecided ? error : COLD;
  }
}

/** Only what agents say: an agent, and a moment where its payload has none. */
function inputOf(commands: readonly Command[], args: readonly string[], io: Io): Input | undefined {
  const command = commands.find(({ name }) => name === "run");
  const isPlain = args.every((word) => !word.startsWith("-") || word === "--moment" || word.startsWith("--moment="));
  if (command === undefined || !isPlain) return undefined;
  const input = readInput(command, args, io, commands);
  return "words" in input && input.words.length <= 1 ? input : undefined;
}

const COLD: Answer = { kind: "cold", usesNetwork: true };

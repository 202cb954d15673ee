import { configHome } from "../config/locate.ts";
import { answer } from "../decide/answer.ts";
import type { Caller, DaemonCaller } from "../decide/caller.ts";
import { DecidedElsewhere, Undecided } from "../decide/context.ts";
import type { Consent } from "../server/conversation.ts";
import type { Answer, Request } from "../server/protocol.ts";
import type { ColdWords } from "../server/quarters.ts";
import { LATER, type Later, type NeedsHooks } from "../server/serve.ts";
import { warmLayers } from "../server/warm-layers.ts";
import { withStatCache } from "../fs/stat-cache.ts";
import { type Command, type Input, readInput } from "./command.ts";
import type { Io } from "./io.ts";
import { mayRunFor } from "./may-run-for.ts";
import { layersToKeep, signsIn } from "../decide/project.ts";
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
  const deciding: Deciding = {
    daemon: {
      layers: warmLayers(layersToKeep, { signsIn, home: () => home }),
      afterwards: (act) => void setImmediate(act),
    },
    beforeHooks: (matched) => Promise.reject(new DecidedElsewhere(matched)),
  };
  const own = { ...process.env };
  const standIn = standInPlaceOf(process.env);
  return async (request, consent) => {
    const { words, env, cwd } = request;
    const [program, launcher, command] = words;
    if (program !== cold[0] || launcher !== cold[1] || command !== "run") return COLD;
    const answer = await withStatCache(() =>
      standIn(env, cwd)
        ? answerHere(request, commands, consent ? withConsent(deciding, consent) : deciding)
        : Promise.resolve(COLD),
    );
    if (!(answer instanceof Undecided)) return answer;
    if (!(answer instanceof DecidedElsewhere)) return LATER;
    const { matched } = answer;
    const { kinds, root, patience, usesNetwork } = matched;
    if (!mayRunFor(env, own, matched)) return { kind: "cold", usesNetwork };
    return { kind: "hooks", request, project: kinds.includes("plugin") ? root : undefined, patience, usesNetwork };
  };
}

/** Of a call that passes quietly there is only the answer, until the client says that it has it; everything else waits for its word. */
function withConsent({ daemon, beforeHooks }: Deciding, consent: Consent): Deciding {
  // Spelled out: this is on the way of every call, and copying an object costs more than naming what it holds.
  return {
    daemon: {
      layers: daemon.layers,
      afterwards: (act) => void consent.given.then((isGiven) => isGiven && daemon.afterwards(act)),
    },
    beforeHooks,
    begin: () => soon(consent.ask()),
  };
}

/** How a daemon or a worker decides, whoever calls. */
export interface Deciding extends Pick<Caller, "begin" | "beforeHooks"> {
  readonly daemon: DaemonCaller;
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
  { daemon, begin, beforeHooks }: Deciding,
): Promise<Answer | Undecided> {
  const silent = () => {};
  const shown = { out: silent, err: silent, write: silent, isTerminal: false, hasColour: false, width: 100 };
  const input = inputOf(commands, words.slice(3), { ...shown, cwd, env });
  if (input === undefined) return COLD;
  try {
    const call = { text: payload, value, agent: input.words[0], moment: input.text("moment") };
    const { stdout, stderr, exitCode } = await answer(call, { cwd, env, daemon, begin, beforeHooks });
    return { kind: "done", stdout, stderr, exitCode };
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

import { DecidedElsewhere } from "../pipeline.ts";
import type { Answer, Request } from "../resident/protocol.ts";
import type { ColdWords } from "../resident/quarters.ts";
import { warmLayers } from "../resident/warm-layers.ts";
import { answerCall } from "./answer-call.ts";
import { type Command, type Input, readInput } from "./command.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { readLayers } from "./read-layers.ts";
import { standInPlaceOf } from "./stand-in.ts";

/** Answers requests as the cold command would, byte for byte; what it is not sure of is left to that command. */
export function requestAnswerer(cold: ColdWords, commands: readonly Command[]): (request: Request) => Promise<Answer> {
  const resident = { layers: warmLayers(readLayers), afterwards: (act: () => void) => void setImmediate(act) };
  const standIn = standInPlaceOf(process.env);
  return async ({ words, env, cwd, payload }) => {
    const [program, launcher, command, ...args] = words;
    if (program !== cold[0] || launcher !== cold[1] || command !== "run" || !standIn(env, cwd)) return COLD;
    const printed = { 1: "", 2: "" };
    const write = (fd: 1 | 2, text: string) => {
      printed[fd] += text;
    };
    const input = inputOf(commands, args, {
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
      const call = { text: payload, agent: input.words[0], moment: input.text("moment") };
      const { stdout, stderr, exit } = await answerCall(call, input);
      return {
        kind: "done",
        stdout: printed[1] + stdout,
        stderr: printed[2] + stderr,
        exitCode: EXIT_CODES[exit].code,
      };
    } catch (error) {
      return error instanceof DecidedElsewhere ? { kind: "cold", usesNetwork: error.usesNetwork } : COLD;
    }
  };
}

/** Only what agents say: an agent, and a moment where its payload has none. */
function inputOf(commands: readonly Command[], args: readonly string[], io: Io): Input | undefined {
  const command = commands.find(({ name }) => name === "run");
  const isPlain = args.every((word) => !word.startsWith("-") || /^--moment(=|$)/.test(word));
  if (command === undefined || !isPlain) return undefined;
  const input = readInput(command, args, io, commands);
  return "words" in input && input.words.length <= 1 ? input : undefined;
}

const COLD: Answer = { kind: "cold", usesNetwork: true };

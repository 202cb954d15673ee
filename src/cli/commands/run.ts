import type { Decides } from "../../server/ask-first.ts";
import { systemOf } from "../../server/system.ts";
import type { Input } from "../command.ts";
import { EXIT_CODES, type Exit, exitOf } from "../exit-codes.ts";
import { leaveInOrder } from "../leave-in-order.ts";
import { restoreCertificates } from "../own-certificates.ts";
import { readStandardInput } from "../standard-input.ts";

/** What agents call: their payload on standard input, their own answer on standard output, and nothing else. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  restoreCertificates(process.env);
  const call = { text: readStandardInput(), agent: input.words[0], moment: input.text("moment") };
  const asked = await askedFirst(call.text, input);
  if (asked.who === "engine") return say(asked.answer, exitOf(asked.answer.exitCode), input);
  const { answer } = await import("../../decide/answer.ts");
  const caller = { cwd: io.cwd, env: io.env, trustHash: input.text("trust-hash"), beforeHooks: leaveInOrder };
  const background = input.text("background");
  if (background !== undefined) {
    const { runBackground } = await import("../../decide/caller.ts");
    leaveInOrder();
    await runBackground(call, caller, background);
    return "done";
  }
  const isLost = input.has("lost") || asked.who === "nobody";
  const answered = await answer(call, caller, isLost ? refuseLost : undefined);
  const exit = say(answered, exitOf(answered.exitCode), input);
  if ((input.has("start") || (asked.who === "here" && asked.startsEngine)) && io.env.SLUICE_RESIDENT !== "0") {
    const { launchEngine } = await import("../../server/launch.ts");
    const { coldWords } = await import("../cold-words.ts");
    launchEngine(coldWords(), io.env);
    const { postedTo } = await import("../../server/posted-to.ts");
    await postedTo(coldWords(), io.env);
  }
  return exit;
}

/** Where node is the client, the engine is asked here, unless somebody has said already who decides. */
async function askedFirst(payload: string, { io, has }: Input): Promise<Decides> {
  const isSettled =
    ["cold", "start", "lost", "background"].some((option) => has(option)) || io.env.SLUICE_RESIDENT === "0";
  if (isSettled || !systemOf().nodeAsks) return HERE;
  const { askFirst } = await import("../../server/ask-first.ts");
  const { coldWords } = await import("../cold-words.ts");
  const call = { cold: coldWords(), args: process.argv.slice(2), env: io.env, cwd: io.cwd, payload };
  return askFirst(call).catch(() => HERE);
}

function say(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  exit: Exit,
  { io }: Input,
): Exit {
  io.write(1, stdout);
  io.write(2, stderr);
  io.answered?.(EXIT_CODES[exit].code);
  return exit;
}

/** A gate stays shut: what the hooks did until then is not known, and a second run could do it again. */
function refuseLost(): Promise<never> {
  return Promise.reject(
    new Error(
      "the resident engine has this call and did not answer; what they did is not known, so they were not run again",
    ),
  );
}

const HERE: Decides = { who: "here", startsEngine: false };

import { forgetLearned } from "../llm/learned.ts";
import { DecidedElsewhere, Undecided } from "../decide/context.ts";
import type { DecideWithHooks } from "../server/hand.ts";
import type { Answer } from "../server/protocol.ts";
import { warmLayers } from "../server/warm-layers.ts";
import { isHijack } from "../runners/command-environment.ts";
import { answerHere } from "./answer-request.ts";
import type { Command } from "./command.ts";
import { readLayers } from "../decide/project.ts";

/** Answers requests as the cold command would, hooks and all: in the caller's folder, with its environment and its umask. */
export function handAnswerer(commands: readonly Command[]): DecideWithHooks {
  const layers = warmLayers((root) => readLayers(root));
  const own = process.umask(0o077);
  const afterwards = (act: () => void) => void setImmediate(act);
  return async (request, project, mayBegin) => {
    const { env, cwd, umask = own } = request;
    process.chdir(cwd);
    process.umask(umask);
    wear(env);
    forgetLearned();
    const answer = await answerHere(request, commands, {
      daemon: { layers, afterwards },
      beforeHooks: async (matched) => {
        const isOurs = !matched.kinds.includes("plugin") || matched.root === project;
        const seconds = Math.ceil(matched.patience / 1000) + SPARE_SECONDS;
        if (!isOurs || !(await mayBegin(seconds))) throw new DecidedElsewhere(matched);
      },
    });
    return answer instanceof Undecided ? COLD : answer;
  };
}

/**
 * The caller's environment and nothing of the call before. What makes programs load something no hook ever sees; here it
 * would reach what this process itself starts, whoever called.
 */
function wear(env: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env) || isHijack(name)) delete process.env[name];
  for (const [name, value] of Object.entries(env))
    if (!isHijack(name) && process.env[name] !== value) process.env[name] = value;
}

/** Hooks that were ended need two to end. Agents wait four, and one that has heard nothing goes on without an answer. */
const SPARE_SECONDS = 3;
const COLD: Answer = { kind: "cold", usesNetwork: true };

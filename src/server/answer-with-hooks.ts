import { DecidedElsewhere, Undecided } from "../decide/context.ts";
import { readLayersForCall } from "../decide/layers.ts";
import { forgetLearned } from "../llm/learned.ts";
import { isHijack } from "../runners/command-environment.ts";
import { afterAnswer, answerHere } from "./answer-request.ts";
import { configCache } from "./config-cache.ts";
import { COLD } from "./protocol.ts";
import type { DecideWithHooks } from "./worker.ts";

/** Answers requests in a worker as the cold command would, hooks and all: in the caller's folder, with its environment and its umask. */
export function workerAnswerer(): DecideWithHooks {
  const layers = configCache(readLayersForCall);
  const own = process.umask(0o077);
  return async (request, mayBegin) => {
    const { env, cwd, umask = own } = request;
    process.chdir(cwd);
    process.umask(umask);
    replaceEnvironment(env);
    forgetLearned();
    const answer = await answerHere(request, {
      daemon: { layers, afterwards: afterAnswer, mayWait: true },
      beforeHooks: async (matched) => {
        const seconds = Math.ceil(matched.patience / 1000) + SPARE_SECONDS;
        if (!(await mayBegin(seconds))) throw new DecidedElsewhere(matched);
      },
    });
    return answer instanceof Undecided ? COLD : answer;
  };
}

/**
 * Sets the caller's environment and removes that of the call before. Variables that make programs load something are left
 * out: no hook ever gets them, and here they would reach what this process itself starts.
 */
function replaceEnvironment(env: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env) || isHijack(name)) delete process.env[name];
  for (const [name, value] of Object.entries(env))
    if (!isHijack(name) && process.env[name] !== value) process.env[name] = value;
}

/** Hooks that were ended need two seconds to end. Agents wait four, and then go on without an answer. */
const SPARE_SECONDS = 3;

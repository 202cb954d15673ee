import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import type { Adapter } from "../adapters/adapter.ts";
import { CANARY_HEADER, DEPTH_HEADER } from "../adapters/http-form.ts";
import { ADAPTERS, adapterNamed } from "../adapters/index.ts";
import { CANARY_VARIABLE } from "../decide/canary.ts";
import type { HttpAnswer, HttpCall } from "../server/http-door.ts";
import { failedReply, type HttpReply, replyOf } from "../server/http-reply.ts";
import type { Request } from "../server/protocol.ts";
import type { ColdWords } from "../server/quarters.ts";
import { payloadValue, SessionSurroundings } from "../server/session-surroundings.ts";
import { DEPTH_VARIABLE } from "../runners/command-environment.ts";

/** The surroundings of sessions, beginning with those of this process. */
export function sessionSurroundings(env: Readonly<Record<string, string | undefined>>): SessionSurroundings {
  return new SessionSurroundings(
    env,
    ADAPTERS.flatMap(({ projectVariables = [] }) => projectVariables),
  );
}

/** Answers calls over HTTP as the command would; what the engine leaves to the command, the command decides. */
export function httpAnswerer(cold: ColdWords, sessions: SessionSurroundings): HttpAnswer {
  return async (call, conversation) => {
    const adapter = adapterNamed(call.agent);
    if (adapter === undefined || !Object.hasOwn(adapter.moments, call.moment)) return undefined;
    const request = requestOf(call, adapter, cold, sessions);
    const said = await conversation.answer(request, call.isThere, call.signal);
    if (said?.kind === "done") return replyOf(said);
    const { usesNetwork = true, isLost = false } = said ?? {};
    return decidedCold(request, { usesNetwork, isLost, ms: patienceMs(adapter, call.moment) });
  };
}

/** The call as a client would send it. */
function requestOf(
  { agent, moment, payload, headers }: HttpCall,
  adapter: Adapter,
  cold: ColdWords,
  sessions: SessionSurroundings,
): Request {
  const value = payloadValue(payload);
  const { env, cwd } = sessions.of(value, adapter.projectVariables);
  const depth = shaped(headers[DEPTH_HEADER], /^\d{1,3}$/);
  const canary = shaped(headers[CANARY_HEADER], /^[0-9a-f]{1,64}$/);
  return {
    // A moment that the payload names and the agent has comes first; another one does not open a gate.
    words: [...cold, "run", agent, "--moment", moment],
    env: withMarks(env, depth, canary),
    cwd,
    payload,
    value,
  };
}

/** A call brings its own depth and its own canary, or none; an environment without either is handed on as it is. */
function withMarks(env: Request["env"], depth: string | undefined, canary: string | undefined): Request["env"] {
  if (env[DEPTH_VARIABLE] === depth && env[CANARY_VARIABLE] === canary) return env;
  const { [DEPTH_VARIABLE]: _, [CANARY_VARIABLE]: __, ...rest } = env;
  return {
    ...rest,
    ...(depth === undefined ? {} : { [DEPTH_VARIABLE]: depth }),
    ...(canary === undefined ? {} : { [CANARY_VARIABLE]: canary }),
  };
}

function shaped(header: string | string[] | undefined, shape: RegExp): string | undefined {
  return typeof header === "string" && shape.test(header) ? header : undefined;
}

function patienceMs({ moments, seconds }: Adapter, moment: string): number {
  return (moments[moment]?.seconds ?? seconds) * 1000;
}

/** Lets the command decide in a process of its own. */
function decidedCold(
  { words, env, cwd, payload }: Request,
  { usesNetwork, isLost, ms }: { readonly usesNetwork: boolean; readonly isLost: boolean; readonly ms: number },
): Promise<HttpReply> {
  const [program = "", ...rest] = words;
  const { NODE_EXTRA_CA_CERTS: certificates, ...without } = env;
  const hidden = certificates === undefined ? {} : { SLUICE_EXTRA_CA_CERTS: certificates };
  return new Promise((resolve) => {
    const child = spawn(program, [...rest, isLost ? "--lost" : "--cold"], {
      cwd: isFolder(cwd) ? cwd : "/",
      env: usesNetwork ? env : { ...without, ...hidden },
    });
    const printed = { stdout: "", stderr: "" };
    const limit = setTimeout(() => child.kill("SIGTERM"), ms);
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        printed[name] += text;
      });
    child.on("error", (error) => resolve(failedReply(`Sluice could not run ${program}: ${error.message}`)));
    child.on("close", (exitCode) => {
      clearTimeout(limit);
      resolve(
        exitCode === null ? failedReply("Sluice was ended before it had decided") : replyOf({ ...printed, exitCode }),
      );
    });
    child.stdin.on("error", () => {}).end(payload);
  });
}

/** An agent may have lost the folder that it stood in. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

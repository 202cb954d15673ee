import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import type { Adapter } from "../../adapters/adapter.ts";
import { CANARY_HEADER, DEPTH_HEADER } from "../../adapters/http-form.ts";
import { ADAPTERS, adapterNamed } from "../../adapters/index.ts";
import { CANARY_VARIABLE } from "../../decide/canary.ts";
import { duplicateKey } from "../../event/json-scan.ts";
import { DEPTH_VARIABLE } from "../../runners/command-environment.ts";
import type { OpenListener } from "../connection.ts";
import type { Request } from "../protocol.ts";
import type { ColdCommand, RuntimeDir } from "../runtime-dir.ts";
import { readAddress } from "./http-address.ts";
import { type AnswerPost, type HttpCall, openHttpListener } from "./http-listener.ts";
import { failedReply, type ListenerReply, replyOf } from "./http-reply.ts";
import { payloadValue, SessionEnvironments } from "./session-environments.ts";

/** How a daemon serves the calls that agents post, as `sluice install` has chosen it. */
export interface HttpService {
  readonly listeners: readonly OpenListener[];
  /** Agents post to this daemon: without it their tools are blocked, so it stays. */
  readonly isPostedTo: boolean;
  /** Remembers the environment of a call that came through the socket. */
  note(request: Request): void;
}

/** The HTTP service of a daemon; without listeners where no address was chosen. */
export function httpService(
  cold: ColdCommand,
  runtimeDir: RuntimeDir,
  env: Readonly<Record<string, string | undefined>>,
  onPortTaken: (port: number) => void,
): HttpService {
  const address = readAddress(runtimeDir);
  if (address === undefined) return { listeners: [], isPostedTo: false, note: () => {} };
  const variables = ADAPTERS.flatMap(({ projectVariables = [] }) => projectVariables);
  const sessions = new SessionEnvironments(env, variables);
  const events = { onPortTaken: () => onPortTaken(address.port) };
  return {
    listeners: [(handler) => openHttpListener(address, handler, answerPosts(cold, sessions), events)],
    isPostedTo: true,
    note: (request) => sessions.note(request),
  };
}

/** Answers posts as the command would; what the daemon does not decide itself, the cold command decides. */
function answerPosts(cold: ColdCommand, sessions: SessionEnvironments): AnswerPost {
  return async (call, handler) => {
    const adapter = adapterNamed(call.agent);
    if (adapter === undefined || !Object.hasOwn(adapter.hookEvents, call.hookEvent)) return undefined;
    const request = requestOf(call, adapter, cold, sessions);
    const stated = statedEvent(request.value, adapter);
    if (stated !== undefined && stated !== call.hookEvent)
      return failedReply(`The call was posted for ${call.hookEvent}, and its payload says ${stated}.`);
    const twice = duplicateKey(call.payload);
    if (twice !== undefined) return failedReply(`The payload says ${JSON.stringify(twice)} twice.`);
    const answer = await handler.answer(request, call.isThere, call.signal);
    if (answer?.kind === "done") return replyOf(answer);
    const { usesNetwork = true, isLost = false } = answer ?? {};
    return decidedCold(request, { usesNetwork, isLost, ms: timeoutMs(adapter, call.hookEvent) });
  };
}

/** The call as a client would send it. */
function requestOf(
  { agent, hookEvent, payload, headers }: HttpCall,
  adapter: Adapter,
  cold: ColdCommand,
  sessions: SessionEnvironments,
): Request {
  const value = payloadValue(payload);
  const { env, cwd } = sessions.of(value, adapter.projectVariables);
  const depth = shaped(headers[DEPTH_HEADER], /^\d{1,3}$/);
  const canary = shaped(headers[CANARY_HEADER], /^[0-9a-f]{1,64}$/);
  return {
    words: [...cold, "run", agent, "--moment", hookEvent],
    env: withMarks(env, depth, canary),
    cwd,
    payload,
    value,
  };
}

/** The hook event that a payload names, where it names one that the agent has. */
function statedEvent(value: unknown, { nameKeys = [], hookEvents }: Adapter): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const stated = nameKeys.map((key) => fields[key]).find((name) => typeof name === "string");
  return stated !== undefined && Object.hasOwn(hookEvents, stated) ? stated : undefined;
}

/** A call brings its own depth and its own canary, or none; an environment without either is used as it is. */
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

function timeoutMs({ hookEvents, seconds }: Adapter, hookEvent: string): number {
  return (hookEvents[hookEvent]?.seconds ?? seconds) * 1000;
}

/** Lets the command decide in a process of its own. */
function decidedCold(
  { words, env, cwd, payload }: Request,
  { usesNetwork, isLost, ms }: { readonly usesNetwork: boolean; readonly isLost: boolean; readonly ms: number },
): Promise<ListenerReply> {
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

/** The folder of an agent may have been removed. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

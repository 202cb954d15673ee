import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Adapter } from "../../adapters/adapter.ts";
import { ADAPTERS, adapterNamed } from "../../adapters/index.ts";
import { CANARY_HEADER, DEPTH_HEADER, SCOPE_VARIABLE } from "../../adapters/recipe.ts";
import { CANARY_VARIABLE } from "../../decide/canary.ts";
import { attempt } from "../../event/attempt.ts";
import { duplicateKey, MAX_VALUES, SHORTEST_SCANNED, scanJson } from "../../event/json-scan.ts";
import { DEPTH_VARIABLE } from "../../runners/command-environment.ts";
import type { OpenListener } from "../connection.ts";
import type { Request } from "../protocol.ts";
import type { ColdCommand } from "../runtime-dir.ts";
import type { HttpAddress } from "./http-address.ts";
import {
  type AnswerPost,
  failedReply,
  type HttpCall,
  type ListenerReply,
  openHttpListener,
  replyOf,
} from "./http-listener.ts";

/** How a daemon serves the calls that agents post. */
export interface HttpService {
  readonly open: OpenListener;
  /** Remembers the environment of a call that came through the socket. */
  note(request: Request): void;
}

/** The HTTP service of a daemon at the address that was chosen. */
export function httpService(
  address: HttpAddress,
  cold: ColdCommand,
  env: Readonly<Record<string, string | undefined>>,
  onPortTaken: (port: number) => void,
): HttpService {
  const variables = ADAPTERS.flatMap(({ projectVariables = [] }) => projectVariables);
  const sessions = new SessionEnvironments(env, variables);
  const events = { onPortTaken: () => onPortTaken(address.port) };
  return {
    open: (handler) => openHttpListener(address, handler, answerPosts(cold, sessions), events),
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
      return failedReply(`The call was posted for ${call.hookEvent}, and its payload has ${stated}.`);
    const twice = duplicateKey(call.payload);
    if (twice !== undefined) return failedReply(`The payload has ${JSON.stringify(twice)} twice.`);
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
  const isSame = env[DEPTH_VARIABLE] === depth && env[CANARY_VARIABLE] === canary;
  if (isSame && env[SCOPE_VARIABLE] === undefined) return env;
  // Only lines of the user's settings post; the environment may come from a line of a project.
  const { [DEPTH_VARIABLE]: _, [CANARY_VARIABLE]: __, [SCOPE_VARIABLE]: ___, ...rest } = env;
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

type Environment = Readonly<Record<string, string>>;

/**
 * Remembers the environment of each session. A call over HTTP brings none; the session's own commands do, before its first
 * tool and with every prompt.
 */
export class SessionEnvironments {
  readonly #known = new Map<string, Environment>();
  readonly #fallback: Environment;
  #latest: string | undefined;

  /** A session that is not known gets this environment, without the variables that name the project of another. */
  constructor(own: Readonly<Record<string, string | undefined>>, projectVariables: readonly string[]) {
    this.#fallback = Object.fromEntries(
      Object.entries(own).filter(
        (entry): entry is [string, string] => entry[1] !== undefined && !projectVariables.includes(entry[0]),
      ),
    );
  }

  /** Remembers the environment that a call has brought. */
  note({ env, payload }: Pick<Request, "env" | "payload">): void {
    const { session } = told(payloadValue(payload));
    if (session !== undefined) this.#keep(session, env);
  }

  /** The environment of a call that brings none: that of its session; for a new session, its first folder is its project. */
  of(value: unknown, projectVariables: readonly string[] = []): { readonly env: Environment; readonly cwd: string } {
    const { session, cwd } = told(value);
    const known = session === undefined ? undefined : this.#known.get(session);
    const env = known ?? this.#guessed(cwd, projectVariables);
    if (session !== undefined) this.#keep(session, env);
    return { env, cwd: cwd ?? env.HOME ?? "/" };
  }

  #guessed(cwd: string | undefined, variables: readonly string[]): Environment {
    const project = cwd === undefined ? {} : Object.fromEntries(variables.map((name) => [name, cwd]));
    return { ...this.#fallback, ...project };
  }

  /** The session that called last is forgotten last. */
  #keep(session: string, env: Environment): void {
    if (this.#latest === session && this.#known.get(session) === env) return;
    this.#latest = session;
    this.#known.delete(session);
    this.#known.set(session, env);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_SESSIONS && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** The value of a payload; undefined where it is not JSON. */
export function payloadValue(payload: string): unknown {
  if (payload.length > SHORTEST_SCANNED && scanJson(payload, MAX_VALUES).isTooMuch) return undefined;
  return attempt(() => JSON.parse(payload));
}

function told(value: unknown): { readonly session: string | undefined; readonly cwd: string | undefined } {
  const { session_id: session, cwd } = Object(value) as { session_id?: unknown; cwd?: unknown };
  return { session: text(session), cwd: isAbsolute(text(cwd) ?? "") ? text(cwd) : undefined };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

const MAX_SESSIONS = 64;

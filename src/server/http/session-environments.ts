import { MOST_VALUES, SHORTEST_SCANNED, scanJson } from "../../event/json-scan.ts";
import { isAbsolute } from "node:path";
import type { Request } from "../protocol.ts";

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
  if (payload.length > SHORTEST_SCANNED && scanJson(payload, MOST_VALUES).isTooMuch) return undefined;
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function told(value: unknown): { readonly session: string | undefined; readonly cwd: string | undefined } {
  const { session_id: session, cwd } = Object(value) as { session_id?: unknown; cwd?: unknown };
  return { session: text(session), cwd: isAbsolute(text(cwd) ?? "") ? text(cwd) : undefined };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

const MAX_SESSIONS = 64;

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const EXAMPLE = fileURLToPath(new URL("../../examples/extension-host/", import.meta.url));

/** One call of a tool, as the host shows it. */
export interface ShownCall {
  readonly type: "call" | "text";
  readonly tool: string;
  readonly steps: readonly string[];
  readonly decision?: { readonly allow: boolean; readonly code?: string; readonly reason?: string };
  readonly approved?: boolean;
  readonly result?: { readonly ok: boolean; readonly text: string };
}

/** What a host shows to every page. */
export interface HostState {
  readonly selected: string | null;
  readonly session: string;
  readonly intents: readonly { readonly id: string; readonly status: string }[];
  readonly timeline: readonly ShownCall[];
  readonly questions: readonly { readonly id: string; readonly tool: string; readonly reasons: readonly string[] }[];
  readonly trace: {
    readonly records: readonly { readonly intent_id: string; readonly files: readonly { relative_path: string }[] }[];
    readonly verdict: string;
    readonly map: string;
  };
}

/** The real host in a process of its own, with a copy of the sample project and a home of its own. */
export async function startHost(...args: readonly string[]) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-host-")));
  const root = join(home, "project");
  cpSync(join(EXAMPLE, "project"), root, { recursive: true });
  mkdirSync(join(home, "outside"));
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
    SLUICE_RESIDENT: "0",
  };
  const host = spawn(process.execPath, [join(EXAMPLE, "host.mjs"), "--root", root, ...args], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(host, "exit");
  let address = "";
  for await (const line of createInterface(host.stdout)) {
    address = /^open +(\S+)/.exec(line)?.[1] ?? "";
    if (address !== "") break;
  }
  const { origin, hash } = new URL(address);
  const token = hash.slice(1);
  const asPage = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    home,
    root,
    origin,
    address,
    token,
    /** Sends a message as the page does, or with other headers. */
    send: async (message: unknown, headers: Readonly<Record<string, string>> = asPage) => {
      const body = typeof message === "string" ? message : JSON.stringify(message);
      const response = await fetch(`${origin}/messages`, { method: "POST", headers, body });
      const text = await response.text();
      return { status: response.status, said: text === "" ? undefined : JSON.parse(text) };
    },
    /** Waits until the host shows what is wanted; the test's own time limit ends a vain wait. */
    until: (wanted: (state: HostState) => boolean) => stateWhere(origin, asPage, wanted),
    stop: async () => {
      host.kill();
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function stateWhere(
  origin: string,
  headers: Readonly<Record<string, string>>,
  wanted: (state: HostState) => boolean,
): Promise<HostState> {
  const stop = new AbortController();
  const response = await fetch(`${origin}/messages`, { headers, signal: stop.signal });
  let rest = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const { state } of lines.map((line) => JSON.parse(line))) if (wanted(state)) return state;
    }
  } finally {
    stop.abort();
  }
  throw new Error("the host ended before it showed what was wanted");
}

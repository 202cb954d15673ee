import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type HttpAddress, readAddress } from "../../src/server/http/http-address.ts";
import { post } from "../../src/server/http/http-probe.ts";
import { type Ended, runCommand } from "../command-server/run-command.ts";
import type { DaemonHome } from "./daemon-home.ts";

/** The command as a person calls it. */
export function sluice({ root, env }: DaemonHome, ...args: string[]): Ended {
  return runCommand(args, { cwd: root, env });
}

/** One hook of an agent's settings, as the agent reads it. */
export interface PostedHook {
  readonly type: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly onFailure?: string;
}

/** The hook that the settings have for a hook event. */
export function hookFor({ home }: DaemonHome, hookEvent: string): PostedHook {
  const { hooks } = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8")) as {
    hooks: Readonly<Record<string, readonly { hooks: readonly PostedHook[] }[]>>;
  };
  const [hook] = hooks[hookEvent]?.[0]?.hooks ?? [];
  if (hook === undefined) throw new Error(`the settings have no hook for ${hookEvent}`);
  return hook;
}

/** Where the daemon of this home answers over HTTP. */
export function addressOf({ runtimeDir }: DaemonHome): HttpAddress {
  const address = readAddress(runtimeDir);
  if (address === undefined) throw new Error("no address is kept");
  return address;
}

/** Posts a payload as the agent would, with what its settings say. */
export function posted(
  at: DaemonHome,
  hookEvent: string,
  payload: object,
  headers: Readonly<Record<string, string>> = {},
) {
  const { url, headers: written } = hookFor(at, hookEvent);
  const { port, pathname } = new URL(url);
  const secret = written.Authorization?.replace("Bearer ", "") ?? "";
  return post({ port: Number(port), secret }, pathname, payload, headers);
}

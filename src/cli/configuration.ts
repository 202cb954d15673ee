import { join, resolve } from "node:path";
import { type Loaded, loadLayers } from "../config/load.ts";
import { findRoot } from "../config/root.ts";
import type { History } from "../engine/history.ts";
import type { Hook } from "../hook/hook.ts";
import { asksAboutRecent } from "../rule/recent.ts";
import type { Input } from "./command.ts";

/** The project a command is about, and its configuration. */
export interface Configuration extends Loaded {
  readonly root: string;
}

/** Reads the configuration that holds where the command was called. */
export function configurationOf(input: Input, options: { strict?: boolean } = {}): Configuration {
  const root = rootOf(input);
  return { root, ...loadLayers(root, { strict: options.strict ?? false }) };
}

/** The project: the stated one, else the one around the current folder. */
export function rootOf({ text, io }: Input): string {
  const stated = text("root");
  return stated === undefined ? findRoot(io.cwd) : resolve(io.cwd, stated);
}

/** A history that outlives this command, where a rule asks about the past; none is written otherwise. */
export async function historyFor(hooks: readonly Hook[], { env }: Input["io"]): Promise<{ history?: History }> {
  if (!hooks.some(asksAboutRecent)) return {};
  const { FileHistory } = await import("../engine/file-history.ts");
  const state = env.XDG_STATE_HOME || join(env.HOME ?? ".", ".local", "state");
  return { history: new FileHistory(join(state, "sluice", "sessions")) };
}

/** A path as a person standing in that folder would write it. */
export function shortPath(path: string, io: Input["io"]): string {
  const { HOME } = io.env;
  if (path.startsWith(`${io.cwd}/`)) return path.slice(io.cwd.length + 1);
  return HOME && path.startsWith(`${HOME}/`) ? `~${path.slice(HOME.length)}` : path;
}

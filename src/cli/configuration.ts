import { join, resolve } from "node:path";
import { isOfProject } from "../config/project-layer.ts";
import { findRoot } from "../config/root.ts";
import { type Trusted, underTrust, vouchingFor } from "../config/trusted.ts";
import type { History } from "../engine/history.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { asksAboutRecent } from "../rule/recent.ts";
import { stateFolder } from "../trust/state-folder.ts";
import type { Input } from "./command.ts";
import { type Layers, readLayers } from "./read-layers.ts";

/** The project a command is about, and its configuration. */
export interface Configuration extends Trusted {
  readonly root: string;
  /** All hooks as they are written, with those that may not run. */
  readonly written: readonly Hook[];
  /** No trace is kept in the project, as far as anybody has looked. */
  readonly isTraceMissing?: boolean | undefined;
}

/** How a configuration is read. */
interface Reading {
  readonly strict?: boolean;
  /** Where the event happens, when that is not the project's folder. */
  readonly cwd?: string | undefined;
  /** The one event that hooks are wanted for. */
  readonly event?: HookEvent | undefined;
}

/** Reads the configuration that holds where the command was called; only what may run is left in it. */
export function configurationOf(input: Input, options: Reading = {}): Configuration {
  return configurationAt(rootOf(input), input, options);
}

/** The same for a project that is known already. */
export function configurationAt(
  root: string,
  { io, text }: Input,
  { strict = false, cwd, event }: Reading = {},
): Configuration {
  const layers = io.resident?.layers(root) ?? readLayers(root, strict);
  const vouching = vouchingFor(root, text("trust-hash"), io.env);
  const known = UNQUESTIONED.get(layers);
  if (known?.root === root) return known;
  const trusted = underTrust(layers, root, { env: io.env, vouching, cwd, event });
  const configuration = { ...trusted, root, written: layers.hooks, isTraceMissing: layers.isTraceMissing };
  // Where no hook is the project's own, nothing ever waits for an approval.
  if (!layers.hooks.some((hook) => isOfProject(hook.layer))) UNQUESTIONED.set(layers, configuration);
  return configuration;
}

const UNQUESTIONED = new WeakMap<Layers, Configuration>();

/** The project: the stated one, else the one around the current folder. */
export function rootOf({ text, io }: Input): string {
  const stated = text("root");
  return stated === undefined ? findRoot(io.cwd) : resolve(io.cwd, stated);
}

/** A history that outlives this command, where a rule asks about the past; none is written otherwise. */
export async function historyFor(hooks: readonly Hook[], { env }: Input["io"]): Promise<History | undefined> {
  return hooks.some(asksAboutRecent) ? fileHistory({ env }) : undefined;
}

/** Such a history. */
export async function fileHistory({ env }: Pick<Input["io"], "env">): Promise<History> {
  const { FileHistory } = await import("../engine/file-history.ts");
  return new FileHistory(join(stateFolder({ env }), "sessions"));
}

/** A path as a person standing in that folder would write it. */
export function shortPath(path: string, io: Input["io"]): string {
  const { HOME } = io.env;
  if (path.startsWith(`${io.cwd}/`)) return path.slice(io.cwd.length + 1);
  return HOME && path.startsWith(`${HOME}/`) ? `~${path.slice(HOME.length)}` : path;
}

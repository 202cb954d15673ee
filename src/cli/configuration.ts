import { resolve } from "node:path";
import { keepBundleFloor } from "../config/managed-bundle.ts";
import { findRoot } from "../config/root.ts";
import { readLayers } from "../decide/layers.ts";
import {
  type Configuration,
  type ConfigurationQuery,
  configurationAt,
  type Layers,
  writtenLayers,
} from "../decide/project.ts";
import { attempt } from "../event/attempt.ts";
import { changedStates, rememberStates } from "../policies/protect/vanished.ts";
import type { CommandInput } from "./command.ts";

/** What a command wants of the configuration. */
interface ConfigurationOptions extends Pick<ConfigurationQuery, "cwd" | "event"> {
  /** Throws the first problem that costs a hook or a setting. */
  readonly strict?: boolean;
}

/** Reads the configuration that applies where the command was called; only what may run is left in it. */
export function configurationOf(
  input: CommandInput,
  { strict = false, ...options }: ConfigurationOptions = {},
): Configuration {
  const { io } = input;
  const layers = (root: string) => readLayers(root, strict);
  return configurationAt(rootOf(input), { env: io.env, trustHash: input.text("trust-hash"), layers, ...options });
}

/** The same as it is written, with what may not run. */
export function writtenConfiguration(input: CommandInput): Layers {
  const layers = (root: string) => readLayers(root, false);
  return writtenLayers(rootOf(input), { env: input.io.env, trustHash: input.text("trust-hash"), layers });
}

/**
 * Does what a person asked for, and accepts the configuration that it leaves: a person's own change is not asked about again.
 * Where something was missing before, nothing is accepted: the change did not explain that.
 */
export async function acceptingChanges<Done>(input: CommandInput, act: () => Promise<Done> | Done): Promise<Done> {
  const isOpen = missingNow(input).length > 0;
  const before = JSON.stringify(statesNow(input));
  const done = await act();
  if (!isOpen && JSON.stringify(statesNow(input)) !== before) acceptNow(input);
  return done;
}

/** A short description of each protection that was enforced here before and is missing or weaker now. */
export function missingNow(input: CommandInput): readonly string[] {
  return [...statesNow(input).flatMap(({ missing }) => missing), ...(leftBundle(input) ? ["the managed bundle"] : [])];
}

/** Accepts the configuration as it is. */
export function acceptNow(input: CommandInput): void {
  rememberStates(statesNow(input), input.io.env);
  if (leftBundle(input)) keepBundleFloor(undefined, input.io);
}

/** Whether a bundle was enforced here that no configuration names any more. */
function leftBundle(input: CommandInput): boolean {
  return writtenConfiguration(input).errors.some(({ code }) => code === "config/bundle-unnamed");
}

function statesNow(input: CommandInput): ReturnType<typeof changedStates> {
  return attempt(() => changedStates(configurationOf(input), undefined, input.io.env)) ?? [];
}

/** The project: the stated one, else the one around the current folder. */
export function rootOf({ text, io }: CommandInput): string {
  const stated = text("root");
  return stated === undefined ? findRoot(io.cwd) : resolve(io.cwd, stated);
}

/** A path as a person would write it in that folder. */
export function shortPath(path: string, io: CommandInput["io"]): string {
  const { HOME } = io.env;
  if (path.startsWith(`${io.cwd}/`)) return path.slice(io.cwd.length + 1);
  return HOME && path.startsWith(`${HOME}/`) ? `~${path.slice(HOME.length)}` : path;
}

import { resolve } from "node:path";
import { findRoot } from "../config/root.ts";
import { readLayers } from "../decide/layers.ts";
import {
  type Configuration,
  type ConfigurationQuery,
  configurationAt,
  type Layers,
  writtenLayers,
} from "../decide/project.ts";
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

/** The project: the stated one, else the one around the current folder. */
export function rootOf({ text, io }: CommandInput): string {
  const stated = text("root");
  return stated === undefined ? findRoot(io.cwd) : resolve(io.cwd, stated);
}

/** A path as a person standing in that folder would write it. */
export function shortPath(path: string, io: CommandInput["io"]): string {
  const { HOME } = io.env;
  if (path.startsWith(`${io.cwd}/`)) return path.slice(io.cwd.length + 1);
  return HOME && path.startsWith(`${HOME}/`) ? `~${path.slice(HOME.length)}` : path;
}

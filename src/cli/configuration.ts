import { resolve } from "node:path";
import { type Loaded, loadLayers } from "../config/load.ts";
import { findRoot } from "../config/root.ts";
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

/** A path as a person standing in that folder would write it. */
export function shortPath(path: string, io: Input["io"]): string {
  const { HOME } = io.env;
  if (path.startsWith(`${io.cwd}/`)) return path.slice(io.cwd.length + 1);
  return HOME && path.startsWith(`${HOME}/`) ? `~${path.slice(HOME.length)}` : path;
}

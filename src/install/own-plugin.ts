import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { realPath } from "../fs/resolve-path.ts";
import { Problem } from "../problem/problem.ts";
import { type InstallContext, inPath } from "./install-context.ts";
import { planHooks } from "./plan.ts";

/** Sluice as a plugin of an agent, as the agent's own installer has copied it. */
export interface InstalledPlugin {
  readonly folder: string;
  /** The file with its lines. */
  readonly hooks: string;
  readonly isOn: boolean;
}

/** The plugin of an agent, if it is installed for this user or this project. */
export function installedPlugin({ ownPlugin }: Adapter, place: InstallContext): InstalledPlugin | undefined {
  const found = ownPlugin?.find((path) => parsed(textAt(path)), place);
  return found === undefined ? undefined : { ...found, hooks: join(found.folder, PLUGIN_HOOKS) };
}

/**
 * The hooks of the plugin for an agent: those that `sluice install` would write for the user, with the plugin's own starter in
 * place of a path.
 */
export function pluginHooks(adapter: Adapter): unknown {
  const variable = adapter.ownPlugin?.variable;
  const around = { home: "/nowhere", root: "/nowhere", env: {}, mcp: [], isMatched: () => false };
  const [plan] = planHooks(adapter, "user", {
    ...around,
    sluice: ["sh", STARTER_PATH],
    client: CLIENT,
    platform: "linux",
  });
  const { after } = plan instanceof Problem || plan === undefined ? {} : plan;
  if (variable === undefined || after === undefined) throw new Error(`${adapter.id} takes no plugin`);
  const text = JSON.stringify(JSON.parse(after).hooks);
  return JSON.parse(text.replaceAll(`${CLIENT} sh ${STARTER_PATH}`, `sh \\"\${${variable}}/bin/sluice\\"`));
}

/** Why the plugin is not what this command would start and write, in a sentence; undefined if it is, byte for byte. */
export function whyOtherPlugin(
  adapter: Adapter,
  { folder, hooks }: InstalledPlugin,
  { env, sluice }: InstallContext,
): string | undefined {
  const own = dirname(sluice[1] ?? "");
  const stated: unknown = parsed(textAt(hooks));
  if (JSON.stringify(Object(stated).hooks) !== JSON.stringify(pluginHooks(adapter)))
    return `${hooks} is not what this version of Sluice has there`;
  if (textAt(join(folder, "bin/sluice")) !== PLUGIN_STARTER)
    return `${join(folder, "bin/sluice")} is not what this version of Sluice has there`;
  const brought = join(folder, "dist");
  if (existsSync(brought)) {
    const other = isSame(brought, own) ? undefined : "another build of Sluice";
    return other && `it starts ${other}, in ${brought}`;
  }
  const started = inPath("sluice", env.PATH);
  if (started === undefined) return "it starts the `sluice` in the path, and there is none";
  return realPath(started) === realPath(sluice[1] ?? "")
    ? undefined
    : `it starts ${started}, which is not the command that runs now`;
}

/** Whether both folders have the same bundles of the command. */
function isSame(folder: string, other: string): boolean {
  if (realPath(folder) === realPath(other)) return true;
  const names = [folder, other].map((path) => readdirSync(path).filter((name) => name.endsWith(".cjs")));
  const [here = [], there = []] = names;
  const hasSame = (name: string) => readRegularFile(join(folder, name)).equals(readRegularFile(join(other, name)));
  return here.join() === there.join() && here.every(hasSame);
}

function textAt(path: string): string | undefined {
  return existsSync(path) ? readRegularFile(path).toString() : undefined;
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The file of a plugin with its lines. */
export const PLUGIN_HOOKS = "hooks/hooks.json";
const CLIENT = "CLIENT";
const STARTER_PATH = "/STARTER/bin/sluice";

/**
 * Starts the command that came with the plugin, or the one in the path. The first start turns the standard guards on where the
 * user has no configuration: installing the plugin asks for them.
 */
export const PLUGIN_STARTER = `#!/bin/sh
# Made by scripts/distribution.mjs.
own="$(cd "$(dirname "$0")/.." && pwd)/dist/sluice.cjs"
config="\${XDG_CONFIG_HOME:-$HOME/.config}/sluice"
if [ -e "$own" ] && command -v node >/dev/null 2>&1; then
  set -- node "$own" "$@"
elif command -v sluice >/dev/null 2>&1; then
  set -- sluice "$@"
else
  echo "Sluice is not installed, so nothing was decided: install Node 20 or newer, and run npm install -g sluice." >&2
  exit 2
fi
if [ ! -e "$config/hooks.yaml" ] && [ ! -e "$config/hooks.json" ]; then
  case "$1" in
    node) node "$own" init --scope user --yes >/dev/null 2>&1 ;;
    *) sluice init --scope user --yes >/dev/null 2>&1 ;;
  esac
fi
exec "$@"
`;

import { spawn } from "node:child_process";
import { readStatus } from "../bundle/bundle-state.ts";
import { nextFetch } from "../bundle/fetch-due.ts";
import { loadLayers } from "../config/load.ts";
import { locate } from "../config/locate.ts";
import type { ManagedSettings } from "../config/managed-bundle.ts";
import { statsAt } from "../fs/resolve-path.ts";
import { LAYERS } from "../hook/hook.ts";
import type { ColdCommand } from "./runtime-dir.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Starts `sluice bundle fetch` whenever a fetch is due, for as long as this process runs: in a process of its own, so that
 * no call waits for the network or for a signature. Where no `managed` is configured, it looks now and then whether it is.
 */
export function fetchManagedBundles(cold: ColdCommand, env: Environment): void {
  const settingsOf = managedSettings(env);
  const spread = Math.random();
  let isFetching = false;
  const look = () => {
    const settings = settingsOf();
    const now = Date.now();
    const due = settings && nextFetch(settings, readStatus({ env }), spread, now);
    if (due !== undefined && due <= now && !isFetching) {
      isFetching = true;
      startFetch(cold, env, () => {
        isFetching = false;
      });
    }
    const wait = due === undefined ? LOOK_MS : Math.max(LEAST_MS, Math.min(LOOK_MS, due - now));
    setTimeout(look, wait).unref();
  };
  setTimeout(look, LEAST_MS).unref();
}

function startFetch([program, launcher]: ColdCommand, env: Environment, ended: () => void): void {
  const child = spawn(program, [launcher, "bundle", "fetch"], {
    cwd: "/",
    env: { ...env },
    windowsHide: true,
    stdio: "ignore",
  });
  child.on("error", ended).on("exit", ended);
  child.unref();
}

/** Reads `managed` again only when one of the files changes that may say it. */
function managedSettings(env: Environment): () => ManagedSettings | undefined {
  const layers = LAYERS.filter((layer) => layer === "managed" || layer === "user");
  let known: { readonly stamps: string; readonly settings: ManagedSettings | undefined } | undefined;
  return () => {
    const stamps = locate(undefined, layers, { env })
      .map(({ path }) => stampOf(path))
      .join("\n");
    if (known?.stamps !== stamps) known = { stamps, settings: loadLayers(undefined, { layers, env }).settings.managed };
    return known.settings;
  };
}

function stampOf(path: string): string {
  const found = statsAt(path);
  return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
}

const LOOK_MS = 15_000;
const LEAST_MS = 500;

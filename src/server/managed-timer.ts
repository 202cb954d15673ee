import { spawn } from "node:child_process";
import { nextFetch, readStatus } from "../bundle/bundle-state.ts";
import { loadLayers } from "../config/load.ts";
import { locate } from "../config/locate.ts";
import { currentBundleFile } from "../config/managed-bundle.ts";
import type { Settings } from "../config/settings.ts";
import { statsAt } from "../fs/resolve-path.ts";
import { LAYERS } from "../hook/hook.ts";
import { journalStamp } from "../ship/journal-reader.ts";
import type { ColdCommand } from "./runtime-dir.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Starts `sluice bundle fetch` whenever a fetch is due, `sluice ship --once` when there are new decisions for a collector, and
 * `sluice fleet share` where machines count together, for as long as this process runs: in processes of their own, so that no
 * call waits for the network. Where none of them is configured, it looks now and then whether one is.
 */
export function fetchManagedBundles(cold: ColdCommand, env: Environment): void {
  const settingsOf = managedSettings(env);
  const spread = Math.random();
  const running = new Set<string>();
  const start = (...words: readonly string[]) => {
    const [name = ""] = words;
    if (running.has(name)) return;
    running.add(name);
    startCommand(cold, words, env, () => running.delete(name));
  };
  let shipped = "";
  const look = () => {
    const { managed: settings, telemetry, shared } = settingsOf();
    if (shared !== undefined) start("fleet", "share");
    const now = Date.now();
    const due = settings && nextFetch(settings, readStatus({ env }), spread, now);
    if (due !== undefined && due <= now) start("bundle", "fetch");
    const written = telemetry && journalStamp(env);
    if (written !== undefined && written !== shipped) start("ship", "--once");
    shipped = written ?? shipped;
    // A fetch that was just started stores when the next one is due; one that cannot store it is not started again at once.
    const until = due === undefined ? LOOK_MS : due <= now ? (settings?.everyMs ?? LOOK_MS) : due - now;
    const wait = Math.max(LEAST_MS, Math.min(LOOK_MS, until));
    setTimeout(look, wait).unref();
  };
  setTimeout(look, LEAST_MS).unref();
}

/** Variables of the caller do not set a collector here, nor a proxy that could read what is sent: a project may have set them. */
function startCommand(
  [program, launcher]: ColdCommand,
  words: readonly string[],
  env: Environment,
  ended: () => void,
): void {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_OURS.test(name)));
  const child = spawn(program, [launcher, ...words], {
    cwd: "/",
    env: { ...own, SLUICE_PARENT: String(process.pid) },
    windowsHide: true,
    stdio: "ignore",
  });
  child.on("error", ended).on("exit", ended);
  child.unref();
}

/** Reads the settings again only if one of their files changes, including those of the bundle. */
function managedSettings(env: Environment): () => Pick<Settings, "managed" | "telemetry" | "shared"> {
  const layers = LAYERS.filter((layer) => layer === "managed" || layer === "user");
  let known:
    | { readonly stamps: string; readonly settings: Pick<Settings, "managed" | "telemetry" | "shared"> }
    | undefined;
  return () => {
    const stamps = [...locate(undefined, layers, { env }).map(({ path }) => path), currentBundleFile({ env })]
      .map(stampOf)
      .join("\n");
    if (known?.stamps !== stamps) known = { stamps, settings: loadLayers(undefined, { layers, env }).settings };
    return known.settings;
  };
}

function stampOf(path: string): string {
  const found = statsAt(path);
  return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
}

const NOT_OURS = /^OTEL_|^(?:http|all)_proxy$|^NODE_TLS_REJECT_UNAUTHORIZED$/i;
const LOOK_MS = 15_000;
const LEAST_MS = 500;

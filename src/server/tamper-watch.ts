import { spawn } from "node:child_process";
import { type FSWatcher, lstatSync, readdirSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { readCall } from "../adapters/read-call.ts";
import { configHome } from "../config/locate.ts";
import { attempt } from "../event/attempt.ts";
import { milliseconds } from "../event/clock.ts";
import { homeDir } from "../fs/home-dir.ts";
import { isOwnWrite } from "../fs/own-writes.ts";
import { sha256 } from "../fs/read-once.ts";
import { readRegularFile, readRegularText } from "../fs/regular-file.ts";
import { makePrivateDir, stateDir } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { inPath } from "../install/install-context.ts";
import { isOurs } from "../install/invocation.ts";
import { installedFiles, wroteLast } from "../install/ledger.ts";
import { agentOfFile } from "../install/targets.ts";
import { noteTampering, unaskedSentence } from "../trace/tampering.ts";
import { trustFolder } from "../trust/private-approvals.ts";
import { clientFiles, clientSuffix, installClient } from "./clients/make-client.ts";
import type { ColdCommand } from "./runtime-dir.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What watches the few files that keep Sluice in the loop. */
export interface TamperWatch {
  /** An agent has called: what changes from now on may be its work. At the end of a session its own history is compared. */
  called(payload?: string): void;
  /** Looks at everything at once. */
  check(): void;
  close(): void;
}

/**
 * Watches the client, the agents' settings that name Sluice, the user's configuration and the approvals. What changes them
 * without Sluice is recorded, reported, and put back if that does not undo a person's change: see docs/decisions/0009-tampering.md.
 */
export function watchTampering(cold: ColdCommand, env: Environment): TamperWatch {
  const watched = new Map<string, FSWatcher>();
  const known = new Map<string, Known>(readSnapshot(env));
  const mended = new Map<string, number>();
  let [lastCall, pending] = [Number.NEGATIVE_INFINITY, undefined as NodeJS.Timeout | undefined];
  const isAtWork = () => milliseconds() - lastCall < AT_WORK_MS;

  const check = () => {
    const items = itemsOf(cold, env);
    // First, so that nothing changes unseen between a look and the watch.
    arm(items);
    for (const item of items) {
      const now = stateOf(item);
      const before = known.get(item.path);
      if (before?.stamp === now.stamp) continue;
      const tampered = before === undefined ? undefined : differenceOf(item, before, now, env);
      if (tampered !== undefined) tell(item, before as Known, tampered);
      // What was put back is known as it was before.
      const after = stateOf(item);
      known.set(item.path, tampered !== undefined && after.stamp === before?.stamp ? before : after);
    }
    for (const path of known.keys()) if (!items.some((item) => item.path === path)) known.delete(path);
    writeSnapshot(known, env);
  };

  const tell = (item: Item, before: Known, what: string) => {
    const last = mended.get(item.path) ?? Number.NEGATIVE_INFINITY;
    const mayMend = isAtWork() && milliseconds() - last > MENDED_EVERY_MS;
    const isMended = mayMend && putBack(item, before, cold, env, soon);
    if (isMended) mended.set(item.path, milliseconds());
    const rest = isMended ? "It was put back." : STEPS[item.kind];
    const noted = noteTampering({ what: `${item.path} ${what}. ${rest}`, path: item.path, isMended }, env);
    notifyDesktop("Sluice", noted.what, env);
  };

  const soon = () => {
    clearTimeout(pending);
    pending = setTimeout(check, SETTLED_MS).unref();
  };

  const arm = (items: readonly Item[]) => {
    const folders = [...new Set([...items.map(({ path }) => dirname(path)), join(stateDir({ env }), "installed")])];
    for (const [folder, watcher] of watched)
      if (!folders.includes(folder)) {
        watcher.close();
        watched.delete(folder);
      }
    for (const folder of folders.slice(0, MOST)) {
      if (watched.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, soon);
        const forget = () => watched.delete(folder);
        watcher.on("error", forget).on("close", forget);
        watched.set(folder, watcher);
      } catch {
        // It is not there, or nothing more can be watched: the timer looks at it.
      }
    }
  };

  const timer = setInterval(check, LOOK_MS).unref();
  check();
  return {
    called: (payload = "") => {
      lastCall = milliseconds();
      if (payload.length < LONGEST_END && SESSION_END.test(payload))
        setTimeout(() => void reportUnasked(payload, env), UNASKED_MS).unref();
    },
    check,
    close: () => {
      clearInterval(timer);
      clearTimeout(pending);
      for (const watcher of watched.values()) watcher.close();
    },
  };
}

/** Reports calls that are in the agent's history of a session and never arrived. */
async function reportUnasked(payload: string, env: Environment): Promise<void> {
  try {
    const { transcript_path: path } = JSON.parse(payload) as { readonly transcript_path?: unknown };
    const agent = readCall({ text: payload });
    if (typeof path !== "string" || agent.kind !== "event") return;
    const { unaskedInFile } = await import("../replay/unasked-calls.ts");
    for (const { unasked, session } of await unaskedInFile(path, agent.native.adapter.id, env)) {
      const what = `${unaskedSentence(unasked, agent.native.adapter.title, session)} \`sluice doctor\` looks whether its hooks are called.`;
      notifyDesktop("Sluice", noteTampering({ what }, env).what, env);
    }
  } catch {
    // A history that cannot be read is not reported.
  }
}

/** A file that is watched. */
interface Item {
  readonly kind: "client" | "settings" | "configuration" | "approvals";
  readonly path: string;
  readonly adapter?: Adapter | undefined;
}

/** What is known of a file: whether it is the same, how many lines of it call Sluice, and its bytes where they are put back. */
interface Known {
  readonly stamp: string;
  readonly lines?: number | undefined;
  readonly bytes?: Buffer | undefined;
}

function itemsOf(cold: ColdCommand, env: Environment): Item[] {
  const home = homeDir(env);
  const config = configHome({ env, home });
  const installed = installedFiles(env);
  const settings = installed.flatMap((path): Item[] => {
    const adapter = agentOfFile(path);
    return adapter === undefined ? [] : [{ kind: "settings", path, adapter }];
  });
  return [
    ...clientFiles(cold, env)
      .filter((path) => !path.endsWith(".draft"))
      .map((path): Item => ({ kind: "client", path })),
    ...settings.slice(0, MOST),
    ...CONFIGURATION.map((name): Item => ({ kind: "configuration", path: join(config, "sluice", name) })),
    ...namesIn(trustFolder({ env })).map((path): Item => ({ kind: "approvals", path })),
  ];
}

function stateOf({ kind, path, adapter }: Item): Known {
  try {
    const at = lstatSync(path);
    const bytes = readRegularFile(path);
    if (bytes.length > MAX_BYTES) return { stamp: `large ${at.size}` };
    const rights = kind === "client" ? (at.mode & 0o777).toString(8) : "";
    const stamp = `${at.isSymbolicLink() ? "link " : ""}${rights} ${sha256(bytes)}`;
    const lines = adapter === undefined ? undefined : linesOf(bytes.toString("utf8"), adapter);
    return { stamp, lines, bytes: kind === "client" ? bytes : undefined };
  } catch {
    return { stamp: GONE, lines: adapter === undefined ? undefined : 0 };
  }
}

function linesOf(text: string, { id }: Adapter): number {
  return text.split("\n").filter((line) => isOurs(line, id)).length;
}

/** What a program other than Sluice did to a file, as text that follows its path; undefined if that is harmless, or Sluice's own. */
function differenceOf({ kind, path, adapter }: Item, before: Known, now: Known, env: Environment): string | undefined {
  const isGone = now.stamp === GONE;
  const text = isGone ? "" : textOf(path);
  switch (kind) {
    case "client":
      return isGone ? "was removed" : "was replaced";
    case "settings": {
      if ((now.lines ?? 0) >= (before.lines ?? 0) || wroteLast(path, text, env) !== undefined) return undefined;
      const agent = adapter?.title ?? "the agent";
      return isGone ? `was removed, so ${agent} asks no hook` : `no longer lets ${agent} ask all hooks`;
    }
    case "configuration":
      if (before.stamp === GONE || isOwnWrite(path, text, { env })) return undefined;
      return isGone ? "was removed" : "was changed by something else than Sluice";
    case "approvals":
      if (isOwnWrite(path, text, { env }) || (isGone && before.stamp === GONE)) return undefined;
      return isGone ? "was removed" : "was changed by something else than Sluice";
  }
}

/** Puts back what only Sluice ever writes; whether it could. */
function putBack(item: Item, { bytes }: Known, cold: ColdCommand, env: Environment, done: () => void): boolean {
  if (item.kind === "client") return bytes !== undefined && isNamed(item, env) && restoreClient(item.path, bytes);
  if (item.kind !== "settings" || item.adapter === undefined) return false;
  const home = homeDir(env);
  const files = [...(item.adapter.recipe?.kind === "entries" ? [item.adapter.recipe.files.user] : [])];
  const isUser =
    files.length === 0 ? item.path.startsWith(`${home}/.`) : files.some((file) => item.path === join(home, file));
  if (!isUser) return false;
  spawn(cold[0], [cold[1], "install", item.adapter.id, "--scope", "user", "--yes"], {
    cwd: "/",
    env: { ...env },
    stdio: "ignore",
    windowsHide: true,
  })
    .on("error", () => {})
    .on("exit", done)
    .unref();
  return true;
}

/** A client that no settings start any more was removed with them. */
function isNamed({ path }: Item, env: Environment): boolean {
  return installedFiles(env).some((file) => textOf(file).includes(clientSuffix({ path })));
}

function restoreClient(path: string, bytes: Buffer): boolean {
  return installClient(path, (draft) => {
    writeFileSync(draft, bytes, { mode: 0o700 });
    return true;
  });
}

function textOf(path: string): string {
  return attempt(() => readRegularFile(path).toString()) ?? "";
}

function namesIn(folder: string): string[] {
  return (
    attempt(() =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".json") && !name.startsWith("."))
        .slice(0, MOST)
        .map((name) => join(folder, name)),
    ) ?? []
  );
}

/** The state of the last daemon: changes while none ran are reported by the next one. */
function readSnapshot(env: Environment): [string, Known][] {
  try {
    const text = readRegularText(snapshotFile(env));
    return Object.entries(JSON.parse(text) as Record<string, Known>);
  } catch {
    return [];
  }
}

function writeSnapshot(known: ReadonlyMap<string, Known>, env: Environment): void {
  const plain = [...known].map(([path, { stamp, lines }]) => [path, { stamp, lines }] as const);
  const text = `${JSON.stringify(Object.fromEntries(plain))}\n`;
  try {
    if (textOf(snapshotFile(env)) === text) return;
    makePrivateDir(stateDir({ env }));
    writePrivate(snapshotFile(env), text);
  } catch {
    // Without it, the next daemon begins with what it finds.
  }
}

function snapshotFile(env: Environment): string {
  return join(stateDir({ env }), "watched.json");
}

/** Shows a notice on the desktop of the user, where there is one and a program for it; nothing waits for it. */
function notifyDesktop(title: string, text: string, env: Readonly<Record<string, string | undefined>>): void {
  const found = PROGRAMS.map(({ name, words }) => ({ path: inPath(name, env.PATH), words })).find(
    ({ path }) => path !== undefined,
  );
  if (found?.path === undefined) return;
  spawn(found.path, found.words(title, text), { env: { ...env }, stdio: "ignore", detached: true, windowsHide: true })
    .on("error", () => {})
    .unref();
}

const PROGRAMS: readonly { readonly name: string; readonly words: (title: string, text: string) => string[] }[] = [
  { name: "notify-send", words: (title, text) => ["--app-name=Sluice", "--urgency=critical", title, text] },
  {
    name: "osascript",
    words: (title, text) => ["-e", `display notification ${JSON.stringify(text)} with title ${JSON.stringify(title)}`],
  },
];

const GONE = "gone";
const SESSION_END = /"(?:hook_event_name|hookEventName)"\s*:\s*"[sS]ession_?[eE]nd"/;
const LONGEST_END = 100_000;
/** The journal has the last calls by then. */
const UNASKED_MS = 500;
const CONFIGURATION = ["hooks.yaml", "hooks.json"];
const STEPS: Readonly<Record<Item["kind"], string>> = {
  client: "`sluice install` makes it again.",
  settings: "`sluice install` puts its lines back, `sluice uninstall` takes all of them out for good.",
  configuration: "If that was not you, look at it: `sluice check` and `sluice list` show what applies now.",
  approvals: "If that was not you, look at it: `sluice trust --status` shows what is approved.",
};
/** An editor writes a file in several steps. */
const SETTLED_MS = 150;
const LOOK_MS = 30_000;
/** After a call, an agent is treated as active for this long. */
const AT_WORK_MS = 15 * 60_000;
/** A file that disappears again soon after it was put back is removed on purpose. */
const MENDED_EVERY_MS = 10 * 60_000;
const MOST = 64;
const MAX_BYTES = 4 * 1024 * 1024;

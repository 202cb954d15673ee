import { statSync } from "node:fs";
import { basename, join, resolve, sep } from "node:path";
import { isTestFile, SKIPPED } from "../../examples/plan.ts";
import type { Hook } from "../../hook/hook.ts";
import { errorText } from "../../problem/problem.ts";
import type { Exit } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { paintFor } from "../show/terminal-text.ts";

/** What one run came to, and the files that it depends on. */
export interface WatchedRun {
  readonly exit: Exit;
  readonly files: readonly string[];
  readonly hooks: readonly Hook[];
}

/** Runs, and runs again whenever configuration, scripts or tests change, until the user ends it. */
export async function watchTests(root: string, io: Io, run: () => Promise<WatchedRun>): Promise<Exit> {
  const { watch } = await import("chokidar");
  let known = new Set<string>();
  let exit: Exit = "done";
  const matters = (path: string) => known.has(path) || isTestFile(path) || isConfiguration(root, path);
  const watcher = watch(root, {
    followSymlinks: false,
    ignoreInitial: true,
    ignored: (path, stats) => SKIPPED.has(basename(path)) || (stats?.isFile() === true && !matters(path)),
  });
  const turn = async () => {
    const ran = await run();
    exit = ran.exit;
    known = new Set([...ran.files, ...filesOf(ran.hooks, root)]);
    watcher.add([...known]);
    io.err(paintFor(io).dim(io.isTerminal ? "waiting for changes; q leaves, Enter runs again" : "waiting for changes"));
  };
  const turns = new Turns(turn, (error) => io.err(errorText(error)));
  await new Promise<void>((ready) => watcher.once("ready", () => ready()));
  turns.ask();
  watcher.on("all", (_, path) => matters(path) && turns.ask(SETTLE_MS));
  await left(io, () => turns.ask());
  turns.end();
  await watcher.close();
  return exit;
}

/** Files whose change may change what a hook does: where it came from, and what it starts. */
function filesOf(hooks: readonly Hook[], root: string): string[] {
  const words = hooks
    .flatMap((hook) => [hook, ...hook.parts])
    .flatMap(({ origin, script, module, command, args }) => [
      origin?.place.file ?? [],
      script ?? [],
      module ?? [],
      command?.split(/[\s"'`;|&()<>$]+/) ?? [],
      args ?? [],
    ]);
  const paths = words.flat().flatMap((word) => [resolve(root, word), resolve(root, ".sluice", word)]);
  return [...new Set(paths)].filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** One run after the other; a change during a run causes one more run after it. */
class Turns {
  readonly #act: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #isRunning = false;
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(act: () => Promise<void>, onError: (error: unknown) => void) {
    this.#act = act;
    this.#onError = onError;
  }

  ask(delayMs = 0): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), delayMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#isWanted = false;
  }

  #begin(): void {
    this.#isWanted = true;
    if (!this.#isRunning) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isRunning = true;
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.#act().catch(this.#onError);
    }
    this.#isRunning = false;
  }
}

/** The user pressed `q`, or sent a signal. */
function left(io: Io, again: () => void): Promise<void> {
  const { stdin } = process;
  return new Promise((done) => {
    const leave = () => {
      for (const signal of SIGNALS) process.off(signal, leave);
      if (io.isTerminal) {
        stdin.setRawMode(false);
        stdin.pause();
      }
      done();
    };
    for (const signal of SIGNALS) process.on(signal, leave);
    if (!io.isTerminal) return;
    stdin.setRawMode(true);
    stdin.on("data", (keys: Buffer) => {
      const pressed = keys.toString();
      if (LEAVING.some((key) => pressed.includes(key))) leave();
      else if (/[\r\n]/.test(pressed)) again();
    });
  });
}

function isConfiguration(root: string, path: string): boolean {
  const folders = [".sluice", ".opencode", ".forge", ".src"].map((name) => join(root, name) + sep);
  return folders.some((folder) => path.startsWith(folder)) && /\.(ya?ml|json|[cm]?[jt]s|sh|py)$/.test(path);
}

/** `q`, Ctrl-C and Ctrl-D: a terminal that hands over every key sends no signals. */
const LEAVING = ["q", "\u0003", "\u0004"];
const SETTLE_MS = 100;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

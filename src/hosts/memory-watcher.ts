import { relative, resolve, sep } from "node:path";
import { checked } from "../decide/checked-data.ts";
import { type Content, compileMemoryTest, contentOf } from "../decide/memory-writes.ts";
import type { Decision } from "../decision/decision.ts";
import type { HookExecutor } from "../engine/executor.ts";
import { MemoryUpdateEvent } from "../event/data.ts";
import { errorText } from "../event/event.ts";
import { problems, warn } from "../problem/problem.ts";
import { type Session, sessionEvent, sessionIdOf } from "./session.ts";

/** Whose memory files are watched, and who is told. */
export interface MemoryWatchOptions {
  /** What takes events through hooks: a `HooksManager`, or anything with an executor. */
  readonly manager?: { readonly executor: HookExecutor };
  readonly executor?: HookExecutor;
  readonly root: string;
  readonly session: Session;
  /** Files that count as memory besides AGENTS.md and its like. */
  readonly patterns?: readonly string[];
  /** How long a file has to stay as it is before hooks are told; 100 when left out. */
  readonly settleMs?: number;
  /** Told what the hooks made of a change. It has happened already: undoing it is up to the host. */
  readonly onDecision?: (decision: Decision) => void;
}

/** A watch that lasts until it is closed. */
export interface MemoryWatch {
  /** Stops watching and waits for the hooks that are running. */
  close(): Promise<void>;
}

/** Watches the memory files of a project and fires `memory:update` when what they hold has changed. */
export async function watchMemory(options: MemoryWatchOptions): Promise<MemoryWatch> {
  const root = resolve(options.root);
  const changes = new Changes(root, options);
  const isMemory = compileMemoryTest(root, options.patterns);
  const { watch } = await import("chokidar");
  const watcher = watch(root, {
    followSymlinks: false,
    ignored: (path, stats) => isSkipped(root, path) || (stats?.isFile() === true && !isMemory(path)),
  });
  let isReady = false;
  const noticed = (act: (file: string) => void) => (file: string) => (isMemory(file) ? act(file) : undefined);
  watcher.on(
    "add",
    noticed((file) => (isReady ? changes.expect(file) : changes.remember(file))),
  );
  for (const change of ["change", "unlink"] as const) {
    watcher.on(
      change,
      noticed((file) => changes.expect(file)),
    );
  }
  watcher.on("error", (cause) => warn(PROBLEMS.notWatched({ root, why: errorText(cause) }, { cause })));
  await new Promise<void>((done) => {
    watcher.once("ready", () => {
      isReady = true;
      done();
    });
  });
  await changes.done();
  return {
    async close() {
      await watcher.close();
      await changes.end();
    },
  };
}

/** What the files held when they were last looked at, and the looks that are still to come, one after the other. */
class Changes {
  readonly #root: string;
  readonly #options: MemoryWatchOptions;
  readonly #known = new Map<string, Content>();
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  #work: Promise<void> = Promise.resolve();

  constructor(root: string, options: MemoryWatchOptions) {
    this.#root = root;
    this.#options = options;
    sessionIdOf(options.session);
    executorOf(options);
  }

  /** A file that was there from the beginning. */
  remember(file: string): void {
    this.#then(async () => this.#keep(file, await contentOf(file)));
  }

  /** A file that changes: it is looked at once it stays as it is. */
  expect(file: string): void {
    clearTimeout(this.#waiting.get(file));
    const look = () => {
      this.#waiting.delete(file);
      this.#then(() => this.#look(file));
    };
    this.#waiting.set(file, setTimeout(look, this.#options.settleMs ?? SETTLE_MS));
  }

  done(): Promise<void> {
    return this.#work;
  }

  end(): Promise<void> {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    return this.#work;
  }

  async #look(file: string): Promise<void> {
    const before = this.#known.get(file);
    const after = await contentOf(file);
    if (before?.hash === after?.hash) return;
    this.#keep(file, after);
    const { session, onDecision } = this.#options;
    const data = checked(MemoryUpdateEvent, "memory:update", {
      file_path: file,
      update_type: updateType(before, after),
      session_id: sessionIdOf(session),
      content_size: after?.content_size,
      previous_hash: before?.hash,
      new_hash: after?.hash,
    });
    const event = sessionEvent(session, "memory:update", data, this.#root);
    onDecision?.(await executorOf(this.#options).decide(event));
  }

  #keep(file: string, content: Content | undefined): void {
    if (content === undefined) this.#known.delete(file);
    else this.#known.set(file, content);
  }

  #then(act: () => Promise<void>): void {
    const { root } = this.#options;
    this.#work = this.#work
      .then(act)
      .catch((cause) => warn(PROBLEMS.notTold({ root, why: errorText(cause) }, { cause })));
  }
}

function updateType(before: Content | undefined, after: Content | undefined): MemoryUpdateEvent["update_type"] {
  if (before === undefined) return "created";
  return after === undefined ? "deleted" : "modified";
}

function executorOf({ manager, executor = manager?.executor }: MemoryWatchOptions): HookExecutor {
  if (executor === undefined) throw PROBLEMS.noManager({});
  return executor;
}

function isSkipped(root: string, path: string): boolean {
  return relative(root, path)
    .split(sep)
    .some((part) => SKIPPED.has(part));
}

/** Too many files that no session writes. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);
const SETTLE_MS = 100;

const PROBLEMS = problems("memory", {
  noManager: (_: object) => ({
    what: "Memory files are to be watched, and there are no hooks to tell of their changes.",
    fix: "Pass a `manager`, or an `executor`.",
  }),
  notWatched: ({ root, why }: { root: string; why: string }) => ({
    what: `Memory files below ${root} cannot all be watched: ${why}`,
    fix: "Raise the system's limit of watched files, or watch a smaller folder.",
  }),
  notTold: ({ root, why }: { root: string; why: string }) => ({
    what: `A memory file below ${root} changed, and its hooks could not be run: ${why}`,
    fix: "The watch continues; look at what `onDecision` does.",
  }),
});

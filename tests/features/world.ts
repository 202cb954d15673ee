import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { Hook, type HookEvent, HookExecutor, HookRegistry, type HookResult } from "../../src/index.ts";

/** What the steps of one scenario share: folders of its own, a home of its own, and what happened so far. */
export class World {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-feature-")));
  readonly #before = new Map(VARIABLES.map((name) => [name, process.env[name]]));
  readonly #warn = console.warn;
  readonly project = join(this.#folder, "project");
  readonly home = join(this.#folder, "home");
  readonly registry = new HookRegistry();
  readonly executor = new HookExecutor({ registry: this.registry, workingDir: this.project });
  readonly warnings: string[] = [];
  #event: HookEvent | undefined;
  #hook: Hook | undefined;
  results: readonly HookResult[] = [];
  /** What the last call gave, where a later step looks at it. */
  given: unknown;
  /** What the last call threw. */
  thrown: unknown;

  constructor() {
    for (const folder of [this.project, this.home]) mkdirSync(folder);
    for (const name of VARIABLES) delete process.env[name];
    process.env.HOME = this.home;
    process.env.XDG_CONFIG_HOME = join(this.home, ".config");
    console.warn = (...words: unknown[]) => this.warnings.push(words.join(" "));
    HookRegistry.resetInstance();
  }

  close(): void {
    for (const [name, value] of this.#before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    console.warn = this.#warn;
    HookRegistry.resetInstance();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get event(): HookEvent {
    return known(this.#event, "event");
  }

  set event(event: HookEvent) {
    this.#event = event;
  }

  get hook(): Hook {
    return known(this.#hook, "hook");
  }

  set hook(hook: Hook) {
    this.#hook = hook;
  }

  /** The result of the one hook that ran. */
  get result(): HookResult {
    expect(this.results).toHaveLength(1);
    return known(this.results[0], "result");
  }

  /** Makes hooks from the rows of a table whose first row names the keys. */
  hooksFrom(rows: readonly (readonly string[])[]): Hook[] {
    const [keys = [], ...values] = rows;
    return values.map((row) => {
      const cells = keys.map((key, index) => [key, row[index] ?? ""]);
      return Hook.fromJSON({ command: "true", ...objectFrom(cells) });
    });
  }
}

/** Makes an object from rows of key and value. */
export function objectFrom(cells: readonly (readonly string[])[]): Record<string, unknown> {
  return Object.fromEntries(cells.map(([key = "", cell = ""]) => [key, READS[key]?.(cell) ?? cell]));
}

/** The rows below a step that has to have some. */
export function rowsOf(below: unknown): readonly (readonly string[])[] {
  expect(below).toBeInstanceOf(Array);
  return below as readonly (readonly string[])[];
}

function known<Thing>(thing: Thing | undefined, name: string): Thing {
  if (thing === undefined) throw new Error(`no step before this one gave the ${name}`);
  return thing;
}

/** What tells the package where a user's files are. */
const VARIABLES = ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"];

/** The keys of a hook that are no texts. */
const READS: Readonly<Record<string, (cell: string) => unknown>> = {
  timeout: Number,
  enabled: (cell) => cell === "true",
};

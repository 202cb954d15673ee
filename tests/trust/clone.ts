import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished, vi } from "vitest";
import { examine } from "../../src/config/examine.ts";
import { loadLayers } from "../../src/config/load.ts";
import { HooksManager } from "../../src/index.ts";
import { approve } from "../../src/trust/ledger.ts";
import { type Ended, runCommand } from "../command-server/run-command.ts";
import { writeSettled } from "../settled-file.ts";

/** A project that somebody has just cloned, and the home of the one who did. */
export interface Clone {
  readonly root: string;
  readonly home: string;
  /** A folder in which nothing of the project lies. */
  readonly elsewhere: string;
  write(file: string, content: string | object, mode?: number): string;
  sluice(args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): Ended;
  /** Answers a call of an agent, as `sluice run` does, without the daemon. */
  run(agent: string, payload: object): Ended;
  /** Approves what is there now, as `sluice trust --yes` does. */
  trust(root?: string): void;
  /** Whether the canary was run since the last look. */
  hasRun(): boolean;
}

/** What an opened project did when an agent wanted to run `rm`. */
export interface Opened {
  readonly action: string | undefined;
  readonly ran: readonly string[];
  /** The hooks in whose place the user is asked, because they have changed. */
  readonly asked: readonly string[];
  /** Everything that was said to the person. */
  readonly said: string;
}

/** Makes an empty clone; the canary is a script that leaves a mark. */
export function clone(): Clone {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-clone-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [root, home, elsewhere] = ["project", "home", "elsewhere"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [root, home, elsewhere]) mkdirSync(path);
  const mark = join(folder, "mark");
  const made: Clone = {
    root,
    home,
    elsewhere,
    write: (file, content, mode = 0o644) => {
      const path = resolve(root, file);
      mkdirSync(dirname(path), { recursive: true });
      rmSync(path, { force: true });
      const text = typeof content === "string" ? content : JSON.stringify(content, null, 1);
      writeSettled(path, text.replaceAll("MARK", mark), mode);
      return path;
    },
    sluice: (args, env = {}, cwd = root) => {
      const { NODE_EXTRA_CA_CERTS: _, SLUICE_TRUST_HASH: __, ...own } = process.env;
      return runCommand(args, { cwd, env: { ...own, ...homesIn(home), NO_COLOR: "1", ...env } });
    },
    run: (agent, payload) => {
      const { NODE_EXTRA_CA_CERTS: _, SLUICE_TRUST_HASH: __, ...own } = process.env;
      const env = { ...own, ...homesIn(home), NO_COLOR: "1", SLUICE_RESIDENT: "0" };
      return runCommand(["run", agent], {
        cwd: root,
        env,
        input: JSON.stringify({ session_id: "s", cwd: root, ...payload }),
      });
    },
    trust: (where = root) => {
      const env = homesIn(home);
      inPlaceOf(env, () => {
        const prints = examine(loadLayers(where), where, { env }).items.map(({ print }) => print);
        const unread = prints.flatMap((print) => print.unread);
        if (unread.length > 0) throw new Error(`cannot be read: ${unread.join()}`);
        approve(where, prints, { env });
      });
    },
    hasRun: () => {
      const has = existsSync(mark);
      rmSync(mark, { force: true });
      return has;
    },
  };
  return made;
}

function homesIn(home: string): Readonly<Record<string, string>> {
  return { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), XDG_STATE_HOME: join(home, ".state") };
}

/** A test may have surroundings of its own; they are put back. */
function inPlaceOf<T>(env: Readonly<Record<string, string>>, act: () => T): T {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    return act();
  } finally {
    for (const name of Object.keys(env)) if (before[name] === undefined) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** The ways in which a project is opened. */
export const WAYS = {
  "the command": async ({ sluice, root }: Clone, where = root, env: Readonly<Record<string, string>> = {}) => {
    const { out, err } = sluice(["fire", ...CALL, "--json", "--root", where], env);
    const { action, results, skipped } = JSON.parse(out);
    const said: Said[] = results.map(({ hook, action }: Said) => ({ hook, action }));
    return { action, ...told(said), said: err + JSON.stringify(skipped) };
  },
  HooksManager: async ({ home, root }: Clone, where = root, env: Readonly<Record<string, string>> = {}) => {
    for (const [name, value] of Object.entries({ ...homesIn(home), ...env })) vi.stubEnv(name, value);
    const said: string[] = [];
    const warn = vi.spyOn(console, "warn").mockImplementation((text) => void said.push(String(text)));
    try {
      const manager = new HooksManager({ root: where });
      manager.load();
      const call = { tool: "bash", args: { command: "rm x" }, cwd: where };
      const decision = await manager.decide({ sessionId: "s", cwd: where }, "PreToolUse", call);
      await manager.close();
      const results = decision.results.map(({ hook, action }) => ({ hook: hook.name, action }));
      return { action: decision.action, ...told(results), said: said.join("\n") };
    } finally {
      warn.mockRestore();
      vi.unstubAllEnvs();
    }
  },
} satisfies Record<string, (clone: Clone, where?: string, env?: Readonly<Record<string, string>>) => Promise<Opened>>;

interface Said {
  readonly hook: string;
  readonly action: string;
}

/** No hook of these tests asks by itself. */
function told(results: readonly Said[]): Pick<Opened, "ran" | "asked"> {
  const named = (isAsked: boolean) =>
    results.filter(({ action }) => (action === "ask") === isAsked).map(({ hook }) => hook);
  return { ran: named(false), asked: named(true) };
}

/** Leaves the mark. */
export const CANARY = "#!/bin/sh\ntouch 'MARK'\n";
/** Denies the call, in process. */
export const GUARD = {
  name: "guard",
  event: "tool:pre_execute",
  rules: 'args.command contains "rm" -> deny("no rm")',
};
/** Runs the canary. */
export const hook = (more: object = { command: "sh scripts/canary.sh" }) => ({
  name: "canary",
  event: "tool:pre_execute",
  ...more,
});

const CALL = ["PreToolUse:bash", "--args", '{"command":"rm x"}'];

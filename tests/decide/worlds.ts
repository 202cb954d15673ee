import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { HooksManager } from "../../src/hosts/hooks-manager.ts";
import { EXAMPLE } from "../intent/project.ts";
import { writeSettled } from "../settled-file.ts";

/** A home and a project in it, with a configuration. */
export interface World {
  readonly home: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hasUndo: boolean;
  /** One manager for all fronts that live in a program. */
  manager(): HooksManager;
}

/** The configurations that calls are made under: files of the user begin with `~/`, all others lie in the project. */
const CONFIGURATIONS = {
  rules: {
    "~/.config/sluice/hooks.yaml": `
guards: standard
hooks:
  - { name: no-deploy, event: tool:pre_execute, rules: 'args.command contains "deploy" -> deny("not from here")' }
  - { name: ask-curl, event: "tool:pre_execute:@shell", rules: 'call runs "curl" -> ask("really fetch?")' }
  - { name: silent, event: tool:pre_execute, rules: 'args.command contains "make" -> continue("fine")' }
  - { name: watches, event: tool:pre_execute, mode: monitor, rules: 'args.command contains "ls" -> deny("watched")' }
  - { name: no-prod, event: "tool:pre_execute:Write", rules: 'path glob "**/prod.json" -> deny("not in production")' }
  - { name: no-memory, event: memory:update, rules: 'event exists -> deny("memory is frozen")' }
  - { name: closed, event: tool:pre_execute, rules: 'path glob "closed/**" -> deny("closed by path")' }
  - { name: sealed, event: tool:pre_execute, rules: 'call writes "{sealed,locked}/**" -> deny("closed by what is written")' }
  - { name: matched, matcher: { events: [PreToolUse], path_patterns: ["frozen/**"] }, rules: 'tool exists -> deny("closed by matcher")' }
  - { name: no-keys, event: tool:pre_execute, rules: 'content contains "KEY-123" -> deny("a key")' }
  - { name: safer, event: tool:pre_execute, rules: 'args.command equals "npm install" -> modify(args.command, "npm ci")' }
`,
    "~/.claude/settings.json": "{}",
    ".claude/settings.json": "{}",
    ".sluice/hooks.yaml": "hooks: []\n",
    "AGENTS.md": "# Rules\n",
    "docs/notes.md": "notes\n",
    "lines.txt": "one\n",
    "old/AGENTS.md": "old\n",
  },
  intents: {
    "~/.config/sluice/hooks.yaml": "intents: { mode: enforce }\n",
    ".orchestration/active_intents.yaml": EXAMPLE,
    ".intentignore": "src/auth/secret.ts\n",
    "src/auth/a.ts": "a\n",
    "src/auth/old/b.ts": "b\n",
    "src/db.ts": "db\n",
  },
  traced: {
    ".orchestration/active_intents.yaml": EXAMPLE,
    "src/auth/a.ts": "a\n",
  },
  undo: {
    "~/.config/sluice/hooks.yaml": "guards: standard\nundo: on\n",
    "src/a.ts": "a\n",
  },
  contained: { "~/.config/sluice/hooks.yaml": "contain: unknown\n" },
  flow: { "~/.config/sluice/hooks.yaml": "guards: strict\n" },
  untrusted: {
    ".sluice/hooks.yaml": `
hooks:
  - { name: shell-guard, event: tool:pre_execute, command: "exit 1" }
  - { name: plugin-guard, event: tool:pre_execute, type: plugin, module: ./guard.mjs }
  - { name: rule-guard, event: tool:pre_execute, rules: 'args.command contains "deploy" -> deny("not from here")' }
`,
    "guard.mjs": "export default { name: 'g', preToolUse: () => ['block', 'from the plugin'] };\n",
  },
  commands: {
    "~/.config/sluice/hooks.yaml": `
hooks:
  - { name: late, event: "tool:pre_execute:Late", command: "sleep 5", timeout: 0.1 }
  - { name: late-open, event: "tool:pre_execute:LateOpen", command: "sleep 5", timeout: 0.1, on_error: continue }
  - { name: garbled, event: "tool:pre_execute:Garbled", command: "echo '{ nonsense'" }
  - { name: garbled-open, event: "tool:pre_execute:GarbledOpen", command: "echo '{ nonsense'", on_error: continue }
  - { name: one, event: "tool:pre_execute:One", command: "echo no; exit 1" }
  - { name: two, event: "tool:pre_execute:Two", command: "echo no >&2; exit 2", exit_codes: claude }
  - { name: one-claude, event: "tool:pre_execute:OneClaude", command: "exit 1", exit_codes: claude, on_error: continue }
  - { name: seven, event: "tool:pre_execute:Seven", command: "exit 7", exit_codes: amplifier, on_error: ask }
  - { name: gone, event: "tool:pre_execute:Gone", args: [/no/such/program] }
  - { name: gone-open, event: "tool:pre_execute:GoneOpen", args: [/no/such/program], on_error: continue }
  - { name: throws, event: "tool:pre_execute:Throws", type: plugin, module: ./throws.mjs, on_error: deny }
  - { name: throws-open, event: "tool:pre_execute:ThrowsOpen", type: plugin, module: ./throws.mjs, on_error: continue }
  - { name: replaces, event: "tool:pre_execute:Replaces", command: 'echo ''{"action":"modify","modified_data":{"args":{"text":"b"}}}''' }
  - { name: patches, event: "tool:pre_execute:Patches", command: 'echo ''{"action":"modify","modified_data":{"patch":{"text":"b","gone":null}}}''' }
  - { name: asks, event: "tool:pre_execute:Asks", command: 'echo ''{"action":"ask","reason":"sure?"}''' }
`,
    "~/.config/sluice/throws.mjs": "export default { name: 't', preToolUse() { throw new Error('broken'); } };\n",
    ".sluice/hooks.yaml": "hooks: []\n",
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

export type WorldName = keyof typeof CONFIGURATIONS;

/** The world of that name, made once for all tests of a file. */
export function world(name: WorldName): World {
  const known = MADE.get(name);
  if (known !== undefined) return known;
  const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-decide-")));
  const root = join(home, "project");
  fill(name, home, root);
  const env = { HOME: home, XDG_STATE_HOME: join(home, ".local/state"), XDG_CONFIG_HOME: join(home, ".config") };
  let manager: HooksManager | undefined;
  const made: World = {
    home,
    root,
    env,
    hasUndo: name === "undo",
    manager() {
      if (manager === undefined) {
        manager = new HooksManager({ root });
        manager.load();
      }
      return manager;
    },
  };
  MADE.set(name, made);
  afterAll(() => {
    MADE.delete(name);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  return made;
}

/** Writes the files of a configuration into a home and its project. */
export function fill(name: WorldName, home: string, root: string): void {
  for (const [path, text] of Object.entries(CONFIGURATIONS[name])) {
    const file = path.startsWith("~/") ? join(home, path.slice(2)) : join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeSettled(file, text);
  }
}

const MADE = new Map<WorldName, World>();

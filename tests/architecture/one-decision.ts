import type { Check } from "./check.ts";
import type { SourceFile } from "./source-tree.ts";

/** Decisions are made in one room. */
export const ONE_DECISION = {
  "only decide calls what decides about a call or records it": {
    find: (tree) =>
      tree
        .filter(({ room }) => ABOVE.some((name) => room === name))
        .flatMap((file) => file.imports.filter((target) => isForbidden(file, target)).map(told(file))),
    breaks: {
      "hosts/manager.ts": 'import { selfProtection } from "../policies/protect/self-protection.ts";',
      "cli/commands/fire.ts": 'const { gate } = await import("../../policies/intent/gate.ts");',
      "programs/tools.ts": 'import { underTrace } from "../trace/change/under-trace.ts";',
      "server/answer.ts": 'import { remember } from "../trace/remember.ts";',
      "cli/commands/list.ts": 'import { underApprovals } from "../../approvals/under-approvals.ts";',
      "decide/stages.ts": "",
    },
    violations: [
      "hosts/manager.ts imports policies/protect/self-protection.ts",
      "cli/commands/fire.ts imports policies/intent/gate.ts",
      "programs/tools.ts imports trace/change/under-trace.ts",
      "server/answer.ts imports trace/remember.ts",
      "cli/commands/list.ts imports approvals/under-approvals.ts",
    ],
    keeps: {
      "decide/stages.ts": 'import { selfProtection } from "../policies/protect/self-protection.ts";',
      "cli/commands/pause.ts": 'import { rememberMoment } from "../../trace/remember.ts";',
      "cli/commands/intents.ts": 'import { addScope } from "../../policies/intent/declare.ts";',
      "cli/commands/why.ts": 'import { records } from "../../trace/read.ts";',
    },
  },
  "the command line and the daemon import no engine": {
    find: (tree) =>
      tree
        .filter(({ room }) => room === "cli" || room === "server")
        .flatMap((file) => file.imports.filter((target) => target.startsWith("engine/")).map(told(file))),
    breaks: {
      "cli/commands/fire.ts": 'import { HookExecutor } from "../../engine/executor.ts";',
      "server/worker.ts": 'import type { History } from "../engine/history.ts";',
    },
    violations: ["cli/commands/fire.ts imports engine/executor.ts", "server/worker.ts imports engine/history.ts"],
    keeps: { "cli/commands/fire.ts": 'import { decideInProject } from "../../decide/in-project.ts";' },
  },
  "only the process of a plugin loads code that a user names": {
    find: (tree) =>
      tree.flatMap(({ path, code, imports }) => [
        ...(LOADS_BY_NAME.test(code) && !Object.hasOwn(LOADING, path) ? [`${path} loads a module by its name`] : []),
        ...(imports.includes("runners/load-plugin.ts") && path !== "runners/plugin-host.ts"
          ? [`${path} loads plugins`]
          : []),
        ...(/^import (?!type\b)[^;]*plugin-host\.ts"/m.test(code) ? [`${path} runs plugins`] : []),
      ]),
    breaks: {
      "engine/executor.ts": "const module = await import(hook.module);",
      "config/load.ts": "const library = await importInstalled(pathToFileURL(file).href);",
      "cli/commands/check.ts": 'import { loadPlugin } from "../../runners/load-plugin.ts";',
      "server/worker.ts": "createRequire(file)(file);",
      "runners/plugin.ts": 'import { serve } from "./plugin-host.ts";',
    },
    violations: [
      "engine/executor.ts loads a module by its name",
      "config/load.ts loads a module by its name",
      "cli/commands/check.ts loads plugins",
      "server/worker.ts loads a module by its name",
      "runners/plugin.ts runs plugins",
    ],
    keeps: {
      "runners/plugin-host.ts": 'import { loadPlugin } from "./load-plugin.ts";',
      "runners/plugin-process.ts": 'import type { PluginRequest } from "./plugin-host.ts";',
      "runners/cedar.ts": 'await importInstalled("@cedar-policy/cedar-wasm/nodejs");\nawait import("./when.ts");',
      "llm/connect.ts": "await importInstalled(name);",
    },
  },
} as const satisfies Record<string, Check>;

/** A module whose name is not written in the source. */
const LOADS_BY_NAME = /\b(?:import|importInstalled|[rR]equire)\((?!\s*["'`)]|name: string)|createRequire\([^)]*\)\(/;

/** Who loads modules by a name that the source does not show, and which. None of them is found from a project's folder. */
const LOADING: Readonly<Record<string, string>> = {
  "runners/load-plugin.ts": "plugins, in the process of a plugin",
  "runners/typescript.ts": "jiti, from beside Sluice",
  "fs/import-package.ts": "what its callers name",
  "fs/late-builtins.ts": "parts of Node",
  "cli/bin.ts": "parts of Node, and what a bundle names",
  "launcher/compile-bundle.ts": "parts of Node",
  "llm/connect.ts": "the packages in the table of providers, from beside Sluice",
  "packs/provenance.ts": "packages of sigstore, from beside Sluice",
  "trace/mutation/oxc.ts": "one package, from beside Sluice",
  "trace/mutation/tree-sitter.ts": "two packages, from beside Sluice",
};

/** The rooms that bring calls, show decisions, or do both. */
const ABOVE = [
  "hosts",
  "programs",
  "mcp",
  "doctor",
  "examples",
  "explain",
  "replay",
  "suggest",
  "server",
  "ui-server",
  "cli",
];

/** What decides about a call, and what writes records of it. */
const DECIDES: readonly RegExp[] = [
  /^policies\/guards\/with-guards\.ts$/,
  /^policies\/protect\/(?:protection-context|self-protection|deny-memory)\.ts$/,
  /^approvals\/under-approvals\.ts$/,
  /^policies\/intent\/(?:gate|under-intents|with-intents|touches)\.ts$/,
  /^trace\/(?:remember|journal)\.ts$/,
  /^trace\/change\/(?:under-trace|with-trace|before-change|record-change)\.ts$/,
];

/** Commands that show what is built in, give approvals, read the journal, or record what a person did. */
const EXCEPT: Readonly<Record<string, readonly string[]>> = {
  "cli/commands/list.ts": ["policies/protect/deny-memory.ts", "policies/protect/self-protection.ts"],
  "cli/commands/allow.ts": ["trace/journal.ts", "trace/remember.ts"],
  "replay/unasked-calls.ts": ["trace/journal.ts"],
  "cli/commands/allow-once.ts": ["trace/journal.ts", "trace/remember.ts"],
  "cli/commands/approve.ts": ["trace/remember.ts"],
  "cli/commands/pause.ts": ["trace/remember.ts"],
  "cli/commands/doctor.ts": ["trace/journal.ts"],
  "cli/commands/evidence.ts": ["trace/journal.ts"],
  "cli/commands/log.ts": ["trace/journal.ts"],
  "cli/commands/replay.ts": ["trace/journal.ts"],
  "cli/commands/stats.ts": ["trace/journal.ts"],
  "cli/commands/suggest.ts": ["trace/journal.ts"],
  "cli/commands/ui.ts": ["trace/journal.ts"],
  "cli/commands/why.ts": ["trace/journal.ts"],
  "ui-server/request-routes.ts": ["trace/remember.ts"],
  "doctor/journal.ts": ["trace/journal.ts"],
};

function isForbidden({ path }: SourceFile, target: string): boolean {
  return DECIDES.some((pattern) => pattern.test(target)) && !EXCEPT[path]?.includes(target);
}

function told({ path }: SourceFile): (target: string) => string {
  return (target) => `${path} imports ${target}`;
}

import { TABLES } from "../../src/effects/programs/index.ts";
import type { Check } from "./check.ts";

/** Programs are known in one place: everything else asks what a call does. */
export const PROGRAMS = {
  "no program is named outside effects/programs": {
    find: (tree) =>
      tree.flatMap(({ path, code }) => {
        if (KNOWING.test(path) || NAMING.has(path) || path === RUNS_GIT || Object.hasOwn(STARTS, path)) return [];
        const own = withoutExamples(code);
        const names = [...new Set([...quotedIn(own), ...alternativesIn(own)])];
        return names.length === 0 ? [] : [`${path} names a program`];
      }),
    breaks: {
      "policies/protect/moves.ts": 'const isMove = command.program?.text === "git";',
      "trust/interpreters.ts": "const RUNS = /^(?:nodejs|pypy|Rscript)$/;",
    },
    violations: ["policies/protect/moves.ts names a program", "trust/interpreters.ts names a program"],
    keeps: {
      "effects/programs/git.ts": 'const GIT = { "git": 1 };',
      "policies/guards/git.ts": 'const reason = "Run git stash first.";\n// "git" is for a person.',
      "rule/operators.ts": 'const kinds = ["file", "test"];\nconst WORDS = /^(?:time|date)$/;',
    },
  },
  "git is started in fs/run-git alone, and only known files start processes": {
    find: (tree) =>
      tree.flatMap(({ path, room, code, imports }) => {
        // Examples of code that starts processes.
        if (room === "effects") return [];
        const loads =
          imports.includes("node:child_process") ||
          /\b(?:import|require|\w*[mM]odule|late<\w+>)\(["'](?:node:)?child_process["']/.test(code);
        const starts = loads || (imports.includes(LATE) && /\bexecFileSync\b/.test(code));
        const isKnown = path === LATE || path === RUNS_GIT || Object.hasOwn(STARTS, path);
        if (starts && !isKnown) return [`${path} starts a process and has no row in STARTS`];
        return path !== RUNS_GIT && STARTS_GIT.test(code) ? [`${path} does what fs/run-git is for`] : [];
      }),
    breaks: {
      "trace/change/other.ts": 'import { spawnSync } from "node:child_process";\nspawnSync("true");',
      "policies/undo/other.ts": 'import { execFileSync } from "../../fs/late-builtins.ts";\nexecFileSync(name, []);',
      "suggest/other.ts": 'const { spawn } = process.getBuiltinModule("node:child_process");',
      "cli/commands/open-browser.ts":
        'import { execFile } from "node:child_process";\nexecFile("/usr/bin/git", ["status"]);',
      "server/launch.ts": 'import { exec } from "node:child_process";\nexec(`git -C ${folder} log`);',
      "runners/subprocess.ts": 'import { spawn } from "node:child_process";\nspawn("/bin/sh", ["-c", "git status"]);',
    },
    violations: [
      ...["trace/change/other.ts", "policies/undo/other.ts", "suggest/other.ts"].map(
        (path) => `${path} starts a process and has no row in STARTS`,
      ),
      ...["cli/commands/open-browser.ts", "server/launch.ts", "runners/subprocess.ts"].map(
        (path) => `${path} does what fs/run-git is for`,
      ),
    ],
    keeps: {
      "fs/run-git.ts": 'import { execFileSync } from "./late-builtins.ts";\nexecFileSync("git", args);',
      "policies/undo/git.ts": 'git(folder, ["ls-files"]);',
      "server/launch.ts": 'import { spawn } from "node:child_process";\nspawn(program, [launcher]);',
    },
  },
} as const satisfies Record<string, Check>;

const LATE = "fs/late-builtins.ts";
const RUNS_GIT = "fs/run-git.ts";
/** A call that starts git, by its name or path, or through a shell. */
const STARTS_GIT = /\b(?:spawn|exec|fork)\w*\(\s*(?:["'`](?:[^"'`]*\/)?git\b|[^)]*["']-c["'],\s*["'`][^"'`]*\bgit\b)/;

/** The files that start processes, each with what it starts. */
const STARTS: Readonly<Record<string, string>> = {
  "adapters/call-sluice.ts": "the command of Sluice",
  "cli/commands/install-replay.ts": "the command of Sluice",
  "cli/commands/setup.ts": "the command of Sluice",
  "cli/commands/open-browser.ts": "the browser of the user",
  "policies/contain/box-layout.ts": "what makes the devices that hide files in an overlay",
  "contain/commit-changes.ts": "what exchanges files, which Node cannot",
  "contain/read-changes.ts": "what mounts both layers of a box to list them",
  "contain/run-box.ts": "the contained command, in its box",
  "decide/background.ts": "the command of Sluice",
  "doctor/agent.ts": "the agents, for their versions",
  "doctor/canary-flight.ts": "the line that an installation wrote",
  "launcher/compile-bundle.ts": "the command of Sluice",
  "policies/contain/probe.ts": "what makes a box, to see whether that works",
  "policies/protect/other-terminals.ts": "what lists the sessions of a terminal multiplexer",
  "runners/plugin-process.ts": "the process of a plugin",
  "runners/process-tree.ts": "what ends processes on Windows",
  "runners/subprocess.ts": "hooks that the user has approved",
  "server/clients/make-client.ts": "a compiler of C",
  "server/clients/try-client.ts": "the native client",
  "server/http/http-posts.ts": "the command of Sluice",
  "server/launch.ts": "the daemon and its workers",
  "server/managed-timer.ts": "the command of Sluice",
  "server/start-cost.ts": "an empty node",
  "server/tamper-watch.ts": "the command of Sluice, and what shows a notice",
  "server/worker-pool.ts": "nothing: a type",
  "ui-server/draft-replay.ts": "the command of Sluice",
  "ui-server/journal-index.ts": "the command of Sluice",
};

/** Code without the examples of rows, which show command lines, and without the quotes inside of messages. */
function withoutExamples(code: string): string {
  return code.replaceAll(/^( *)examples: \[\n[\s\S]*?^\1\],?$/gm, "").replaceAll(/'[^'\n]*\{[^'\n]*\}[^'\n]*'/g, '""');
}

/** Texts that are the name of a program, and nothing else. */
function quotedIn(code: string): readonly string[] {
  return [...code.matchAll(/(["'`])([\w.+-]+)\1/g)].flatMap(([, , name = ""]) => (NAMES.has(name) ? [name] : []));
}

/** Alternatives of a regular expression, where at least two are names of programs. */
function alternativesIn(code: string): readonly string[] {
  return [...code.matchAll(/[\w.+-]+(?:\|[\w.+-]+)+/g)].flatMap(([all]) => {
    const names = all.split("|").filter((name) => NAMES.has(name));
    return names.length > 1 ? names : [];
  });
}

/** The table itself, the shell's own commands, names of tools and services, and rooms whose rows show command lines. */
const KNOWING =
  /^(?:effects\/programs|effects\/parse\/run|effects\/tools|templates|policies\/guards)\/|^event\/tool-kinds\.ts$/;

/** Files that hold words of git or of formats, the interpreters of scripts, tables of secrets on command lines, or configuration for a newcomer. */
export const NAMING: ReadonlySet<string> = new Set([
  "cli/commands/first-config.ts",
  "cli/commands/undo.ts",
  "install/import/sources.ts",
  "policies/protect/git-doubts.ts",
  "policies/protect/git-overwrites.ts",
  "runners/program.ts",
  "trace/change/agent-trace.ts",
  "trace/secret-shapes.ts",
  "trace/secret-tables.ts",
]);

/** Names of programs that are words of the language, of formats or of this project as well. */
const AMBIGUOUS: ReadonlySet<string> = new Set(
  `GET POST apply_patch at awk aws base64 bash break builtin bundle chmod cmd clear code col column command console continue copilot cpp cut date declare del diff dir dirs disable docker
  emacs enable env eval exec exit expect export expose false fetch file find fish format free go groovy groups hash head help
  history host http id import init install java jiti jobs join kill kind less let link local locale login lt lua make
  mkdir mongo more most mysql node open parallel pass passwd patch perl php ping port powershell pwd py python read rename return rmdir
  route ruby salt script security sed seq serve service set sh shift sleep sort source split sql stack start stat swift tail tar task test time gzip sum
  timeout times top touch trash tree true truncate tty type typeset unlink unset users view wait watch who yes zip zsh`.split(
    /\s+/,
  ),
);

const NAMES: ReadonlySet<string> = new Set(
  TABLES.flatMap((table) => Object.keys(table()).flatMap((names) => names.split(" "))).filter(
    (name) => name.length > 1 && !AMBIGUOUS.has(name),
  ),
);

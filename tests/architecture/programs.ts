import { TABLES } from "../../src/effects/programs/index.ts";
import type { Check } from "./check.ts";

/** Programs are known in one place: everything else asks what a call does. */
export const PROGRAMS = {
  "no program is named outside effects/programs": {
    find: (tree) =>
      tree.flatMap(({ path, code }) => {
        if (KNOWING.test(path) || NAMING.has(path)) return [];
        const names = [...new Set([...quotedIn(code), ...alternativesIn(code)])];
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
} as const satisfies Record<string, Check>;

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

/** The table itself, names of tools and services, and rooms whose rows show command lines. */
const KNOWING = /^(?:effects\/programs|effects\/tools|templates|policies\/guards)\//;

/** Files that start a program themselves, that hold the shell's own commands, names of tools, of files that programs keep, or examples. */
const NAMING: ReadonlySet<string> = new Set([
  "cli/commands/first-config.ts",
  "cli/commands/event-options.ts",
  "cli/commands/trace.ts",
  "cli/commands/undo.ts",
  "cli/commands/ui.ts",
  "effects/code/code-dangers.ts",
  "effects/parse/run/compound.ts",
  "effects/labels/tool-effect-labels.ts",
  "effects/parse/run/builtins.ts",
  "effects/parse/run/reading-builtins.ts",
  "effects/secret-files.ts",
  "event/tool-kinds.ts",
  "examples/read-examples.ts",
  "install/import/sources.ts",
  "install/import/conditions.ts",
  "policies/protect/git-doubts.ts",
  "policies/protect/git-overwrites.ts",
  "policies/protect/tool-lines.ts",
  "policies/undo/every-ref.ts",
  "policies/undo/git-losses.ts",
  "policies/undo/git.ts",
  "policies/undo/unclear-losses.ts",
  "rule/act-operators.ts",
  "rule/operators.ts",
  "runners/disposable-paths.ts",
  "runners/process-tree.ts",
  "runners/program.ts",
  "server/clients/make-client.ts",
  "server/tamper-watch.ts",
  "trace/change/agent-trace.ts",
  "trace/change/audit.ts",
  "trace/secret-shapes.ts",
]);

/** Names of programs that are words of the language, of formats or of this project as well. */
const AMBIGUOUS: ReadonlySet<string> = new Set(
  `GET POST at awk aws base64 bash break builtin bundle chmod cmd code col column command console continue copilot cpp cut date declare del diff dir dirs disable docker
  emacs enable env eval exec exit expect export false fetch file find fish format free go groovy groups hash head help
  history host http id import init install java jiti jobs join kill kind less let link local locale login lt lua make
  mkdir mongo more most mysql node open parallel pass passwd patch perl php ping port powershell pwd py python read rename rmdir
  route ruby salt script security sed seq serve service set sh sort source split sql stack start stat swift tail tar task test time gzip sum
  timeout times top touch trash tree true truncate tty type typeset unlink unset users view watch who yes zip zsh`.split(
    /\s+/,
  ),
);

const NAMES: ReadonlySet<string> = new Set(
  TABLES.flatMap((table) => Object.keys(table()).flatMap((names) => names.split(" "))).filter(
    (name) => name.length > 1 && !AMBIGUOUS.has(name),
  ),
);

import { join } from "node:path";
import { ADAPTERS } from "../../adapters/index.ts";
import { folderProblem } from "../../policies/intent/intents-file.ts";
import { agentFiles, PROJECT_FILES } from "../../policies/protect/places.ts";
import { unexplainedChanges } from "../../trace/change/audit.ts";
import { type CommandInput, USAGE } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { reporterNamed } from "../show/findings.ts";
import { columns } from "../show/terminal-text.ts";
import { findInTrace } from "./trace-find.ts";
import { exportTrace, listTrace, mapTrace, reportTrace, verifyHere, whyOff } from "./trace-report.ts";

/** Looks through the record of changes: is it whole, who wrote this line, what is not explained. */
export function run(input: CommandInput): Exit {
  const [word = "list", ...more] = input.words;
  const act = Object.hasOwn(ACTS, word) ? ACTS[word] : undefined;
  if (act === undefined) throw USAGE.unknownSubcommand({ command: "trace", word, known: Object.keys(ACTS) });
  const extra = more[word === "find" ? 1 : 0];
  if (extra !== undefined) throw USAGE.unexpectedArgument({ command: `trace ${word}`, extra });
  const problem = folderProblem(rootOf(input));
  if (problem !== undefined) throw problem;
  return act(input);
}

const ACTS: Readonly<Record<string, (input: CommandInput) => Exit>> = {
  verify: verifyHere,
  find: findInTrace,
  list: listTrace,
  audit: auditTrace,
  export: exportTrace,
  report: reportTrace,
  map: mapTrace,
};

/** Lists changed files that no recorded call explains; exit code 1 when there are some. */
function auditTrace(input: CommandInput): Exit {
  const { io } = input;
  const reporter = reporterNamed(input);
  const root = rootOf(input);
  const off = whyOff(input);
  if (off !== undefined) io.err(off);
  const { looked_at, by, ...audit } = unexplainedChanges({ root, env: io.env });
  const files = audit.files.map((file) => ({ ...file, ...withMeaning(file.path) }));
  if (input.has("json")) io.out(JSON.stringify({ files, looked_at, by }, null, 2));
  else if (reporter !== undefined) {
    const findings = files.map(({ path, why, what }) => ({
      level: "error" as const,
      code: "trace/unexplained-change",
      message: `No recorded call explains the change of ${path}: ${what === undefined ? why : `${why}: ${what}`}.`,
      fix: "A person, a program or an agent without hooks changed it.",
      place: { file: join(root, path) },
    }));
    for (const line of reporter({ command: "trace audit", findings, root, io })) io.out(line);
  } else if (files.length === 0)
    io.out(`Every change is explained: ${looked_at} changed files looked at, told by ${by}.`);
  else {
    io.out(`No recorded call explains these (${files.length} of ${looked_at} changed files):`);
    const rows = files.map(({ path, changed_at, size, why, what }) => [
      `  ${path}`,
      changed_at ?? "gone",
      size === null ? "" : `${size} bytes`,
      what === undefined ? why : `${why}: ${what}`,
    ]);
    for (const line of columns(rows)) io.out(line);
    io.out(`A person, a program or an agent without hooks changed them.${by === "git" ? GIT : ""}`);
  }
  return files.length === 0 ? "done" : "problem";
}

/** What a file is that Sluice's own commands write; nothing for all others. */
function withMeaning(path: string): { readonly what?: string } {
  if (PROJECT_FILES.includes(path) || path.startsWith(".sluice/"))
    return { what: "the configuration of Sluice, which `sluice init` and people write" };
  const isServer = ADAPTERS.some(({ recipe }) => recipe?.mcp?.files.project === path);
  if (isServer || agentFiles("project").includes(path))
    return { what: "settings of an agent, which `sluice install` and people write" };
  return {};
}

const GIT = " `git status` names them; `git diff HEAD` shows what is new in those that git tracks already.";

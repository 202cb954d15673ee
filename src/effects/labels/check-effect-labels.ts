import { oncePerObject } from "../../event/once.ts";
import type { CallEffects, CallPlace } from "../effect.ts";
import type { SimpleCommand } from "../parse/command.ts";
import { removesChecks } from "../programs/check-removals.ts";
import { isProgram } from "../programs/program-name.ts";
import { argsOf, type EffectLabel, type Run } from "./effect-index.ts";
import { pushedBranches } from "./shared-branches.ts";
import { isPipeline } from "./tool-effect-labels.ts";

/** Words about what protects a repository: its hooks, and the review of its pipelines. */
export const CHECK_EFFECT_LABELS = {
  "skip-checks": {
    means: "skips the checks that the project's hooks make, where there are hooks",
    on: "run",
    holds: (effect, act) =>
      removesChecks(effect.program, effect.verb, argsOf(effect, act)) ||
      (skipsHooks(effect, act) && mayHaveHooks(act.place)),
  },
  forge: {
    means: "gives a commit the name of somebody else and a date that it was not made on",
    on: "run",
    holds: (effect, act) =>
      isProgram("version-control", effect.program) &&
      /^(?:commit|am|rebase)/.test(effect.verb ?? "") &&
      isForged(effect, act),
  },
  "agent-settings": {
    means: "changes what agents may do, by a command: their settings, permissions, servers and hooks",
    on: "write",
    holds: (effect, { commands }) =>
      commands.length > 0 && effect.by !== "access" && AGENT_SETTINGS().test(effect.path.text),
  },
  "agent-settings-loss": {
    means: "removes settings, permissions or hooks of agents",
    on: "delete",
    holds: (effect) => AGENT_SETTINGS().test(effect.path.text),
  },
  "push-pipeline": {
    means: "pushes files of pipelines straight to a branch that others work from",
    on: "run",
    holds: (effect, act) =>
      effect.verb === "push" &&
      isProgram("version-control", effect.program) &&
      pushedBranches(effect, act).isShared &&
      changesPipeline(effect.command, act),
  },
} as const satisfies Record<string, EffectLabel>;

function isForged(run: Run, { commands }: CallEffects): boolean {
  const { assignments = {}, args = [] } = commands[run.command] ?? {};
  const given = [...Object.keys(assignments).map((name) => `${name}=`), ...args.map(({ text }) => text)];
  return given.some((text) => FORGED_NAME.test(text)) && given.some((text) => FORGED_DATE.test(text));
}

const FORGED_NAME = /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)=|^--author(?:=|$)|^user\.(?:name|email)=/;
const FORGED_DATE = /^GIT_(?:AUTHOR|COMMITTER)_DATE=|^--date(?:=|$)/;

function skipsHooks(run: Run, act: CallEffects): boolean {
  const command = act.commands[run.command];
  if (command === undefined) return false;
  if (SETS_VARIABLES.test(run.program)) return argsOf(run, act).some((arg) => SWITCHED_OFF.test(arg));
  if (!isProgram("version-control", run.program)) return false;
  const args = argsOf(run, act);
  const [verb = ""] = run.verb?.split(" ") ?? [];
  if (verb === "config") return unsetsHooks(args);
  return (
    (CHECKED.has(verb) && (args.some((arg) => NO_VERIFY.test(arg)) || (verb === "commit" && hasShort(args)))) ||
    args.some((arg) => OTHER_FOLDER.test(arg)) ||
    isSetForHooks(command)
  );
}

/** `-n` of a commit, alone or among letters that take no value. */
function hasShort(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args
    .slice(0, end < 0 ? undefined : end)
    .some((arg, at) => /^-[^-mFCct]*n/.test(arg) && !TAKES.test(args[at - 1] ?? ""));
}

function unsetsHooks(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => /^core\.hookspath$/i.test(arg));
  if (at < 0) return false;
  return (
    args.slice(0, at).some((arg) => /^(?:--unset(?:-all)?|unset)$/.test(arg)) || NO_FOLDER.test(args[at + 1] ?? "x")
  );
}

/** Variables that switch hooks off for one command. */
function isSetForHooks({ assignments }: SimpleCommand): boolean {
  for (const name in assignments) {
    const text = assignments[name]?.text ?? "";
    if (SWITCHED_OFF.test(`${name}=${text}`)) return true;
    if (/^GIT_CONFIG_KEY_\d+$/.test(name) && /^core\.hookspath$/i.test(text)) return true;
  }
  return false;
}

/** Whether the project may have hooks: the disk shows one, or cannot be asked. A line with many commits asks once. */
const mayHaveHooks = oncePerObject(({ root, isMissing, textAt }: CallPlace): boolean => {
  if (isMissing === undefined) return true;
  const at = (path: string) => (root === undefined ? path : `${root}/${path}`);
  const isGone = (path: string) =>
    isMissing(at(path)) === true ||
    (path.includes("/") && isMissing(at(path.slice(0, path.lastIndexOf("/")))) === true);
  return !HOOKS.every(isGone) || /hookspath/i.test(textAt?.(at(".git/config")) ?? "");
});

/** Whether the line names a pipeline in what it writes, adds or commits before a push. */
function changesPipeline(push: number, act: CallEffects): boolean {
  return firstChange(act) < push;
}

/** The first command that changes a pipeline. */
const firstChange = oncePerObject(({ effects, commands }: CallEffects): number => {
  const written = effects.find((effect) => effect.does === "write" && isPipeline(effect.path.text));
  const named = commands.findIndex(
    ({ program, args }) =>
      isProgram("version-control", program?.text ?? "") &&
      args.some(({ text }) => text === "add" || text === "commit") &&
      args.some(({ text }) => isPipeline(text)),
  );
  return Math.min(written?.command ?? Number.POSITIVE_INFINITY, named < 0 ? Number.POSITIVE_INFINITY : named);
});

/** Files by which agents are told what they may do. */
const AGENT_SETTINGS = () =>
  /(?:^|\/)\.(?:claude\/(?:settings(?:\.local)?\.json|hooks(?:\/|$))|codex\/(?:config\.toml|hooks\.json|rules(?:\/|$))|cursor\/(?:mcp|permissions|cli-config|hooks)\.json|gemini\/(?:settings\.json|policies(?:\/|$))|qwen\/settings\.json|factory\/settings\.json|kiro\/settings\/|cline\/|continue\/config\.\w+|copilot\/(?:config|mcp-config)\.json|aider\.conf\.yml)|\.config\/(?:opencode|goose|crush|amp)\/[\w.-]+\.(?:jsonc?|ya?ml)$|^(?:~|\/(?:home|Users)\/[^/]+|\/root)\/(?:\.claude\.json|\.(?:claude|codex|gemini|qwen)\/(?:CLAUDE|AGENTS|GEMINI|QWEN)\.md)$|\/(?:managed-settings|managed-mcp)\.json$/;
const SETS_VARIABLES = /^(?:export|declare|typeset|readonly|setx?)$/;
const SWITCHED_OFF =
  /^(?:HUSKY=0|HUSKY_SKIP_HOOKS=(?!0?$).|LEFTHOOK=(?:0|false)|OVERCOMMIT_DISABLE=(?!0?$).|SKIP_SIMPLE_GIT_HOOKS=(?!0?$).|(?:SKIP|PRE_COMMIT_SKIP|LEFTHOOK_EXCLUDE)=.)/;
const CHECKED: ReadonlySet<string> = new Set("commit push merge am rebase cherry-pick revert pull".split(" "));
/** Also as short as it may be written. */
const NO_VERIFY = /^--no-veri?f?y?$/;
const TAKES =
  /^(?:-[a-zA-Z]*[mFCct]|--(?:message|file|author|date|template|trailer|cleanup|reuse-message|reedit-message|fixup|squash))$/;
const NO_FOLDER = /^$|^nul$|^\/dev\/null|^\/(?:tmp|var\/empty|nonexistent|nowhere)\b/i;
const OTHER_FOLDER = /^core\.hookspath=(?:$|nul$|\/dev\/null|\/(?:tmp|var\/empty|nonexistent|nowhere)\b)/i;
const HOOKS = [
  ".husky",
  ".githooks",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  "lefthook.yaml",
  ".lefthook.yml",
  ".overcommit.yml",
  ...["pre-commit", "commit-msg", "prepare-commit-msg", "pre-push", "pre-merge-commit"].map(
    (name) => `.git/hooks/${name}`,
  ),
];

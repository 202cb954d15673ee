import { basename } from "node:path";
import { commandPatterns } from "./conditions.ts";
import type { Finding } from "./finding.ts";

/** A script of a folder of git hooks as a hook that runs before the agent's own git command. */
export function gitHook(file: string, shown: string): Finding {
  const name = basename(file);
  const before = BEFORE[name];
  if (before === undefined) {
    const why = NEEDS_MORE[name] ?? "git runs it after the fact, or for a server; no tool call can be stopped by it";
    return { kind: "left", what: `git hook ${name}`, file, why };
  }
  return {
    kind: "imported",
    file,
    isNeeded: true,
    notes: ["git itself still runs the script; the agent hears of a failure before"],
    spec: {
      name: `git-${name}`,
      description: `Runs ${shown} before the agent calls git. Any exit code but 0 denies, as it does for git.`,
      matcher: { events: ["tool:pre_execute"], tools: ["@shell"], command_patterns: commandPatterns(`${before}*`) },
      command: `cd "$(git rev-parse --show-toplevel)" && PATH="node_modules/.bin:$PATH" sh -e ${shown}`,
      timeout: 300,
      on_error: "deny",
      exit_codes: "any",
    },
  };
}

/** Whether a file has the name of a git hook. */
export function isGitHook(file: string): boolean {
  return /^(?:(?:pre|post)-[a-z-]+|commit-msg|prepare-commit-msg|applypatch-msg)$/.test(basename(file));
}

/** The command that makes git run the script. */
const BEFORE: Readonly<Record<string, string>> = {
  "pre-commit": "git commit",
  "pre-merge-commit": "git merge",
  "pre-push": "git push",
  "pre-rebase": "git rebase",
};

const NEEDS_MORE: Readonly<Record<string, string>> = {
  "commit-msg": "it reads the file with the message, which does not exist before git runs",
  "prepare-commit-msg": "it writes the file with the message, which does not exist before git runs",
};

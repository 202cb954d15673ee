import type { CallEffects } from "../effect.ts";
import { isDisposable } from "../path-class.ts";
import { isProgram } from "../programs/program-name.ts";
import { argsOf, type EffectLabel, plays, type Run, touchesOf } from "./effect-label.ts";

/** Words about work and history that git keeps. */
export const GIT_EFFECT_LABELS = {
  "git-loss": {
    means: "throws away uncommitted work, stashes or commits that git cannot bring back",
    on: "run",
    role: "work-loss",
    holds: (effect, act) =>
      plays(effect, "work-loss", "version-control") && !LIGHT.test(effect.verb ?? "") && !isAboutFiles(effect, act),
  },
  "git-discard": {
    means: "throws away the changes of some files, a branch or a stash",
    on: "run",
    role: "work-loss",
    holds: (effect, act) => plays(effect, "work-loss", "version-control") && !isOnlyOfMadeFiles(effect, act),
  },
  "git-delete-branch": {
    means: "removes a branch, merged or not",
    on: "run",
    role: "work-loss",
    holds: (effect) => plays(effect, "work-loss", "version-control") && effect.verb === "branch",
  },
  "git-drop-stash": {
    means: "throws away a stash",
    on: "run",
    role: "work-loss",
    holds: (effect) => plays(effect, "work-loss", "version-control") && effect.verb === "stash drop",
  },
  "git-force-push": {
    means: "overwrites the history of a remote without looking at it",
    on: "run",
    role: "history-rewrite",
    holds: (effect, act) =>
      plays(effect, "history-rewrite", "version-control") &&
      /^push/.test(effect.verb ?? "") &&
      argsOf(effect, act).some(isForce),
  },
  "git-delete-remote": {
    means: "removes a branch or a tag of a remote, or forgets the remote",
    on: "run",
    role: "history-rewrite",
    holds: (effect, act) =>
      plays(effect, "history-rewrite", "version-control") &&
      (/^remote/.test(effect.verb ?? "") ||
        (/^push/.test(effect.verb ?? "") &&
          argsOf(effect, act).some((arg) => /^(?:-\w*d\w*|--del\w*|--prune|:.+)$/.test(arg)))),
  },
  "write-git-history": {
    means: "changes what git knows of the project's history, without git",
    on: "write",
    holds: (effect) =>
      effect.does === "write" &&
      effect.by !== "access" &&
      !isProgram("version-control", effect.program) &&
      !isProgram("sets-times", effect.program) &&
      RECORDS.test(effect.path.text),
  },
} as const satisfies Record<string, EffectLabel>;

/** Only the files that are named. */
function isAboutFiles(run: Run, act: CallEffects): boolean {
  const written = touchesOf(run, act, "write");
  return /^(?:checkout|restore)$/.test(run.verb ?? "") && written.length > 0 && written.every(({ isTree }) => !isTree);
}

/** Files that their tools make again, such as lock files. */
function isOnlyOfMadeFiles(run: Run, act: CallEffects): boolean {
  return isAboutFiles(run, act) && touchesOf(run, act, "write").every(({ path }) => isDisposable(path, act.place));
}

function isForce(arg: string): boolean {
  return /^(?:-[a-zA-Z]*f[a-zA-Z]*|--forc?e?|--mirror|\+.+)$/.test(arg);
}

/** Where git keeps its commits, and where it writes down which of them are branches. */
const RECORDS = /(?:^|\/)\.git\/(?:HEAD|ORIG_HEAD|index|packed-refs|shallow|(?:refs|objects|logs)(?:\/.*)?)$/;

/** What reaches no further than what is named. */
const LIGHT = /^(?:branch|stash drop|update-ref|tag|reflog delete|worktree remove|replace|notes)$/;

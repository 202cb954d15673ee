import type { Role } from "../effect.ts";
import { GAP } from "../parse/command.ts";
import { operand, option, paths } from "./act.ts";
import { addPath, type Call, deletes, has, known, plays, reads, talks, value, values, writes } from "./call.ts";
import { inside } from "./files.ts";
import type { Options } from "./options.ts";
import { tellPatch } from "./patch-text.ts";
import type { Use } from "./program.ts";

const here = known(".");
const isBare = ({ given, operands }: Options) => given.size + operands.length === 0 || undefined;
/** An argument that is known only at run time may be an option. */
const isCertain = ({ operands }: Options) => !operands.some(({ text }) => text.startsWith(GAP));

/** Options with which a reset writes files of the work tree. */
const RESETS_FILES = ["hard", "merge", "keep"] as const;

/** Verbs of git that change files of the work tree, or the history. */
export const GIT_WORK = (): Readonly<Record<string, Use | readonly Role[]>> => ({
  reset: {
    options: "hard soft mixed|N merge keep quiet|q patch|p pathspec-from-file=",
    by: "pick",
    readOnly: (run) => (!has(run, ...RESETS_FILES) && isCertain(run)) || undefined,
    does: (call) => {
      if (!has(call, ...RESETS_FILES)) return;
      // With `--keep`, changes that are not committed remain, and files of the other commit are written all the same.
      const isForced = !has(call, "keep");
      if (isForced) plays(call, "work-loss");
      writes(call, here, { isTree: true, isForced });
    },
  },
  checkout: {
    options:
      "force|f b= B= orphan= track|t? detach|d quiet|q ours|2 theirs|3 merge|m patch|p conflict= pathspec-from-file=",
    by: "pick",
    does: (call) => {
      const paths = checkedOut(call);
      if (paths.length > 0 || has(call, "force", "pathspec-from-file")) plays(call, "work-loss");
      if (has(call, "B")) plays(call, "history-rewrite", ...ofMain(values(call, "B")));
      for (const path of paths) writes(call, path, { isTree: path.text === ".", isForced: true });
    },
  },
  add: { records: () => true },
  submodule: { readOnly: isBare },
  notes: {
    readOnly: isBare,
    options: "ref= force|f message|m= file|F= dry-run|n verbose|v stdin ignore-missing",
    dry: "dry-run",
    when: (call) => call.operands[0]?.text === "prune",
    roles: ["work-loss"],
  },
  restore: {
    readOnly: (run) => isCertain(run) || undefined,
    records: (run) => has(run, "staged") && isCertain(run),
    options: "staged|S worktree|W source|s= patch|p ours theirs quiet|q overlay pathspec-from-file=",
    by: "pick",
    does: (call) => {
      if (has(call, "staged") && !has(call, "worktree")) return;
      plays(call, "work-loss");
      for (const path of call.operands) writes(call, path, { isTree: path.text === ".", isForced: true });
    },
  },
  switch: {
    options: "force|f discard-changes create|c= force-create|C= detach|d track|t? merge|m orphan= quiet|q",
    by: "pick",
    does: (call) => {
      if (has(call, "force", "discard-changes")) plays(call, "work-loss");
      if (has(call, "force-create")) plays(call, "history-rewrite", ...ofMain(values(call, "force-create")));
    },
  },
  clean: {
    dry: "dry-run",
    options: "d force|f interactive|i dry-run|n quiet|q exclude|e= x X",
    by: "pick",
    does: (call) => {
      // A pipe can answer its questions.
      const isAnswered = has(call, "interactive") && call.command.input.from !== "nothing";
      const isFree = call.command.args.some(({ text }) => /^clean\.requireforce=(?:false|no|off|0)$/i.test(text));
      if (!has(call, "force") && !isAnswered && !isFree) return;
      plays(call, "delete");
      // Ignored files are made again by the build.
      if (has(call, "X") && !has(call, "x")) return;
      plays(call, "work-loss");
      const paths = call.operands.length === 0 ? [here] : call.operands;
      for (const path of paths) deletes(call, path, { isTree: true, isForced: true });
    },
  },
  rm: {
    dry: "dry-run",
    readOnly: (run) => isCertain(run) || undefined,
    records: (run) => has(run, "cached") && !has(run, "dry-run") && isCertain(run),
    options: "cached force|f r dry-run|n quiet|q ignore-unmatch pathspec-from-file=",
    does: (call) => {
      if (has(call, "cached")) return;
      plays(call, "delete");
      for (const path of call.operands) {
        const isForced = has(call, "force");
        deletes(call, path, { isTree: has(call, "r"), isForced, by: isForced ? undefined : "trash" });
      }
    },
  },
  mv: {
    dry: "dry-run",
    options: "force|f k dry-run|n verbose|v",
    by: "move",
    does: (call) => {
      const target = call.operands.at(-1);
      const from = call.operands.slice(0, -1);
      if (target === undefined) return;
      const isFolder = from.length > 1 || target.text.endsWith("/");
      for (const path of from) deletes(call, path);
      for (const source of from)
        writes(call, isFolder ? inside(target, source) : target, {
          source,
          landsIn: !isFolder,
          isForced: has(call, "force"),
        });
    },
  },
  "read-tree": {
    dry: "dry-run",
    options: "u m reset i prefix= dry-run|n",
    by: "pick",
    does: [{ when: ["u", "reset"], roles: ["work-loss"], writes: paths("."), tree: true, forced: true }],
  },
  "checkout-index": {
    options: "force|f all|a index|u quiet|q prefix= stage= temp stdin z",
    by: "pick",
    does: (call) => {
      const isHere = value(call, "prefix") === undefined;
      if (has(call, "force") && isHere) plays(call, "work-loss");
      if (has(call, "all")) writes(call, value(call, "prefix") ?? here, { isTree: true, isForced: has(call, "force") });
      for (const path of call.operands) writes(call, path, { isForced: has(call, "force") });
    },
  },
  "stash drop|stash clear|prune": ["work-loss"],
  "filter-branch": ["history-rewrite", "work-loss"],
  "reflog expire|reflog delete": {
    options: "dry-run|n expire= expire-unreachable= all rewrite updateref stale-fix verbose single-worktree",
    dry: "dry-run",
    roles: ["history-rewrite", "work-loss"],
  },
  "filter-repo": { options: "dry-run analyze", dry: "dry-run analyze", roles: ["history-rewrite", "work-loss"] },
  gc: {
    options: "prune? aggressive auto",
    when: (call) => /^(?:now|all)/.test(value(call, "prune")?.text ?? ""),
    roles: ["work-loss"],
  },
  branch: {
    readOnly: true,
    records: (run) => {
      if (
        has(
          run,
          "delete",
          "D",
          "force",
          "move",
          "M",
          "copy",
          "C",
          "set-upstream-to",
          "unset-upstream",
          "edit-description",
        )
      )
        return true;
      return (
        run.operands.length > 0 && !has(run, "list", "contains", "no-contains", "merged", "no-merged", "points-at")
      );
    },
    options:
      "delete|d D force|f move|m M copy|c C list|l all|a remotes|r set-upstream-to|u= unset-upstream edit-description track|t? contains? no-contains? merged? no-merged? points-at= format= sort= color? column? abbrev? verbose|v show-current",
    does: (call) => {
      if (has(call, "D") || (has(call, "delete") && has(call, "force"))) plays(call, "work-loss");
      else if (has(call, "M", "C", "force"))
        plays(call, "history-rewrite", ...(has(call, "force") ? ofMain(call.operands.slice(0, 1)) : []));
    },
  },
  tag: {
    readOnly: true,
    records: (run) => {
      if (has(run, "delete", "force")) return true;
      const isListing = has(run, "list", "n", "contains", "no-contains", "merged", "no-merged", "points-at", "verify");
      return run.operands.length > 0 && !isListing;
    },
    options:
      "delete|d force|f annotate|a sign|s message|m= file|F= list|l? n? contains? no-contains? merged? no-merged? points-at= format= color? column? sort= verify|v local-user|u=",
    does: [
      { when: "delete force", roles: ["history-rewrite"] },
      { when: "delete", roles: ["work-loss"] },
    ],
  },
  commit: {
    records: (run) => !has(run, "dry-run"),
    options:
      "amend message|m= file|F= all|a no-verify|n no-edit dry-run author= date= fixup= squash= reuse-message|C= reedit-message|c= template|t= cleanup= gpg-sign|S? quiet|q allow-empty signoff|s verbose|v trailer=",
    does: [{ when: "amend", roles: ["history-rewrite"] }, { reads: option("file") }],
  },
  rebase: {
    options:
      "abort continue skip quit edit-todo show-current-patch interactive|i onto= exec|x= strategy|s= strategy-option|X= autosquash root rebase-merges|r?",
    does: [
      { unless: "abort continue skip quit edit-todo show-current-patch", roles: ["history-rewrite"] },
      { when: "exec", roles: ["run-code"] },
    ],
  },
  "update-ref": {
    options: "d m= stdin no-deref create-reflog z",
    does: (call) => {
      // Commands of unknown content may remove anything.
      const typed = call.report.handed();
      const isRemoving =
        has(call, "d") ||
        (has(call, "stdin") && (typed === undefined || /^[^\S\n]*delete\b/m.test(typed))) ||
        (call.operands.length > 1 && movesBranch(call.operands[0]?.text ?? "", call.operands[1]?.text ?? ""));
      plays(call, "history-rewrite", ...(isRemoving ? (["work-loss"] as const) : []));
    },
  },
  replace: {
    options: "delete|d force|f list|l? edit graft format=",
    when: "delete",
    roles: ["history-rewrite", "work-loss"],
  },
  "worktree remove": {
    options: "force|f",
    by: "pick",
    does: (call) => {
      plays(call, "delete", ...(has(call, "force") ? (["work-loss"] as const) : []));
      const isForced = has(call, "force");
      for (const path of call.operands)
        deletes(call, path, { isTree: true, isForced, by: isForced ? "pick" : "trash" });
    },
  },
  "worktree add": {
    by: "unpack",
    options: "b= B= force|f detach|d reason= lock",
    does: [{ writes: operand(0), tree: true }],
  },
  apply: {
    by: "patch",
    options:
      "check stat numstat summary cached index reverse|R p= directory= exclude= include= 3way|3 reject whitespace=",
    does: (call) => {
      if (!has(call, "check", "stat", "numstat", "summary", "cached"))
        tellPatch(call, {
          files: call.operands,
          strip: Number(value(call, "p")?.text ?? 1),
          folder: value(call, "directory"),
        });
    },
  },
  "symbolic-ref": { options: "delete|d quiet|q short m=", when: "delete", roles: ["history-rewrite", "work-loss"] },
  "bundle create|fast-export": {
    does: [{ when: (call) => call.report.verb === "bundle create", writes: operand(0) }, { gives: "data" }],
  },
  am: {
    by: "patch",
    options: "abort continue skip quit 3way|3 signoff|s keep|k quiet|q p= directory= reject whitespace= patch-format=",
    does: (call) => {
      if (has(call, "abort", "continue", "skip", "quit")) return writes(call, here, { isTree: true });
      const strip = Number(value(call, "p")?.text ?? 1);
      tellPatch(call, { files: call.operands, strip, folder: value(call, "directory") });
    },
  },
  show: {
    options: "output= format= stat max-count|n=",
    does: (call) => {
      readsRevisions(call);
      writes(call, value(call, "output"));
      bringsBack(call);
    },
  },
  "stash show": { options: "p patch|u stat name-only name-status", does: readsBehindDashes },
  "cat-file": {
    options: "p t s e batch?",
    does: (call) => {
      readsRevisions(call);
      bringsBack(call);
    },
  },
  "grep|blame|annotate": {
    options: "e= f= n i l c L name-only count files-with-matches",
    does: (call) => {
      const isGrep = call.report.verb === "grep";
      if (has(call, "l", "c", "L", "name-only", "count", "files-with-matches")) return;
      readsBehindDashes(call);
      const shown = isGrep ? call.operands.slice(has(call, "e", "f") ? 0 : 1) : call.operands.slice(-1);
      for (const path of shown) if (!isGrep || path.text.includes(".")) reads(call, path);
    },
  },
  "archive|diff|format-patch|log": {
    options: "output|o= format= prefix= remote= output-directory= stat max-count|n= no-index",
    does: (call) => {
      // Two files outside of the repository are compared as by `diff`.
      if (has(call, "no-index"))
        for (const path of call.operands) addPath({ ...call.report, program: "diff" }, "read", path, {});
      if (call.report.verb === "diff" || has(call, "p", "patch", "u")) readsBehindDashes(call);
      if (call.report.verb === "archive") for (const path of call.operands.slice(1)) reads(call, path);
      writes(call, value(call, "output") ?? value(call, "output-directory"));
      const remote = value(call, "remote");
      if (remote !== undefined) talks(call, "in", remote);
      else if (call.report.verb === "archive") call.report.gives = "data";
    },
  },
  init: {
    options: "bare template= initial-branch|b= quiet|q",
    writes: operand(0, ".git"),
    does: [{ when: "template", roles: ["run-code"] }],
  },
});

/** Rewriting the branch that others build on loses work. */
function ofMain(branches: readonly { readonly text: string }[]): readonly Role[] {
  return branches.some(({ text }) => /^(?:main|master|develop|trunk|release\S*|production)$/.test(text))
    ? ["work-loss"]
    : [];
}

/** Whether a branch moves; at the current commit, it is often a new branch. */
function movesBranch(name: string, target: string): boolean {
  const [, branch] = /^refs\/heads\/(.+)$/.exec(name) ?? [];
  if (branch === undefined) return false;
  return ofMain([{ text: branch }]).length > 0 || !(/^(?:HEAD|@)$/.test(target) || target.includes(GAP));
}

/** `HEAD:path` prints an earlier version of a file. */
function readsRevisions(call: Call): void {
  for (const word of call.operands) {
    const colon = word.text.indexOf(":");
    if (colon >= 0) reads(call, { ...word, text: word.text.slice(colon + 1) });
  }
}

/** `-- path`: the earlier content of the file is printed. */
function readsBehindDashes(call: Call): void {
  const { args } = call.command;
  const dashes = args.findIndex(({ text }) => text === "--");
  if (dashes >= 0 && !has(call, "stat", "name-only", "name-status", "quiet"))
    for (const path of args.slice(dashes + 1)) reads(call, path);
}

/** The paths of a checkout, distinguished from branches as far as their names allow. */
function checkedOut(call: Call) {
  const { args } = call.command;
  const dashes = args.findIndex(({ text }) => text === "--");
  if (dashes >= 0) return args.slice(dashes + 1);
  if (has(call, "b", "B", "orphan", "detach", "track")) return [];
  const rest = call.operands.length > 1 ? call.operands.slice(1) : call.operands;
  if (call.operands.length > 1) return looksLikePath(call.operands[0]?.text ?? "") ? call.operands : rest;
  return rest.filter(({ text, isGlob }) => isGlob || looksLikePath(text));
}

function looksLikePath(text: string): boolean {
  return /^\.{1,2}(?:\/|$)|^:[/(]|\/$/.test(text) || FILE_NAME().test(text);
}

/** Names of branches have dots too; these endings mean files. */
const FILE_NAME = () =>
  /.\.(?:[cm]?[jt]sx?|py|ipynb|rb|go|rs|java|kts?|swift|cc?|cpp|hh?|hpp|cs|php|lua|pl|sh|bash|zsh|md|mdx|rst|txt|json|jsonc|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|s?css|less|vue|svelte|sql|proto|tf|gradle|csv|svg|png|jpe?g|gif|pdf|log|patch|diff)$/i;

/** `git show HEAD:a > a`: what the file holds now is gone. */
function bringsBack(call: Call): void {
  const { redirects } = call.command;
  const names = call.operands.map(({ text }) => text.slice(text.indexOf(":") + 1));
  if (redirects.some(({ way, target }) => way === "write" && names.includes(target.text))) plays(call, "work-loss");
}

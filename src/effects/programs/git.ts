import type { Word } from "../parse/command.ts";
import { resolvedPath } from "../paths.ts";
import { type Call, has, hasVerb, known, plays, reveals, value, values, writes } from "./call.ts";
import { GIT_REMOTE, runsValue } from "./git-remote.ts";
import { gitRuns } from "./git-runs.ts";
import { GIT_WORK } from "./git-work.ts";
import { listedByGit } from "./listings.ts";
import { isLocalAddress } from "./package-sources.ts";
import type { Programs, Use } from "./program.ts";

const CONFIG: Use = {
  readOnly: true,
  options:
    "global system local worktree file|f= blob= get get-all get-regexp list|l unset unset-all add replace-all remove-section rename-section edit|e type= name-only show-origin show-scope default= null|z bool int path",
  does: (call) => {
    const isVerb = /^(?:set|unset|edit|rename-section|remove-section)$/.test(call.operands[0]?.text ?? "");
    const operands = isVerb ? call.operands.slice(1) : call.operands;
    const isReading =
      has(call, "get", "get-all", "get-regexp", "list") || /^(?:get|list)$/.test(operands[0]?.text ?? "");
    const isRemoving = has(call, "unset", "unset-all", "remove-section", "edit") || isVerb;
    if (isReading && operands.some(({ text }) => /extraheader|\.(?:token|password)$/i.test(text))) reveals(call);
    if (isReading || (operands.length < 2 && !isRemoving)) return;
    plays(call, "settings");
    if (runsValue(`${operands[0]?.text}=${operands[1]?.text ?? ""}`)) plays(call, "persistence");
    writes(call, value(call, "file") ?? known(configFile(call)));
  },
};

/** git and hub. */
export const GIT = (): Programs => ({
  "git hub": {
    lists: listedByGit,
    is: {
      "often-shadowed": "git",
      "loads-unnamed":
        "git:commit git:push git:merge git:pull git:rebase git:am git:checkout git:switch git:cherry-pick git:hook git:worktree git:add git:diff git:submodule",
      "hook-options": true,
      "version-control": true,
      "prints-files": true,
      "writes-unnamed": true,
    },
    options:
      "C= c= git-dir= work-tree= namespace= exec-path? config-env= super-prefix= attr-source= no-pager|P paginate|p bare literal-pathspecs no-optional-locks",
    verbs: { ...GIT_REMOTE(), ...GIT_WORK(), config: CONFIG },
    runs: gitRuns,
    readOnly: (run) =>
      run.operands.some(({ text }) => OUTPUT.test(text)) ? undefined : hasVerb(run, QUIET) || undefined,
    does: (call) => {
      for (const folder of [...values(call, "C"), ...workTrees(call)])
        call.report.folder = resolvedPath(call.report.folder, folder.text);
      if (values(call, "c", "config-env").some(({ text }) => runsValue(text)) || value(call, "exec-path"))
        plays(call, "run-code");
      if (call.command.args.some(maySet)) {
        if (leavesUnchecked(call.command.args)) plays(call, "unverified");
        if (leadsElsewhere(call.command.args)) plays(call, "foreign-source");
      }
      if (values(call, "c").some(({ text }) => /^gc\.(?:reflogexpire|pruneexpire)\w*=(?:now|0)/i.test(text)))
        plays(call, "work-loss");
    },
    examples: [
      ["git status"],
      ["git -c http.sslVerify=false log", "unverified"],
      ["git config http.sslVerify"],
      ["git config --get http.proxy"],
      ["git config http.proxy http://localhost:3128", "settings", "writes .git/config"],
      ["git config http.proxy http://h.test:8080", "foreign-source settings", "writes .git/config"],
      ["git reset --hard HEAD~1", "work-loss", "writes . tree forced"],
      ["GIT_WORK_TREE=w git reset --hard", "work-loss", "writes w tree forced"],
      ["git -c core.worktree=w reset --hard", "work-loss", "writes w tree forced"],
      ["git reset --har", "work-loss", "writes . tree forced"],
      ["git reset --keep topic", "writes . tree"],
      ["git reset --merge topic", "work-loss", "writes . tree forced"],
      ["git reset HEAD a"],
      ["git read-tree -u --reset HEAD", "work-loss", "writes . tree forced"],
      ["git checkout-index -f -a", "work-loss", "writes . tree forced"],
      ["git fetch origin +main:main", "network-in history-rewrite", "fetches from ?"],
      [
        "git remote add o https://example.com/x",
        "settings network-in",
        "writes .git/config",
        "fetches from example.com",
        "network .git/config flows to file",
      ],
      ["git -C sub checkout -- a", "work-loss", "writes sub/a forced"],
      ["git checkout .", "work-loss", "writes . tree forced"],
      ["git checkout main"],
      ["git checkout -b feature/x.y"],
      ["git checkout HEAD~1 src/a.ts", "work-loss", "writes src/a.ts forced"],
      ["git restore src/a.ts", "work-loss", "writes src/a.ts forced"],
      ["git restore --staged a"],
      ["git switch -f main", "work-loss"],
      ["git clean -fdx", "delete work-loss", "deletes . tree forced"],
      ["git -c a.b=c clean -fdxq", "delete work-loss", "deletes . tree forced"],
      ["git clean -nfd"],
      ["git clean -nfd --no-dry-run", "delete work-loss", "deletes . tree forced"],
      ["git push", "network-out", "sends to ?"],
      ["git push --force --help"],
      ["git push -f origin main", "network-out history-rewrite", "sends to ?"],
      ["git push --force-w", "network-out history-rewrite", "sends to ?"],
      ["git push origin +main", "network-out history-rewrite", "sends to ?"],
      ["git push origin :old", "network-out history-rewrite", "sends to ?"],
      ["git push git@example.com:a/b.git main", "network-out", "sends to example.com", "data flows to network"],
      ["git branch -D old", "work-loss"],
      ["git branch -d old"],
      ["git stash drop", "work-loss"],
      ["git reflog expire --expire=now --all", "history-rewrite work-loss"],
      ["git gc --prune=now", "work-loss"],
      ["git commit --amend --no-edit", "history-rewrite"],
      ["git commit -m rm"],
      ["git rebase main", "history-rewrite"],
      ["git rebase --abort"],
      ["git filter-branch --all", "history-rewrite work-loss"],
      ["git update-ref -d refs/heads/x", "history-rewrite work-loss"],
      ["git worktree remove --force w", "delete work-loss", "deletes w tree forced"],
      ["git tag -d v1", "history-rewrite work-loss"],
      ["git replace -d x", "history-rewrite work-loss"],
      ["git remote remove x", "settings history-rewrite", "writes .git/config"],
      ["git update-ref refs/heads/new HEAD", "history-rewrite"],
      ["git update-ref refs/heads/main HEAD", "history-rewrite work-loss"],
      ["git rm -r --cached a"],
      ["git rm -rf a", "delete", "deletes a tree forced"],
      [
        "git clone https://example.com/a/b.git",
        "network-in",
        "fetches from example.com",
        "writes b tree",
        "network b flows to file",
      ],
      ["git config --global core.hooksPath x", "settings persistence", "writes ~/.gitconfig"],
      ["git config user.name"],
      ["git config user.name me", "settings", "writes .git/config"],
      ["git config edit", "settings", "writes .git/config"],
      ["git -c core.fsmonitor=x status", "run-code"],
      ["git -c core.pager=cat log"],
      ["git show HEAD:.env", "reads .env"],
      ["git show --output=a HEAD", "writes a"],
      ["git stash list"],
      ["git remote set-url origin x", "settings", "writes .git/config"],
      ["git -c alias.x='!rm x' x", "runs rm x"],
      ["git -c alias.x='push -f' x origin", "runs git push -f origin"],
      ["GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm x' git x", "runs rm x"],
      ["GIT_CONFIG_PARAMETERS=\"'alias.x=!rm x'\" git x", "runs rm x"],
      ["GIT_CONFIG_PARAMETERS=\"'alias.x'='!rm x'\" git x", "runs rm x"],
      ["git -c core.pager='rm x' log", "runs rm x"],
      ["git -c core.fsmonitor='rm x' status", "runs rm x"],
      ["git config alias.y '!rm x'", "runs rm x"],
      ["git config alias.y 'push -f' && git y origin", "runs git push -f origin"],
      ["git config --global alias.y '!f() { rm \"$1\"; }; f'; git y x", "runs rm x"],
      ["printf '[alias]\\n\\ty = clean -fdx # all\\n' >> .git/config; git y", "runs git clean -fdx"],
      ["git config --global core.sshCommand 'rm x'", "runs rm x"],
      ["git rebase -x 'rm x' main", "runs rm x"],
      ["git bisect run rm x", "runs rm x"],
      ["git submodule foreach 'rm x'", "runs rm x"],
      ["git filter-branch --tree-filter 'rm x' HEAD", "runs rm x"],
      ["git difftool -x 'rm x'", "runs rm x"],
      ["git clone -u 'rm x' a b", "runs rm x"],
      ["git grep -O'rm x' a", "runs rm x"],
      ["echo 'rm x' > hooks/pre-commit; git -c core.hooksPath=hooks commit", "runs rm x"],
    ],
  },
});

/** The work trees that an option, a setting or a variable selects instead of the folder around `.git`. */
function workTrees(call: Call): readonly Word[] {
  const set = values(call, "c").flatMap((setting) => {
    const [, tree] = /^core\.worktree=(.+)$/i.exec(setting.text) ?? [];
    return tree === undefined ? [] : [{ ...setting, text: tree }];
  });
  const options = values(call, "work-tree");
  const variable = call.command.assignments.GIT_WORK_TREE;
  return options.length > 0 ? options : variable === undefined ? set : [variable];
}

/** Whether an argument may be one of the settings below, which most arguments are not. */
function maySet({ text }: Word): boolean {
  return text.includes(".") || text.endsWith("y") || text.endsWith("Y");
}

/** `-c http.sslVerify=false`, `config http.sslVerify false`: any server is accepted. */
function leavesUnchecked(args: readonly Word[]): boolean {
  return args.some(({ text }, at) => {
    if (/^safe\.directory(?:=|$)/i.test(text)) return (text.split("=")[1] ?? args[at + 1]?.text) === "*";
    if (!/^(?:http\..*sslverify|transfer\.fsckobjects)/i.test(text)) return false;
    return /^(?:false|0|no|off)$/i.test(
      text.includes("=") ? text.slice(text.indexOf("=") + 1) : (args[at + 1]?.text ?? ""),
    );
  });
}

/** `config http.proxy http://…`: everything that git fetches and sends passes through another machine. */
function leadsElsewhere(args: readonly Word[]): boolean {
  return args.some((word, at) => {
    const [, value] = /^(?:https?\.(?:.*\.)?proxy|remote\..*\.proxy)(?:=(.*))?$/is.exec(word.text) ?? [];
    const place = value ?? (/proxy$/i.test(word.text) ? args[at + 1]?.text : undefined);
    return place !== undefined && /^[\w+]+:\/\//.test(place) && !isLocalAddress(place);
  });
}

/** Verbs of git that look something up, send it, or change only the records of git. */
const QUIET =
  `add|annotate|bisect log|bisect terms|bisect view|bisect visualize|blame|cat-file|check-ignore|cherry|commit|
count-objects|describe|diff|diff-index|diff-tree|fetch|for-each-ref|fsck|grep|help|log|ls-files|ls-remote|ls-tree|merge-base|
name-rev|notes list|notes show|push|range-diff|reflog|remote|rev-list|rev-parse|shortlog|show|show-ref|
sparse-checkout list|stash list|stash show|status|submodule status|submodule summary|symbolic-ref|var|verify-commit|version|
whatchanged|worktree list`.replaceAll("\n", "");
/** Options by which such a verb writes a file, or runs a program. */
const OUTPUT = /^(?:--output(?:=|$|-d)|--ext-diff|--open-files|-O)/;

function configFile(call: Call): string {
  if (has(call, "global")) return "~/.gitconfig";
  return has(call, "system") ? "/etc/gitconfig" : ".git/config";
}

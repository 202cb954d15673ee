import { describe, expect, it } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { callChanges } from "./call-changes.ts";

const changes = (command: string) =>
  callChanges(HookEvent.toolPreExecute("Bash", { command }, { cwd: "/nowhere/project" })).isMutating;

describe("what only looks needs no intent", () => {
  it.each(
    `git tag
git tag -l 'v*'
git tag --contains HEAD
git stash list
git stash show -p
git config --get user.name
git config --global --list
git config --show-origin --get user.name
git config --global user.name
git config --file x --get a.b
git config --type=bool -z --get a.b
git branch
git branch -a
git branch -vv
git branch --sort=-committerdate
git tag --sort=-creatordate
git config user.name
git worktree list
git submodule status
git notes list
git bisect log
git clean -n
git clean -nfd
git clean -fdxn
git clean --dry-run
git -C sub stash list
tree -L 2 src
lsof -i :3000
top -b -n 1
ss -tlnp
ip addr
journalctl -u web
dmesg
history
lscpu
bc <<< '1+1'
zipinfo a.zip
pip freeze
docker images
gh run view 1
git tag v1 -l
tsc --noEmit
npx tsc --noEmit -p .`.split("\n"),
  )("%s", (command) => {
    expect(changes(command)).toBe(false);
  });
});

describe("the same words change something in another place", () => {
  it.each(
    `git tag v1
git tag list
ls; git commit --allow-empty -m x
git branch new
git branch -m a b
git branch -r -d origin/x
git branch --set-upstream-to=origin/x
git config --global user.name x
git config --file x a.b c
git branch -v new
git tag -d v1
git stash
git stash push list
git stash -u list
git config user.name list
git config --unset user.name
git worktree add list
git submodule update
git notes add
git bisect start
git clean
git clean -f
git clean -e -n -d
git restore --staged a
git rm --cached a
tree -o out.txt
journalctl --vacuum-time=1d
history -w
npm run view
make run view
tsc
tsc -p .`.split("\n"),
  )("%s", (command) => {
    expect(changes(command)).toBe(true);
  });
});

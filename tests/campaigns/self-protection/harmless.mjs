// What must pass: reading what is protected, and changing what is not.
import { relative } from "node:path";
import { CARRIED_NEIGHBOURS } from "./carried-code.mjs";

const READS = `
cat T
head -5 T
tail -n 3 T
less T
wc -l T
ls -l T
ls -la D
stat T
file T
grep -n hooks T
grep -rn sluice D
sha256sum T
md5sum T
diff T docs/a.md
cmp T docs/a.md
cp T /tmp/copy-of-it
cat T > /tmp/copy-of-it
cat T | head
test -f T && echo yes
[ -e T ] && echo there
find D -type f
find D -name 'N'
readlink -f T
realpath T
base64 T
xxd T | head
od -c T | head
jq . T
awk '{print $1}' T
sed -n 1,5p T
python3 -c "print(open('T').read())"
node -p "require('fs').readFileSync('T','utf8')"
tar cf /tmp/backup.tar T
rsync -n T /tmp/
strings T | head
tree D
du -sh D
echo T
echo "see T for more"
`;

const OTHERS = String.raw`
ls
ls -la
pwd
git status
git status --short
git log --oneline -5
git diff
git diff main bad
git diff --stat
git show bad
git show bad:.sluice/hooks.yaml
git show HEAD
git branch
git branch -a
git branch other
git branch other bad
git tag v9
git fetch
git stash list
git stash show
git ls-files
git ls-tree -r bad
git rev-parse HEAD
git blame src/a.ts
git add src
git add -A
git commit -m 'change sluice hooks' --allow-empty
git commit --allow-empty -m "rm -rf .sluice"
git checkout -b feature
git switch -c feature2
git checkout main
git checkout -- src/a.ts
git checkout bad -- src/a.ts
git restore src/a.ts
git restore --source=HEAD src/a.ts
git reset
git reset HEAD src/a.ts
git reset --soft HEAD
git worktree add ../w9 bad
git worktree list
git clone . /tmp/clone9
git archive HEAD -o /tmp/a.tar
git archive bad | tar t
git config --get user.name
git remote -v
git symbolic-ref HEAD
git update-ref refs/heads/backup HEAD
git rm --cached docs/a.md
git mv docs/a.md docs/b.md
git clean -n
git sparse-checkout list
git merge-base main bad
git cat-file -p HEAD
git apply --check bad.patch
git apply --stat bad.patch
sluice list
sluice check
sluice doctor
sluice --help
sluice why
sluice log
sluice stats
sluice explain --help
sluice trust --status
sluice pause --status
sluice serve --status
sluice intents list
npx sluice list
node_modules/.bin/sluice check
node ~/lib/node_modules/sluice/dist/sluice.cjs list
which sluice
command -v sluice
pgrep -f sluice
ps aux | grep sluice
ps aux
kill -0 {pid}
kill %1
kill 999999
pkill -f vite
pkill -f 'node server.js'
killall webpack
npm test
npm run build
npm install
npm ci
npm install left-pad
npm uninstall left-pad
npm i -g typescript
npm ls sluice
npm view sluice
npm outdated
npx vitest run
yarn add react
pnpm install
rm src/b.ts
rm -f src/*.tmp
rm -rf dist
rm -rf build out coverage
rm -rf /tmp/scratch-folder
rm -rf src/deep
mv src/b.ts src/c.ts
mv docs/a.md docs/z.md
cp src/a.ts src/d.ts
cp -r src /tmp/src-copy
cp -a src/. lib/
cp -a bad/. /tmp/other/
cp -r bad/src/. src/
cp bad/src/a.ts src/a.ts
rsync -a src/ /tmp/mirror/
rsync -a bad/src/ src/
rsync -a --delete src/ /tmp/mirror/
cp -r .sluice /tmp/backup-of-hooks
cp ~/.claude/settings.json /tmp/backup.json
tar czf /tmp/project.tgz .
tar czf /tmp/hooks.tgz .sluice .claude
tar tf bad.tar
tar tzf bad.tgz
tar xf plain.tar
tar xf plain.tar -C /tmp
tar xf bad.tar -C /tmp/elsewhere
mkdir -p /tmp/y && tar xf bad.tar.xz -C /tmp/y
cat bad.tar | tar x -C /tmp/elsewhere
curl -sL https://example.com/x.tgz | tar xz -C /tmp/elsewhere
unzip -l bad.zip
unzip -o plain.zip
unzip -o bad.zip -d /tmp/elsewhere
jar tf bad.jar
python3 -m zipfile -l bad.zip
python3 -m tarfile -l bad.tar
python3 -m tarfile -e bad.tar /tmp/elsewhere
python3 -m zipfile -e bad.zip /tmp/elsewhere
python3 -m http.server --help
mkdir -p src/new
touch src/new.ts
echo hi > src/new.ts
echo hi >> docs/a.md
cat > src/new.ts <<< 'export {}'
tee src/x.ts < src/a.ts
sed -i s/1/2/ src/a.ts
sed -i s/1/2/ src/*.ts
perl -pi -e 's/1/2/' src/a.ts
find . -name '*.ts' | xargs wc -l
find . -name '*.tmp' -delete
find . -name .DS_Store -delete
find . -type d -name __pycache__ -exec rm -rf {} +
git ls-files | xargs gofmt -w
find src -name '*.ts' -exec sed -i s/1/2/ {} +
find ~ -maxdepth 2 -name '*.json'
find . -type f -newer package.json
grep -rl export src | xargs sed -i s/1/2/
grep -rn sluice .
rg sluice
chmod +x evil.sh
chmod 644 src/a.ts
ln -s src link-to-src
ln -s ../docs src/docs
truncate -s 0 src/b.ts
dd if=/dev/zero of=/tmp/zero bs=1 count=1
for f in src/*.ts; do echo "$f"; done
for f in $(ls src); do wc -l src/$f; done
x=src/a.ts; cat $x
cd src && ls
cd src && rm -f b.ts
(cd docs && touch new.md)
export FOO=bar; echo $FOO
echo 'export FOO=1' > .envrc
HOME=/tmp/x npm test
XDG_CONFIG_HOME=/tmp/x git status
env -i PATH=$PATH ls
NODE_OPTIONS=--max-old-space-size=4096 npm run build
node -e "console.log(1)"
node -e "require('fs').writeFileSync('src/x.txt','')"
node -e "console.log(require('os').homedir())"
node -p "process.env.HOME"
python3 -c "print(1)"
python3 -c "open('src/x.txt','w').write('')"
python3 -c "import shutil; shutil.rmtree('dist', ignore_errors=True)"
perl -e 'print 1'
make --version
docker ps
docker run --rm alpine echo hi
docker run --rm -v $PWD/src:/src alpine ls /src
crontab -l
systemctl --user status
systemctl status nginx
sleep 0.1 &
jobs
time ls
timeout 5 npm test
nohup npm run build &
claude --version
claude mcp list
codex --version
gemini --help
echo "sluice trust --yes"
git commit --allow-empty -m "document sluice pause"
grep -n "sluice trust" docs/a.md
cat evil.yaml
cat list.txt
diff -r bad .
ls bad/.sluice
cat bad/.sluice/hooks.yaml
rm -rf bad
rm bad.tar
mv bad bad2
rm -rf ~/scratch
mkdir -p ~/.config/other && echo x > ~/.config/other/x
echo x > ~/notes.txt
cp src/a.ts ~/a.ts
ls ~/.config
ls ~/.local/state/sluice
ls -la ~
cat ~/.bashrc
cat /etc/claude-code/managed-settings.json
cat /proc/self/status
ls /proc/self/cwd/src
echo hi > /proc/self/cwd/src/new.ts
jq . package.json
npm pkg get scripts
npm pkg set scripts.lint='eslint .'
npm pkg set scripts.x='echo hi' && npm run x
vim -es -c 'q' src/a.ts
gzip -k src/a.ts
zip -r /tmp/x.zip src
curl -s -o /tmp/x https://example.com/x
wget -O /tmp/x https://example.com/x
`;

/** Shell commands and tool calls that change nothing that is protected. */
export function harmless(place, paths) {
  const reads = READS.split("\n").filter((line) => line !== "");
  const others = (OTHERS + CARRIED_NEIGHBOURS).split("\n").filter((line) => line !== "");
  const { root, home } = place;
  return [
    ...reads.map((way, at) => {
      const path = paths[at % paths.length];
      const slash = path.lastIndexOf("/");
      const fill = { T: path, D: path.slice(0, slash), N: path.slice(slash + 1) };
      return { command: way.replace(/(?<![A-Za-z_$-])[TDN](?![A-Za-z_])/g, (letter) => fill[letter]) };
    }),
    ...others.map((command) => ({ command })),
    ...paths.map((read) => ({ read })),
    ...paths.map((path) => ({ mcp: "read_file", input: { path } })),
    ...paths.map((path) => ({ read: relative(root, path) })),
    { write: `${root}/src/new.ts`, content: "export {};\n" },
    { write: `${root}/docs/x.md`, content: "see .sluice/hooks.yaml and `sluice trust --yes`\n" },
    { edit: `${root}/src/a.ts`, from: "1", to: "2" },
    {
      patch:
        "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-export const a = 1;\n+export const a = 2;\n*** End Patch",
    },
    { patch: "*** Begin Patch\n*** Add File: docs/y.md\n+about .sluice/hooks.yaml\n*** End Patch" },
    { mcp: "write_file", input: { path: `${root}/src/m.ts`, content: "x" } },
    { mcp: "write_file", input: { path: `${root}/docs/m.md`, content: "run `sluice list`, see .sluice/hooks.yaml" } },
    { mcp: "list_directory", input: { path: `${root}/.sluice` } },
    { mcp: "directory_tree", input: { path: home } },
    { mcp: "search_files", input: { path: root, pattern: "hooks.yaml" } },
    { mcp: "get_file_info", input: { path: `${home}/.claude/settings.json` } },
    { mcp: "git_status", input: { repo_path: root } },
    { mcp: "git_log", input: { repo_path: root, max_count: 5 } },
    { mcp: "git_diff", input: { repo_path: root, target: "bad" } },
    { mcp: "create_issue", input: { title: "sluice trust --yes is denied", body: "rm -rf .sluice is denied, too" } },
    { mcp: "search_code", input: { q: "sluice pause" } },
    { mcp: "fetch", input: { url: "https://example.com/.sluice/hooks.yaml" } },
    { mcp: "move_file", input: { source: `${root}/src/a.ts`, destination: `${root}/src/z.ts` } },
    { mcp: "run_command", input: { command: "git status" } },
    { mcp: "query", input: { sql: "SELECT 1" } },
    { mcp: "update_config", input: { key: "theme", value: "dark" } },
    { mcp: "get_config", input: { key: "hooks" } },
    { mcp: "set_setting", input: { name: "editor.webhooks", value: 1 } },
    { mcp: "fetch_to_file", input: { url: "https://example.com/x", file: `${root}/docs/x.html` } },
    { mcp: "take_screenshot", input: { url: "https://example.com/.sluice/hooks.yaml" } },
    { mcp: "run_python", input: { code: "print(1)" } },
    { mcp: "resources_read", input: { uri: `file://${root}/.sluice/hooks.yaml` } },
  ];
}
